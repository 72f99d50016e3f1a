-- Collection: takes one unnamed blob away, if it still is unnamed.
SELECT blob_collect($1::bytea)
