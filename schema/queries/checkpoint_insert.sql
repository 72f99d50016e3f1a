-- Sequencer, once per group.
INSERT INTO checkpoint (size, root, edge, counters, at, note)
VALUES ($1::bigint, $2::bytea, $3::bytea, $4::bigint[], $5::bigint, $6::text)
