-- Embedded cluster.
SELECT EXISTS (SELECT FROM pg_database WHERE datname = 'opledger')
