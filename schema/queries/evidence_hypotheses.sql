-- Admission: hypotheses of an incident about which entries keep a digest, newest first; a hint, the
-- folds decide. Index: blob_ref_pkey.
SELECT e.on_id FROM blob_ref r
JOIN entry e ON e.seq = r.seq
JOIN subject s ON s.id = e.on_id AND s.on_id = $2::text
WHERE r.sha256 = $1::bytea ORDER BY r.seq DESC LIMIT 64
