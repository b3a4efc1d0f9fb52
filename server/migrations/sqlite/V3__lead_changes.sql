-- What the lead index, which each server keeps in memory, follows; and without the indexes that it makes needless.

-- One row for each change, in the order of their commits, for there is one writer. None is ever taken from the end, so
-- that no number is given twice. The oldest go once there are many (`lead_changes_pruned`): whoever is further behind reads
-- all leads anew.
CREATE TABLE lead_changes (
    seq INTEGER PRIMARY KEY,
    -- The lead that changed, or one of whose campaign leads did; none when campaigns or statuses changed.
    lead_id INTEGER
) STRICT;

-- Up to which number changes were forgotten.
CREATE TABLE lead_changes_pruned (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    upto INTEGER NOT NULL
) STRICT;
INSERT INTO lead_changes_pruned (id, upto) VALUES (1, 0);

CREATE TRIGGER leads_changed_by_insert AFTER INSERT ON leads
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (new.id);
END;

-- Of all columns but global_updated_at, which changes only together with others, or with a campaign lead.
CREATE TRIGGER leads_changed_by_update AFTER UPDATE OF id, first_name, last_name, phone, phone2, phone_normalized,
    phone_normalized2, email, address1, address2, city, state, zip, country, timezone, lat, lng, original_identifier,
    support_site, purchase_site, purchase_date, purchase_amount, purchase_product_name, birthdate, do_not_call, blacklisted,
    custom_fields, created_at, updated_at ON leads
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (new.id);
END;

CREATE TRIGGER leads_renumbered AFTER UPDATE OF id ON leads WHEN new.id <> old.id
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (old.id);
END;

CREATE TRIGGER leads_changed_by_delete AFTER DELETE ON leads
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (old.id);
END;

CREATE TRIGGER campaign_leads_changed_by_insert AFTER INSERT ON campaign_leads
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (new.lead_id);
END;

CREATE TRIGGER campaign_leads_changed_by_update AFTER UPDATE ON campaign_leads
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (new.lead_id);
END;

CREATE TRIGGER campaign_leads_moved AFTER UPDATE OF lead_id ON campaign_leads WHEN new.lead_id <> old.lead_id
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (old.lead_id);
END;

CREATE TRIGGER campaign_leads_changed_by_delete AFTER DELETE ON campaign_leads
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (old.lead_id);
END;

CREATE TRIGGER campaigns_changed_by_insert AFTER INSERT ON campaigns
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (NULL);
END;

CREATE TRIGGER campaigns_changed_by_update AFTER UPDATE ON campaigns
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (NULL);
END;

CREATE TRIGGER campaigns_changed_by_delete AFTER DELETE ON campaigns
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (NULL);
END;

CREATE TRIGGER lead_statuses_changed_by_insert AFTER INSERT ON lead_statuses
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (NULL);
END;

CREATE TRIGGER lead_statuses_changed_by_update AFTER UPDATE ON lead_statuses
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (NULL);
END;

CREATE TRIGGER lead_statuses_changed_by_delete AFTER DELETE ON lead_statuses
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (NULL);
END;

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
