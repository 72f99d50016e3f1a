-- The start of an upload.
INSERT INTO blob_upload DEFAULT VALUES RETURNING upload
