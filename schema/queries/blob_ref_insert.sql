-- Sequencer: blobs that the entries of a group keep. Arrays: sha256, seq.
INSERT INTO blob_ref (sha256, seq) SELECT * FROM unnest($1::bytea[], $2::bigint[])
ON CONFLICT DO NOTHING
