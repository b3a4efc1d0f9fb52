-- Clear names for tables, columns, indexes and triggers. No data changes.
ALTER TABLE undo_journal RENAME COLUMN row_id TO record_id;
ALTER TABLE undo_journal RENAME COLUMN given TO new_values;
ALTER TABLE undo_journal RENAME COLUMN former TO old_values;
ALTER TABLE lead_actions RENAME COLUMN set_values TO changed_values;

ALTER TABLE import_undos RENAME COLUMN to_delete TO records_to_delete;
ALTER TABLE import_undos RENAME COLUMN to_restore TO records_to_restore;
ALTER TABLE import_undos RENAME COLUMN noted_at TO progress_at;
ALTER TABLE import_undos RENAME COLUMN deleted TO records_deleted;
ALTER TABLE import_undos RENAME COLUMN restored TO records_restored;
ALTER TABLE import_undos RENAME COLUMN left_alone TO records_skipped;

-- The records that the undo of an import left unchanged.
ALTER TABLE import_undo_left RENAME TO import_undo_skipped_records;
ALTER TABLE import_undo_skipped_records RENAME COLUMN row_id TO record_id;
DROP INDEX import_undo_left_import;
CREATE INDEX import_undo_skipped_records_import ON import_undo_skipped_records (import_id, record_id);

ALTER TABLE imports RENAME COLUMN noted_at TO progress_at;
ALTER TABLE imports RENAME COLUMN leads_put_in TO leads_added;
ALTER TABLE imports RENAME COLUMN corrects_id TO corrected_import_id;

ALTER TABLE import_rejects RENAME TO rejected_rows;
ALTER TABLE rejected_rows RENAME COLUMN faults TO diagnostics;
ALTER TABLE rejected_rows RENAME COLUMN row TO text;
ALTER TABLE rejected_rows RENAME COLUMN corrected_by TO correction_import_id;
DROP INDEX import_rejects_import;
CREATE INDEX rejected_rows_import ON rejected_rows (import_id, line);

-- `claimable_at` is the due time of a queued entry, and the end of the lease of a claimed one.
ALTER TABLE transcriptions RENAME COLUMN fence TO fencing_token;
ALTER TABLE transcriptions RENAME COLUMN ready_at TO claimable_at;
DROP INDEX transcriptions_ready;
CREATE INDEX transcriptions_queued ON transcriptions (claimable_at, id) WHERE state = 'queued';
DROP INDEX transcriptions_under_way;
CREATE INDEX transcriptions_claimed ON transcriptions (claimable_at, id) WHERE state = 'processing';
DROP INDEX transcriptions_sent_once;
CREATE UNIQUE INDEX transcriptions_unique_call ON transcriptions (call_id) WHERE state NOT IN ('failed', 'cancelled');

ALTER TABLE deliveries RENAME COLUMN fence TO fencing_token;
ALTER TABLE deliveries RENAME COLUMN ready_at TO claimable_at;
ALTER TABLE deliveries RENAME COLUMN earlier_attempts TO attempts_before_replay;
DROP INDEX deliveries_waiting;
CREATE INDEX deliveries_queued_by_endpoint ON deliveries (endpoint_id, claimable_at, id) WHERE state = 'queued';
DROP INDEX deliveries_under_way;
CREATE INDEX deliveries_claimed ON deliveries (claimable_at, id) WHERE state = 'delivering';

ALTER TABLE speech_tokens RENAME COLUMN previous_webhook_until TO previous_webhook_secret_expires_at;
ALTER TABLE idempotency_keys RENAME COLUMN answer TO response;

ALTER TABLE lead_changes RENAME COLUMN seq TO id;
ALTER TABLE lead_changes_pruned RENAME COLUMN upto TO pruned_up_to;

DROP TRIGGER campaign_leads_global_after_rise;
CREATE TRIGGER campaign_leads_global_after_increase AFTER UPDATE OF updated_at, lead_id ON campaign_leads
    WHEN new.lead_id = old.lead_id AND new.updated_at > old.updated_at
BEGIN
    UPDATE leads SET global_updated_at = new.updated_at
    WHERE id = new.lead_id AND global_updated_at < new.updated_at;
END;

DROP TRIGGER campaign_leads_global_after_fall;
CREATE TRIGGER campaign_leads_global_after_decrease AFTER UPDATE OF updated_at, lead_id ON campaign_leads
    WHEN new.lead_id <> old.lead_id OR new.updated_at < old.updated_at
BEGIN
    UPDATE leads
    SET global_updated_at =
        max(updated_at, coalesce((SELECT max(c.updated_at) FROM campaign_leads c WHERE c.lead_id = leads.id), updated_at))
    WHERE id IN (old.lead_id, new.lead_id);
END;

DROP TRIGGER campaign_leads_moved;
CREATE TRIGGER campaign_leads_lead_changed AFTER UPDATE OF lead_id ON campaign_leads WHEN new.lead_id <> old.lead_id
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (old.lead_id);
END;

DROP TRIGGER leads_renumbered;
CREATE TRIGGER leads_id_changed AFTER UPDATE OF id ON leads WHEN new.id <> old.id
BEGIN
    INSERT INTO lead_changes (lead_id) VALUES (old.id);
END;
