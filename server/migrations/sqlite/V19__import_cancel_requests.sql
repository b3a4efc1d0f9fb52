-- That an import was asked to stop was told by its error before.
ALTER TABLE imports ADD COLUMN cancel_requested_at INTEGER;
UPDATE imports SET cancel_requested_at = noted_at, error = NULL WHERE state = 'running' AND error IS NOT NULL;
