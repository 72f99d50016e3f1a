-- Projection of a group. Arrays: id, prefix, number, kind, status, on_id, actor, model, target,
-- since_seq, status_seq, updated_seq, at, updated_at. Index: subject_pkey.
INSERT INTO subject (id, prefix, number, kind, status, on_id, actor, model, target, since_seq,
                     status_seq, updated_seq, at, updated_at)
SELECT * FROM unnest($1::text[], $2::text[], $3::bigint[], $4::text[], $5::text[], $6::text[],
                     $7::text[], $8::text[], $9::text[], $10::bigint[], $11::bigint[],
                     $12::bigint[], $13::bigint[], $14::bigint[])
ON CONFLICT (id) DO UPDATE SET
    status = excluded.status, status_seq = excluded.status_seq,
    updated_seq = excluded.updated_seq, updated_at = excluded.updated_at
