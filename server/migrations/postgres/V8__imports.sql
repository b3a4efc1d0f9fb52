-- Whether an import only tells what would become of its rows: nothing is written, and it is forgotten after a day.
ALTER TABLE imports ADD COLUMN dry_run BOOLEAN NOT NULL DEFAULT FALSE;
-- What another system knows a call by, such as the `uniqueid` of Asterisk: an import finds it again by that.
ALTER TABLE calls ADD COLUMN original_identifier TEXT COLLATE "C";
CREATE UNIQUE INDEX calls_original_identifier ON calls (original_identifier) WHERE original_identifier IS NOT NULL;
