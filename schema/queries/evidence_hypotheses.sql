-- Admission: hypotheses of an incident to which a digest was attached, newest first; a hint, the
-- folds decide. Index: blob_ref_pkey.
SELECT e.on_id FROM blob_ref r
JOIN entry e ON e.seq = r.seq AND e.kind = 'evidence.attached'
JOIN subject s ON s.id = e.on_id AND s.on_id = $2::text
WHERE r.sha256 = $1::bytea ORDER BY r.seq DESC LIMIT 64
