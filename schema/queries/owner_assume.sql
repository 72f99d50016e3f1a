-- migrate: everything made belongs to the owner, also when a superuser runs this.
SET ROLE opledger_owner
