-- Sequencer: the entries of a group. Arrays: seq, bytes, leaf, id, on_id.
INSERT INTO entry (seq, bytes, leaf, id, on_id)
SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::text[], $5::text[])
