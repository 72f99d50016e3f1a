-- The log: entries, sealed texts, checkpoints, tiles. The service may add to these and read them,
-- and nothing else; only content.erased will reach into sealed, through a function of the owner's.

CREATE TABLE schema_version (
    version integer PRIMARY KEY,
    name text NOT NULL,
    digest bytea NOT NULL,              -- SHA-256 of the migration's text
    applied_at timestamptz NOT NULL DEFAULT now(),
    applied_by text NOT NULL DEFAULT session_user
);

-- bytes are the truth; id and on_id repeat what stands in them, as index keys, and nothing else
-- does: a column that is not read cannot be wrong.
CREATE TABLE entry (
    seq bigint PRIMARY KEY CHECK (seq >= 0),
    bytes bytea NOT NULL,               -- canonical JSON
    leaf bytea NOT NULL CHECK (octet_length(leaf) = 32),
    id text,                            -- the subject it creates
    on_id text                          -- the subject it is about
);
CREATE UNIQUE INDEX entry_id ON entry (id) WHERE id IS NOT NULL;
CREATE INDEX entry_on ON entry (on_id, seq) WHERE on_id IS NOT NULL;
-- Administration: principals, keys, tokens, policies, epochs; few, read whole at start.
CREATE INDEX entry_registry ON entry (seq) WHERE id IS NULL AND on_id IS NULL;

-- The one place where a free text of an entry stands.
CREATE TABLE sealed (
    seq bigint NOT NULL,
    field text NOT NULL,                -- JSON pointer, "/body/claim"
    salt bytea NOT NULL CHECK (octet_length(salt) = 32),
    text text NOT NULL,
    PRIMARY KEY (seq, field)
);

-- One row per group of writes. Never updated: a hot row decays under any long snapshot.
CREATE TABLE checkpoint (
    size bigint PRIMARY KEY CHECK (size > 0),
    root bytea NOT NULL CHECK (octet_length(root) = 32),
    edge bytea NOT NULL CHECK (octet_length(edge) % 32 = 0), -- right edge, largest subtree first
    counters bigint[] NOT NULL,         -- last number given per id prefix
    at bigint NOT NULL,                 -- never before the `at` of its last entry
    note text NOT NULL                  -- the signed note
);

-- Full tiles only (256 hashes); partial ones and entry bundles are built from entry.
CREATE TABLE tile (
    level smallint NOT NULL CHECK (level BETWEEN 0 AND 63),
    n bigint NOT NULL CHECK (n >= 0),
    bytes bytea NOT NULL CHECK (octet_length(bytes) = 8192),
    PRIMARY KEY (level, n)
);
ALTER TABLE tile ALTER COLUMN bytes SET STORAGE EXTERNAL; -- hashes do not compress

-- A nonce of a Statement or gate request counts once.
CREATE TABLE nonce (
    nonce text PRIMARY KEY,
    seq bigint NOT NULL
);

-- What an Idempotency-Key was used for; rows go after seven days.
CREATE TABLE idempotency (
    principal text NOT NULL,
    key text NOT NULL,
    digest bytea NOT NULL,              -- keyed hash of the request
    first bigint NOT NULL,
    count integer NOT NULL,
    size bigint NOT NULL,               -- of the checkpoint that the receipt names
    at bigint NOT NULL,
    PRIMARY KEY (principal, key)
);
CREATE INDEX idempotency_at ON idempotency (at);

GRANT SELECT ON schema_version TO opledger_service;
GRANT SELECT, INSERT ON entry, sealed, checkpoint, tile, nonce TO opledger_service;
GRANT SELECT, INSERT, DELETE ON idempotency TO opledger_service;
