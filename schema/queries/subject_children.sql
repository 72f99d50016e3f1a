-- GET /v1/{noun}/{id}: what was created on a subject. Index: subject_child.
SELECT id, kind, status, since_seq FROM subject
WHERE on_id = $1::text AND since_seq < $2::bigint ORDER BY prefix, number
