-- One log of changes: for clients that follow the changes of records, and for the lead index of each process.

-- One row for each change, in the order of the commits, because there is one writer. The newest row is never deleted, so no id is
-- assigned twice.
CREATE TABLE changes (
    id INTEGER PRIMARY KEY,
    -- `lead`, `campaign_lead`, `call` or `transcript`; `other` for changes of campaigns and statuses, which only the lead index follows.
    type TEXT NOT NULL,
    -- Id of the record; of a transcript, the id of its call.
    record_id INTEGER,
    -- The lead that the record is, or belongs to as a campaign lead.
    lead_id INTEGER,
    change TEXT NOT NULL CHECK (change IN ('insert', 'update', 'delete')),
    created_at INTEGER NOT NULL DEFAULT (CAST(unixepoch('subsec') * 1000000 AS INTEGER))
) STRICT;

CREATE TABLE change_log (
    id INTEGER PRIMARY KEY CHECK (id = 1),
    -- Random name of the log. A restored database gets a new one, because ids are assigned again.
    history TEXT NOT NULL,
    -- Rows up to this id were purged.
    purged_id INTEGER NOT NULL
) STRICT;
INSERT INTO change_log (id, history, purged_id) VALUES (1, lower(hex(randomblob(6))), 0);

DROP TRIGGER leads_changed_by_insert;
DROP TRIGGER leads_changed_by_update;
DROP TRIGGER leads_id_changed;
DROP TRIGGER leads_changed_by_delete;
DROP TRIGGER campaign_leads_changed_by_insert;
DROP TRIGGER campaign_leads_changed_by_update;
DROP TRIGGER campaign_leads_lead_changed;
DROP TRIGGER campaign_leads_changed_by_delete;
DROP TRIGGER campaigns_changed_by_insert;
DROP TRIGGER campaigns_changed_by_update;
DROP TRIGGER campaigns_changed_by_delete;
DROP TRIGGER lead_statuses_changed_by_insert;
DROP TRIGGER lead_statuses_changed_by_update;
DROP TRIGGER lead_statuses_changed_by_delete;
DROP TABLE lead_changes;
DROP TABLE lead_changes_pruned;

CREATE TRIGGER leads_changed_by_insert AFTER INSERT ON leads
BEGIN
    INSERT INTO changes (type, record_id, lead_id, change) VALUES ('lead', new.id, new.id, 'insert');
END;

CREATE TRIGGER leads_changed_by_update AFTER UPDATE ON leads
BEGIN
    INSERT INTO changes (type, record_id, lead_id, change) VALUES ('lead', new.id, new.id, 'update');
END;

CREATE TRIGGER leads_id_changed AFTER UPDATE OF id ON leads WHEN new.id <> old.id
BEGIN
    INSERT INTO changes (type, record_id, lead_id, change) VALUES ('lead', old.id, old.id, 'delete');
END;

CREATE TRIGGER leads_changed_by_delete AFTER DELETE ON leads
BEGIN
    INSERT INTO changes (type, record_id, lead_id, change) VALUES ('lead', old.id, old.id, 'delete');
END;

CREATE TRIGGER campaign_leads_changed_by_insert AFTER INSERT ON campaign_leads
BEGIN
    INSERT INTO changes (type, record_id, lead_id, change) VALUES ('campaign_lead', new.id, new.lead_id, 'insert');
END;

CREATE TRIGGER campaign_leads_changed_by_update AFTER UPDATE ON campaign_leads
BEGIN
    INSERT INTO changes (type, record_id, lead_id, change) VALUES ('campaign_lead', new.id, new.lead_id, 'update');
END;

CREATE TRIGGER campaign_leads_lead_changed AFTER UPDATE OF id, lead_id ON campaign_leads
    WHEN new.id <> old.id OR new.lead_id <> old.lead_id
BEGIN
    INSERT INTO changes (type, record_id, lead_id, change)
        VALUES ('campaign_lead', old.id, old.lead_id, iif(new.id = old.id, 'update', 'delete'));
END;

CREATE TRIGGER campaign_leads_changed_by_delete AFTER DELETE ON campaign_leads
BEGIN
    INSERT INTO changes (type, record_id, lead_id, change) VALUES ('campaign_lead', old.id, old.lead_id, 'delete');
END;

CREATE TRIGGER calls_changed_by_insert AFTER INSERT ON calls
BEGIN
    INSERT INTO changes (type, record_id, change) VALUES ('call', new.id, 'insert');
END;

CREATE TRIGGER calls_changed_by_update AFTER UPDATE ON calls
BEGIN
    INSERT INTO changes (type, record_id, change) VALUES ('call', new.id, 'update');
END;

CREATE TRIGGER calls_changed_by_delete AFTER DELETE ON calls
BEGIN
    INSERT INTO changes (type, record_id, change) VALUES ('call', old.id, 'delete');
END;

-- A call has the state of its latest transcription.
CREATE TRIGGER calls_changed_by_transcription AFTER INSERT ON transcriptions
BEGIN
    INSERT INTO changes (type, record_id, change) VALUES ('call', new.call_id, 'update');
END;

CREATE TRIGGER calls_changed_by_transcription_state AFTER UPDATE OF state ON transcriptions WHEN new.state <> old.state
BEGIN
    INSERT INTO changes (type, record_id, change) VALUES ('call', new.call_id, 'update');
END;

CREATE TRIGGER transcripts_changed_by_insert AFTER INSERT ON transcripts
BEGIN
    INSERT INTO changes (type, record_id, change) VALUES ('transcript', new.call_id, 'insert');
END;

CREATE TRIGGER transcripts_changed_by_update AFTER UPDATE ON transcripts
BEGIN
    INSERT INTO changes (type, record_id, change) VALUES ('transcript', new.call_id, 'update');
END;

CREATE TRIGGER transcripts_changed_by_delete AFTER DELETE ON transcripts
BEGIN
    INSERT INTO changes (type, record_id, change) VALUES ('transcript', old.call_id, 'delete');
END;

CREATE TRIGGER campaigns_changed_by_insert AFTER INSERT ON campaigns
BEGIN
    INSERT INTO changes (type, change) VALUES ('other', 'insert');
END;

CREATE TRIGGER campaigns_changed_by_update AFTER UPDATE ON campaigns
BEGIN
    INSERT INTO changes (type, change) VALUES ('other', 'update');
END;

CREATE TRIGGER campaigns_changed_by_delete AFTER DELETE ON campaigns
BEGIN
    INSERT INTO changes (type, change) VALUES ('other', 'delete');
END;

CREATE TRIGGER lead_statuses_changed_by_insert AFTER INSERT ON lead_statuses
BEGIN
    INSERT INTO changes (type, change) VALUES ('other', 'insert');
END;

CREATE TRIGGER lead_statuses_changed_by_update AFTER UPDATE ON lead_statuses
BEGIN
    INSERT INTO changes (type, change) VALUES ('other', 'update');
END;

CREATE TRIGGER lead_statuses_changed_by_delete AFTER DELETE ON lead_statuses
BEGIN
    INSERT INTO changes (type, change) VALUES ('other', 'delete');
END;
