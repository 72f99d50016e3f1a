-- At start and after each group of another server: the first entry in [from, size) whose index keys
-- are not what its bytes say, so that it would be missing where it counts: a revoked key, a verdict.
-- The keys stand behind the body, within 240 bytes of the end (longest: id, kind, times, on, prev);
-- text in the body cannot look like them, for its quotation marks are escaped. Index: entry_pkey.
SELECT seq FROM entry, LATERAL (
    SELECT substring(bytes FROM greatest(1, octet_length(bytes) - 239)) AS tail) AS ends
WHERE seq >= $1::bigint AND seq < $2::bigint AND (
    position(CASE WHEN id IS NULL THEN '},"kind":"'::bytea
        ELSE convert_to('},"id":"' || id || '","kind":"', 'UTF8') END IN tail) = 0
    OR (on_id IS NULL) <> (position('","on":"'::bytea IN tail) = 0)
    OR position(convert_to('","on":"' || on_id || '",', 'UTF8') IN tail) = 0)
ORDER BY seq LIMIT 1
