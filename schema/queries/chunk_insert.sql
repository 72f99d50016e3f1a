-- One chunk of an upload. Not durable by itself: the commit of blob_insert, which is, flushes the
-- write-ahead log past it.
INSERT INTO blob_chunk (upload, n, data)
SELECT $1::bigint, $2::integer, $3::bytea FROM set_config('synchronous_commit', 'off', true)
