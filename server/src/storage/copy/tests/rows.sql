-- Rows in every table, with a value in every column of some row, and with values that a conversion easily loses.

INSERT INTO users (id, email, password_hash, role, last_login_at, created_at, deactivated_at) VALUES
    (1, 'ann@example.com', '$argon2id$v=19$m=19456,t=2,p=1$c2FsdA$aGFzaA', 'admin', 1777627800000001, 1777627800000000, NULL),
    (7, 'zoë@exämple.com', '', 'viewer', NULL, -1, 1777627800000002);

INSERT INTO sessions (id, hash, user_id, csrf_token, created_at, expires_at, last_used_at, address, user_agent) VALUES
    (9, x'ff00000000000000000000000000000000000000000000000000000000000000', 7, 'b', 0, 253402300799999999, NULL, NULL, NULL),
    (2, x'00ff000000000000000000000000000000000000000000000000000000000000', 1, 'a', 1777627800000000, 1777671000000000, 1777627800000001, '2001:db8::1', 'it''s a browser'),
    (3, x'00fe000000000000000000000000000000000000000000000000000000000000', 1, '', 1777627800000000, 1777671000000000, NULL, NULL, '');

INSERT INTO api_keys (id, name, prefix, hash, scopes, created_at, expires_at, last_used_at, revoked_at) VALUES
    (3, 'it''s "the" key', 'lk_abc', x'0102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20', '["leads:read", "admin"]',
        1777627800000000, 1777627800000002, 1777627800000003, 1777627800000004),
    (4, '', '', x'0000000000000000000000000000000000000000000000000000000000000000', '[]', 0, NULL, NULL, NULL);

INSERT INTO speech_tokens (id, name, prefix, hash, transcriptions, created_at, rotated_at, last_used_at, revoked_at,
        webhook_secret, previous_webhook_secret, previous_webhook_secret_expires_at) VALUES
    (1, 'Quality', 'st_q', x'1102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20', 2, 1, 2, 3, 4, 'whsec_a', 'whsec_b', 5),
    (2, 'Quality', 'st_r', x'2102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20', 0, 1, NULL, NULL, NULL, NULL, NULL, NULL);

INSERT INTO audit_log (id, at, actor, action, subject, request_id, fields) VALUES
    (1, 1777627800000000, 'user:1', 'create', 'lead:1', NULL, NULL),
    (900, 1777627800000000, 'command_line', 'delete', 'lead:41', 'a request''s id', '["custom.vip","phone"]');

INSERT INTO campaigns (id, name, active, calling_hours, max_attempts, daily_attempts, freeze_minutes, created_at, updated_at) VALUES
    (1, 'Solar', 1, '{"start":"09:00","end":"17:30","days":["mon","sun"]}', 4294967295, 3, 0, 1, 2),
    (2, 'Ünïcode 🌞', 0, NULL, NULL, NULL, 60, 1777627800123456, 1777627800123457);

DELETE FROM lead_statuses WHERE name = 'busy';
UPDATE lead_statuses SET label = 'Ganz neu', dialable = 0 WHERE name = 'new';
INSERT INTO lead_statuses (name, label, dialable, position) VALUES ('Zurück', 'von "dort"', 1, 3), ('émigré', '', 0, -5);

INSERT INTO leads (id, first_name, last_name, phone, phone2, phone_normalized, phone_normalized2, email, address1, address2, city,
        state, zip, country, timezone, lat, lng, original_identifier, support_site, purchase_site, purchase_date, purchase_amount,
        purchase_product_name, birthdate, do_not_call, blacklisted, import_id, custom_fields, created_at, updated_at, global_updated_at) VALUES
    (1, 'Zoë 👩‍👩‍👧', 'O''Hara "the" \n {NULL} \N', '+49 30 123', '0', '+4930123', '+490', 'ZOE@example.com', 'line 1
line 2', char(9) || char(13, 10) || char(1), ' ', '', 'ﬁ', 'DE', 'Europe/Berlin', 52.5, -0.1, 'a,b;c|d', 'https://s.example/?q=%00',
        'ß', -62135596800000000, 0.1, '日本語', 253402214400000000, 1, 0, 2,
        '{"text":"it''s \"so\"\n\u00e9 🌞","big":9007199254740993,"double":1e16,"half":0.5,"minus":-9223372036854775808,"yes":true,"no":false,"empty":"","Ü b.[x]":"y"}',
        1777627800000000, 1777627800000001, 1777627800000001),
    (2, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, 5e-324, 1.7976931348623157e308, NULL, NULL,
        NULL, 86400000000, 100, NULL, -86400000000, 0, 1, NULL, '{ "spaced" : 1.0 }', -62135596800000000, 253402300799999999,
        253402300799999999),
    (40, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, '{}', 5, 5, 5),
    (41, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL, NULL,
        NULL, NULL, NULL, NULL, NULL, 0, 0, NULL, '{}', 5, 5, 5);
