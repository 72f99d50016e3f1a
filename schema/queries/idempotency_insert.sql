-- Sequencer. Arrays: principal, key, digest, first, count, size, at.
INSERT INTO idempotency (principal, key, digest, first, count, size, at)
SELECT * FROM unnest($1::text[], $2::text[], $3::bytea[], $4::bigint[], $5::bigint[], $6::bigint[],
                     $7::bigint[])
