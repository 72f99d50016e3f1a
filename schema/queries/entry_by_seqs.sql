-- Facts that entries name (confirmation, decision, withdrawal). Index: entry_pkey.
SELECT seq, bytes, leaf FROM entry WHERE seq = ANY ($1::bigint[]) ORDER BY seq
