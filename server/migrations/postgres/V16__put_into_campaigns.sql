-- Leads can be put into a campaign by an action: into which, and which campaign leads it made, so that they can be deleted again.
ALTER TABLE lead_actions ADD COLUMN campaign_id BIGINT;
ALTER TABLE lead_action_changes ADD COLUMN made BOOLEAN NOT NULL DEFAULT false;
