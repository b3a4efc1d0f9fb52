//! Tests of database inspection, which must not change anything.

use crate::storage::postgres::inspection;
use crate::storage::postgres::testing::{TestDatabase, on_thread};

#[test]
fn inspection_does_not_change_the_database() {
    let test_database = TestDatabase::with_schema();
    test_database.run(
        "INSERT INTO users (email, password_hash, role, created_at) VALUES ('a@example.com', 'x', 'admin', now()),
             ('b@example.com', 'x', 'viewer', now());
         INSERT INTO audit_log (at, actor, action, subject) VALUES ('2026-05-01T09:30:00Z', 'test', 'test', 'test');
         INSERT INTO speech_tokens (id, name, prefix, hash, created_at)
             OVERRIDING SYSTEM VALUE VALUES (1, 't', 't', decode(repeat('00', 32), 'hex'), now());
         INSERT INTO calls (id, direction, status, created_at, recording_state, bytes, recording_key)
             OVERRIDING SYSTEM VALUE VALUES (7, 'inbound', 'answered', now(), 'ready', 5, '7/sound.wav');
         INSERT INTO transcriptions (call_id, token_id, languages, recording_side, min_duration, state, queued_at, claimable_at, changed_at)
             VALUES (7, 1, '[]', 'both', 1, 'failed', now(), now(), '2026-05-01T09:00:00Z')",
    );
    let inspection = on_thread(|| inspection::inspect(&test_database.url())).unwrap();
    assert_eq!(inspection.schema_version, inspection.newest_known_version);
    let server = inspection.server.unwrap();
    assert!(server.max_connections > 10 && !server.version.is_empty(), "{server:?}");
    let rows = inspection.row_stats.unwrap();
    assert_eq!((rows.admins, rows.failed_transcriptions, rows.failed_deliveries), (1, 1, 0));
    assert_eq!(rows.newest_timestamp.unwrap().to_rfc3339(), "2026-05-01T09:30:00+00:00");
    assert_eq!((rows.recordings[0].0.0.as_str(), rows.recordings[0].1), ("7/sound.wav", Some(5)));

    test_database.run("DELETE FROM refinery_schema_history WHERE version > 10");
    let older = on_thread(|| inspection::inspect(&test_database.url())).unwrap();
    assert_eq!((older.schema_version, older.row_stats), (10, None));
}

#[test]
fn inspection_keeps_an_empty_database_empty() {
    let empty = TestDatabase::empty();
    for _ in 0..2 {
        let inspection = on_thread(|| inspection::inspect(&empty.url())).unwrap();
        assert_eq!((inspection.schema_version, inspection.row_stats), (0, None));
    }
}

#[test]
fn distinguishes_former_replicas() {
    let [primary, other] = [(); 2].map(|()| TestDatabase::empty());
    let replica_error = |url: &str| on_thread(|| inspection::check_replica(url, &primary.url())).unwrap_err();
    let (primary_error, other_error) = (replica_error(&primary.url()), replica_error(&other.url()));
    assert!(primary_error.is_temporary() && !other_error.is_temporary());
    assert_eq!(other_error.to_string(), "the server is not a replica of the database");
}
