-- migrate: what must hold before anything is made.
SELECT current_setting('server_encoding'), current_setting('server_version_num')::integer,
       to_regclass('public.schema_version') IS NOT NULL
