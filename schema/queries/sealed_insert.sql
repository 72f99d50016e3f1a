-- Sequencer: the free texts of a group. Arrays: seq, field, salt, text.
INSERT INTO sealed (seq, field, salt, text)
SELECT * FROM unnest($1::bigint[], $2::text[], $3::bytea[], $4::text[])
