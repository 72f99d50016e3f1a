-- The projection for lists: written with the log, so complete to its head; never trusted by the gate.

CREATE TABLE subject (
    id text PRIMARY KEY,
    prefix text NOT NULL,
    number bigint NOT NULL,
    kind text NOT NULL,                 -- of the entry that created it
    status text NOT NULL,
    on_id text,                         -- its incident, or its change
    actor text NOT NULL,
    model text,                         -- PROVIDER/NAME[@VERSION] as recorded
    target text,                        -- of a change
    since_seq bigint NOT NULL,          -- the entry that created it
    status_seq bigint NOT NULL,         -- the entry that gave it its status
    updated_seq bigint NOT NULL,        -- the latest entry about it
    at bigint NOT NULL,                 -- recorded, microseconds since 1970
    updated_at bigint NOT NULL
) WITH (fillfactor = 80);               -- room for updates of status beside the row
CREATE UNIQUE INDEX subject_page ON subject (prefix, number);
CREATE INDEX subject_status ON subject (prefix, status, number);
CREATE INDEX subject_child ON subject (on_id, prefix, number) WHERE on_id IS NOT NULL;
CREATE INDEX subject_target ON subject (target, status) WHERE target IS NOT NULL;

GRANT SELECT, INSERT, UPDATE, DELETE ON subject TO opledger_service;
