-- Actions on many leads at once, with what was there before, so that they can be undone. What is set is named in `sets`; the
-- columns after it hold the values.
CREATE TABLE lead_actions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    sets TEXT NOT NULL CHECK (json_valid(sets)),
    do_not_call INTEGER CHECK (do_not_call IN (0, 1)),
    status TEXT,
    weight INTEGER,
    assigned_user_id INTEGER,
    freeze_until INTEGER,
    undone_at INTEGER
) STRICT;

-- What a lead or, where it names one, a campaign lead was before. No references: what is deleted meanwhile is left alone, and
-- ids are never given twice.
CREATE TABLE lead_action_changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    action_id INTEGER NOT NULL REFERENCES lead_actions (id) ON DELETE CASCADE,
    lead_id INTEGER NOT NULL,
    campaign_lead_id INTEGER,
    do_not_call INTEGER CHECK (do_not_call IN (0, 1)),
    status TEXT,
    weight INTEGER,
    assigned_user_id INTEGER,
    freeze_until INTEGER
) STRICT;
CREATE INDEX lead_action_changes_action ON lead_action_changes (action_id);
