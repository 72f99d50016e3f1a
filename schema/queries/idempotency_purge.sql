-- Housekeeping: keys older than $1, some at a time. Index: idempotency_at.
DELETE FROM idempotency WHERE (principal, key) IN (
    SELECT principal, key FROM idempotency WHERE at < $1::bigint ORDER BY at LIMIT 1000)
