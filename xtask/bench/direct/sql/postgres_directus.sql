-- Directus has no composite keys: a lead in a campaign gets an id of its own.
ALTER TABLE campaign_leads ADD COLUMN id bigserial PRIMARY KEY;
CREATE UNIQUE INDEX cl_pair ON campaign_leads (lead_id, campaign_id);
