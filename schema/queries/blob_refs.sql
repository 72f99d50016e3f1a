-- Who may read a blob, and deep verify: the entries that keep it. Index: blob_ref_pkey.
SELECT e.seq, e.bytes, e.leaf, e.id, e.on_id FROM blob_ref r JOIN entry e ON e.seq = r.seq
WHERE r.sha256 = $1::bytea ORDER BY e.seq
