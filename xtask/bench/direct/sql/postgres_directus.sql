-- Directus doesn't support composite keys, so campaign leads get their own id.
ALTER TABLE campaign_leads ADD COLUMN id bigserial PRIMARY KEY;
CREATE UNIQUE INDEX cl_pair ON campaign_leads (lead_id, campaign_id);
