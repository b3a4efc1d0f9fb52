//! Tests of the log of changes.

use std::collections::BTreeSet;
use std::time::{Duration, Instant};

use leadscribe_engine::api::*;
use leadscribe_engine::record::LeadRecord;

use super::speech::new_token;
use super::transcripts::{queue_call, spoken_segment, transcribe};
use super::{TestStore, at, audit_at, call_record, campaign_lead_record, new_campaign, new_lead, text};
use crate::storage::{ChangeCursor, ChangeQuery, ChangeResult};

/// Time limit for changes to become visible. On PostgreSQL, they become visible after all earlier transactions of the
/// server end, including those of other tests.
const TIMEOUT: Duration = Duration::from_secs(60);

async fn read(store: &TestStore, after: &ChangeCursor, types: &[ChangeType], limit: usize) -> ChangePage {
    let types = BTreeSet::from_iter(types.iter().copied());
    let query = ChangeQuery { after: Some(after.clone()), types, limit };
    match store.record_changes(&query).await.unwrap() {
        ChangeResult::Page(page) => page,
        ChangeResult::Expired { oldest } => panic!("{after} expired; the oldest is {oldest}"),
    }
}

/// Waits until the changes after the cursor are `expected`, and returns their page.
async fn expect_changes(store: &TestStore, after: &ChangeCursor, expected: &[&str]) -> ChangePage {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        let page = read(store, after, ChangeType::ALL, 1_000).await;
        if lines(&page) == expected {
            assert!(!page.has_more);
            return page;
        }
        assert!(Instant::now() < deadline, "expected {expected:?}, found {:?}", lines(&page));
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

fn next_cursor(page: &ChangePage) -> ChangeCursor {
    ChangeCursor::parse(&page.next_cursor).unwrap()
}

/// Changes as `lead 1 insert`.
fn lines(page: &ChangePage) -> Vec<String> {
    let mut lines: Vec<_> =
        page.items.iter().map(|item| format!("{} {} {}", item.record_type, item.id, item.change)).collect();
    // The order of changes by one statement doesn't matter.
    lines.sort();
    lines
}

pub async fn changes_have_the_current_record(store: TestStore) {
    let start = store.change_log_end().await.unwrap();
    expect_changes(&store, &start, &[]).await;
    let lead = new_lead(&store, LeadRecord { city: text("Bonn"), ..LeadRecord::default() }).await;
    let campaign = new_campaign(&store, "Spring").await;
    let campaign_lead = store.create_campaign_lead(campaign_lead_record(lead, campaign), &audit_at(1)).await.unwrap();
    let call = store.create_call(call_record(), &audit_at(1)).await.unwrap();
    let page = expect_changes(&store, &start, &["call 1 insert", "campaign_lead 1 insert", "lead 1 insert"]).await;
    let record_of = |page: &ChangePage, record_type| {
        page.items.iter().find(|item| item.record_type == record_type).unwrap().record.clone()
    };
    let stored_lead = store.lead(lead, at(1)).await.unwrap().unwrap().leads[0].lead.to_lead();
    assert_eq!(record_of(&page, ChangeType::Lead), Some(ChangedRecord::Lead(Box::new(stored_lead))));
    assert_eq!(
        record_of(&page, ChangeType::CampaignLead),
        Some(ChangedRecord::CampaignLead(Box::new(campaign_lead.clone())))
    );
    assert_eq!(record_of(&page, ChangeType::Call), Some(ChangedRecord::Call(Box::new(call))));

    let cursor = next_cursor(&page);
    let city = LeadRecord { city: text("Ulm"), ..LeadRecord::default() };
    store.update_lead(lead, city, None, None, &audit_at(2)).await.unwrap();
    let page = expect_changes(&store, &cursor, &["lead 1 update"]).await;
    let cursor = next_cursor(&page);
    store.delete_campaign_lead(campaign_lead.id, None, &audit_at(3)).await.unwrap();
    let page = expect_changes(&store, &cursor, &["campaign_lead 1 delete", "lead 1 update"]).await;
    assert_eq!(record_of(&page, ChangeType::CampaignLead), None);
    let cursor = next_cursor(&page);
    store.delete_lead(lead, None, &audit_at(4)).await.unwrap();
    expect_changes(&store, &cursor, &["lead 1 delete"]).await;
    // For deleted records, only the deletion is reported.
    expect_changes(&store, &start, &["call 1 insert", "campaign_lead 1 delete", "lead 1 delete"]).await;
}

pub async fn deleting_a_lead_reports_its_dependents(store: TestStore) {
    let start = store.change_log_end().await.unwrap();
    let lead = new_lead(&store, LeadRecord::default()).await;
    let campaign = new_campaign(&store, "Spring").await;
    store.create_campaign_lead(campaign_lead_record(lead, campaign), &audit_at(1)).await.unwrap();
    let mut call = call_record();
    call.lead_id = Some(Some(lead));
    store.create_call(call, &audit_at(1)).await.unwrap();
    let page = expect_changes(&store, &start, &["call 1 insert", "campaign_lead 1 insert", "lead 1 insert"]).await;
    store.delete_lead(lead, None, &audit_at(2)).await.unwrap();
    expect_changes(&store, &next_cursor(&page), &["call 1 update", "campaign_lead 1 delete", "lead 1 delete"]).await;
}

pub async fn change_pages_are_limited_and_filtered(store: TestStore) {
    let start = store.change_log_end().await.unwrap();
    let mut leads = Vec::new();
    for _ in 0..5 {
        leads.push(new_lead(&store, LeadRecord::default()).await);
        store.create_call(call_record(), &audit_at(1)).await.unwrap();
    }
    let all = ["call 1", "call 2", "call 3", "call 4", "call 5", "lead 1", "lead 2", "lead 3", "lead 4", "lead 5"];
    let all = all.map(|record| format!("{record} insert"));
    expect_changes(&store, &start, &all.each_ref().map(String::as_str)).await;
    let mut seen = Vec::new();
    let mut cursor = start.clone();
    loop {
        let page = read(&store, &cursor, &[ChangeType::Lead], 2).await;
        assert!(page.items.len() <= 2);
        seen.extend(page.items.iter().map(|item| LeadId(item.id)));
        cursor = next_cursor(&page);
        if !page.has_more {
            break;
        }
    }
    assert_eq!(seen, leads);
    // The cursor of an item continues after it.
    let page = read(&store, &start, ChangeType::ALL, 10).await;
    let third = ChangeCursor::parse(&page.items[2].cursor).unwrap();
    assert_eq!(read(&store, &third, ChangeType::ALL, 10).await.items, page.items[3..]);
}

pub async fn transcript_changes_are_reported(store: TestStore) {
    let token = new_token(&store, 1).await;
    let start = store.change_log_end().await.unwrap();
    let call = queue_call(&store, token, 0).await;
    let page = expect_changes(&store, &start, &[&format!("call {call} insert")]).await;
    let state = |page: &ChangePage| match &page.items[0].record {
        Some(ChangedRecord::Call(call)) => call.transcription_state,
        other => panic!("{other:?}"),
    };
    assert_eq!(state(&page), Some(TranscriptionState::Queued));
    let cursor = next_cursor(&page);
    transcribe(&store, vec![spoken_segment(0.0, RecordingSide::Caller, "hello")], 1).await;
    let page =
        expect_changes(&store, &cursor, &[&format!("call {call} update"), &format!("transcript {call} insert")]).await;
    assert!(page.items.iter().all(|item| item.record_type == ChangeType::Call || item.record.is_none()));
    let cursor = next_cursor(&page);
    assert_eq!(store.purge_transcripts(at(100), &audit_at(100)).await.unwrap(), 1);
    expect_changes(&store, &cursor, &[&format!("transcript {call} delete")]).await;
}

pub async fn expired_change_cursors_are_refused(store: TestStore) {
    let start = store.change_log_end().await.unwrap();
    let is_expired = async |after: ChangeCursor| {
        let query = ChangeQuery { after: Some(after), types: BTreeSet::from([ChangeType::Lead]), limit: 10 };
        matches!(store.record_changes(&query).await.unwrap(), ChangeResult::Expired { .. })
    };
    for _ in 0..3 {
        new_lead(&store, LeadRecord::default()).await;
    }
    let end = store.change_log_end().await.unwrap();
    assert!(!is_expired(start.clone()).await && !is_expired(end.clone()).await);
    let other_history = ChangeCursor { history: "0".to_owned(), ..end.clone() };
    assert!(is_expired(other_history).await, "the database was replaced");
    let ahead = ChangeCursor { transaction: end.transaction + 1_000_000, id: end.id + 1_000_000, ..end.clone() };
    assert!(is_expired(ahead).await, "the database was reset to an earlier state");

    let after_now = chrono::DateTime::<chrono::Utc>::MAX_UTC - chrono::TimeDelta::days(1);
    let deadline = Instant::now() + TIMEOUT;
    while !is_expired(start.clone()).await {
        store.purge_changes(after_now).await.unwrap();
        assert!(Instant::now() < deadline, "nothing is purged");
    }
    let end = store.change_log_end().await.unwrap();
    assert!(!is_expired(end.clone()).await, "nothing was missed");
    let lead = new_lead(&store, LeadRecord::default()).await;
    expect_changes(&store, &end, &[&format!("lead {lead} insert")]).await;
    let query = ChangeQuery { after: None, types: BTreeSet::from([ChangeType::Lead]), limit: 10 };
    let ChangeResult::Page(page) = store.record_changes(&query).await.unwrap() else { panic!("no page") };
    assert!(lines(&page).contains(&format!("lead {lead} insert")));
}
