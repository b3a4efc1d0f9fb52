-- What imports changed, so that each can be undone as a whole. One row for each import whose changes are kept, or were undone.
CREATE TABLE import_undos (
    import_id INTEGER PRIMARY KEY REFERENCES imports (id) ON DELETE CASCADE,
    -- How many things the import made, and how many others it changed.
    to_delete INTEGER NOT NULL DEFAULT 0,
    to_restore INTEGER NOT NULL DEFAULT 0,
    -- Who undid it, since when, when it was last heard of, and when it was done.
    actor TEXT,
    started_at INTEGER,
    noted_at INTEGER,
    finished_at INTEGER,
    -- What became of these things.
    deleted INTEGER NOT NULL DEFAULT 0,
    restored INTEGER NOT NULL DEFAULT 0,
    left_alone INTEGER NOT NULL DEFAULT 0
) STRICT;

-- A thing that an import made or changed, until that is undone or kept no longer. No reference to the thing: what is deleted
-- meanwhile is left alone, and ids are never given twice.
CREATE TABLE import_changes (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    row_id INTEGER NOT NULL,
    -- As the import left it: what it changed, or of a thing it made, what tells whether somebody changed that since.
    given TEXT NOT NULL CHECK (json_valid(given)),
    -- As it was before; none of a thing that the import made.
    former TEXT CHECK (former IS NULL OR json_valid(former)),
    UNIQUE (import_id, row_id)
) STRICT;

-- A thing that the undo of an import left as it was, and why.
CREATE TABLE import_undo_left (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    row_id INTEGER NOT NULL,
    -- The lead that it is or belongs to.
    lead_id INTEGER,
    reason TEXT NOT NULL,
    detail TEXT NOT NULL
) STRICT;
CREATE INDEX import_undo_left_import ON import_undo_left (import_id, row_id);
