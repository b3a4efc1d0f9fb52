-- Rows of an import whose phone numbers can't be dialled.
ALTER TABLE imports ADD COLUMN rows_undialable INTEGER NOT NULL DEFAULT 0;
