-- A transcription that somebody cancelled is no failure; its call can be sent again all the same. As with imports the column is
-- made anew, and with it the indexes that it stands in.
DROP INDEX transcriptions_open;
DROP INDEX transcriptions_ready;
DROP INDEX transcriptions_under_way;
DROP INDEX transcriptions_sent_once;
ALTER TABLE transcriptions RENAME COLUMN state TO former_state;
ALTER TABLE transcriptions ADD COLUMN state TEXT NOT NULL DEFAULT 'queued'
    CHECK (state IN ('queued', 'processing', 'completed', 'failed', 'cancelled'));
UPDATE transcriptions SET state = former_state;
UPDATE transcriptions SET state = 'cancelled', error = NULL WHERE state = 'failed' AND error = 'it was cancelled';
ALTER TABLE transcriptions DROP COLUMN former_state;
CREATE INDEX transcriptions_open ON transcriptions (state, queued_at) WHERE state IN ('queued', 'processing');
CREATE INDEX transcriptions_ready ON transcriptions (ready_at, id) WHERE state = 'queued';
CREATE INDEX transcriptions_under_way ON transcriptions (ready_at, id) WHERE state = 'processing';
CREATE UNIQUE INDEX transcriptions_sent_once ON transcriptions (call_id) WHERE state NOT IN ('failed', 'cancelled');
