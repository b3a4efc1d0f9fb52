-- Sessions can be listed and ended one by one: each has an id that isn't its secret, and tells where it is used. SQLite
-- can't add a primary key to a table, so that it is made anew.
CREATE TABLE listed_sessions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    csrf_token TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL,
    -- To five minutes.
    last_used_at INTEGER,
    -- What was known of the browser that logged in.
    address TEXT,
    user_agent TEXT
) STRICT;
INSERT INTO listed_sessions (hash, user_id, csrf_token, created_at, expires_at)
    SELECT hash, user_id, csrf_token, created_at, expires_at FROM sessions ORDER BY created_at, hash;
DROP TABLE sessions;
ALTER TABLE listed_sessions RENAME TO sessions;
CREATE INDEX sessions_user ON sessions (user_id);
