-- migrate, and the service at start.
SELECT version, name, digest FROM schema_version ORDER BY version
