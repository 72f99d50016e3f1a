-- Sequencer: the latest entry that created or is about each subject, for `prev`.
-- Indexes: entry_id, entry_on (backwards, one row per subject).
SELECT want, greatest(
    (SELECT e.seq FROM entry e WHERE e.id = want),
    (SELECT e.seq FROM entry e WHERE e.on_id = want ORDER BY e.seq DESC LIMIT 1))
FROM unnest($1::text[]) AS want
