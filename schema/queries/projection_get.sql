-- Lists: up to which log size a projection is complete. Index: projection_pkey.
SELECT size FROM projection WHERE name = $1::text
