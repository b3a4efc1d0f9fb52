-- One log of changes: for clients that follow the changes of records, and for the lead index of each process.

-- One row for each change. Transactions commit in another order than they begin in. Readers therefore follow the order of
-- (transaction_id, id), up to the oldest transaction that is still running.
CREATE TABLE changes (
    id BIGINT GENERATED ALWAYS AS IDENTITY PRIMARY KEY,
    -- `lead`, `campaign_lead`, `call` or `transcript`; `other` for changes of campaigns and statuses, which only the lead index follows.
    type TEXT COLLATE "C" NOT NULL,
    -- Id of the record; of a transcript, the id of its call.
    record_id BIGINT,
    -- The lead that the record is, or belongs to as a campaign lead.
    lead_id BIGINT,
    change TEXT COLLATE "C" NOT NULL CHECK (change IN ('insert', 'update', 'delete')),
    transaction_id XID8 NOT NULL DEFAULT pg_current_xact_id(),
    created_at TIMESTAMPTZ NOT NULL DEFAULT now()
);
CREATE INDEX changes_position ON changes (transaction_id, id);

CREATE TABLE change_log (
    id BIGINT PRIMARY KEY CHECK (id = 1),
    -- Random name of the log.
    history TEXT COLLATE "C" NOT NULL,
    -- Rows up to this position were purged.
    purged_transaction XID8 NOT NULL,
    purged_id BIGINT NOT NULL
);
INSERT INTO change_log (id, history, purged_transaction, purged_id) VALUES (1, left(md5(random()::text), 12), '0', 0);

-- With their triggers.
DROP FUNCTION log_lead_change CASCADE;
DROP FUNCTION log_lead_changes CASCADE;
DROP FUNCTION log_campaign_lead_changes CASCADE;
DROP FUNCTION log_other_change CASCADE;
DROP FUNCTION log_truncation CASCADE;
DROP TABLE lead_changes;
DROP TABLE lead_changes_pruned;

-- For all rows of a statement at once, of which an import writes thousands.
CREATE FUNCTION log_lead_changes() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO changes (type, record_id, lead_id, change) SELECT 'lead', id, id, lower(TG_OP) FROM changed;
    RETURN NULL;
END;
$$;
CREATE TRIGGER leads_changed_by_insert AFTER INSERT ON leads REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_lead_changes();
CREATE TRIGGER leads_changed_by_update AFTER UPDATE ON leads REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_lead_changes();
CREATE TRIGGER leads_changed_by_delete AFTER DELETE ON leads REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_lead_changes();

CREATE FUNCTION log_old_lead_id() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO changes (type, record_id, lead_id, change) VALUES ('lead', OLD.id, OLD.id, 'delete');
    RETURN NULL;
END;
$$;
CREATE TRIGGER leads_id_changed AFTER UPDATE OF id ON leads
    FOR EACH ROW WHEN (NEW.id <> OLD.id) EXECUTE FUNCTION log_old_lead_id();

CREATE FUNCTION log_campaign_lead_changes() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO changes (type, record_id, lead_id, change)
        SELECT 'campaign_lead', id, lead_id, lower(TG_OP) FROM changed;
    RETURN NULL;
END;
$$;
CREATE TRIGGER campaign_leads_changed_by_insert AFTER INSERT ON campaign_leads REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_campaign_lead_changes();
CREATE TRIGGER campaign_leads_changed_by_update AFTER UPDATE ON campaign_leads REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_campaign_lead_changes();
CREATE TRIGGER campaign_leads_changed_by_delete AFTER DELETE ON campaign_leads REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_campaign_lead_changes();

CREATE FUNCTION log_old_campaign_lead() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO changes (type, record_id, lead_id, change)
        VALUES ('campaign_lead', OLD.id, OLD.lead_id, CASE WHEN NEW.id = OLD.id THEN 'update' ELSE 'delete' END);
    RETURN NULL;
