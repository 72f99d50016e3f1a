-- Texts of the entries on a page. Index: sealed_pkey.
SELECT seq, field, salt, text FROM sealed WHERE seq = ANY ($1::bigint[]) ORDER BY seq, field
