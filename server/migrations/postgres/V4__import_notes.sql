-- When it was last noted how far an import is: one that has been running and silent for long has lost its process.
ALTER TABLE imports ADD COLUMN noted_at TIMESTAMPTZ NOT NULL DEFAULT '1970-01-01 00:00:00+00';
