//! The storage suite on SQLite, and what is SQLite's own: durability, plans, schema versions.

use std::sync::Arc;

use chrono::{TimeDelta, TimeZone, Utc};
use leadscribe_engine::api::*;
use leadscribe_engine::fault::Place;
use leadscribe_engine::filter::{self, Limits};
use leadscribe_engine::record::LeadRecord;
use leadscribe_engine::words::Search;
use rusqlite::Connection;
use tempfile::TempDir;

use super::queue::{DELIVERIES, TRANSCRIPTIONS};
use super::rows::{self, Micros};
use super::transcripts::{changes, search};
use super::{OpenError, SqliteStore, connection, look_up};
use crate::storage::conformance::{self, Tested};
use crate::storage::{
    ByClaim, CallStore, Claim, LeadStore, NewTranscript, Origin, Store, StoreError, TranscriptQuery, TranscriptStore,
};

fn open() -> (SqliteStore, TempDir) {
    let folder = tempfile::tempdir().unwrap();
    (SqliteStore::open(&folder.path().join("leadscribe.db")).unwrap(), folder)
}

async fn fresh() -> (Tested, TempDir) {
    let (store, folder) = open();
    (Arc::new(store), folder)
}

conformance::suite!(fresh);

fn now() -> Timestamp {
    Utc.with_ymd_and_hms(2026, 5, 4, 12, 0, 0).unwrap()
}

fn origin() -> Origin {
    Origin { actor: "command_line".to_owned(), request_id: None, at: now() }
}

fn pragma(connection: &Connection, name: &str) -> Result<i64, StoreError> {
    Ok(connection.query_row(&format!("PRAGMA {name}"), [], |row| row.get(0))?)
}

#[tokio::test]
async fn commits_are_durable_and_reads_can_not_write() {
    let (store, _folder) = open();
    let of_writer: Result<_, StoreError> = store
        .write(|transaction| Ok((pragma(transaction, "synchronous")?, pragma(transaction, "foreign_keys")?)))
        .await;
    assert_eq!(of_writer.unwrap(), (2, 1));
    let of_reader = store.read(|snapshot| Ok((pragma(snapshot, "synchronous")?, pragma(snapshot, "foreign_keys")?)));
    assert_eq!(of_reader.await.unwrap(), (2, 1));
    let refused = store.read(|snapshot| Ok(snapshot.execute("DELETE FROM lead_statuses", [])?)).await;
    assert!(matches!(refused, Err(StoreError::Unavailable(_))), "{refused:?}");
}

#[tokio::test]
async fn what_was_written_is_there_after_opening_again() {
    let (store, folder) = open();
    store.create_lead(LeadRecord::default(), &origin()).await.unwrap();
    drop(store);
    let store = SqliteStore::open(&folder.path().join("leadscribe.db")).unwrap();
    assert!(store.lead(LeadId(1), now()).await.unwrap().is_some());
}

#[test]
fn a_newer_schema_is_refused() {
    let (store, folder) = open();
    drop(store);
    let path = folder.path().join("leadscribe.db");
    let connection = Connection::open(&path).unwrap();
    connection
        .execute(
            "INSERT INTO refinery_schema_history (version, name, applied_on, checksum)
             VALUES (9000, 'later', '2030-01-01T00:00:00Z', '1')",
            [],
        )
        .unwrap();
    drop(connection);
    let error = SqliteStore::open(&path).unwrap_err();
    assert!(matches!(error, OpenError::NewerSchema { found: 9_000, .. }), "{error:?}");
    assert!(
        error.to_string().starts_with("the database has schema version 9000, but this program knows versions up to")
    );
}

