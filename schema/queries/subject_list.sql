-- GET /v1/{noun}: newest first, a page below number $7 (NULL: from the newest), of what was there at
-- log size $8. Filters that are NULL do not filter. Columns title_*: the sealed headline, if any.
-- Index: subject_page (or subject_status).
SELECT s.id, s.number, s.kind, s.status, s.on_id, s.actor, s.model, s.target, s.since_seq,
       s.status_seq, s.updated_seq, s.at, s.updated_at, t.field, t.salt, t.text
FROM subject s
LEFT JOIN sealed t ON t.seq = s.since_seq
    AND t.field = CASE s.prefix WHEN 'hyp' THEN '/body/claim' WHEN 'ovr' THEN '/body/reason'
                                ELSE '/body/title' END
WHERE s.prefix = $1::text
  AND ($2::text IS NULL OR s.status = $2::text)
  AND ($3::text IS NULL OR s.model = $3::text OR starts_with(s.model, $3::text || '@'))
  AND ($4::text IS NULL OR s.actor = $4::text)
  AND ($5::bigint IS NULL OR s.at >= $5::bigint)
  AND ($6::bigint IS NULL OR s.at < $6::bigint)
  AND ($7::bigint IS NULL OR s.number < $7::bigint)
  AND s.since_seq < $8::bigint
ORDER BY s.number DESC LIMIT $9::bigint
