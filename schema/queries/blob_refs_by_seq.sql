-- Deep verify: blobs that entries in [from, to) keep. Index: blob_ref_seq.
SELECT r.seq, r.sha256, b.size FROM blob_ref r LEFT JOIN blob b ON b.sha256 = r.sha256
WHERE r.seq >= $1::bigint AND r.seq < $2::bigint ORDER BY r.seq, r.sha256