#[tokio::test]
async fn what_an_older_program_queued_is_claimed() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("leadscribe.db");
    let mut old = Connection::open(&path).unwrap();
    connection::migrate_to(&mut old, 1).unwrap();
    old.execute_batch(
        "INSERT INTO speech_tokens (name, prefix, hash, created_at) VALUES ('dialer', 'lst_ab', randomblob(32), 0);
         INSERT INTO calls (direction, status, created_at, recording_state, recording_key)
             VALUES ('inbound', 'answered', 0, 'ready', 'a'), ('inbound', 'answered', 0, 'ready', 'b');",
    )
    .unwrap();
    let queue = "INSERT INTO transcriptions (call_id, token_id, languages, recording_side, min_duration, queued_at)
                 VALUES (?1, 1, '[\"de\"]', 'both', 1, ?2)";
    for (call, queued_at) in [(1, now()), (2, now() - TimeDelta::seconds(1))] {
        old.execute(queue, (call, Micros(queued_at))).unwrap();
    }
    drop(old);
    let store = SqliteStore::open(&path).unwrap();
    let mut claimed = Vec::new();
    while let Some(next) = store.claim_transcription(TimeDelta::seconds(60), now()).await.unwrap() {
        claimed.push((next.transcription.call_id, next.recording.unwrap().1.0));
    }
    assert_eq!(claimed, [(CallId(2), "b".to_owned()), (CallId(1), "a".to_owned())]);
    let call = store.call(CallId(1)).await.unwrap().unwrap();
    assert_eq!(call.transcription_state, Some(TranscriptionState::Processing));
}

#[tokio::test]
async fn words_are_forgotten_with_their_transcript() {
    let (store, _folder) = open();
    let begun: Result<(), StoreError> = store
        .write(|transaction| {
            transaction.execute_batch(
                "INSERT INTO speech_tokens (name, prefix, hash, created_at) VALUES ('a', 'lst_ab', randomblob(32), 0);
                 INSERT INTO calls (direction, status, created_at, recording_state)
                     VALUES ('inbound', 'answered', 0, 'ready');
                 INSERT INTO transcriptions (call_id, token_id, languages, recording_side, min_duration, queued_at, state)
                     VALUES (1, 1, '[\"de\"]', 'both', 1, 0, 'processing');",
            )?;
            Ok(())
        })
        .await;
    begun.unwrap();
    let said = Segment {
        start: 0.0,
        end: 1.0,
        side: RecordingSide::Both,
        text: "secret".to_owned(),
        confidence: 1.0,
        words: Vec::new(),
    };
    let new = NewTranscript {
        language: None,
        duration: 1.0,
        segments: vec![said],
        sides: Vec::new(),
        dropped: Vec::new(),
        redactions: 0,
        engine: SpeechEngine { name: "fake".to_owned(), model: "none".to_owned() },
    };
    let claim = Claim { id: TranscriptionId(1), fence: 0 };
    assert_eq!(store.complete_transcription(claim, &new, now()).await.unwrap(), ByClaim::Done);
    let indexed = async || {
        let sql = "SELECT count(*) FROM transcript_words WHERE transcript_words MATCH 'secret'";
        store.read(|snapshot| Ok(rows::count(snapshot, sql, [])?)).await.unwrap()
    };
    assert_eq!(indexed().await, 1);
    assert_eq!(store.purge_transcripts(now() + TimeDelta::seconds(1), &origin()).await.unwrap(), 1);
    assert_eq!(indexed().await, 0);
}

#[tokio::test]
async fn a_failed_write_leaves_nothing() {
    let (store, _folder) = open();
    let failed: Result<(), StoreError> = store
        .write(|transaction| {
            transaction.execute("INSERT INTO lead_statuses VALUES ('x', 'X', 1, 99)", [])?;
            transaction.execute("INSERT INTO lead_statuses VALUES ('x', 'X', 1, 99)", [])?;
            Ok(())
        })
        .await;
    assert!(matches!(failed, Err(StoreError::Failed(_))), "{failed:?}");
    assert_eq!(store.statuses().await.unwrap().len(), 13);
}

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn reads_do_not_wait_for_the_writer_and_panics_do_not_stick() {
    let (store, _folder) = open();
    let store = Arc::new(store);
    let (begun, has_begun) = tokio::sync::oneshot::channel();
    let (go_on, may_go_on) = std::sync::mpsc::channel::<()>();
    let writer = Arc::clone(&store);
    let writing = tokio::spawn(async move {
        writer
            .write::<(), StoreError>(move |transaction| {
                transaction.execute("DELETE FROM lead_statuses WHERE name = 'new'", [])?;
                begun.send(()).unwrap();
                may_go_on.recv().unwrap();
                Ok(())
            })
            .await
    });
    has_begun.await.unwrap();
    for _ in 0..20 {
        assert_eq!(store.statuses().await.unwrap().len(), 13);
    }
    go_on.send(()).unwrap();
    writing.await.unwrap().unwrap();
    assert_eq!(store.statuses().await.unwrap().len(), 12);

    let panicked = store.read::<()>(|_| panic!("on purpose")).await;
    assert!(matches!(panicked, Err(StoreError::Failed(_))));
    let panicked = store.write::<(), StoreError>(|_| panic!("on purpose")).await;
    assert!(matches!(panicked, Err(StoreError::Failed(_))));
    store.ping().await.unwrap();
}

