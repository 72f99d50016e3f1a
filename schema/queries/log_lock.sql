-- Sequencer, first in every group: one writer of the log at a time, over all servers. The same number
-- stands in the function blob_collect().
SELECT pg_advisory_xact_lock(6012345678)
