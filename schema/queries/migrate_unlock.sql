-- migrate
SELECT pg_advisory_unlock(6012345679)
