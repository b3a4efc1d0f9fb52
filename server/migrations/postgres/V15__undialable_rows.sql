-- Rows of an import whose phone numbers can't be dialled.
ALTER TABLE imports ADD COLUMN rows_undialable BIGINT NOT NULL DEFAULT 0;
