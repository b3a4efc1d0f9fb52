-- The import that made a lead, if one did: the import's page links to these leads.
ALTER TABLE leads ADD COLUMN import_id BIGINT;

-- The mapping that the columns were read with, so that refused rows can be corrected and read the same way.
ALTER TABLE imports ADD COLUMN mapping JSON NOT NULL DEFAULT '{}';
-- The campaign that leads are put into and the status that they begin with, and how many were put into it.
ALTER TABLE imports ADD COLUMN campaign_id BIGINT;
ALTER TABLE imports ADD COLUMN campaign_status TEXT COLLATE "C";
ALTER TABLE imports ADD COLUMN leads_put_in BIGINT NOT NULL DEFAULT 0;
-- What is worth knowing about rows that went in, as JSON.
ALTER TABLE imports ADD COLUMN findings JSON NOT NULL DEFAULT '[]';
-- The import whose refused rows it corrects, and how many of its own refused rows were corrected.
ALTER TABLE imports ADD COLUMN corrects_id BIGINT;
ALTER TABLE imports ADD COLUMN rows_corrected BIGINT NOT NULL DEFAULT 0;

-- The import that corrected a refused row.
ALTER TABLE import_rejects ADD COLUMN corrected_by BIGINT;

-- An import of leads makes campaign leads too: ids are unique by kind.
ALTER TABLE import_changes ADD COLUMN kind TEXT COLLATE "C" NOT NULL DEFAULT '';
UPDATE import_changes SET kind = imports.kind FROM imports WHERE imports.id = import_changes.import_id;
ALTER TABLE import_changes ALTER COLUMN kind DROP DEFAULT;
ALTER TABLE import_changes DROP CONSTRAINT import_changes_import_id_row_id_key;
ALTER TABLE import_changes ADD UNIQUE (import_id, kind, row_id);
ALTER TABLE import_undo_left ADD COLUMN kind TEXT COLLATE "C" NOT NULL DEFAULT '';
UPDATE import_undo_left SET kind = imports.kind FROM imports WHERE imports.id = import_undo_left.import_id;
