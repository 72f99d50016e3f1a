-- The end of an upload whose digest matched; no row when another upload was first.
INSERT INTO blob (sha256, upload, size) VALUES ($1::bytea, $2::bigint, $3::bigint)
ON CONFLICT (sha256) DO UPDATE SET at = now()
RETURNING upload
