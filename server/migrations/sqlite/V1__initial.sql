-- Moments are INTEGER microseconds since 1970-01-01T00:00:00Z; dates are the microseconds of their midnight in UTC, so
-- that every filter compares integers. Flags are 0 or 1. JSON is TEXT. AUTOINCREMENT: an id is never given twice.

CREATE TABLE users (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    email TEXT NOT NULL UNIQUE,
    password_hash TEXT NOT NULL,
    role TEXT NOT NULL CHECK (role IN ('admin', 'manager', 'viewer')),
    last_login_at INTEGER,
    created_at INTEGER NOT NULL
) STRICT;

CREATE TABLE sessions (
    hash BLOB PRIMARY KEY CHECK (length(hash) = 32),
    user_id INTEGER NOT NULL REFERENCES users (id) ON DELETE CASCADE,
    csrf_token TEXT NOT NULL,
    created_at INTEGER NOT NULL,
    expires_at INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX sessions_user ON sessions (user_id);

CREATE TABLE api_keys (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    scopes TEXT NOT NULL CHECK (json_valid(scopes)),
    created_at INTEGER NOT NULL,
    expires_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
) STRICT;

CREATE TABLE speech_tokens (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    name TEXT NOT NULL,
    prefix TEXT NOT NULL,
    hash BLOB NOT NULL UNIQUE CHECK (length(hash) = 32),
    -- How many transcriptions it owns; kept by submissions, so that no use of the token has to count.
    transcriptions INTEGER NOT NULL DEFAULT 0,
    created_at INTEGER NOT NULL,
    rotated_at INTEGER,
    last_used_at INTEGER,
    revoked_at INTEGER
) STRICT;

CREATE TABLE audit_log (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    at INTEGER NOT NULL,
    actor TEXT NOT NULL,
    action TEXT NOT NULL,
    subject TEXT NOT NULL,
    request_id TEXT
) STRICT;

CREATE TABLE campaigns (
    id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id >= 1),
    name TEXT NOT NULL UNIQUE,
    active INTEGER NOT NULL CHECK (active IN (0, 1)),
    calling_hours TEXT CHECK (calling_hours IS NULL OR json_valid(calling_hours)),
    max_attempts INTEGER,
    daily_attempts INTEGER,
    freeze_minutes INTEGER NOT NULL,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL
) STRICT;

CREATE TABLE lead_statuses (
    name TEXT PRIMARY KEY,
    label TEXT NOT NULL,
    dialable INTEGER NOT NULL CHECK (dialable IN (0, 1)),
    -- Its place in the list staff keep.
    position INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

INSERT INTO lead_statuses (name, label, dialable, position) VALUES
    ('new', 'New', 1, 1),
    ('dialing', 'Dialing', 1, 2),
    ('answered', 'Answered', 1, 3),
    ('no_answer', 'No answer', 1, 4),
    ('busy', 'Busy', 1, 5),
    ('callback', 'Callback', 1, 6),
    ('converted', 'Converted', 0, 7),
    ('refused', 'Refused', 0, 8),
    ('not_interested', 'Not interested', 0, 9),
    ('wrong_number', 'Wrong number', 0, 10),
    ('invalid', 'Invalid', 0, 11),
    ('dnc', 'Do not call', 0, 12),
    ('closed', 'Closed', 0, 13);

CREATE TABLE leads (
    id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id >= 1),
    first_name TEXT,
    last_name TEXT,
    phone TEXT,
    phone2 TEXT,
    phone_normalized TEXT,
    phone_normalized2 TEXT,
    email TEXT,
    address1 TEXT,
    address2 TEXT,
    city TEXT,
    state TEXT,
    zip TEXT,
    country TEXT,
    timezone TEXT,
    lat REAL,
    lng REAL,
    original_identifier TEXT,
    support_site TEXT,
    purchase_site TEXT,
    purchase_date INTEGER,
    purchase_amount REAL,
    purchase_product_name TEXT,
    birthdate INTEGER,
    do_not_call INTEGER NOT NULL CHECK (do_not_call IN (0, 1)),
    blacklisted INTEGER NOT NULL CHECK (blacklisted IN (0, 1)),
    custom_fields TEXT NOT NULL CHECK (json_valid(custom_fields)),
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    -- The latest updated_at over the lead and its campaign leads; kept by the triggers below.
    global_updated_at INTEGER NOT NULL
) STRICT;
CREATE INDEX leads_first_name ON leads (first_name);
CREATE INDEX leads_last_name ON leads (last_name);
CREATE INDEX leads_phone ON leads (phone_normalized);
CREATE INDEX leads_email ON leads (email);
CREATE INDEX leads_original_identifier ON leads (original_identifier);
CREATE INDEX leads_updated ON leads (updated_at);
CREATE INDEX leads_global_updated ON leads (global_updated_at);

