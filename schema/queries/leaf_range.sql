-- Proofs, tiles at the right edge: leaf hashes of [from, to). Index: entry_pkey.
SELECT seq, leaf FROM entry WHERE seq >= $1::bigint AND seq < $2::bigint ORDER BY seq
