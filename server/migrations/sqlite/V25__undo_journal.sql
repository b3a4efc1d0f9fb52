-- One undo journal for imports and actions on leads: what a change wrote to a record, and the values before. No reference to the
-- record: ids are never given twice.
CREATE TABLE undo_journal (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    import_id INTEGER REFERENCES imports (id) ON DELETE CASCADE,
    action_id INTEGER REFERENCES lead_actions (id) ON DELETE CASCADE,
    -- What the record is: a kind of import.
    kind TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    -- The lead that the record is or belongs to.
    lead_id INTEGER,
    -- What the change wrote, or for a record that it created, what shows whether that was changed since.
    given TEXT NOT NULL CHECK (json_valid(given)),
    -- The same members before; null for a record that the change created.
    former TEXT CHECK (former IS NULL OR json_valid(former)),
    CHECK ((import_id IS NULL) <> (action_id IS NULL)),
    UNIQUE (import_id, kind, row_id)
) STRICT;
CREATE UNIQUE INDEX undo_journal_action ON undo_journal (action_id, kind, row_id) WHERE action_id IS NOT NULL;
INSERT INTO undo_journal (id, import_id, kind, row_id, given, former)
    SELECT id, import_id, kind, row_id, given, former FROM import_changes ORDER BY id;
DROP TABLE import_changes;

-- What an action set becomes JSON, with the moments as the API writes them, and how many leads and campaign leads it changed is
-- stored with it.
ALTER TABLE lead_actions ADD COLUMN set_values TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(set_values));
ALTER TABLE lead_actions ADD COLUMN leads INTEGER NOT NULL DEFAULT 0;
ALTER TABLE lead_actions ADD COLUMN campaign_leads INTEGER NOT NULL DEFAULT 0;
CREATE TABLE moments AS
    SELECT value, strftime('%Y-%m-%dT%H:%M:%S', (value - fraction) / 1000000, 'unixepoch') || CASE
            WHEN fraction = 0 THEN ''
            WHEN fraction % 1000 = 0 THEN printf('.%03d', fraction / 1000)
            ELSE printf('.%06d', fraction)
        END || 'Z' AS text
    FROM (
        SELECT value, (value % 1000000 + 1000000) % 1000000 AS fraction FROM (
            SELECT at AS value FROM lead_actions
            UNION SELECT freeze_until FROM lead_actions
            UNION SELECT freeze_until FROM lead_action_changes
        ) WHERE value IS NOT NULL
    );
CREATE INDEX moments_value ON moments (value);
UPDATE lead_actions SET
    set_values = (
        SELECT json_group_object(s.value, json(all_values.object -> s.value))
        FROM json_each(lead_actions.sets) s, (
            SELECT json_object(
                'do_not_call', json(iif(lead_actions.do_not_call, 'true', 'false')),
                'campaign_id', lead_actions.campaign_id,
                'status', lead_actions.status,
                'weight', lead_actions.weight,
                'assigned_user_id', lead_actions.assigned_user_id,
                'freeze_until', (SELECT text FROM moments WHERE value = lead_actions.freeze_until)
            ) AS object
        ) all_values
    ),
    leads = (SELECT count(DISTINCT c.lead_id) FROM lead_action_changes c WHERE c.action_id = lead_actions.id),
    campaign_leads = (SELECT count(c.campaign_lead_id) FROM lead_action_changes c WHERE c.action_id = lead_actions.id);
INSERT INTO undo_journal (action_id, kind, row_id, lead_id, given, former)
    SELECT c.action_id, 'leads', c.lead_id, c.lead_id,
        json_object('do_not_call', json(iif(a.do_not_call, 'true', 'false'))),
        json_object('do_not_call', json(iif(c.do_not_call, 'true', 'false')))
    FROM lead_action_changes c JOIN lead_actions a ON a.id = c.action_id
    WHERE a.undone_at IS NULL AND c.campaign_lead_id IS NULL ORDER BY c.id;
INSERT INTO undo_journal (action_id, kind, row_id, lead_id, given, former)
    SELECT c.action_id, 'campaign-leads', c.campaign_lead_id, c.lead_id,
        CASE WHEN c.made THEN json_object('updated_at', (SELECT text FROM moments WHERE value = a.at))
        ELSE json_remove(a.set_values, '$.do_not_call', '$.campaign_id') END,
        CASE WHEN NOT c.made THEN (
            SELECT json_group_object(s.value, json(all_values.object -> s.value))
            FROM json_each(a.sets) s, (
                SELECT json_object(
                    'status', c.status,
                    'weight', c.weight,
                    'assigned_user_id', c.assigned_user_id,
                    'freeze_until', (SELECT text FROM moments WHERE value = c.freeze_until)
                ) AS object
            ) all_values
            WHERE s.value NOT IN ('do_not_call', 'campaign_id')
        ) END
    FROM lead_action_changes c JOIN lead_actions a ON a.id = c.action_id
    WHERE a.undone_at IS NULL AND c.campaign_lead_id IS NOT NULL ORDER BY c.id;
DROP TABLE moments;
DROP TABLE lead_action_changes;
ALTER TABLE lead_actions DROP COLUMN sets;
ALTER TABLE lead_actions DROP COLUMN do_not_call;
ALTER TABLE lead_actions DROP COLUMN status;
ALTER TABLE lead_actions DROP COLUMN weight;
ALTER TABLE lead_actions DROP COLUMN assigned_user_id;
ALTER TABLE lead_actions DROP COLUMN freeze_until;
ALTER TABLE lead_actions DROP COLUMN campaign_id;
