-- Sequencer, or a rebuild.
INSERT INTO projection (name, size) VALUES ($1::text, $2::bigint)
ON CONFLICT (name) DO UPDATE SET size = excluded.size
