-- An import that somebody cancelled is no failure. SQLite can't change a constraint, and other tables refer to this one, so that
-- the column is made anew and not the table.
ALTER TABLE imports RENAME COLUMN state TO former_state;
ALTER TABLE imports ADD COLUMN state TEXT NOT NULL DEFAULT 'running'
    CHECK (state IN ('running', 'completed', 'failed', 'cancelled'));
UPDATE imports SET state = former_state;
UPDATE imports SET state = 'cancelled', error = NULL WHERE state = 'failed' AND error LIKE 'cancelled after %';
ALTER TABLE imports DROP COLUMN former_state;
