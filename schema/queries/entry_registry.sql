-- At start and after each group of another server: administration entries in [from, size).
-- Index: entry_registry.
SELECT seq, bytes, leaf, id, on_id FROM entry
WHERE id IS NULL AND on_id IS NULL AND seq >= $1::bigint AND seq < $2::bigint ORDER BY seq
