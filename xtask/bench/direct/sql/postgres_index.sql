-- Indexes for the twelve shapes. leads.global_updated_at is stored; in production a trigger would maintain it.
ALTER TABLE campaigns ADD PRIMARY KEY (id);
ALTER TABLE leads ADD PRIMARY KEY (id);
CREATE INDEX leads_first_name ON leads (first_name, id);
CREATE INDEX leads_updated ON leads (updated_at, id);
CREATE INDEX leads_global ON leads (global_updated_at, id);
CREATE INDEX cl_campaign ON campaign_leads (campaign_id, lead_id) INCLUDE (updated_at);
CREATE INDEX cl_campaign_status ON campaign_leads (campaign_id, status, lead_id);
CREATE INDEX cl_updated ON campaign_leads (updated_at, lead_id);
ALTER TABLE campaign_leads ADD FOREIGN KEY (campaign_id) REFERENCES campaigns (id);
ALTER TABLE campaign_leads ADD FOREIGN KEY (lead_id) REFERENCES leads (id);