#[tokio::test]
async fn common_filters_use_their_indexes() {
    let (store, _folder) = open();
    let plans = [
        (r#"{"id":[1,2,3]}"#, "INTEGER PRIMARY KEY"),
        (r#"{"first_name":["Ada","Bob"]}"#, "leads_first_name"),
        (r#"{"email":"a@example.com"}"#, "leads_email"),
        (r#"{"phone_normalized":"+442079460000"}"#, "leads_phone"),
        (r#"{"updated_at":"2026-01-01 00:00:00;>"}"#, "leads_updated"),
        (r#"{"global_updated_at":"2026-01-01 00:00:00;>|2026-01-02 00:00:00;<"}"#, "leads_global_updated"),
        (r#"{"campaign_id":3}"#, "COVERING INDEX campaign_leads_campaign"),
        (r#"{"campaign_id":3,"status":"busy"}"#, "COVERING INDEX campaign_leads_status"),
        (r#"{"status":["busy","new"]}"#, "COVERING INDEX campaign_leads_status_only"),
        (r#"{"campaign_updated_at":"2026-01-01 00:00:00;>"}"#, "COVERING INDEX campaign_leads_updated"),
        (r#"{"campaign_name":"Spring"}"#, "(campaign_id=?)"),
        (r#"{"campaign_id":3,"global_updated_at":"2026-01-01 00:00:00;>"}"#, "campaign_leads_campaign"),
        (r#"{"limit":"9;0","_order":"-updated_at"}"#, "leads_updated"),
    ];
    for (text, index) in plans {
        let filter = filter::read(text, &Limits::default()).unwrap();
        let plan = store.read(move |snapshot| Ok(look_up::plan(snapshot, &filter, now())?)).await.unwrap();
        assert!(plan.contains(index), "{text}\n{plan}");
    }
}

#[tokio::test]
async fn queues_and_transcript_searches_use_their_indexes() {
    let (store, _folder) = open();
    let plan = |read: fn(&Connection) -> rusqlite::Result<String>| store.read(move |snapshot| Ok(read(snapshot)?));
    let claim = plan(|snapshot| TRANSCRIPTIONS.plan(snapshot)).await.unwrap();
    for index in ["transcriptions_under_way", "transcriptions_ready"] {
        assert!(claim.contains(&format!("INDEX {index} (ready_at<?)")) && !claim.contains("TEMP B-TREE"), "{claim}");
    }
    let claim = plan(|snapshot| DELIVERIES.plan(snapshot)).await.unwrap();
    for index in ["deliveries_under_way", "deliveries_ready"] {
        assert!(claim.contains(&format!("INDEX {index} (ready_at<?)")) && !claim.contains("TEMP B-TREE"), "{claim}");
    }
    let changes = plan(changes::plan).await.unwrap();
    assert!(changes.contains("transcriptions_changed") && changes.contains("deliveries_changed"), "{changes}");
    assert!(!changes.contains("SCAN"), "{changes}");

    let any = TranscriptQuery::default;
    let plans = [
        (TranscriptQuery { token_id: Some(TokenId(1)), ..any() }, "transcripts_token"),
        (TranscriptQuery { campaign_id: Some(CampaignId(1)), ..any() }, "calls_campaign"),
        (TranscriptQuery { lead_id: Some(LeadId(1)), ..any() }, "calls_lead"),
        (TranscriptQuery { from: Some(now()), ..any() }, "calls_created"),
        (
            TranscriptQuery { search: Some(Search::parse("a b*", Place::default()).unwrap()), ..any() },
            "USING INTEGER PRIMARY KEY",
        ),
    ];
    for (query, index) in plans {
        let plan = store.read(move |snapshot| Ok(search::plan(snapshot, &query)?)).await.unwrap();
        assert!(plan.contains(index), "expected {index}\n{plan}");
    }
}
