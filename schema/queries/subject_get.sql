-- Subjects by id. Index: subject_pkey.
SELECT id, kind, status, on_id, actor, model, target, since_seq, status_seq, updated_seq, at, updated_at
FROM subject WHERE id = ANY ($1::text[]) ORDER BY prefix, number
