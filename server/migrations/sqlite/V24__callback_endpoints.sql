-- A delivery refers to its request, which has method and template once, and to its endpoint, which has the URL once.
-- Deliveries are claimed by endpoint: what waits for a busy one costs a claim nothing.
CREATE TABLE callback_endpoints (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    url TEXT NOT NULL UNIQUE,
    -- When the first of its queued deliveries is due, or earlier; null when none is queued.
    due_at INTEGER
) STRICT;
INSERT INTO callback_endpoints (url, due_at)
    SELECT url, min(CASE WHEN state = 'queued' THEN ready_at END) FROM deliveries GROUP BY url ORDER BY min(id);
CREATE INDEX callback_endpoints_due ON callback_endpoints (due_at, id) WHERE due_at IS NOT NULL;
ALTER TABLE deliveries ADD COLUMN endpoint_id INTEGER REFERENCES callback_endpoints (id);
UPDATE deliveries SET endpoint_id = (SELECT e.id FROM callback_endpoints e WHERE e.url = deliveries.url);

-- A test delivery has a request too, which no token sees.
ALTER TABLE speech_requests ADD COLUMN is_test INTEGER NOT NULL DEFAULT 0 CHECK (is_test IN (0, 1));
ALTER TABLE speech_requests ADD COLUMN delivery_id INTEGER;
INSERT INTO speech_requests (token_id, url, method, template, created_at, is_test, delivery_id)
    SELECT token_id, url, method, template, created_at, 1, id FROM deliveries WHERE request_id IS NULL ORDER BY id;
UPDATE deliveries SET request_id = r.id FROM speech_requests r WHERE r.delivery_id = deliveries.id;
ALTER TABLE speech_requests DROP COLUMN delivery_id;
ALTER TABLE speech_requests DROP COLUMN url;

DROP INDEX deliveries_ready;
DROP INDEX deliveries_url;
DROP INDEX deliveries_by_url;
ALTER TABLE deliveries DROP COLUMN url;
ALTER TABLE deliveries DROP COLUMN method;
ALTER TABLE deliveries DROP COLUMN template;
CREATE INDEX deliveries_waiting ON deliveries (endpoint_id, ready_at, id) WHERE state = 'queued';
CREATE INDEX deliveries_by_endpoint ON deliveries (endpoint_id, state, finished_at, id);
CREATE INDEX deliveries_open ON deliveries (token_id, state) WHERE state IN ('queued', 'delivering');
