-- Collection: takes one unnamed blob away. Index: blob_at.
SELECT blob_collect_one()
