-- Clear names for tables, columns, indexes, triggers and functions. No data changes.
ALTER TABLE undo_journal RENAME COLUMN row_id TO record_id;
ALTER TABLE undo_journal RENAME COLUMN given TO new_values;
ALTER TABLE undo_journal RENAME COLUMN former TO old_values;
ALTER TABLE undo_journal RENAME CONSTRAINT undo_journal_import_id_kind_row_id_key TO undo_journal_import_id_kind_record_id_key;
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
ALTER TABLE import_undo_skipped_records RENAME CONSTRAINT import_undo_left_pkey TO import_undo_skipped_records_pkey;
ALTER TABLE import_undo_skipped_records
    RENAME CONSTRAINT import_undo_left_import_id_fkey TO import_undo_skipped_records_import_id_fkey;
ALTER SEQUENCE import_undo_left_id_seq RENAME TO import_undo_skipped_records_id_seq;
ALTER INDEX import_undo_left_import RENAME TO import_undo_skipped_records_import;

ALTER TABLE imports RENAME COLUMN noted_at TO progress_at;
ALTER TABLE imports RENAME COLUMN leads_put_in TO leads_added;
ALTER TABLE imports RENAME COLUMN corrects_id TO corrected_import_id;

ALTER TABLE import_rejects RENAME TO rejected_rows;
ALTER TABLE rejected_rows RENAME COLUMN faults TO diagnostics;
ALTER TABLE rejected_rows RENAME COLUMN row TO text;
ALTER TABLE rejected_rows RENAME COLUMN corrected_by TO correction_import_id;
ALTER TABLE rejected_rows RENAME CONSTRAINT import_rejects_pkey TO rejected_rows_pkey;
ALTER TABLE rejected_rows RENAME CONSTRAINT import_rejects_import_id_fkey TO rejected_rows_import_id_fkey;
ALTER SEQUENCE import_rejects_id_seq RENAME TO rejected_rows_id_seq;
ALTER INDEX import_rejects_import RENAME TO rejected_rows_import;

-- `claimable_at` is the due time of a queued entry, and the end of the lease of a claimed one.
ALTER TABLE transcriptions RENAME COLUMN fence TO fencing_token;
ALTER TABLE transcriptions RENAME COLUMN ready_at TO claimable_at;
ALTER INDEX transcriptions_ready RENAME TO transcriptions_queued;
ALTER INDEX transcriptions_under_way RENAME TO transcriptions_claimed;
ALTER INDEX transcriptions_sent_once RENAME TO transcriptions_unique_call;

ALTER TABLE deliveries RENAME COLUMN fence TO fencing_token;
ALTER TABLE deliveries RENAME COLUMN ready_at TO claimable_at;
ALTER TABLE deliveries RENAME COLUMN earlier_attempts TO attempts_before_replay;
ALTER INDEX deliveries_waiting RENAME TO deliveries_queued_by_endpoint;
ALTER INDEX deliveries_under_way RENAME TO deliveries_claimed;

ALTER TABLE speech_tokens RENAME COLUMN previous_webhook_until TO previous_webhook_secret_expires_at;
ALTER TABLE idempotency_keys RENAME COLUMN answer TO response;
ALTER INDEX transcript_words_many RENAME TO transcript_words_without_lexemes;

ALTER TABLE lead_changes RENAME COLUMN seq TO id;
ALTER TABLE lead_changes RENAME COLUMN writer TO transaction_id;
ALTER SEQUENCE lead_changes_seq_seq RENAME TO lead_changes_id_seq;
ALTER INDEX lead_changes_writer RENAME TO lead_changes_transaction;
ALTER TABLE lead_changes_pruned RENAME COLUMN upto TO pruned_up_to;

ALTER FUNCTION note_lead_change RENAME TO log_lead_change;
ALTER FUNCTION note_lead_changes RENAME TO log_lead_changes;
ALTER FUNCTION note_campaign_lead_changes RENAME TO log_campaign_lead_changes;
-- Changes of campaigns and of statuses.
ALTER FUNCTION note_campaign_change RENAME TO log_other_change;
-- The deleted leads are unknown, so the lead index must be rebuilt.
ALTER FUNCTION note_truncation RENAME TO log_truncation;
CREATE OR REPLACE FUNCTION log_truncation() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE lead_changes_pruned SET pruned_up_to = pg_current_xact_id();
    INSERT INTO lead_changes (lead_id) VALUES (NULL);
    RETURN NULL;
END;
$$;

ALTER FUNCTION tell_of_queue RENAME TO notify_queue_change;
ALTER TRIGGER transcriptions_told ON transcriptions RENAME TO transcriptions_notify;
ALTER TRIGGER deliveries_told ON deliveries RENAME TO deliveries_notify;

ALTER TRIGGER campaign_leads_global_after_rise ON campaign_leads RENAME TO campaign_leads_global_after_increase;
ALTER TRIGGER campaign_leads_global_after_fall ON campaign_leads RENAME TO campaign_leads_global_after_decrease;
-- Each function has the name of its trigger.
ALTER FUNCTION leads_global_of_new RENAME TO leads_global_before_insert;
ALTER FUNCTION leads_global_of_changed RENAME TO leads_global_before_update;
ALTER FUNCTION campaign_leads_global_of_new RENAME TO campaign_leads_global_after_insert;
ALTER FUNCTION campaign_leads_global_rise RENAME TO campaign_leads_global_after_increase;
ALTER FUNCTION campaign_leads_global_fall RENAME TO campaign_leads_global_after_decrease;
ALTER FUNCTION campaign_leads_global_gone RENAME TO campaign_leads_global_after_delete;
