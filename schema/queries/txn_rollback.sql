-- db_txn_close
ROLLBACK
