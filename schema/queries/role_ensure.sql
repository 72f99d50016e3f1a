-- migrate: the two roles, and who may connect. Runs as owner or superuser, every time.
DO $$
BEGIN
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'opledger_owner') THEN
        CREATE ROLE opledger_owner NOLOGIN;
    END IF;
    IF NOT EXISTS (SELECT FROM pg_roles WHERE rolname = 'opledger_service') THEN
        CREATE ROLE opledger_service LOGIN;
    END IF;
END $$
