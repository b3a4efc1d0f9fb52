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
    INSERT INTO lead_changes (lead_id) VALUES (new.id);
    IF new.id <> old.id THEN
        INSERT INTO lead_changes (lead_id) VALUES (old.id);
    END IF;
    RETURN NULL;
END;
$$;

-- For all rows of a statement at once, of which an import writes thousands.
CREATE FUNCTION note_lead_changes() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO lead_changes (lead_id) SELECT id FROM changed;
    RETURN NULL;
END;
$$;

CREATE FUNCTION note_campaign_lead_changes() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    IF TG_OP = 'UPDATE' THEN
        INSERT INTO lead_changes (lead_id) SELECT lead_id FROM changed UNION SELECT lead_id FROM former;
    ELSE
        INSERT INTO lead_changes (lead_id) SELECT DISTINCT lead_id FROM changed;
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

-- Nobody tells which leads went: whoever follows reads all anew.
CREATE FUNCTION note_truncation() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE lead_changes_pruned SET upto = pg_current_xact_id();
    INSERT INTO lead_changes (lead_id) VALUES (NULL);
    RETURN NULL;
END;
$$;

CREATE TRIGGER leads_truncated AFTER TRUNCATE ON leads FOR EACH STATEMENT EXECUTE FUNCTION note_truncation();

CREATE TRIGGER campaign_leads_truncated AFTER TRUNCATE ON campaign_leads FOR EACH STATEMENT EXECUTE FUNCTION note_truncation();

CREATE TRIGGER leads_changed_by_insert AFTER INSERT ON leads REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_lead_changes();

CREATE TRIGGER leads_changed_by_delete AFTER DELETE ON leads REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_lead_changes();

-- Of all columns but global_updated_at, which changes only together with others, or with a campaign lead. Row by row, for
-- only so can columns be named; a statement that compared all rows as they were and as they are took as long.
CREATE TRIGGER leads_changed_by_update AFTER UPDATE OF id, first_name, last_name, phone, phone2, phone_normalized,
    phone_normalized2, email, address1, address2, city, state, zip, country, timezone, lat, lng, original_identifier,
    support_site, purchase_site, purchase_date, purchase_amount, purchase_product_name, birthdate, do_not_call, blacklisted,
    custom_fields, created_at, updated_at ON leads
    FOR EACH ROW EXECUTE FUNCTION note_lead_change();

CREATE TRIGGER campaign_leads_changed_by_insert AFTER INSERT ON campaign_leads REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_campaign_lead_changes();

CREATE TRIGGER campaign_leads_changed_by_update AFTER UPDATE ON campaign_leads
    REFERENCING OLD TABLE AS former NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_campaign_lead_changes();

CREATE TRIGGER campaign_leads_changed_by_delete AFTER DELETE ON campaign_leads REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION note_campaign_lead_changes();

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
