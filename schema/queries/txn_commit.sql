-- db_commit
COMMIT
