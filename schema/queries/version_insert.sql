-- migrate: a migration has run.
INSERT INTO schema_version (version, name, digest) VALUES ($1::integer, $2::text, $3::bytea)
