-- The queue, the transcripts, and their delivery. Moments are INTEGER microseconds, as in V1.

-- The queue of transcriptions. `ready_at` is when a worker may take an open one: when it is due, or when the lease of
-- the worker that has it ends. `fence` rises with every claim; a write by an older claim is refused.
ALTER TABLE transcriptions ADD COLUMN fence INTEGER NOT NULL DEFAULT 0;
ALTER TABLE transcriptions ADD COLUMN ready_at INTEGER NOT NULL DEFAULT 0;
ALTER TABLE transcriptions ADD COLUMN changed_at INTEGER NOT NULL DEFAULT 0;
UPDATE transcriptions SET ready_at = queued_at, changed_at = queued_at;
CREATE INDEX transcriptions_ready ON transcriptions (ready_at, id) WHERE state = 'queued';
CREATE INDEX transcriptions_under_way ON transcriptions (ready_at, id) WHERE state = 'processing';
CREATE INDEX transcriptions_changed ON transcriptions (changed_at);

-- One result per transcription, and one transcript per call: a call is sent again only after its transcription failed.
CREATE TABLE transcripts (
    transcription_id INTEGER PRIMARY KEY REFERENCES transcriptions (id),
    call_id INTEGER NOT NULL UNIQUE REFERENCES calls (id),
    token_id INTEGER NOT NULL REFERENCES speech_tokens (id),
    -- The language of most of the speech, and those of all sides.
    language TEXT,
    languages TEXT NOT NULL CHECK (json_valid(languages)),
    duration REAL NOT NULL,
    -- Segments, sides, what was left out, and what recognised it, as the API gives them.
    content TEXT NOT NULL CHECK (json_valid(content)),
    created_at INTEGER NOT NULL
) STRICT;
CREATE INDEX transcripts_token ON transcripts (token_id);
CREATE INDEX transcripts_created ON transcripts (created_at);

-- The words of each transcript, folded by the engine (`leadscribe_engine::words`), under the id of its transcription. No
-- copy of the text is kept here. To the tokenizer `ascii` every character beyond ASCII is part of a token, so that a token
-- is what stands between two spaces: the engine alone decides what a word is.
CREATE VIRTUAL TABLE transcript_words USING fts5 (words, content = '', contentless_delete = 1, tokenize = 'ascii');

-- Recordings that can be forgotten, from the oldest.
CREATE INDEX calls_recorded ON calls (created_at) WHERE recording_key IS NOT NULL;

-- Signs deliveries; the one before it signs too until `previous_until`.
ALTER TABLE speech_tokens ADD COLUMN webhook_secret TEXT;
ALTER TABLE speech_tokens ADD COLUMN previous_webhook_secret TEXT;
ALTER TABLE speech_tokens ADD COLUMN previous_webhook_until INTEGER;

CREATE TABLE speech_requests (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    token_id INTEGER NOT NULL REFERENCES speech_tokens (id),
    url TEXT NOT NULL,
    method TEXT NOT NULL CHECK (method IN ('POST', 'PUT')),
    template TEXT NOT NULL CHECK (json_valid(template)),
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE deliveries (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    -- None for a test, which is about no call.
    request_id INTEGER REFERENCES speech_requests (id),
    token_id INTEGER NOT NULL REFERENCES speech_tokens (id),
    call_id INTEGER REFERENCES calls (id),
    url TEXT NOT NULL,
    method TEXT NOT NULL CHECK (method IN ('POST', 'PUT')),
    template TEXT NOT NULL CHECK (json_valid(template)),
    state TEXT NOT NULL DEFAULT 'queued'
        CHECK (state IN ('queued', 'delivering', 'delivered', 'failed', 'stopped')),
    attempts INTEGER NOT NULL DEFAULT 0,
    -- How many of them were made before it was replayed.
    earlier_attempts INTEGER NOT NULL DEFAULT 0,
    last_status INTEGER,
    last_error TEXT,
    -- As in the queue of transcriptions.
    fence INTEGER NOT NULL DEFAULT 0,
    ready_at INTEGER NOT NULL,
    changed_at INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    finished_at INTEGER
) STRICT;
CREATE INDEX deliveries_ready ON deliveries (ready_at, id) WHERE state = 'queued';
CREATE INDEX deliveries_under_way ON deliveries (ready_at, id) WHERE state = 'delivering';
CREATE INDEX deliveries_url ON deliveries (url) WHERE state = 'delivering';
CREATE INDEX deliveries_changed ON deliveries (changed_at);
CREATE INDEX deliveries_request ON deliveries (request_id, state);
CREATE INDEX deliveries_token ON deliveries (token_id);
CREATE INDEX deliveries_state ON deliveries (state);
CREATE INDEX deliveries_call ON deliveries (call_id);
CREATE INDEX deliveries_finished ON deliveries (finished_at) WHERE finished_at IS NOT NULL;

CREATE TABLE delivery_attempts (
    delivery_id INTEGER NOT NULL REFERENCES deliveries (id) ON DELETE CASCADE,
    number INTEGER NOT NULL,
    at INTEGER NOT NULL,
    duration_ms INTEGER NOT NULL,
    status INTEGER,
    error TEXT,
    PRIMARY KEY (delivery_id, number)
) STRICT, WITHOUT ROWID;
