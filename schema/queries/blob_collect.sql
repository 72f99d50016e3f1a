-- Collection: takes one unnamed blob away. The function reads blob_at.
SELECT blob_collect_one()
