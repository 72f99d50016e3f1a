-- Once per connection, by db.c: timeouts, and no weaker durability than an acknowledgement promises.
SELECT set_config('lock_timeout', $1, false),
       set_config('statement_timeout', $2, false),
       set_config('idle_in_transaction_session_timeout', '60s', false),
       set_config('search_path', 'public, pg_temp', false),
       set_config('synchronous_commit',
                  CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
                       ELSE current_setting('synchronous_commit') END, false)
