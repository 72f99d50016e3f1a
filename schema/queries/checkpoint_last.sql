-- Sequencer under the lock; /checkpoint. Index: checkpoint_pkey (from its end).
SELECT size, root, edge, counters, at, note FROM checkpoint ORDER BY size DESC LIMIT 1
