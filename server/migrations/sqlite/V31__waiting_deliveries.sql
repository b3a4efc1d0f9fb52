-- A delivery can wait for the transcription of its call. SQLite can't change a CHECK constraint, so the column and its indexes are
-- created again.
DROP INDEX deliveries_request;
DROP INDEX deliveries_state;
DROP INDEX deliveries_by_endpoint;
DROP INDEX deliveries_open;
DROP INDEX deliveries_queued_by_endpoint;
DROP INDEX deliveries_claimed;
ALTER TABLE deliveries RENAME COLUMN state TO former_state;
ALTER TABLE deliveries ADD COLUMN state TEXT NOT NULL DEFAULT 'queued'
    CHECK (state IN ('waiting', 'queued', 'delivering', 'delivered', 'failed', 'stopped'));
UPDATE deliveries SET state = former_state;
ALTER TABLE deliveries DROP COLUMN former_state;
CREATE INDEX deliveries_request ON deliveries (request_id, state);
CREATE INDEX deliveries_state ON deliveries (state);
CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_id, state, finished_at, id);
CREATE INDEX deliveries_open ON deliveries (token_id, state) WHERE state IN ('waiting', 'queued', 'delivering');
CREATE INDEX deliveries_queued_by_endpoint ON deliveries (endpoint_id, claimable_at, id) WHERE state = 'queued';
CREATE INDEX deliveries_claimed ON deliveries (claimable_at, id) WHERE state = 'delivering';

-- The transcription whose end is delivered; null for the results of a search.
ALTER TABLE deliveries ADD COLUMN transcription_id INTEGER REFERENCES transcriptions (id);
