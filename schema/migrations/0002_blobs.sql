-- Blobs: content-addressed bytes as compressed chunks. The service adds and reads; deleting goes
-- through the two functions below, which know what may go and leave a trace of it.

CREATE TABLE blob_upload (
    upload bigint GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    at timestamptz NOT NULL DEFAULT now()
);

CREATE TABLE blob_chunk (
    upload bigint NOT NULL,
    n integer NOT NULL CHECK (n >= 0),
    data bytea NOT NULL,                -- one zstd frame; every chunk but the last holds 1 MiB
    PRIMARY KEY (upload, n)
);
ALTER TABLE blob_chunk ALTER COLUMN data SET STORAGE EXTERNAL; -- compressed already

CREATE TABLE blob (
    sha256 bytea PRIMARY KEY CHECK (octet_length(sha256) = 32),
    upload bigint NOT NULL UNIQUE,
    size bigint NOT NULL CHECK (size >= 0),
    at timestamptz NOT NULL DEFAULT now() -- last put; collection counts from here
);

-- Which entry keeps which blob.
CREATE TABLE blob_ref (
    sha256 bytea NOT NULL REFERENCES blob (sha256),
    seq bigint NOT NULL,
    PRIMARY KEY (sha256, seq)
);

-- What collection took away.
CREATE TABLE blob_collected (
    sha256 bytea NOT NULL,
    size bigint NOT NULL,
    put_at timestamptz NOT NULL,
    collected_at timestamptz NOT NULL DEFAULT clock_timestamp(),
    collected_by text NOT NULL DEFAULT session_user
);

-- Drops the chunks of an upload that never became a blob; how many. Few at a time: the caller
-- repeats until 0, so that no transaction holds gigabytes.
CREATE FUNCTION blob_discard(dead bigint, chunks integer) RETURNS bigint
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    gone bigint;
BEGIN
    IF EXISTS (SELECT FROM public.blob b WHERE b.upload = dead) THEN
        RETURN 0;
    END IF;
    DELETE FROM public.blob_chunk c WHERE c.upload = dead
        AND c.n IN (SELECT k.n FROM public.blob_chunk k WHERE k.upload = dead ORDER BY k.n LIMIT chunks);
    GET DIAGNOSTICS gone = ROW_COUNT;
    IF gone = 0 THEN
        DELETE FROM public.blob_upload u WHERE u.upload = dead;
    END IF;
    RETURN gone;
END $$;

-- Takes a blob that no entry names and that is older than a day out of sight; true when it did.
-- The lock is the sequencer's: no entry can come to name it meanwhile.
CREATE FUNCTION blob_collect(unnamed bytea) RETURNS boolean
    LANGUAGE plpgsql SECURITY DEFINER SET search_path = pg_catalog, pg_temp AS $$
DECLARE
    old public.blob%ROWTYPE;
BEGIN
    PERFORM pg_advisory_xact_lock(6012345678);
    DELETE FROM public.blob b
        WHERE b.sha256 = unnamed
          AND b.at < now() - interval '24 hours'
          AND NOT EXISTS (SELECT FROM public.blob_ref r WHERE r.sha256 = b.sha256)
        RETURNING b.* INTO old;
    IF NOT FOUND THEN
        RETURN false;
    END IF;
    INSERT INTO public.blob_collected (sha256, size, put_at) VALUES (old.sha256, old.size, old.at);
    RETURN true;
END $$;
CREATE INDEX blob_at ON blob (at);

REVOKE ALL ON FUNCTION blob_discard(bigint, integer), blob_collect(bytea) FROM PUBLIC;
GRANT EXECUTE ON FUNCTION blob_discard(bigint, integer), blob_collect(bytea) TO opledger_service;
GRANT SELECT, INSERT ON blob_upload, blob_chunk, blob, blob_ref TO opledger_service;
GRANT UPDATE (at) ON blob TO opledger_service;
GRANT SELECT ON blob_collected TO opledger_service;
