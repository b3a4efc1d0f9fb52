-- Idempotency keys of every operation that creates something. They belong to the caller: a user, an API key or a speech token.
CREATE TABLE all_idempotency_keys (
    -- The caller, as in the audit log.
    owner TEXT NOT NULL,
    key TEXT NOT NULL,
    fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
    -- What was created.
    response TEXT NOT NULL CHECK (json_valid(response)),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (owner, key)
) STRICT, WITHOUT ROWID;
INSERT INTO all_idempotency_keys (owner, key, fingerprint, response, created_at)
    SELECT 'speech_token:' || token_id, key, fingerprint, response, created_at FROM idempotency_keys;
DROP TABLE idempotency_keys;
ALTER TABLE all_idempotency_keys RENAME TO idempotency_keys;
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);
