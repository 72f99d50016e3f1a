-- Sequencer: keys of a group that were used before. Arrays: principal, key. Index: idempotency_pkey.
SELECT i.principal, i.key, i.digest, i.first, i.count, i.size
FROM unnest($1::text[], $2::text[]) AS want (principal, key)
JOIN idempotency i ON i.principal = want.principal AND i.key = want.key
