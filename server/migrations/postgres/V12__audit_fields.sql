-- The names of the fields that a change of a lead, campaign lead, campaign or call was about: a JSON array, and never a value.
ALTER TABLE audit_log ADD COLUMN fields TEXT COLLATE "C";
