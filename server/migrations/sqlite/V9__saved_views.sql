-- Lists of leads that staff saved. Those of a member of staff who is removed stay where they are shared.
CREATE TABLE saved_views (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    filter TEXT NOT NULL,
    dates TEXT NOT NULL,
    columns TEXT NOT NULL,
    shared INTEGER NOT NULL CHECK (shared IN (0, 1)),
    owner_id INTEGER REFERENCES users (id) ON DELETE SET NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (owner_id, name)
) STRICT;