-- Its id is never reused.
DELETE FROM leads WHERE id = 41;

INSERT INTO campaign_leads (id, lead_id, campaign_id, status, weight, calls_count, calls_today, last_call_at, last_call_status,
        freeze_until, callback_at, assigned_user_id, created_at, updated_at) VALUES
    (1, 1, 1, 'new', 9223372036854775807, 2, 1, 1777627800000000, 'answered', 1777627800000001, 1777627800000002, 99, 1,
        1777627899999999),
    (2, 1, 2, 'émigré', -9223372036854775808, 0, 0, NULL, NULL, NULL, NULL, NULL, 1, 2),
    (3, 40, 2, 'Zurück', 0, 0, 0, NULL, NULL, NULL, NULL, NULL, 1, 6);

INSERT INTO calls (id, original_identifier, lead_id, campaign_lead_id, campaign_id, agent, direction, caller_number, callee_number, status, started_at,
        ended_at, created_at, recording_state, media_type, channels, sample_rate, duration_seconds, bytes, recording_key) VALUES
    (10, '1777627800.42 "x"', 1, 1, 1, 'Bo', 'inbound', '+1', '+2', 'answered', 1, 2, 3, 'ready', 'audio/wav', 2, 8000, 6.000125, 96044, 'ab/10.wav'),
    (11, NULL, NULL, NULL, NULL, NULL, 'outbound', NULL, NULL, 'failed', NULL, NULL, 4, 'none', NULL, NULL, NULL, NULL, NULL, NULL),
    (12, '', 40, 3, 2, NULL, 'outbound', NULL, NULL, 'answered', NULL, NULL, 5, 'ready', 'audio/wav', 1, 16000, 1.0, 32044, 'ab/12.wav');

INSERT INTO transcriptions (id, call_id, token_id, languages, recording_side, min_duration, state, attempts, error, queued_at,
        started_at, finished_at, fencing_token, claimable_at, changed_at) VALUES
    (4, 10, 1, '["en","pt-BR"]', 'both', 1, 'failed', 10, 'it said "no"', 1, 2, 3, 10, 4, 5),
    (5, 10, 1, '["en"]', 'caller', 86400, 'completed', 1, NULL, 1777627800000000, 1777627800000001, 1777627800000002, 1,
        1777627800000003, 1777627800000004),
    (6, 12, 2, '["de"]', 'both', 1, 'queued', 0, NULL, 1777627800000005, NULL, NULL, 0, 1777627800000005, 1777627800000005);

INSERT INTO transcripts (transcription_id, call_id, token_id, language, languages, duration, content, created_at) VALUES
    (5, 10, 1, 'en', '["en"]', 6.000125,
        '{"segments":[{"start":0.0,"end":2.5,"side":"caller","text":"It''s the Müller family, 24/7!","confidence":0.875,"words":[]}],"sides":[],"dropped":[],"redactions":0,"engine":{"name":"whisper","model":"base"}}',
        1777627800000002);

INSERT INTO idempotency_keys (owner, key, fingerprint, response, created_at) VALUES
    ('speech_token:2', 'a', x'3102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20', '{"results":{"calls":{ }}}', 1),
    ('speech_token:1', 'b', x'4102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20', '{}', 2),
    ('speech_token:1', 'É', x'5102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20', '{}', 3),
    ('speech_token:1', 'Z', x'6102030405060708090a0b0c0d0e0f101112131415161718191a1b1c1d1e1f20', '{}', 3);

INSERT INTO speech_requests (id, token_id, method, template, created_at, is_test) VALUES
    (2, 1, 'PUT', '{"b": "{call_id}",  "a":1e3}', 7, 0),
    (3, 2, 'POST', 'null', 9, 1);

INSERT INTO callback_endpoints (id, url, due_at) VALUES
    (4, 'https://example.com/?a=b''c', NULL),
    (5, 'https://example.com/', 9);

INSERT INTO webhooks (id, token_id, url, events, template, paused, secret, previous_secret, previous_secret_expires_at, position,
        events_lost_at, created_at, updated_at, deleted_at) VALUES
    (2, 1, 'https://example.com/e', '["transcript.completed"]', '{"b": 1e3}', 1, 'whsec_a', 'whsec_b', 5, 'a1.0.7', 6, 7, 8, NULL),
    (3, NULL, 'https://example.com/', '["lead.changed",  "lead.deleted"]', NULL, 0, NULL, NULL, NULL, 'a1.0.9', NULL, 7, 8, 9);

