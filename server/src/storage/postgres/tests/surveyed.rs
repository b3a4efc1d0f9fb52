//! Tests of database inspection, which must not change anything.

use crate::storage::postgres::survey;
use crate::storage::postgres::testing::{Fresh, on_thread};

#[test]
fn inspection_does_not_change_the_database() {
    let fresh = Fresh::create();
    fresh.run(
        "INSERT INTO users (email, password_hash, role, created_at) VALUES ('a@example.com', 'x', 'admin', now()),
             ('b@example.com', 'x', 'viewer', now());
         INSERT INTO audit_log (at, actor, action, subject) VALUES ('2026-05-01T09:30:00Z', 'test', 'test', 'test');
         INSERT INTO speech_tokens (id, name, prefix, hash, created_at)
             OVERRIDING SYSTEM VALUE VALUES (1, 't', 't', decode(repeat('00', 32), 'hex'), now());
         INSERT INTO calls (id, direction, status, created_at, recording_state, bytes, recording_key)
             OVERRIDING SYSTEM VALUE VALUES (7, 'inbound', 'answered', now(), 'ready', 5, '7/sound.wav');
         INSERT INTO transcriptions (call_id, token_id, languages, recording_side, min_duration, state, queued_at, ready_at, changed_at)
             VALUES (7, 1, '[]', 'both', 1, 'failed', now(), now(), '2026-05-01T09:00:00Z')",
    );
    let found = on_thread(|| survey::survey(&fresh.url())).unwrap();
    assert_eq!(found.schema, found.known);
    let server = found.server.unwrap();
    assert!(server.max_connections > 10 && !server.version.is_empty(), "{server:?}");
    let rows = found.rows.unwrap();
    assert_eq!((rows.admins, rows.failed_transcriptions, rows.failed_deliveries), (1, 1, 0));
    assert_eq!(rows.newest.unwrap().to_rfc3339(), "2026-05-01T09:30:00+00:00");
    assert_eq!((rows.recordings[0].0.0.as_str(), rows.recordings[0].1), ("7/sound.wav", Some(5)));

    fresh.run("DELETE FROM refinery_schema_history WHERE version > 10");
    let older = on_thread(|| survey::survey(&fresh.url())).unwrap();
    assert_eq!((older.schema, older.rows), (10, None));
}

#[test]
fn inspection_keeps_an_empty_database_empty() {
    let empty = Fresh::empty();
    for _ in 0..2 {
        let found = on_thread(|| survey::survey(&empty.url())).unwrap();
        assert_eq!((found.schema, found.rows), (0, None));
    }
}

#[test]
fn distinguishes_former_replicas() {
    let [primary, other] = [(); 2].map(|()| Fresh::empty());
    let said = |url: &str| on_thread(|| survey::expect_replica(url, &primary.url())).unwrap_err();
    let (itself, another) = (said(&primary.url()), said(&other.url()));
    assert!(itself.is_passing() && !another.is_passing());
    assert_eq!(another.to_string(), "the server is not a replica of the database");
}
