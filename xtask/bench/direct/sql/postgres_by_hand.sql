-- Additional objects for the hand-written programs, after postgres_index.sql.
ALTER TABLE campaign_leads ADD PRIMARY KEY (lead_id, campaign_id);
CREATE INDEX leads_cover ON leads (id) INCLUDE (updated_at, global_updated_at);
