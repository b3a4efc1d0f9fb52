-- A delivery can wait for the transcription of its call.
ALTER TABLE deliveries DROP CONSTRAINT deliveries_state_check;
ALTER TABLE deliveries ADD CONSTRAINT deliveries_state_check
    CHECK (state IN ('waiting', 'queued', 'delivering', 'delivered', 'failed', 'stopped'));
DROP INDEX deliveries_open;
CREATE INDEX deliveries_open ON deliveries (token_id, state) WHERE state IN ('waiting', 'queued', 'delivering');

-- The transcription whose end is delivered; null for the results of a search.
ALTER TABLE deliveries ADD COLUMN transcription_id BIGINT REFERENCES transcriptions (id);
