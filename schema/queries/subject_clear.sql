-- Rebuilding the projection from the log.
DELETE FROM subject
