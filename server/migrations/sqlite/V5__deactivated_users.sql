-- When a member of staff was deactivated: they stay known by name, and can't log in.
ALTER TABLE users ADD COLUMN deactivated_at INTEGER;
