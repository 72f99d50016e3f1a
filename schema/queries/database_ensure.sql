-- migrate: only the two roles may connect, and the owner may create in schema public.
DO $$
DECLARE
    db name := current_database();
BEGIN
    EXECUTE format('REVOKE ALL ON DATABASE %I FROM PUBLIC', db);
    EXECUTE format('GRANT CONNECT ON DATABASE %I TO opledger_owner, opledger_service', db);
    IF NOT has_schema_privilege('opledger_owner', 'public', 'CREATE') THEN
        GRANT CREATE, USAGE ON SCHEMA public TO opledger_owner;
    END IF;
    GRANT USAGE ON SCHEMA public TO opledger_service;
END $$
