-- An import that somebody cancelled is no failure.
ALTER TABLE imports DROP CONSTRAINT imports_state_check;
ALTER TABLE imports ADD CONSTRAINT imports_state_check CHECK (state IN ('running', 'completed', 'failed', 'cancelled'));
UPDATE imports SET state = 'cancelled', error = NULL WHERE state = 'failed' AND error LIKE 'cancelled after %';
