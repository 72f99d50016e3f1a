-- Deletes some chunks of an upload that is no blob; 0 when none are left. The function reads blob_chunk_pkey.
SELECT blob_discard($1::bigint, $2::integer)
