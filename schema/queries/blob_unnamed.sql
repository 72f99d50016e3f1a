-- Collection, without the log's lock: blobs older than a day that no entry names. Index: blob_ref_pkey.
SELECT b.sha256 FROM blob b
WHERE b.at < now() - interval '24 hours'
  AND NOT EXISTS (SELECT FROM blob_ref r WHERE r.sha256 = b.sha256)
LIMIT 1000
