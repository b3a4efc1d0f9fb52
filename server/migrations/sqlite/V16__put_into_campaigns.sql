-- Leads can be put into a campaign by an action: into which, and which campaign leads it made, so that they can be deleted again.
ALTER TABLE lead_actions ADD COLUMN campaign_id INTEGER;
ALTER TABLE lead_action_changes ADD COLUMN made INTEGER NOT NULL DEFAULT 0 CHECK (made IN (0, 1));
