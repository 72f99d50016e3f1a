-- Collection: uploads older than a day that never became a blob, or whose blob was collected.
-- Indexes: blob_upload_pkey, blob_upload_key.
SELECT u.upload FROM blob_upload u
WHERE u.at < now() - interval '24 hours'
  AND NOT EXISTS (SELECT FROM blob b WHERE b.upload = u.upload)
ORDER BY u.upload LIMIT 100