END;
$$;
CREATE TRIGGER campaign_leads_lead_changed AFTER UPDATE OF id, lead_id ON campaign_leads
    FOR EACH ROW WHEN (NEW.id <> OLD.id OR NEW.lead_id <> OLD.lead_id) EXECUTE FUNCTION log_old_campaign_lead();

CREATE FUNCTION log_call_changes() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO changes (type, record_id, change) SELECT 'call', id, lower(TG_OP) FROM changed;
    RETURN NULL;
END;
$$;
CREATE TRIGGER calls_changed_by_insert AFTER INSERT ON calls REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_call_changes();
CREATE TRIGGER calls_changed_by_update AFTER UPDATE ON calls REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_call_changes();
CREATE TRIGGER calls_changed_by_delete AFTER DELETE ON calls REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_call_changes();

-- A call has the state of its latest transcription.
CREATE FUNCTION log_transcription_state() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO changes (type, record_id, change) VALUES ('call', NEW.call_id, 'update');
    RETURN NULL;
END;
$$;
CREATE FUNCTION log_new_transcriptions() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO changes (type, record_id, change) SELECT 'call', call_id, 'update' FROM changed;
    RETURN NULL;
END;
$$;
CREATE TRIGGER calls_changed_by_transcription AFTER INSERT ON transcriptions REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_new_transcriptions();
CREATE TRIGGER calls_changed_by_transcription_state AFTER UPDATE OF state ON transcriptions
    FOR EACH ROW WHEN (NEW.state <> OLD.state) EXECUTE FUNCTION log_transcription_state();

CREATE FUNCTION log_transcript_changes() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO changes (type, record_id, change) SELECT 'transcript', call_id, lower(TG_OP) FROM changed;
    RETURN NULL;
END;
$$;
CREATE TRIGGER transcripts_changed_by_insert AFTER INSERT ON transcripts REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_transcript_changes();
CREATE TRIGGER transcripts_changed_by_update AFTER UPDATE ON transcripts REFERENCING NEW TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_transcript_changes();
CREATE TRIGGER transcripts_changed_by_delete AFTER DELETE ON transcripts REFERENCING OLD TABLE AS changed
    FOR EACH STATEMENT EXECUTE FUNCTION log_transcript_changes();

CREATE FUNCTION log_other_change() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    INSERT INTO changes (type, change) VALUES ('other', lower(TG_OP));
    RETURN NULL;
END;
$$;
CREATE TRIGGER campaigns_changed AFTER INSERT OR UPDATE OR DELETE ON campaigns
    FOR EACH ROW EXECUTE FUNCTION log_other_change();
CREATE TRIGGER lead_statuses_changed AFTER INSERT OR UPDATE OR DELETE ON lead_statuses
    FOR EACH ROW EXECUTE FUNCTION log_other_change();

-- The deleted records are unknown, so clients must load all records again, and the lead index must be rebuilt.
CREATE FUNCTION log_truncation() RETURNS TRIGGER LANGUAGE plpgsql AS $$
BEGIN
    UPDATE change_log SET purged_transaction = pg_current_xact_id(), purged_id = 9223372036854775807;
    INSERT INTO changes (type, change) VALUES ('other', 'delete');
    RETURN NULL;
END;
$$;
CREATE TRIGGER leads_truncated AFTER TRUNCATE ON leads FOR EACH STATEMENT EXECUTE FUNCTION log_truncation();
CREATE TRIGGER campaign_leads_truncated AFTER TRUNCATE ON campaign_leads FOR EACH STATEMENT EXECUTE FUNCTION log_truncation();
CREATE TRIGGER calls_truncated AFTER TRUNCATE ON calls FOR EACH STATEMENT EXECUTE FUNCTION log_truncation();
CREATE TRIGGER transcripts_truncated AFTER TRUNCATE ON transcripts FOR EACH STATEMENT EXECUTE FUNCTION log_truncation();
