//! Tests of webhooks and the deliveries of their events.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::{Duration, Instant};

use futures::future::join_all;
use leadscribe_engine::api::*;
use leadscribe_engine::record::LeadRecord;

use super::deliveries::UNLIMITED;
use super::speech::{create_recorded_call, new_token, submission};
use super::transcripts::{LEASE_DURATION, claim_at, spoken_segment, transcribe};
use super::{
    FIRST_1000, TestStore, at, audit_at, audit_lines, call_record, campaign_lead_record, message, new_campaign,
    new_lead, ready_recording, refused_diagnostic, text,
};
use crate::storage::sql::{Database, SqlStore};
use crate::storage::{
    AttemptResult, ChangeQuery, ChangeResult, ClaimedDelivery, DeliveryQuery, DeliveryStore, FencedWrite, MAX_WEBHOOKS,
    QueuedEvents, RecordingKey, WebhookStore,
};

/// Time limit for changes to become complete. On PostgreSQL, they wait for all transactions of the server, also those of other tests.
const TIMEOUT: Duration = Duration::from_secs(60);

pub(super) fn request(events: &[WebhookEvent], token: Option<TokenId>) -> NewWebhookRequest {
    NewWebhookRequest {
        url: "https://example.com/events".to_owned(),
        events: events.to_vec(),
        token_id: token,
        body_template: None,
        paused: false,
    }
}

async fn new_webhook(store: &TestStore, events: &[WebhookEvent], token: Option<TokenId>) -> WebhookId {
    store.create_webhook(&request(events, token), "whsec_one", &audit_at(0)).await.unwrap().id
}

async fn update(store: &TestStore, id: WebhookId, change: UpdateWebhookRequest, seconds: i64) -> Webhook {
    store.update_webhook(id, None, &change, None, &audit_at(seconds)).await.unwrap().unwrap()
}

async fn set_paused(store: &TestStore, id: WebhookId, paused: bool, seconds: i64) {
    update(store, id, UpdateWebhookRequest { paused: Some(paused), ..UpdateWebhookRequest::default() }, seconds).await;
}

async fn change_city(store: &TestStore, lead: LeadId, city: &str) {
    let record = LeadRecord { city: text(city), ..LeadRecord::default() };
    store.update_lead(lead, record, None, None, &audit_at(2)).await.unwrap();
}

/// Deliveries of a webhook, oldest first, as `lead.changed queued`.
async fn delivery_lines(store: &TestStore, webhook: WebhookId) -> Vec<String> {
    let query = DeliveryQuery { webhook_id: Some(webhook), ..DeliveryQuery::default() };
    let deliveries = store.deliveries(&query, FIRST_1000).await.unwrap().items;
    let line = |delivery: &Delivery| format!("{} {}", delivery.event.unwrap(), delivery.state);
    deliveries.iter().rev().map(line).collect()
}

