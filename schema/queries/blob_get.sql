-- Reading, and admission of entries that name blobs. Index: blob_pkey.
SELECT sha256, size, upload FROM blob WHERE sha256 = ANY ($1::bytea[])
