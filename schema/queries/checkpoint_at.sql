-- Statements that name a log size no checkpoint was signed for: the first checkpoint that holds it.
-- Index: checkpoint_pkey.
SELECT size, root, edge, counters, at, note FROM checkpoint WHERE size >= $1::bigint ORDER BY size LIMIT 1