CREATE TABLE campaign_leads (
    id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id >= 1),
    lead_id INTEGER NOT NULL REFERENCES leads (id) ON DELETE CASCADE,
    campaign_id INTEGER NOT NULL REFERENCES campaigns (id),
    status TEXT NOT NULL REFERENCES lead_statuses (name),
    weight INTEGER NOT NULL,
    calls_count INTEGER NOT NULL,
    calls_today INTEGER NOT NULL,
    last_call_at INTEGER,
    last_call_status TEXT,
    freeze_until INTEGER,
    callback_at INTEGER,
    -- No reference: staff of the system a file comes from need not have an account here.
    assigned_user_id INTEGER,
    created_at INTEGER NOT NULL,
    updated_at INTEGER NOT NULL,
    UNIQUE (lead_id, campaign_id)
) STRICT;
-- With all that the common filters ask of a campaign lead, so that they are answered from the index alone.
CREATE INDEX campaign_leads_campaign ON campaign_leads (campaign_id, lead_id, status, updated_at);
CREATE INDEX campaign_leads_status ON campaign_leads (campaign_id, status, lead_id);
CREATE INDEX campaign_leads_status_only ON campaign_leads (status, lead_id);
CREATE INDEX campaign_leads_updated ON campaign_leads (updated_at, lead_id);

-- leads.global_updated_at. An insert gives the lead's own updated_at, for a new lead is in no campaign.
CREATE TRIGGER leads_global_after_insert AFTER INSERT ON leads WHEN new.global_updated_at <> new.updated_at
BEGIN
    UPDATE leads SET global_updated_at = updated_at WHERE id = new.id;
END;

CREATE TRIGGER leads_global_after_update AFTER UPDATE OF updated_at ON leads
    WHEN new.updated_at <> old.updated_at
BEGIN
    UPDATE leads
    SET global_updated_at =
        max(updated_at, coalesce((SELECT max(c.updated_at) FROM campaign_leads c WHERE c.lead_id = new.id), updated_at))
    WHERE id = new.id;
END;

CREATE TRIGGER campaign_leads_global_after_insert AFTER INSERT ON campaign_leads
BEGIN
    UPDATE leads SET global_updated_at = new.updated_at
    WHERE id = new.lead_id AND global_updated_at < new.updated_at;
END;

-- Later than before, the usual case: nothing else needs to be looked at.
CREATE TRIGGER campaign_leads_global_after_rise AFTER UPDATE OF updated_at, lead_id ON campaign_leads
    WHEN new.lead_id = old.lead_id AND new.updated_at > old.updated_at
BEGIN
    UPDATE leads SET global_updated_at = new.updated_at
    WHERE id = new.lead_id AND global_updated_at < new.updated_at;
END;

CREATE TRIGGER campaign_leads_global_after_fall AFTER UPDATE OF updated_at, lead_id ON campaign_leads
    WHEN new.lead_id <> old.lead_id OR new.updated_at < old.updated_at
BEGIN
    UPDATE leads
    SET global_updated_at =
        max(updated_at, coalesce((SELECT max(c.updated_at) FROM campaign_leads c WHERE c.lead_id = leads.id), updated_at))
    WHERE id IN (old.lead_id, new.lead_id);
END;

CREATE TRIGGER campaign_leads_global_after_delete AFTER DELETE ON campaign_leads
BEGIN
    UPDATE leads
    SET global_updated_at =
        max(updated_at, coalesce((SELECT max(c.updated_at) FROM campaign_leads c WHERE c.lead_id = leads.id), updated_at))
    WHERE id = old.lead_id AND global_updated_at = old.updated_at;
END;

