-- What the lead index, which each server keeps in memory, follows; and without the indexes that it makes needless.

-- One row for each change. Transactions commit in another order than they begin in, so that no number tells which changes
-- are new; the snapshot that a reader had before does: new is what the transactions wrote that it didn't see. The oldest
-- rows go once there are many (`lead_changes_pruned`): whoever is further behind reads all leads anew.
CREATE TABLE lead_changes (
    seq BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- The lead that changed, or one of whose campaign leads did; none when campaigns or statuses changed.
    lead_id BIGINT,
    writer XID8 NOT NULL DEFAULT pg_current_xact_id()
);
CREATE INDEX lead_changes_writer ON lead_changes (writer);

-- Up to which writer changes were forgotten.
CREATE TABLE lead_changes_pruned (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    upto XID8 NOT NULL
);
INSERT INTO lead_changes_pruned (id, upto) VALUES (1, '0');

CREATE FUNCTION note_lead_change() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'DELETE' THEN
        INSERT INTO lead_changes (lead_id) VALUES (old.id);
    ELSE
        INSERT INTO lead_changes (lead_id) VALUES (new.id);
    END IF;
    RETURN NULL;
END;
$$;

CREATE FUNCTION note_campaign_lead_change() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP <> 'INSERT' THEN
        INSERT INTO lead_changes (lead_id) VALUES (old.lead_id);
    END IF;
    IF TG_OP = 'INSERT' OR (TG_OP = 'UPDATE' AND new.lead_id <> old.lead_id) THEN
        INSERT INTO lead_changes (lead_id) VALUES (new.lead_id);
    END IF;
    RETURN NULL;
END;
$$;

CREATE FUNCTION note_campaign_change() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (NULL);
    RETURN NULL;
END;
$$;

CREATE TRIGGER leads_changed AFTER INSERT OR DELETE ON leads
    FOR EACH ROW EXECUTE FUNCTION note_lead_change();

-- Of all columns but global_updated_at, which changes only together with others, or with a campaign lead.
CREATE TRIGGER leads_changed_by_update AFTER UPDATE OF id, first_name, last_name, phone, phone2, phone_normalized,
    phone_normalized2, email, address1, address2, city, state, zip, country, timezone, lat, lng, original_identifier,
    support_site, purchase_site, purchase_date, purchase_amount, purchase_product_name, birthdate, do_not_call, blacklisted,
    custom_fields, created_at, updated_at ON leads
    FOR EACH ROW EXECUTE FUNCTION note_lead_change();

CREATE TRIGGER campaign_leads_changed AFTER INSERT OR UPDATE OR DELETE ON campaign_leads
    FOR EACH ROW EXECUTE FUNCTION note_campaign_lead_change();

CREATE TRIGGER campaigns_changed AFTER INSERT OR UPDATE OR DELETE ON campaigns
    FOR EACH ROW EXECUTE FUNCTION note_campaign_change();

CREATE TRIGGER lead_statuses_changed AFTER INSERT OR UPDATE OR DELETE ON lead_statuses
    FOR EACH ROW EXECUTE FUNCTION note_campaign_change();

-- Each cost every write, for filters that the index answers. Without it these filters read the table. What remains serves
-- imports, references, and the commonest filters for exact values.
DROP INDEX leads_first_name;
DROP INDEX leads_last_name;
DROP INDEX leads_updated;
DROP INDEX leads_global_updated;
DROP INDEX campaign_leads_campaign;
DROP INDEX campaign_leads_status;
DROP INDEX campaign_leads_status_only;
DROP INDEX campaign_leads_updated;
CREATE INDEX campaign_leads_campaign ON campaign_leads (campaign_id, lead_id);
