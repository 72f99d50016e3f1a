-- change.started: other changes of a target in a status. Index: subject_target.
SELECT id, since_seq FROM subject WHERE target = $1::text AND status = $2::text ORDER BY number