CREATE TABLE calls (
    id INTEGER PRIMARY KEY AUTOINCREMENT CHECK (id >= 1),
    lead_id INTEGER REFERENCES leads (id) ON DELETE SET NULL,
    campaign_lead_id INTEGER REFERENCES campaign_leads (id) ON DELETE SET NULL,
    campaign_id INTEGER REFERENCES campaigns (id) ON DELETE SET NULL,
    agent TEXT,
    direction TEXT NOT NULL CHECK (direction IN ('inbound', 'outbound')),
    caller_number TEXT,
    callee_number TEXT,
    status TEXT NOT NULL CHECK (status IN ('answered', 'no_answer', 'busy', 'failed')),
    started_at INTEGER,
    ended_at INTEGER,
    created_at INTEGER NOT NULL,
    recording_state TEXT NOT NULL CHECK (recording_state IN ('none', 'pending', 'ready', 'failed')),
    media_type TEXT,
    channels INTEGER CHECK (channels IN (1, 2)),
    sample_rate INTEGER,
    duration_seconds REAL,
    bytes INTEGER,
    -- Where the bytes of the recording are, relative to the recording store.
    recording_key TEXT
) STRICT;
CREATE INDEX calls_created ON calls (created_at);
CREATE INDEX calls_lead ON calls (lead_id);
CREATE INDEX calls_campaign_lead ON calls (campaign_lead_id);
CREATE INDEX calls_campaign ON calls (campaign_id, created_at);

CREATE TABLE transcriptions (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    call_id INTEGER NOT NULL REFERENCES calls (id),
    token_id INTEGER NOT NULL REFERENCES speech_tokens (id),
    languages TEXT NOT NULL CHECK (json_valid(languages)),
    recording_side TEXT NOT NULL CHECK (recording_side IN ('caller', 'callee', 'both')),
    min_duration INTEGER NOT NULL,
    state TEXT NOT NULL DEFAULT 'queued' CHECK (state IN ('queued', 'processing', 'completed', 'failed')),
    attempts INTEGER NOT NULL DEFAULT 0,
    error TEXT,
    queued_at INTEGER NOT NULL,
    started_at INTEGER,
    finished_at INTEGER
) STRICT;
CREATE INDEX transcriptions_call ON transcriptions (call_id);
CREATE INDEX transcriptions_token ON transcriptions (token_id);
-- The queue, oldest first, without all that is done.
CREATE INDEX transcriptions_open ON transcriptions (state, queued_at) WHERE state IN ('queued', 'processing');
-- A call is sent once, whatever a submission believes.
CREATE UNIQUE INDEX transcriptions_sent_once ON transcriptions (call_id) WHERE state <> 'failed';

CREATE TABLE idempotency_keys (
    token_id INTEGER NOT NULL REFERENCES speech_tokens (id),
    key TEXT NOT NULL,
    fingerprint BLOB NOT NULL CHECK (length(fingerprint) = 32),
    answer TEXT NOT NULL CHECK (json_valid(answer)),
    created_at INTEGER NOT NULL,
    PRIMARY KEY (token_id, key)
) STRICT, WITHOUT ROWID;
CREATE INDEX idempotency_keys_created ON idempotency_keys (created_at);

CREATE TABLE imports (
    id INTEGER PRIMARY KEY AUTOINCREMENT,
    kind TEXT NOT NULL CHECK (kind IN ('campaigns', 'leads', 'campaign-leads', 'calls')),
    file_name TEXT NOT NULL,
    state TEXT NOT NULL CHECK (state IN ('running', 'completed', 'failed')),
    rows_read INTEGER NOT NULL DEFAULT 0,
    rows_inserted INTEGER NOT NULL DEFAULT 0,
    rows_updated INTEGER NOT NULL DEFAULT 0,
    rows_unchanged INTEGER NOT NULL DEFAULT 0,
    rows_rejected INTEGER NOT NULL DEFAULT 0,
    progress REAL NOT NULL DEFAULT 0,
    new_statuses TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(new_statuses)),
    columns TEXT NOT NULL DEFAULT '[]' CHECK (json_valid(columns)),
    error TEXT,
    started_at INTEGER NOT NULL,
    finished_at INTEGER
) STRICT;

CREATE TABLE import_rejects (
    id INTEGER PRIMARY KEY,
    import_id INTEGER NOT NULL REFERENCES imports (id) ON DELETE CASCADE,
    line INTEGER NOT NULL,
    faults TEXT NOT NULL CHECK (json_valid(faults)),
    row TEXT NOT NULL
) STRICT;
CREATE INDEX import_rejects_import ON import_rejects (import_id, line);
