-- A transcription that somebody cancelled is no failure; its call can be sent again all the same.
ALTER TABLE transcriptions DROP CONSTRAINT transcriptions_state_check;
ALTER TABLE transcriptions ADD CONSTRAINT transcriptions_state_check
    CHECK (state IN ('queued', 'processing', 'completed', 'failed', 'cancelled'));
UPDATE transcriptions SET state = 'cancelled', error = NULL WHERE state = 'failed' AND error = 'it was cancelled';
DROP INDEX transcriptions_sent_once;
CREATE UNIQUE INDEX transcriptions_sent_once ON transcriptions (call_id) WHERE state NOT IN ('failed', 'cancelled');
