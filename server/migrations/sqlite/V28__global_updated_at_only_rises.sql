-- `global_updated_at` of a lead never decreases, so that a client that polls by it misses nothing.
DROP TRIGGER leads_global_after_update;
CREATE TRIGGER leads_global_after_update AFTER UPDATE OF updated_at ON leads
    WHEN new.updated_at > new.global_updated_at
BEGIN
    UPDATE leads SET global_updated_at = new.updated_at WHERE id = new.id;
END;

DROP TRIGGER campaign_leads_global_after_increase;
DROP TRIGGER campaign_leads_global_after_decrease;
CREATE TRIGGER campaign_leads_global_after_update AFTER UPDATE OF updated_at, lead_id ON campaign_leads
BEGIN
    UPDATE leads SET global_updated_at = new.updated_at
    WHERE id IN (old.lead_id, new.lead_id) AND global_updated_at < new.updated_at;
END;

-- The writer that deletes a campaign lead sets the time of its lead.
DROP TRIGGER campaign_leads_global_after_delete;
