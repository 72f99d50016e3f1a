-- Embedded cluster.
CREATE DATABASE opledger OWNER opledger_owner TEMPLATE template0 ENCODING 'UTF8'
