-- Sequencer. Arrays: nonce, seq.
INSERT INTO nonce (nonce, seq) SELECT * FROM unnest($1::text[], $2::bigint[])
