-- Index: blob_chunk_pkey.
SELECT data FROM blob_chunk WHERE upload = $1::bigint AND n = $2::integer
