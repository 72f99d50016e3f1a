-- At start, on the site's own server: why this login could rewrite the log, which the service's must
-- not; NULL when it could not. It is the login that counts: a role set on top of it can be left.
-- Reads catalogs only.
SELECT session_user::text,
       CASE
           WHEN r.rolsuper THEN 'is a superuser'
           WHEN EXISTS (SELECT FROM pg_roles s WHERE s.rolsuper AND pg_has_role(r.oid, s.oid, 'MEMBER'))
               THEN 'may become a superuser'
           WHEN r.rolcreaterole THEN 'may give itself any other role'
           WHEN EXISTS (SELECT FROM pg_class c
                        WHERE c.relnamespace = 'public'::regnamespace AND c.relkind = 'r'
                          AND pg_has_role(r.oid, c.relowner, 'MEMBER'))
               THEN 'owns tables, or may become their owner'
           WHEN EXISTS (SELECT FROM unnest(ARRAY['entry', 'sealed', 'checkpoint', 'tile', 'nonce',
                                                 'blob', 'blob_chunk', 'blob_ref']) AS t (name)
                        WHERE has_table_privilege(r.oid, t.name, 'UPDATE, DELETE, TRUNCATE, TRIGGER')
                           OR (t.name <> 'blob' AND has_any_column_privilege(r.oid, t.name, 'UPDATE')))
               THEN 'may change or remove what was recorded'
       END
FROM pg_roles r
WHERE r.rolname = session_user
