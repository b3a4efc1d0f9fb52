-- Webhooks: URLs that get a delivery for each event. The log of changes is their outbox: each webhook has a position in it.
CREATE TABLE webhooks (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- The token whose calls the events are about; null for a webhook of staff.
    token_id INTEGER REFERENCES speech_tokens (id),
    url TEXT NOT NULL,
    events TEXT NOT NULL CHECK (json_valid(events)),
    -- Template of the body; null for the event itself.
    template TEXT CHECK (json_valid(template)),
    paused INTEGER NOT NULL CHECK (paused IN (0, 1)),
    -- Null once the webhook is deleted.
    secret TEXT,
    previous_secret TEXT,
    previous_secret_expires_at INTEGER,
    -- Cursor of the last change that was read.
    position TEXT NOT NULL,
    -- When changes after the position were found to be purged.
    events_lost_at INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    deleted_at INTEGER
) STRICT;
CREATE INDEX webhooks_token ON webhooks (token_id);
CREATE INDEX webhooks_deleted ON webhooks (deleted_at) WHERE deleted_at IS NOT NULL;

-- A delivery belongs to a request or to a webhook. That of a webhook of staff has no token. SQLite can't change a NOT NULL
-- constraint, so the column and its indexes are created again.
DROP INDEX deliveries_token;
DROP INDEX deliveries_open;
ALTER TABLE deliveries RENAME COLUMN token_id TO former_token_id;
ALTER TABLE deliveries ADD COLUMN token_id INTEGER REFERENCES speech_tokens (id);
UPDATE deliveries SET token_id = former_token_id;
ALTER TABLE deliveries DROP COLUMN former_token_id;
ALTER TABLE deliveries ADD COLUMN webhook_id INTEGER REFERENCES webhooks (id);
CREATE INDEX deliveries_token ON deliveries (token_id);
CREATE INDEX deliveries_open ON deliveries (token_id, state, webhook_id) WHERE state IN ('waiting', 'queued', 'delivering');
-- The event that is delivered: its id, type and time, and the id of its record.
ALTER TABLE deliveries ADD COLUMN event TEXT CHECK (json_valid(event));
CREATE INDEX deliveries_webhook ON deliveries (webhook_id, id) WHERE webhook_id IS NOT NULL;
CREATE INDEX deliveries_webhook_open ON deliveries (webhook_id)
    WHERE webhook_id IS NOT NULL AND state IN ('waiting', 'queued', 'delivering');

-- Further types of changes, only for webhooks: `recording`, with the id of its call; `transcription`, if it ended without a transcript; and
-- `import`, if it ended.
CREATE TRIGGER recordings_changed AFTER UPDATE OF recording_key ON calls
    WHEN new.recording_key IS NOT NULL AND new.recording_key IS NOT old.recording_key
BEGIN
    INSERT INTO changes (type, record_id, change) VALUES ('recording', new.id, 'update');
END;

CREATE TRIGGER transcriptions_failed AFTER UPDATE OF state ON transcriptions
    WHEN new.state IN ('failed', 'cancelled') AND new.state <> old.state
BEGIN
    INSERT INTO changes (type, record_id, change) VALUES ('transcription', new.id, 'update');
END;

CREATE TRIGGER imports_finished AFTER UPDATE OF state ON imports
    WHEN old.state = 'running' AND new.state <> 'running' AND NOT new.dry_run
BEGIN
    INSERT INTO changes (type, record_id, change) VALUES ('import', new.id, 'update');
END;
