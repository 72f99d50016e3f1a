-- Sequencer: tiles that a group has filled. Arrays: level, n, bytes.
INSERT INTO tile (level, n, bytes)
SELECT level, n, bytes FROM unnest($1::bigint[], $2::bigint[], $3::bytea[]) AS t (level, n, bytes)
