-- Deep verify: texts of entries in [from, to). Index: sealed_pkey.
SELECT seq, field, salt, text FROM sealed
WHERE seq >= $1::bigint AND seq < $2::bigint ORDER BY seq, field
