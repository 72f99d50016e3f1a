-- GET /tile/{level}/{n}, proofs. Index: tile_pkey.
SELECT bytes FROM tile WHERE level = $1::integer AND n = $2::bigint
