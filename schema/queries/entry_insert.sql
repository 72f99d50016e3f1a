-- Sequencer: the entries of a group. Arrays: seq, bytes, leaf, kind, id, on_id, actor, at.
INSERT INTO entry (seq, bytes, leaf, kind, id, on_id, actor, at)
SELECT * FROM unnest($1::bigint[], $2::bytea[], $3::bytea[], $4::text[], $5::text[], $6::text[],
                     $7::text[], $8::bigint[])
