-- The same for several subjects at once: the parents of a group, a change with its hypotheses.
-- Which subject a row belongs to is its column subject. Indexes: entry_id, entry_on.
SELECT subject, seq, bytes, leaf FROM (
    SELECT e.id AS subject, e.seq, e.bytes, e.leaf
    FROM unnest($1::text[]) AS want JOIN entry e ON e.id = want AND e.seq < $2::bigint
    UNION ALL
    SELECT e.on_id, e.seq, e.bytes, e.leaf
    FROM unnest($1::text[]) AS want JOIN entry e ON e.on_id = want AND e.seq < $2::bigint
) AS about ORDER BY subject, seq
