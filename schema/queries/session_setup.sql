-- Once per connection, by db.c: timeouts, and no weaker durability than an acknowledgement promises.
-- Every query of ours goes by an index that its comment names. Plans are kept, and one that was made
-- while a table was small would read all of it when it is large: so only index plans are allowed.
SELECT set_config('lock_timeout', $1, false),
       set_config('statement_timeout', $2, false),
       set_config('idle_in_transaction_session_timeout', '60s', false),
       set_config('search_path', 'public, pg_temp', false),
       set_config('synchronous_commit',
                  CASE current_setting('synchronous_commit') WHEN 'off' THEN 'on'
                       ELSE current_setting('synchronous_commit') END, false),
       set_config('jit', 'off', false),
       set_config('enable_seqscan', 'off', false),
       set_config('enable_hashjoin', 'off', false),
       set_config('enable_mergejoin', 'off', false)