/// Queues events until the webhook has these deliveries.
async fn expect_deliveries(store: &TestStore, webhook: WebhookId, expected: &[&str]) {
    let deadline = Instant::now() + TIMEOUT;
    loop {
        store.queue_events(UNLIMITED, at(10)).await.unwrap();
        let lines = delivery_lines(store, webhook).await;
        if lines == expected {
            return;
        }
        assert!(Instant::now() < deadline, "expected {expected:?}, found {lines:?}");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
}

/// Waits until every change so far is complete, and lets the webhooks read all of them.
async fn read_all_changes(store: &TestStore) {
    let deadline = Instant::now() + TIMEOUT;
    let start = store.change_log_end().await.unwrap();
    let call = store.create_call(call_record(), &audit_at(3)).await.unwrap().id;
    let query = ChangeQuery { after: Some(start), types: BTreeSet::from([ChangeType::Call]), limit: 1_000 };
    let is_complete = async || match store.record_changes(&query).await.unwrap() {
        ChangeResult::Page(page) => page.items.iter().any(|item| item.id == call.0),
        ChangeResult::Expired { .. } => panic!("the log was purged"),
    };
    while !is_complete().await {
        assert!(Instant::now() < deadline, "a transaction doesn't end");
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    while store.queue_events(UNLIMITED, at(10)).await.unwrap().has_more {}
}

async fn claim_delivery(store: &TestStore, seconds: i64) -> Option<ClaimedDelivery> {
    store.claim_delivery(LEASE_DURATION, at(seconds)).await.unwrap()
}

async fn finish(store: &TestStore, claimed: &ClaimedDelivery, result: AttemptResult, seconds: i64) {
    let attempt =
        DeliveryAttempt { number: 0, started_at: at(seconds), duration_ms: 1, status: Some(204), error: None };
    let finished = store.finish_attempt(claimed.claim, &attempt, result, at(seconds)).await.unwrap();
    assert_eq!(finished, FencedWrite::Done);
}

pub async fn webhooks_are_stored_and_changed(store: TestStore) {
    let token = new_token(&store, 1).await;
    let first = new_webhook(&store, &[WebhookEvent::LeadChanged], None).await;
    let second = new_webhook(&store, &[WebhookEvent::TranscriptCompleted], Some(token)).await;
    let ids = async |owner| {
        let page = store.webhooks(owner, FIRST_1000).await.unwrap();
        assert_eq!(page.total, page.items.len() as u64);
        page.items.into_iter().map(|webhook| webhook.id).collect::<Vec<_>>()
    };
    assert_eq!((ids(None).await, ids(Some(token)).await), (vec![second, first], vec![second]));
    assert_eq!(store.webhook(first, Some(token)).await.unwrap(), None);

    let change = UpdateWebhookRequest {
        url: Some("https://example.com/other".to_owned()),
        events: Some(vec![WebhookEvent::ImportFinished]),
        body_template: Some(Some("[]".to_owned())),
        paused: Some(true),
    };
    let changed = update(&store, first, change, 5).await;
    assert_eq!(store.webhook(first, None).await.unwrap().as_ref(), Some(&changed));
    assert_eq!(
        (
            changed.url.as_str(),
            &changed.events[..],
            changed.body_template.as_deref(),
            changed.paused,
            changed.updated_at
        ),
        ("https://example.com/other", &[WebhookEvent::ImportFinished][..], Some("[]"), true, at(5))
    );
    let unchanged = update(&store, first, UpdateWebhookRequest::default(), 6).await;
    assert_eq!(unchanged.updated_at, at(5));
    let without_template = UpdateWebhookRequest { body_template: Some(None), ..UpdateWebhookRequest::default() };
    assert_eq!(update(&store, first, without_template, 7).await.body_template, None);

    let stale = store.delete_webhook(first, None, Some(vec![at(5)]), &audit_at(8)).await;
    assert_eq!(refused_diagnostic(stale).code, "edit_conflict");
    assert!(!store.delete_webhook(first, Some(token), None, &audit_at(8)).await.unwrap());
    assert!(store.delete_webhook(first, None, Some(vec![at(7)]), &audit_at(8)).await.unwrap());
    assert_eq!((ids(None).await, store.webhook(first, None).await.unwrap()), (vec![second], None));
    assert!(!store.delete_webhook(first, None, None, &audit_at(9)).await.unwrap());
    let log = audit_lines(&store).await;
    let subject = format!("webhook:{first}");
    let actions: Vec<_> = log.iter().filter_map(|line| line.strip_suffix(&subject)).map(str::trim_end).collect();
    assert_eq!(actions, ["webhook.create", "webhook.update", "webhook.update", "webhook.delete"]);
}

pub async fn webhooks_are_limited_and_need_a_token(store: TestStore) {
    let token = new_token(&store, 1).await;
    let create = async |token| {
        let request = request(&[WebhookEvent::TranscriptCompleted], token);
        store.create_webhook(&request, "whsec_one", &audit_at(0)).await
    };
    assert_eq!(refused_diagnostic(create(Some(TokenId(99))).await).code, "unknown_token");
    for _ in 0..MAX_WEBHOOKS {
        create(Some(token)).await.unwrap();
    }
    assert_eq!(refused_diagnostic(create(Some(token)).await).code, "too_many");
    create(None).await.unwrap();
    store.revoke_speech_token(token, &audit_at(1)).await.unwrap();
    assert_eq!(refused_diagnostic(create(Some(token)).await).code, "revoked");
}

pub async fn events_are_queued_once(store: TestStore) {
    let earlier = new_lead(&store, LeadRecord::default()).await;
    let campaign = new_campaign(&store, "Spring").await;
    let all: Vec<_> = WebhookEvent::ALL.iter().copied().filter(|event| *event != WebhookEvent::Test).collect();
    let webhook = new_webhook(&store, &all, None).await;
    let deletions = new_webhook(&store, &[WebhookEvent::LeadDeleted], None).await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    let entry = store.create_campaign_lead(campaign_lead_record(lead, campaign), &audit_at(1)).await.unwrap();
    read_all_changes(&store).await;
    store.delete_campaign_lead(entry.id, None, &audit_at(2)).await.unwrap();
    store.delete_lead(earlier, None, &audit_at(2)).await.unwrap();
    read_all_changes(&store).await;
    let count = async |event: &str| {
        let lines = delivery_lines(&store, webhook).await;
        lines.into_iter().filter(|line| *line == format!("{event} queued")).count()
    };
    for event in ["campaign_lead.changed", "campaign_lead.deleted", "lead.deleted"] {
        assert_eq!(count(event).await, 1, "{event}");
    }
    assert_eq!(count("call.created").await, 2, "those of `read_all_changes`");
    assert_eq!(delivery_lines(&store, deletions).await, ["lead.deleted queued"]);

    // Several workers queue the same event.
    let before = count("lead.changed").await;
    change_city(&store, lead, "Bonn").await;
    let deadline = Instant::now() + TIMEOUT;
    while count("lead.changed").await == before {
        assert!(Instant::now() < deadline, "the event is not queued");
        let workers = (0..4).map(|_| store.queue_events(UNLIMITED, at(10)));
        join_all(workers).await.into_iter().for_each(|queued| _ = queued.unwrap());
    }
    assert_eq!(count("lead.changed").await, before + 1);
}

pub async fn repeated_changes_are_one_event(store: TestStore) {
    let changes = new_webhook(&store, &[WebhookEvent::LeadChanged], None).await;
    let both = new_webhook(&store, &[WebhookEvent::LeadChanged, WebhookEvent::LeadDeleted], None).await;
    // Changes that happen during a pause are read at once.
    set_paused(&store, changes, true, 1).await;
    set_paused(&store, both, true, 1).await;
    let [kept, deleted] =
        [new_lead(&store, LeadRecord::default()).await, new_lead(&store, LeadRecord::default()).await];
    change_city(&store, kept, "Bonn").await;
    change_city(&store, kept, "Ulm").await;
    store.delete_lead(deleted, None, &audit_at(3)).await.unwrap();
    read_all_changes(&store).await;
    set_paused(&store, changes, false, 4).await;
    set_paused(&store, both, false, 4).await;
    store.queue_events(UNLIMITED, at(10)).await.unwrap();
    assert_eq!(delivery_lines(&store, both).await, ["lead.changed queued", "lead.deleted queued"]);
    // The lead that was deleted was created before.
    assert_eq!(delivery_lines(&store, changes).await, ["lead.changed queued"; 2]);
}

pub async fn webhook_of_a_token_gets_its_own_calls(store: TestStore) {
    let [owner, other] = [new_token(&store, 1).await, new_token(&store, 2).await];
    let events = [WebhookEvent::TranscriptCompleted, WebhookEvent::TranscriptionFailed, WebhookEvent::RecordingReady];
    let [own, foreign, staff] = [
        new_webhook(&store, &events, Some(owner)).await,
        new_webhook(&store, &events, Some(other)).await,
        new_webhook(&store, &events, None).await,
    ];
    let mut calls = Vec::new();
    for _ in 0..2 {
        calls.push(create_recorded_call(&store, 0, 60.0, 2).await);
    }
    read_all_changes(&store).await;
    let recordings = ["recording.ready queued"; 2];
    assert_eq!(delivery_lines(&store, staff).await, recordings);
    store.submit(&submission(calls.clone()), owner, false, UNLIMITED, &audit_at(0)).await.unwrap();
    transcribe(&store, vec![spoken_segment(0.0, RecordingSide::Caller, "hello")], 20).await;
    let failed = claim_at(&store, 20).await.unwrap();
    let result = store.fail_transcription(failed.claim, &message("broken"), at(21)).await.unwrap();
    assert_eq!(result, FencedWrite::Done);
    let expected = ["transcript.completed queued", "transcription.failed queued"];
    expect_deliveries(&store, own, &expected).await;
    expect_deliveries(&store, staff, &[&recordings[..], &expected].concat()).await;
    assert!(delivery_lines(&store, foreign).await.is_empty());

    let query = DeliveryQuery { webhook_id: Some(own), ..DeliveryQuery::default() };
    let deliveries = store.deliveries(&query, FIRST_1000).await.unwrap().items;
    assert!(deliveries.iter().all(|delivery| delivery.token_id == Some(owner)));
    assert_eq!(deliveries[0].call_id, Some(failed.transcription.call_id));
    // The failed call belongs to the other token once that has submitted it.
    store.submit(&submission([failed.transcription.call_id.0]), other, false, UNLIMITED, &audit_at(22)).await.unwrap();
    let key = RecordingKey("new".to_owned());
    let (call, recording) = (failed.transcription.call_id, ready_recording(60.0, 2));
    store.set_recording(call, &recording, Some(&key), &audit_at(22)).await.unwrap();
    read_all_changes(&store).await;
    assert_eq!(delivery_lines(&store, own).await, expected);
    assert_eq!(delivery_lines(&store, foreign).await, ["recording.ready queued"]);
    store.revoke_speech_token(owner, &audit_at(22)).await.unwrap();
    let call = create_recorded_call(&store, 0, 60.0, 2).await;
    store.submit(&submission([call]), other, false, UNLIMITED, &audit_at(23)).await.unwrap();
    read_all_changes(&store).await;
    assert_eq!(delivery_lines(&store, own).await, expected);
}

pub async fn events_have_the_current_record(store: TestStore) {
    let webhook = new_webhook(&store, &[WebhookEvent::LeadChanged], None).await;
    let lead = new_lead(&store, LeadRecord { city: text("Bonn"), ..LeadRecord::default() }).await;
    expect_deliveries(&store, webhook, &["lead.changed queued"]).await;
    change_city(&store, lead, "Ulm").await;
    let claimed = claim_delivery(&store, 10).await.unwrap();
    let (event, delivery) = (claimed.event.clone().unwrap(), &claimed.delivery);
    assert_eq!((event.event_type, event.record_id), (WebhookEvent::LeadChanged, lead.0));
    assert_eq!((delivery.webhook_id, delivery.token_id, delivery.call_id), (Some(webhook), None, None));
    assert_eq!(
        (&claimed.secrets[..], delivery.callback.callback_data.as_deref()),
        (&["whsec_one".to_owned()][..], None)
    );
    assert_eq!(claimed.content.as_ref().unwrap().lead.as_ref().unwrap().city.as_deref(), Some("Ulm"));
    finish(&store, &claimed, AttemptResult::Retry(at(20)), 11).await;
    store.delete_lead(lead, None, &audit_at(12)).await.unwrap();
    let again = claim_delivery(&store, 20).await.unwrap();
    assert_eq!((again.event.unwrap(), again.content.unwrap().lead), (event, None));
}

pub async fn paused_webhooks_get_events_later(store: TestStore) {
    let webhook = new_webhook(&store, &[WebhookEvent::LeadChanged], None).await;
    let lead = new_lead(&store, LeadRecord::default()).await;
    expect_deliveries(&store, webhook, &["lead.changed queued"]).await;
    let claimed = claim_delivery(&store, 10).await.unwrap();
    change_city(&store, lead, "Bonn").await;
    expect_deliveries(&store, webhook, &["lead.changed delivering", "lead.changed queued"]).await;
    set_paused(&store, webhook, true, 11).await;
    finish(&store, &claimed, AttemptResult::Retry(at(12)), 12).await;
    new_lead(&store, LeadRecord::default()).await;
    read_all_changes(&store).await;
    assert_eq!(delivery_lines(&store, webhook).await, ["lead.changed waiting"; 2]);
    assert_eq!(claim_delivery(&store, 100).await, None);
    // Tests are delivered nevertheless.
    let test = store.create_webhook_test(webhook, None, UNLIMITED, &audit_at(100)).await.unwrap().unwrap();
    assert_eq!((test.event, test.state), (Some(WebhookEvent::Test), DeliveryState::Queued));
    let claimed = claim_delivery(&store, 100).await.unwrap();
    assert_eq!((claimed.delivery.id, claimed.event.as_ref().unwrap().record_id), (test.id, webhook.0));
    finish(&store, &claimed, AttemptResult::Delivered, 100).await;
    set_paused(&store, webhook, false, 101).await;
    let expected = ["lead.changed queued", "lead.changed queued", "webhook.test delivered", "lead.changed queued"];
    expect_deliveries(&store, webhook, &expected).await;
    assert!(claim_delivery(&store, 101).await.is_some());
}

pub async fn endpoint_that_is_gone_pauses_its_webhook(store: TestStore) {
    let webhook = new_webhook(&store, &[WebhookEvent::LeadChanged], None).await;
    new_lead(&store, LeadRecord::default()).await;
    expect_deliveries(&store, webhook, &["lead.changed queued"]).await;
    new_lead(&store, LeadRecord::default()).await;
    expect_deliveries(&store, webhook, &["lead.changed queued"; 2]).await;
    let claimed = claim_delivery(&store, 10).await.unwrap();
    finish(&store, &claimed, AttemptResult::Stopped, 11).await;
    assert_eq!(delivery_lines(&store, webhook).await, ["lead.changed waiting"; 2]);
    let paused = store.webhook(webhook, None).await.unwrap().unwrap();
    assert_eq!((paused.paused, paused.updated_at), (true, at(11)));

    // Deliveries follow to the new URL.
    let change = UpdateWebhookRequest {
        url: Some("https://example.com/new".to_owned()),
        paused: Some(false),
        ..UpdateWebhookRequest::default()
    };
    update(&store, webhook, change, 12).await;
    let claimed = claim_delivery(&store, 12).await.unwrap();
    assert_eq!(claimed.delivery.callback.callback_url, "https://example.com/new");

    // A delivery that is in flight or has failed follows too.
    let change =
        UpdateWebhookRequest { url: Some("https://example.com/newer".to_owned()), ..UpdateWebhookRequest::default() };
    update(&store, webhook, change, 13).await;
    finish(&store, &claimed, AttemptResult::Retry(at(13)), 13).await;
    for _ in 0..2 {
        let claimed = claim_delivery(&store, 13).await.unwrap();
        assert_eq!(claimed.delivery.callback.callback_url, "https://example.com/newer");
        finish(&store, &claimed, AttemptResult::Failed, 13).await;
    }
    assert_eq!(store.webhook(webhook, None).await.unwrap().unwrap().events_lost_at, Some(at(13)));
    let change =
        UpdateWebhookRequest { url: Some("https://example.com/newest".to_owned()), ..UpdateWebhookRequest::default() };
    update(&store, webhook, change, 14).await;
    let replayed = store.replay_delivery(claimed.claim.id, &audit_at(14)).await.unwrap().unwrap();
    assert_eq!(
        (replayed.callback.callback_url.as_str(), replayed.state),
        ("https://example.com/newest", DeliveryState::Queued)
    );
    set_paused(&store, webhook, true, 15).await;
    let held = store.replay_delivery(claimed.claim.id, &audit_at(15)).await.unwrap().unwrap();
    assert_eq!(held.state, DeliveryState::Waiting);
}

pub async fn deleted_webhook_stops_its_deliveries(store: TestStore) {
    let webhook = new_webhook(&store, &[WebhookEvent::LeadChanged], None).await;
    new_lead(&store, LeadRecord::default()).await;
    expect_deliveries(&store, webhook, &["lead.changed queued"]).await;
    let claimed = claim_delivery(&store, 10).await.unwrap();
    new_lead(&store, LeadRecord::default()).await;
    expect_deliveries(&store, webhook, &["lead.changed delivering", "lead.changed queued"]).await;
    store.delete_webhook(webhook, None, None, &audit_at(11)).await.unwrap();
    finish(&store, &claimed, AttemptResult::Retry(at(12)), 12).await;
    assert_eq!(delivery_lines(&store, webhook).await, ["lead.changed queued", "lead.changed stopped"]);
    // The worker ends a delivery without a secret.
    assert!(claim_delivery(&store, 12).await.unwrap().secrets.is_empty());
}

pub async fn deleting_a_paused_webhook_ends_its_deliveries(store: TestStore) {
    let webhook = new_webhook(&store, &[WebhookEvent::LeadChanged], None).await;
    new_lead(&store, LeadRecord::default()).await;
    expect_deliveries(&store, webhook, &["lead.changed queued"]).await;
    let claimed = claim_delivery(&store, 10).await.unwrap();
    set_paused(&store, webhook, true, 11).await;
    store.delete_webhook(webhook, None, None, &audit_at(12)).await.unwrap();
    finish(&store, &claimed, AttemptResult::Retry(at(13)), 13).await;
    assert!(claim_delivery(&store, 13).await.unwrap().secrets.is_empty());
}

pub async fn webhook_with_many_pending_deliveries_waits(store: TestStore) {
    let webhook = new_webhook(&store, &[WebhookEvent::LeadChanged], None).await;
    new_lead(&store, LeadRecord::default()).await;
    expect_deliveries(&store, webhook, &["lead.changed queued"]).await;
    new_lead(&store, LeadRecord::default()).await;
    let deadline = Instant::now() + Duration::from_secs(1);
    while Instant::now() < deadline {
        assert_eq!(store.queue_events(1, at(10)).await.unwrap(), QueuedEvents::default());
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    assert_eq!(delivery_lines(&store, webhook).await, ["lead.changed queued"]);
    let refused = store.create_webhook_test(webhook, None, 1, &audit_at(10)).await;
    assert_eq!(refused_diagnostic(refused).code, "too_many_pending_deliveries");
    expect_deliveries(&store, webhook, &["lead.changed queued"; 2]).await;
}

pub async fn lost_events_are_reported(store: TestStore) {
    let webhook = new_webhook(&store, &[WebhookEvent::LeadChanged], None).await;
    set_paused(&store, webhook, true, 1).await;
    for _ in 0..3 {
        new_lead(&store, LeadRecord::default()).await;
    }
    read_all_changes(&store).await;
    // The newest change is kept.
    let after_now = Timestamp::MAX_UTC - chrono::TimeDelta::days(1);
    while store.purge_changes(after_now).await.unwrap() > 0 {}
    set_paused(&store, webhook, false, 2).await;
    store.queue_events(UNLIMITED, at(10)).await.unwrap();
    assert_eq!(delivery_lines(&store, webhook).await, [""; 0]);
    assert_eq!(store.webhook(webhook, None).await.unwrap().unwrap().events_lost_at, Some(at(10)));
    new_lead(&store, LeadRecord::default()).await;
    expect_deliveries(&store, webhook, &["lead.changed queued"]).await;
}

pub async fn secret_of_a_webhook_rotates(store: TestStore) {
    let webhook = new_webhook(&store, &[WebhookEvent::LeadChanged], None).await;
    assert!(store.rotate_secret_of_webhook(webhook, None, "whsec_two", at(30), &audit_at(1)).await.unwrap());
    let other = Some(TokenId(9));
    assert!(!store.rotate_secret_of_webhook(webhook, other, "whsec_three", at(30), &audit_at(1)).await.unwrap());
    for _ in 0..2 {
        store.create_webhook_test(webhook, None, UNLIMITED, &audit_at(2)).await.unwrap().unwrap();
    }
    let claimed = claim_delivery(&store, 29).await.unwrap();
    assert_eq!(claimed.secrets, ["whsec_two", "whsec_one"]);
    finish(&store, &claimed, AttemptResult::Delivered, 30).await;
    assert_eq!(claim_delivery(&store, 30).await.unwrap().secrets, ["whsec_two"]);
}

/// Checks that the purge deletes an endpoint that lost its deliveries before one ended, because the URL of its webhook changed.
pub(in crate::storage) async fn check_endpoint_purge_after_url_change<D: Database>(store: SqlStore<D>) {
    let store = Arc::new(store);
    let tested: TestStore = store.clone();
    let endpoints = async || {
        let urls = "SELECT url FROM callback_endpoints ORDER BY url";
        store.database().read(move |session| session.query(urls, &[], |row| row.get::<String>(0))).await.unwrap()
    };
    let webhook = new_webhook(&tested, &[WebhookEvent::LeadChanged], None).await;
    store.create_webhook_test(webhook, None, UNLIMITED, &audit_at(1)).await.unwrap().unwrap();
    let (first, second) = ("https://example.com/events", "https://example.com/moved");
    let change = UpdateWebhookRequest { url: Some(second.to_owned()), ..UpdateWebhookRequest::default() };
    update(&tested, webhook, change, 2).await;
    assert_eq!(endpoints().await, [first, second]);
    assert_eq!(store.purge_deliveries(at(10)).await.unwrap(), 0);
    assert_eq!(endpoints().await, [second]);
    assert_eq!(claim_delivery(&tested, 11).await.unwrap().delivery.callback.callback_url, second);
}
