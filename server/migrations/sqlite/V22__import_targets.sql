-- The import that made a lead, if one did: the import's page links to these leads.
ALTER TABLE leads ADD COLUMN import_id INTEGER;

-- The mapping that the columns were read with, so that refused rows can be corrected and read the same way.
ALTER TABLE imports ADD COLUMN mapping TEXT NOT NULL DEFAULT '{}' CHECK (json_valid(mapping));
-- The campaign that leads are put into and the status that they begin with, and how many were put into it.
ALTER TABLE imports ADD COLUMN campaign_id INTEGER;
ALTER TABLE imports ADD COLUMN campaign_status TEXT;
ALTER TABLE imports ADD COLUMN leads_put_in INTEGER NOT NULL DEFAULT 0;
-- What is worth knowing about rows that went in, as JSON.
ALTER TABLE imports ADD COLUMN findings TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(findings));
-- The import whose refused rows it corrects, and how many of its own refused rows were corrected.
ALTER TABLE imports ADD COLUMN corrects_id INTEGER;
ALTER TABLE imports ADD COLUMN rows_corrected INTEGER NOT NULL DEFAULT 0;

-- The import that corrected a refused row.
ALTER TABLE import_rejects ADD COLUMN corrected_by INTEGER;

-- An import of leads makes campaign leads too: ids are unique by kind. SQLite can't change a constraint.
CREATE TABLE import_changes_by_kind (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    -- What it is: a kind of import.
    kind TEXT NOT NULL,
    row_id INTEGER NOT NULL,
    -- As the import left it: what it changed, or of a thing it made, what tells whether somebody changed that since.
    given TEXT NOT NULL CHECK (json_valid(given)),
    -- As it was before; none of a thing that the import made.
    former TEXT CHECK (former IS NULL OR json_valid(former)),
    UNIQUE (import_id, kind, row_id)
) STRICT;
INSERT INTO import_changes_by_kind (id, import_id, kind, row_id, given, former)
    SELECT c.id, c.import_id, i.kind, c.row_id, c.given, c.former FROM import_changes c JOIN imports i ON i.id = c.import_id
    ORDER BY c.id;
DROP TABLE import_changes;
ALTER TABLE import_changes_by_kind RENAME TO import_changes;
ALTER TABLE import_undo_left ADD COLUMN kind TEXT NOT NULL DEFAULT '';
UPDATE import_undo_left SET kind = (SELECT kind FROM imports WHERE imports.id = import_undo_left.import_id);
