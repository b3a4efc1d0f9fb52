-- Whether an import only tells what would become of its rows: nothing is written, and it is forgotten after a day.
ALTER TABLE imports ADD COLUMN dry_run INTEGER NOT NULL DEFAULT 0 CHECK (dry_run IN (0, 1));
-- What another system knows a call by, such as the `uniqueid` of Asterisk: an import finds it again by that.
ALTER TABLE calls ADD COLUMN original_identifier TEXT;
CREATE UNIQUE INDEX calls_original_identifier ON calls (original_identifier) WHERE original_identifier IS NOT NULL;