INSERT INTO deliveries (id, webhook_id, event, endpoint_id, state, attempts, attempts_before_replay, fencing_token, claimable_at, changed_at,
        created_at) VALUES
    (6, 3, '{"id":"a1.0.8", "type":"lead.deleted","time":"2026-05-01T09:30:00Z","record_id":9223372036854775807}', 5, 'queued', 0, 0, 0, 9,
        9, 9);

INSERT INTO deliveries (id, request_id, token_id, call_id, transcription_id, endpoint_id, state, attempts, attempts_before_replay, last_status,
        last_error, fencing_token, claimable_at, changed_at, created_at, finished_at) VALUES
    (7, 2, 1, 12, 6, 4, 'waiting', 0, 0, NULL, NULL, 0, 9, 9, 9, NULL),
    (8, 2, 1, 10, NULL, 4, 'failed', 3, 2, 503, 'busy', 4, 5, 6, 7, 8),
    (9, 3, 2, NULL, NULL, 5, 'queued', 0, 0, NULL, NULL, 0, 9, 9, 9, NULL);

INSERT INTO delivery_attempts (delivery_id, number, at, duration_ms, status, error) VALUES
    (8, 2, 2, 3, NULL, 'no answer'),
    (8, 1, 1, 9223372036854775807, 503, NULL);

INSERT INTO imports (id, kind, file_name, dry_run, state, rows_read, rows_inserted, rows_updated, rows_unchanged, rows_rejected, rows_undialable, progress,
        new_statuses, columns, error, started_at, finished_at, progress_at, cancel_requested_at, delimiter, mapping, campaign_id,
        campaign_status, leads_added, findings, corrected_import_id, rows_corrected) VALUES
    (1, 'campaign-leads', 'kunden "neu".csv', 1, 'failed', 5, 4, 3, 2, 1, 6, 0.3333333333333333, '["Zurück"]', '["lead_id","größe"]', 'cut short', 1,
        2, 3, 4, ';', '{"columns":{"größe":null}}', 2, 'Zurück', 9223372036854775807, '[{"code":"no_phone","column":null,"count":1,"samples":[]}]',
        2, 7),
    (2, 'leads', '', 0, 'running', 0, 0, 0, 0, 0, 0, 0, '[]', '[]', NULL, 1, NULL, 0, NULL, ',', '{}', NULL, NULL, 0, '[]', NULL, 0);

INSERT INTO rejected_rows (id, import_id, line, diagnostics, text, correction_import_id) VALUES
    (6, 1, 9223372036854775807, '[{"code":"unknown"}]', 'a,"b
c",', 2);

INSERT INTO import_undos (import_id, records_to_delete, records_to_restore, actor, started_at, progress_at, finished_at, records_deleted,
        records_restored, records_skipped) VALUES
    (2, 0, 0, NULL, NULL, NULL, NULL, 0, 0, 0),
    (1, 9223372036854775807, 3, 'user:1', 1777627800000001, 1777627800000002, 1777627800000003, 4, 5, 6);

INSERT INTO lead_actions (id, at, actor, changed_values, leads, campaign_leads, undone_at) VALUES
    (3, 1777627800000001, 'user:1', '{"do_not_call": true,"status":"Zurück", "weight":-5}', 9223372036854775807, 2, 1777627800000003),
    (4, 1777627800000004, 'api_key:3', '{"freeze_until":null}', 0, 0, NULL);

INSERT INTO undo_journal (id, import_id, action_id, kind, record_id, lead_id, new_values, old_values) VALUES
    (3, 1, NULL, 'campaign-leads', 9223372036854775807, NULL, '{"lat": 52.520006599999995, "custom_fields":{"big":9007199254740993,"double":1e16,"é":"\u00e9 \"🌞"}}',
        '{ "status":null }'),
    (7, 1, NULL, 'leads', 41, 41, '{}', NULL),
    (8, NULL, 4, 'leads', 41, 9223372036854775807, '{}', NULL);

INSERT INTO import_undo_skipped_records (id, import_id, kind, record_id, lead_id, reason, detail) VALUES
    (2, 1, 'leads', 41, 1, 'conflict', 'it''s "Zurück"'),
    (5, 1, 'campaign-leads', 9223372036854775807, NULL, 'changed', '');

INSERT INTO saved_views (id, name, filter, dates, columns, shared, owner_id, created_at, updated_at) VALUES
    (3, 'Zoë’s', '{"city": "Köln", "limit":"50;0"}', 'created_at:last-7-days', 'number,custom.a%2Cb', 1, 7, 1777627800000001, -1),
    (4, '', '', '', '', 0, NULL, 0, 0);
