-- One undo journal for imports and actions on leads: what a change wrote to a record, and the values before. No reference to the
-- record: ids are never given twice. It is the journal of imports, extended.
ALTER TABLE import_changes RENAME TO undo_journal;
ALTER SEQUENCE import_changes_id_seq RENAME TO undo_journal_id_seq;
ALTER TABLE undo_journal RENAME CONSTRAINT import_changes_pkey TO undo_journal_pkey;
ALTER TABLE undo_journal RENAME CONSTRAINT import_changes_import_id_fkey TO undo_journal_import_id_fkey;
ALTER TABLE undo_journal RENAME CONSTRAINT import_changes_import_id_kind_row_id_key TO undo_journal_import_id_kind_row_id_key;
ALTER TABLE undo_journal ALTER COLUMN import_id DROP NOT NULL;
ALTER TABLE undo_journal ADD COLUMN action_id BIGINT REFERENCES lead_actions (id) ON DELETE CASCADE;
-- The lead that the record is or belongs to.
ALTER TABLE undo_journal ADD COLUMN lead_id BIGINT;
ALTER TABLE undo_journal ADD CHECK ((import_id IS NULL) <> (action_id IS NULL));
CREATE UNIQUE INDEX undo_journal_action ON undo_journal (action_id, kind, row_id) WHERE action_id IS NOT NULL;

-- What an action set becomes JSON, with the moments as the API writes them, and how many leads and campaign leads it changed is
-- stored with it.
CREATE FUNCTION moment_text(value TIMESTAMPTZ) RETURNS TEXT LANGUAGE SQL AS $$
    SELECT to_char(value AT TIME ZONE 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS') || CASE
        WHEN date_trunc('second', value) = value THEN ''
        WHEN date_trunc('milliseconds', value) = value THEN to_char(value, '.MS')
        ELSE to_char(value, '.US')
    END || 'Z'
$$;
CREATE FUNCTION only_members(object JSONB, names JSONB) RETURNS JSONB LANGUAGE SQL AS $$
    SELECT coalesce(jsonb_object_agg(key, value), '{}') FROM jsonb_each(object) WHERE names ? key
$$;
ALTER TABLE lead_actions ADD COLUMN set_values JSON NOT NULL DEFAULT '{}';
ALTER TABLE lead_actions ADD COLUMN leads BIGINT NOT NULL DEFAULT 0;
ALTER TABLE lead_actions ADD COLUMN campaign_leads BIGINT NOT NULL DEFAULT 0;
UPDATE lead_actions SET
    set_values = only_members(jsonb_build_object('do_not_call', do_not_call, 'campaign_id', campaign_id, 'status', status,
        'weight', weight, 'assigned_user_id', assigned_user_id, 'freeze_until', moment_text(freeze_until)), sets),
    leads = (SELECT count(DISTINCT c.lead_id) FROM lead_action_changes c WHERE c.action_id = lead_actions.id),
    campaign_leads = (SELECT count(c.campaign_lead_id) FROM lead_action_changes c WHERE c.action_id = lead_actions.id);
INSERT INTO undo_journal (action_id, kind, row_id, lead_id, given, former)
    SELECT c.action_id, 'leads', c.lead_id, c.lead_id, json_build_object('do_not_call', a.do_not_call),
        json_build_object('do_not_call', c.do_not_call)
    FROM lead_action_changes c JOIN lead_actions a ON a.id = c.action_id
    WHERE a.undone_at IS NULL AND c.campaign_lead_id IS NULL ORDER BY c.id;
INSERT INTO undo_journal (action_id, kind, row_id, lead_id, given, former)
    SELECT c.action_id, 'campaign-leads', c.campaign_lead_id, c.lead_id,
        CASE WHEN c.made THEN json_build_object('updated_at', moment_text(a.at))
        ELSE CAST(CAST(a.set_values AS JSONB) - 'do_not_call' - 'campaign_id' AS JSON) END,
        CASE WHEN NOT c.made THEN CAST(only_members(jsonb_build_object('status', c.status, 'weight', c.weight,
            'assigned_user_id', c.assigned_user_id, 'freeze_until', moment_text(c.freeze_until)), a.sets) AS JSON) END
    FROM lead_action_changes c JOIN lead_actions a ON a.id = c.action_id
    WHERE a.undone_at IS NULL AND c.campaign_lead_id IS NOT NULL ORDER BY c.id;
DROP FUNCTION moment_text;
DROP FUNCTION only_members;
DROP TABLE lead_action_changes;
ALTER TABLE lead_actions DROP COLUMN sets;
ALTER TABLE lead_actions DROP COLUMN do_not_call;
ALTER TABLE lead_actions DROP COLUMN status;
ALTER TABLE lead_actions DROP COLUMN weight;
ALTER TABLE lead_actions DROP COLUMN assigned_user_id;
ALTER TABLE lead_actions DROP COLUMN freeze_until;
ALTER TABLE lead_actions DROP COLUMN campaign_id;
