-- A projection that is filled behind the log, or a rebuild. Not once per group: a row that every
-- transaction updates decays under any long snapshot. What the sequencer fills is complete anyway.
INSERT INTO projection (name, size) VALUES ($1::text, $2::bigint)
ON CONFLICT (name) DO UPDATE SET size = excluded.size
