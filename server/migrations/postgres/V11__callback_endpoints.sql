-- Deliveries are counted by the URL they go to, from the index alone.
CREATE INDEX deliveries_by_url ON deliveries (url, state, finished_at, id);
