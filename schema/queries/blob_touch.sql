-- Putting a blob that is known: collection waits a day from now. Index: blob_pkey.
UPDATE blob SET at = now() WHERE sha256 = $1::bytea RETURNING size, upload
