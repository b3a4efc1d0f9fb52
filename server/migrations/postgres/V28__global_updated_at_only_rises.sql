-- `global_updated_at` of a lead never decreases, so that a client that polls by it misses nothing.
DROP TRIGGER leads_global_before_update ON leads;
CREATE OR REPLACE FUNCTION leads_global_before_update() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    NEW.global_updated_at := NEW.updated_at;
    RETURN NEW;
END
$$;
CREATE TRIGGER leads_global_before_update BEFORE UPDATE OF updated_at ON leads
    FOR EACH ROW WHEN (NEW.updated_at > NEW.global_updated_at) EXECUTE FUNCTION leads_global_before_update();

DROP TRIGGER campaign_leads_global_after_increase ON campaign_leads;
DROP TRIGGER campaign_leads_global_after_decrease ON campaign_leads;
DROP FUNCTION campaign_leads_global_after_increase;
DROP FUNCTION campaign_leads_global_after_decrease;
CREATE FUNCTION campaign_leads_global_after_update() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE leads SET global_updated_at = NEW.updated_at
    WHERE id IN (OLD.lead_id, NEW.lead_id) AND global_updated_at < NEW.updated_at;
    RETURN NULL;
END
$$;
CREATE TRIGGER campaign_leads_global_after_update AFTER UPDATE OF updated_at, lead_id ON campaign_leads
    FOR EACH ROW EXECUTE FUNCTION campaign_leads_global_after_update();

-- The writer that deletes a campaign lead sets the time of its lead.
DROP TRIGGER campaign_leads_global_after_delete ON campaign_leads;
DROP FUNCTION campaign_leads_global_after_delete;
