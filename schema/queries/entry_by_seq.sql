-- GET /v1/entries/{seq}. Index: entry_pkey.
SELECT seq, bytes, leaf, id, on_id FROM entry WHERE seq = $1::bigint
