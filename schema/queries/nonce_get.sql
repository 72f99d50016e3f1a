-- Statements: which of these nonces were used, and where. Index: nonce_pkey.
SELECT nonce, seq FROM nonce WHERE nonce = ANY ($1::text[])
