-- Objects for `sqlite_tuned`, after sqlite_index.sql. Maintaining them makes every write slower.
ALTER TABLE campaign_leads ADD COLUMN lead_global INT;
UPDATE campaign_leads SET lead_global = (SELECT global_updated_at FROM leads WHERE id = lead_id);
CREATE INDEX cl_campaign_global ON campaign_leads (campaign_id, lead_global, lead_id);
-- Rows per day, for exact counts of wide date ranges: whole days are summed, and both edges are counted in the index.
CREATE TABLE day_count (kind TEXT NOT NULL, day INT NOT NULL, n INT NOT NULL, PRIMARY KEY (kind, day)) WITHOUT ROWID;
INSERT INTO day_count SELECT 'updated_at', updated_at / 86400, count(*) FROM leads GROUP BY 2;
INSERT INTO day_count SELECT 'global_updated_at', global_updated_at / 86400, count(*) FROM leads GROUP BY 2;
CREATE TABLE campaign_count (campaign_id INTEGER PRIMARY KEY, n INT NOT NULL);
INSERT INTO campaign_count SELECT campaign_id, count(*) FROM campaign_leads GROUP BY 1;
CREATE TABLE campaign_status_count (campaign_id INT, status TEXT, n INT NOT NULL, PRIMARY KEY (campaign_id, status)) WITHOUT ROWID;
INSERT INTO campaign_status_count SELECT campaign_id, status, count(*) FROM campaign_leads GROUP BY 1, 2;
ANALYZE;
