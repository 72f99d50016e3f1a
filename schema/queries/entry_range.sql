-- GET /v1/entries, entry bundles, deep verify: from $1, below log size $2, at most $3.
-- Index: entry_pkey.
SELECT seq, bytes, leaf, id, on_id FROM entry
WHERE seq >= $1::bigint AND seq < $2::bigint ORDER BY seq LIMIT $3::bigint
