-- The fold of a subject, below log size $2. Two branches, so that both partial indexes serve.
-- Indexes: entry_id, entry_on.
SELECT seq, bytes, leaf, id, on_id FROM (
    SELECT seq, bytes, leaf, id, on_id FROM entry WHERE id = $1::text AND seq < $2::bigint
    UNION ALL
    SELECT seq, bytes, leaf, id, on_id FROM entry WHERE on_id = $1::text AND seq < $2::bigint
) AS about ORDER BY seq
