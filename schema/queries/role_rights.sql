-- At start, on the site's own server: whether this role could rewrite the log, which the service's must not.
SELECT has_table_privilege('entry', 'UPDATE') OR has_table_privilege('entry', 'DELETE')
