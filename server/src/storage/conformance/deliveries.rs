//! Tests of deliveries to callbacks.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use leadscribe_engine::api::*;
use leadscribe_engine::callback::{CallbackTarget, Template};
use leadscribe_engine::diagnostic::Location;
use leadscribe_engine::record::{CallRecord, LeadRecord};
use leadscribe_engine::transcript_search::Search;

use super::speech::{new_token, submission};
use super::transcripts::{LEASE_DURATION, queue_call, spoken_segment, transcribe};
use super::{
    FIRST_1000, TestStore, at, audit_at, audit_lines, call_record, message, new_campaign, new_lead, ready_recording,
    refused_diagnostic,
};
use crate::storage::{
    AttemptResult, Claim, ClaimedDelivery, DeliveryQuery, FencedWrite, Slice, TranscriptQuery, TranscriptionOutcome,
};

/// More pending deliveries than any test creates.
pub(super) const UNLIMITED: u64 = u64::MAX;

pub fn target() -> CallbackTarget {
    let template = Template::parse(r#"{"id":"{call_id}"}"#, Location::default()).unwrap();
    CallbackTarget { url: "https://example.com/hook".to_owned(), method: CallbackMethod::Put, template }
}

/// Creates a transcribed call of the token, `seconds` after noon.
async fn create_transcribed_call(store: &TestStore, token: TokenId, seconds: i64, text: &str) -> CallId {
    let call = queue_call(store, token, seconds).await;
    transcribe(store, vec![spoken_segment(0.0, RecordingSide::Caller, text)], seconds).await;
    call
}

/// Requests deliveries of all the token's transcripts, `seconds` after noon.
async fn request_deliveries(store: &TestStore, token: TokenId, seconds: i64) -> SpeechRequestResponse {
    store
        .create_speech_request(token, &TranscriptQuery::default(), FIRST_1000, &target(), UNLIMITED, &audit_at(seconds))
        .await
        .unwrap()
}

/// Creates a token with this many transcripts, and a request for their delivery, at noon.
pub async fn set_up_request(store: &TestStore, transcripts: i64) -> (TokenId, SpeechRequestId) {
    let token = new_token(store, 1).await;
    for second in 0..transcripts {
        create_transcribed_call(store, token, -100 + second, "hello").await;
    }
    (token, request_deliveries(store, token, 0).await.speech_request_id)
}

async fn claim_at(store: &TestStore, seconds: i64) -> Option<ClaimedDelivery> {
    store.claim_delivery(LEASE_DURATION, at(seconds)).await.unwrap()
}

fn new_attempt(seconds: i64, status: Option<u16>, error: Option<&str>) -> DeliveryAttempt {
    DeliveryAttempt { number: 0, started_at: at(seconds), duration_ms: 125, status, error: error.map(message) }
}

/// Finishes an attempt that received this status.
async fn finish_attempt(store: &TestStore, claim: Claim<DeliveryId>, status: u16, result: AttemptResult, seconds: i64) {
    let error = (status >= 300).then_some("refused");
    let attempt = new_attempt(seconds - 1, Some(status), error);
    assert_eq!(store.finish_attempt(claim, &attempt, result, at(seconds)).await.unwrap(), FencedWrite::Done);
}

/// Delivers the next delivery, `seconds` after noon.
pub(super) async fn deliver(store: &TestStore, seconds: i64) {
    let claim = claim_at(store, seconds).await.unwrap().claim;
    finish_attempt(store, claim, 200, AttemptResult::Delivered, seconds + 1).await;
}

async fn delivery(store: &TestStore, id: DeliveryId) -> Delivery {
    store.delivery(id).await.unwrap().unwrap().delivery
}

pub async fn request_queues_matching_transcripts(store: TestStore) {
    let (token, other) = (new_token(&store, 1).await, new_token(&store, 2).await);
    let first_call = create_transcribed_call(&store, token, 1, "yes please").await;
    let second_call = create_transcribed_call(&store, token, 2, "yes").await;
    create_transcribed_call(&store, token, 3, "no").await;
    let other_call = create_transcribed_call(&store, other, 4, "yes").await;
    let search = Some(Search::parse("yes", Location::default()).unwrap());
    // A token in the query is ignored: the request covers the requesting token's transcripts.
    let query = TranscriptQuery { search, token_id: Some(other), ..TranscriptQuery::default() };
    let response =
        store.create_speech_request(token, &query, FIRST_1000, &target(), UNLIMITED, &audit_at(10)).await.unwrap();
    assert_eq!((response.call_ids, response.total), (vec![second_call, first_call], 2));
    let id = response.speech_request_id;
    assert_eq!(audit_lines(&store).await.last().unwrap(), &format!("speech_request.create speech_request:{id}"));
    let status = SpeechRequestStatus { speech_request_id: id, created_at: at(10), pending: 2, delivered: 0, failed: 0 };
    assert_eq!(store.speech_request(token, id).await.unwrap(), Some(status));
    assert_eq!(store.speech_request(other, id).await.unwrap(), None);
    assert_eq!(store.speech_request(token, SpeechRequestId(99)).await.unwrap(), None);
    let first = store.deliveries(&DeliveryQuery::default(), FIRST_1000).await.unwrap().items.pop().unwrap();
    assert_eq!(
        first,
        Delivery {
            id: first.id,
            speech_request_id: Some(id),
            token_id: Some(token),
            webhook_id: None,
            event: None,
            call_id: Some(second_call),
            callback: Callback {
                callback_url: "https://example.com/hook".to_owned(),
                callback_method: CallbackMethod::Put,
                callback_data: Some(r#"{"id":"{call_id}"}"#.to_owned()),
            },
            state: DeliveryState::Queued,
            attempts: 0,
            last_status: None,
            last_error: None,
            next_attempt_at: Some(at(10)),
            created_at: at(10),
            finished_at: None,
        }
    );
    let slice = Slice { count: 1, offset: 1 };
    let paged = store.create_speech_request(token, &query, slice, &target(), UNLIMITED, &audit_at(11)).await.unwrap();
    assert_eq!(paged.call_ids, [first_call]);
    let other_response =
        store.create_speech_request(other, &query, FIRST_1000, &target(), UNLIMITED, &audit_at(12)).await.unwrap();
    assert_eq!(other_response.call_ids, [other_call]);
    let nothing = TranscriptQuery { from: Some(at(900)), ..TranscriptQuery::default() };
    let empty =
        store.create_speech_request(token, &nothing, FIRST_1000, &target(), UNLIMITED, &audit_at(13)).await.unwrap();
    assert_eq!(empty.call_ids, []);
    let status = store.speech_request(token, empty.speech_request_id).await.unwrap().unwrap();
    assert_eq!((status.pending, status.delivered, status.failed), (0, 0, 0));
}

pub async fn claimed_deliveries_include_their_data(store: TestStore) {
    let token = new_token(&store, 1).await;
    let campaign = new_campaign(&store, "Spring").await;
    let lead = new_lead(&store, LeadRecord { first_name: Some(Some("Ada".to_owned())), ..LeadRecord::default() }).await;
    let record = CallRecord {
        created_at: Some(at(20)),
        lead_id: Some(Some(lead)),
        campaign_id: Some(Some(campaign)),
        ..call_record()
    };
    let call = store.create_call(record, &audit_at(0)).await.unwrap().id;
    store.set_recording(call, &ready_recording(9.0, 2), None, &audit_at(0)).await.unwrap();
    store.submit(&submission([call.0]), token, false, UNLIMITED, &audit_at(20)).await.unwrap();
    transcribe(&store, vec![spoken_segment(0.0, RecordingSide::Caller, "hello")], 20).await;
    let bare = create_transcribed_call(&store, token, 10, "hi").await;
    request_deliveries(&store, token, 30).await;
    store.webhook_secret(token, "whsec_one").await.unwrap();

    assert_eq!(claim_at(&store, 29).await, None);
    let first = claim_at(&store, 30).await.unwrap();
    assert_eq!((first.delivery.state, first.delivery.attempts, first.attempt), (DeliveryState::Delivering, 1, 1));
    assert_eq!((first.delivery.call_id, first.delivery.next_attempt_at), (Some(call), None));
    assert_eq!(first.secrets, ["whsec_one"]);
    let content = first.content.unwrap();
    assert_eq!(content.call, store.call(call).await.unwrap());
    let transcript = store.transcript(call).await.unwrap().unwrap();
    assert_eq!(content.outcome, Some(TranscriptionOutcome::Transcribed(transcript)));
    assert_eq!(content.lead.unwrap().first_name.as_deref(), Some("Ada"));
    assert_eq!(content.campaign.unwrap().name, "Spring");

    finish_attempt(&store, first.claim, 200, AttemptResult::Delivered, 31).await;

    store.purge_transcripts(at(15), &audit_at(31)).await.unwrap();
    let second = claim_at(&store, 31).await.unwrap();
    assert_eq!((second.delivery.call_id, second.content), (Some(bare), None));
    finish_attempt(&store, second.claim, 200, AttemptResult::Delivered, 32).await;
    let test = store.create_test_delivery(token, &target(), UNLIMITED, &audit_at(32)).await.unwrap();
    assert_eq!((test.speech_request_id, test.call_id, test.state), (None, None, DeliveryState::Queued));
    let third = claim_at(&store, 32).await.unwrap();
    assert_eq!((third.claim.id, third.content), (test.id, None));
    assert_eq!(claim_at(&store, 32).await, None);
}

pub async fn attempts_are_recorded_and_retried(store: TestStore) {
    let (token, request) = set_up_request(&store, 1).await;
    let first = claim_at(&store, 0).await.unwrap();
    assert_eq!(store.extend_delivery(first.claim, at(100)).await.unwrap(), FencedWrite::Done);
    assert_eq!(claim_at(&store, 99).await, None);
    let id = first.claim.id;
    let failed_attempt = new_attempt(0, None, Some("connection refused"));
    let retry = AttemptResult::Retry(at(200));
    assert_eq!(store.finish_attempt(first.claim, &failed_attempt, retry, at(1)).await.unwrap(), FencedWrite::Done);
    let queued = delivery(&store, id).await;
    assert_eq!((queued.state, queued.attempts), (DeliveryState::Queued, 1));
    assert_eq!((queued.next_attempt_at, queued.finished_at), (Some(at(200)), None));
    assert_eq!(
        (queued.last_status, queued.last_error.as_ref().map(ToString::to_string).as_deref()),
        (None, Some("connection refused"))
    );
    assert_eq!(claim_at(&store, 199).await, None);
    // The second worker dies: the result of its attempt is unknown, but the attempt counts.
    claim_at(&store, 200).await.unwrap();
    let third = claim_at(&store, 260).await.unwrap();
    assert_eq!((third.delivery.attempts, third.attempt), (3, 3));
    finish_attempt(&store, third.claim, 204, AttemptResult::Delivered, 270).await;
    let detail = store.delivery(id).await.unwrap().unwrap();
    assert_eq!((detail.delivery.state, detail.delivery.finished_at), (DeliveryState::Delivered, Some(at(270))));
    assert_eq!((detail.delivery.last_status, detail.delivery.last_error), (Some(204), None));
    let delivered = DeliveryAttempt { number: 2, ..new_attempt(269, Some(204), None) };
    assert_eq!(detail.attempts, [DeliveryAttempt { number: 1, ..failed_attempt }, delivered]);
    let status = store.speech_request(token, request).await.unwrap().unwrap();
    assert_eq!((status.pending, status.delivered, status.failed), (0, 1, 0));
    assert_eq!(claim_at(&store, 9_999).await, None);
    assert_eq!(store.delivery(DeliveryId(99)).await.unwrap(), None);
}

pub async fn stale_delivery_claims_are_refused(store: TestStore) {
    set_up_request(&store, 1).await;
    let stalled = claim_at(&store, 0).await.unwrap().claim;
    let current = claim_at(&store, 60).await.unwrap();
    let expect_claim_lost = async |claim: Claim<DeliveryId>| {
        let attempt = new_attempt(61, Some(200), None);
        let finished = store.finish_attempt(claim, &attempt, AttemptResult::Delivered, at(61)).await.unwrap();
        let extended = store.extend_delivery(claim, at(900)).await.unwrap();
        let released = store.release_delivery(claim, at(61)).await.unwrap();
        assert_eq!([finished, extended, released], [FencedWrite::ClaimLost; 3]);
    };
    expect_claim_lost(stalled).await;
    let detail = store.delivery(stalled.id).await.unwrap().unwrap();
    assert_eq!((detail.delivery, detail.attempts), (current.delivery, vec![]));
    assert_eq!(store.release_delivery(current.claim, at(62)).await.unwrap(), FencedWrite::Done);
    expect_claim_lost(current.claim).await;
    let released = delivery(&store, stalled.id).await;
    assert_eq!((released.state, released.attempts, released.next_attempt_at), (DeliveryState::Queued, 1, Some(at(0))));
    let last = claim_at(&store, 63).await.unwrap().claim;
    finish_attempt(&store, last, 500, AttemptResult::Failed, 64).await;
    expect_claim_lost(last).await;
    assert_eq!(delivery(&store, stalled.id).await.state, DeliveryState::Failed);
}

pub async fn stopped_delivery_stops_its_request(store: TestStore) {
    let (token, first_request) = set_up_request(&store, 4).await;
    let second_request = request_deliveries(&store, token, 10).await.speech_request_id;
    let delivered = claim_at(&store, 1).await.unwrap().claim;
    finish_attempt(&store, delivered, 200, AttemptResult::Delivered, 2).await;
    let stopping = claim_at(&store, 3).await.unwrap().claim;
    finish_attempt(&store, stopping, 410, AttemptResult::Stopped, 4).await;
    let states = async |id: SpeechRequestId| {
        let query = DeliveryQuery { speech_request_id: Some(id), ..DeliveryQuery::default() };
        let page = store.deliveries(&query, FIRST_1000).await.unwrap();
        page.items.iter().rev().map(|delivery_row| delivery_row.state.as_str()).collect::<Vec<_>>()
    };
    assert_eq!(states(first_request).await, ["delivered", "stopped", "stopped", "stopped"]);
    assert_eq!(states(second_request).await, ["queued"; 4]);
    let deliveries = store.deliveries(&DeliveryQuery::default(), FIRST_1000).await.unwrap().items;
    let unsent = &deliveries[4];
    assert_eq!((unsent.attempts, unsent.finished_at, unsent.next_attempt_at), (0, Some(at(4)), None));
    let status = store.speech_request(token, first_request).await.unwrap().unwrap();
    assert_eq!((status.pending, status.delivered, status.failed), (0, 1, 3));
    // A stopped test delivery belongs to no request, so it stops nothing else.
    let test = store.create_test_delivery(token, &target(), UNLIMITED, &audit_at(0)).await.unwrap();
    let other_test = store.create_test_delivery(token, &target(), UNLIMITED, &audit_at(6)).await.unwrap();
    let claim = claim_at(&store, 6).await.unwrap().claim;
    assert_eq!(claim.id, test.id);
    finish_attempt(&store, claim, 410, AttemptResult::Stopped, 7).await;
    assert_eq!(delivery(&store, other_test.id).await.state, DeliveryState::Queued);
    assert_eq!(states(second_request).await, ["queued"; 4]);
}

pub async fn unresponsive_endpoint_does_not_delay_others(store: TestStore) {
    let (token, unresponsive_request) = set_up_request(&store, 2).await;
    let other_target = CallbackTarget { url: "https://example.org/".to_owned(), ..target() };
    let test = store.create_test_delivery(token, &other_target, UNLIMITED, &audit_at(1)).await.unwrap();
    let waiting = claim_at(&store, 2).await.unwrap();
    assert_eq!(waiting.delivery.speech_request_id, Some(unresponsive_request));
    assert_eq!(claim_at(&store, 2).await.unwrap().claim.id, test.id, "an endpoint with a running delivery is skipped");
    assert_eq!(claim_at(&store, 2).await, None, "one delivery per URL at a time");
    finish_attempt(&store, waiting.claim, 200, AttemptResult::Delivered, 3).await;
    assert_eq!(claim_at(&store, 3).await.unwrap().delivery.speech_request_id, Some(unresponsive_request));
}

pub async fn ended_deliveries_are_replayed(store: TestStore) {
    set_up_request(&store, 1).await;
    let first = claim_at(&store, 0).await.unwrap().claim;
    let id = first.id;
    let diagnostic = refused_diagnostic(store.replay_delivery(id, &audit_at(0)).await);
    assert_eq!(diagnostic.code, "delivery_running");
    assert_eq!(diagnostic.message, format!("delivery {id} is running"));
    finish_attempt(&store, first, 503, AttemptResult::Retry(at(10)), 1).await;
    let second = claim_at(&store, 10).await.unwrap().claim;
    finish_attempt(&store, second, 503, AttemptResult::Failed, 11).await;

    let replayed = store.replay_delivery(id, &audit_at(500)).await.unwrap().unwrap();
    assert_eq!((replayed.id, replayed.state, replayed.attempts), (id, DeliveryState::Queued, 2));
    assert_eq!((replayed.next_attempt_at, replayed.finished_at), (Some(at(500)), None));
    assert_eq!(audit_lines(&store).await.last().unwrap(), &format!("delivery.replay delivery:{id}"));
    assert_eq!(claim_at(&store, 499).await, None);
    let retried = claim_at(&store, 500).await.unwrap();
    // The series of attempts starts again, as for a new delivery.
    assert_eq!((retried.delivery.attempts, retried.attempt), (3, 1));
    finish_attempt(&store, retried.claim, 200, AttemptResult::Delivered, 501).await;
    let detail = store.delivery(id).await.unwrap().unwrap();
    assert_eq!(detail.delivery.state, DeliveryState::Delivered);
    let numbered = detail.attempts.iter().map(|entry| (entry.number, entry.status)).collect::<Vec<_>>();
    assert_eq!(numbered, [(1, Some(503)), (2, Some(503)), (3, Some(200))]);
    // Accepted deliveries can be replayed too.
    assert!(store.replay_delivery(id, &audit_at(600)).await.unwrap().is_some());
    assert_eq!(store.replay_delivery(DeliveryId(99), &audit_at(600)).await.unwrap(), None);
}

pub async fn replay_makes_waiting_deliveries_due(store: TestStore) {
    set_up_request(&store, 1).await;
    let first = claim_at(&store, 0).await.unwrap().claim;
    let id = first.id;
    finish_attempt(&store, first, 503, AttemptResult::Retry(at(100)), 1).await;
    assert_eq!(claim_at(&store, 20).await, None);
    let sooner = store.replay_delivery(id, &audit_at(20)).await.unwrap().unwrap();
    assert_eq!((sooner.state, sooner.attempts, sooner.next_attempt_at), (DeliveryState::Queued, 1, Some(at(20))));
    assert_eq!(audit_lines(&store).await.last().unwrap(), &format!("delivery.replay delivery:{id}"));
    // A delivery that is already due keeps its place in the queue.
    let due = store.replay_delivery(id, &audit_at(30)).await.unwrap().unwrap();
    assert_eq!(due.next_attempt_at, Some(at(20)));
    // It continues the series of attempts instead of starting a new one.
    let retried = claim_at(&store, 30).await.unwrap();
    assert_eq!((retried.delivery.attempts, retried.attempt), (2, 2));
}

pub async fn test_deliveries_need_a_token(store: TestStore) {
    let token = new_token(&store, 1).await;
    let created = store.create_test_delivery(token, &target(), UNLIMITED, &audit_at(1)).await.unwrap();
    assert_eq!(audit_lines(&store).await.last().unwrap(), &format!("delivery.test delivery:{}", created.id));
    let diagnostic =
        refused_diagnostic(store.create_test_delivery(TokenId(99), &target(), UNLIMITED, &audit_at(2)).await);
    assert_eq!(diagnostic.code, "unknown_token");
    assert_eq!(diagnostic.message, "token 99 doesn't exist");
    store.revoke_speech_token(token, &audit_at(3)).await.unwrap();
    let diagnostic = refused_diagnostic(store.create_test_delivery(token, &target(), UNLIMITED, &audit_at(4)).await);
    assert_eq!(diagnostic.code, "revoked");
    assert_eq!(diagnostic.message, format!("token {token} is revoked"));
    assert_eq!(store.deliveries(&DeliveryQuery::default(), FIRST_1000).await.unwrap().total, 1);
}

pub async fn webhook_secrets_rotate(store: TestStore) {
    let (token, other) = (new_token(&store, 1).await, new_token(&store, 2).await);
    let secret = |secret: &str, until: Option<i64>| {
        Some(WebhookSecret { secret: secret.to_owned(), previous_valid_until: until.map(at) })
    };
    let signing_secrets = async |seconds| {
        store.create_test_delivery(token, &target(), UNLIMITED, &audit_at(seconds)).await.unwrap();
        let claimed = claim_at(&store, seconds).await.unwrap();
        finish_attempt(&store, claimed.claim, 200, AttemptResult::Delivered, seconds).await;
        claimed.secrets
    };
    assert_eq!(signing_secrets(0).await, [""; 0]);
    assert!(store.webhook_secret(token, "whsec_one").await.unwrap() == secret("whsec_one", None));
    assert!(store.webhook_secret(token, "whsec_unused").await.unwrap() == secret("whsec_one", None));
    assert!(store.webhook_secret(TokenId(99), "whsec_unused").await.unwrap().is_none());
    let rotated = store.rotate_webhook_secret(token, "whsec_two", at(100), &audit_at(10)).await.unwrap();
    assert!(rotated == secret("whsec_two", Some(100)));
    assert!(store.webhook_secret(token, "whsec_unused").await.unwrap() == secret("whsec_two", Some(100)));
    assert_eq!(audit_lines(&store).await.last().unwrap(), &format!("webhook_secret.rotate speech_token:{token}"));
    assert_eq!(signing_secrets(99).await, ["whsec_two", "whsec_one"]);
    assert_eq!(signing_secrets(100).await, ["whsec_two"]);
    store.rotate_webhook_secret(token, "whsec_three", at(300), &audit_at(110)).await.unwrap();
    assert_eq!(signing_secrets(110).await, ["whsec_three", "whsec_two"]);
    // There was no previous secret.
    let first = store.rotate_webhook_secret(other, "whsec_other", at(300), &audit_at(120)).await.unwrap();
    assert!(first == secret("whsec_other", None));
    assert!(store.rotate_webhook_secret(TokenId(99), "whsec_x", at(300), &audit_at(130)).await.unwrap().is_none());
    store.revoke_speech_token(other, &audit_at(140)).await.unwrap();
    let revoked = store.rotate_webhook_secret(other, "whsec_x", at(300), &audit_at(150)).await.map(|_| ());
    assert_eq!(refused_diagnostic(revoked).code, "revoked");
    assert!(store.webhook_secret(other, "whsec_x").await.unwrap() == secret("whsec_other", None));
}

pub async fn deliveries_are_listed_by_query(store: TestStore) {
    let (token, first_request) = set_up_request(&store, 2).await;
    let other = new_token(&store, 2).await;
    let other_call = create_transcribed_call(&store, other, 5, "hello").await;
    request_deliveries(&store, other, 6).await;
    store.create_test_delivery(token, &target(), UNLIMITED, &audit_at(7)).await.unwrap();
    deliver(&store, 8).await;
    let ids = async |query: DeliveryQuery| {
        let page = store.deliveries(&query, FIRST_1000).await.unwrap();
        let ids: Vec<i64> = page.items.iter().map(|delivery| delivery.id.0).collect();
        assert_eq!(page.total, ids.len() as u64);
        ids
    };
    let default_query = DeliveryQuery::default;
    assert_eq!(ids(default_query()).await, [4, 3, 2, 1]);
    assert_eq!(ids(DeliveryQuery { state: Some(DeliveryState::Delivered), ..default_query() }).await, [1]);
    assert_eq!(ids(DeliveryQuery { state: Some(DeliveryState::Stopped), ..default_query() }).await, [0; 0]);
    assert_eq!(ids(DeliveryQuery { token_id: Some(token), ..default_query() }).await, [4, 2, 1]);
    assert_eq!(ids(DeliveryQuery { call_id: Some(other_call), ..default_query() }).await, [3]);
    assert_eq!(ids(DeliveryQuery { speech_request_id: Some(first_request), ..default_query() }).await, [2, 1]);
    let both_conditions =
        DeliveryQuery { state: Some(DeliveryState::Queued), token_id: Some(token), ..default_query() };
    assert_eq!(ids(both_conditions).await, [4, 2]);
    let page = store.deliveries(&default_query(), Slice { count: 2, offset: 1 }).await.unwrap();
    assert_eq!((page.items.iter().map(|entry| entry.id.0).collect::<Vec<_>>(), page.total), (vec![3, 2], 4));
}

pub async fn deliveries_are_counted_by_url(store: TestStore) {
    let (token, _) = set_up_request(&store, 2).await;
    let other_target = CallbackTarget { url: "https://example.org/other".to_owned(), ..target() };
    let test = store.create_test_delivery(token, &other_target, UNLIMITED, &audit_at(7)).await.unwrap();
    let claim = claim_at(&store, 8).await.unwrap().claim;
    finish_attempt(&store, claim, 200, AttemptResult::Delivered, 9).await;
    let claim = claim_at(&store, 10).await.unwrap().claim;
    finish_attempt(&store, claim, 500, AttemptResult::Failed, 11).await;
    let hook_endpoint = CallbackEndpoint {
        callback_url: "https://example.com/hook".to_owned(),
        latest_delivery_id: DeliveryId(2),
        pending: 0,
        delivered: 1,
        failed: 1,
        last_delivered_at: Some(at(9)),
        last_failed_at: Some(at(11)),
    };
    let other_endpoint = CallbackEndpoint {
        callback_url: other_target.url.clone(),
        latest_delivery_id: test.id,
        pending: 1,
        delivered: 0,
        failed: 0,
        last_delivered_at: None,
        last_failed_at: None,
    };
    let page = store.callback_endpoints(FIRST_1000).await.unwrap();
    assert_eq!(page, Page { items: vec![other_endpoint, hook_endpoint.clone()], total: 2 });
    let second = store.callback_endpoints(Slice { count: 1, offset: 1 }).await.unwrap();
    assert_eq!(second, Page { items: vec![hook_endpoint], total: 2 });
    let ids_with_same_url = async |id: i64| {
        let query = DeliveryQuery { same_url_as_delivery: Some(DeliveryId(id)), ..DeliveryQuery::default() };
        store.deliveries(&query, FIRST_1000).await.unwrap().items.iter().map(|entry| entry.id.0).collect::<Vec<_>>()
    };
    assert_eq!(ids_with_same_url(1).await, [2, 1]);
    assert_eq!(ids_with_same_url(test.id.0).await, [test.id.0]);
    assert_eq!(ids_with_same_url(99).await, [0; 0]);
}

pub async fn delivery_changes_are_reported(store: TestStore) {
    set_up_request(&store, 2).await;
    let change = |id, state| ChangeEvent::Delivery { delivery_id: DeliveryId(id), state };
    let changes_since = async |seconds| store.changes_since(at(seconds)).await.unwrap();
    let queued = [(at(0), change(1, DeliveryState::Queued)), (at(0), change(2, DeliveryState::Queued))];
    assert_eq!(changes_since(0).await, queued);
    let claim = claim_at(&store, 1).await.unwrap().claim;
    assert_eq!(changes_since(1).await, [(at(1), change(1, DeliveryState::Delivering))]);
    finish_attempt(&store, claim, 410, AttemptResult::Stopped, 2).await;
    let stopped = [(at(2), change(1, DeliveryState::Stopped)), (at(2), change(2, DeliveryState::Stopped))];
    assert_eq!(changes_since(1).await, stopped);
    store.replay_delivery(DeliveryId(1), &audit_at(3)).await.unwrap();
    assert_eq!(changes_since(3).await, [(at(3), change(1, DeliveryState::Queued))]);
}

pub async fn old_deliveries_are_purged(store: TestStore) {
    let (token, id) = set_up_request(&store, 2).await;
    let empty = TranscriptQuery { from: Some(at(900)), ..TranscriptQuery::default() };
    let empty = store
        .create_speech_request(token, &empty, FIRST_1000, &target(), UNLIMITED, &audit_at(1))
        .await
        .unwrap()
        .speech_request_id;
    let first = claim_at(&store, 0).await.unwrap().claim;
    finish_attempt(&store, first, 200, AttemptResult::Delivered, 10).await;
    assert_eq!(store.purge_deliveries(at(1)).await.unwrap(), 0);
    assert!(store.speech_request(token, empty).await.unwrap().is_some());
    assert_eq!(store.purge_deliveries(at(10)).await.unwrap(), 0);
    assert!(store.speech_request(token, empty).await.unwrap().is_none());
    // The other delivery is still queued, so its request stays too.
    assert_eq!(store.purge_deliveries(at(9_999)).await.unwrap(), 1);
    assert_eq!(store.delivery(first.id).await.unwrap(), None);
    let status = store.speech_request(token, id).await.unwrap().unwrap();
    assert_eq!((status.pending, status.delivered), (1, 0));
    let second = claim_at(&store, 20).await.unwrap().claim;
    finish_attempt(&store, second, 500, AttemptResult::Failed, 21).await;
    assert_eq!(store.purge_deliveries(at(9_999)).await.unwrap(), 1);
    assert_eq!(store.speech_request(token, id).await.unwrap(), None);
}

pub async fn purge_keeps_endpoints_of_new_deliveries(store: TestStore) {
    let token = new_token(&store, 1).await;
    let queue = async || store.create_test_delivery(token, &target(), UNLIMITED, &audit_at(0)).await.unwrap().id;
    let purge = async || assert_eq!(store.purge_deliveries(at(9_999)).await.unwrap(), 1);
    queue().await;
    for round in 0..60 {
        deliver(&store, 1).await;
        // The purge deletes the last delivery of the endpoint before, after or while another one is queued.
        let queued = match round {
            0 => (queue().await, purge().await).0,
            1 => (purge().await, queue().await).1,
            _ => {
                let purged = tokio::spawn({
                    let store = Arc::clone(&store);
                    async move { store.purge_deliveries(at(9_999)).await.unwrap() }
                });
                // The delivery is queued at another step of the purge in each round.
                std::thread::sleep(Duration::from_micros(50 * round));
                let queued = queue().await;
                assert_eq!(purged.await.unwrap(), 1);
                queued
            }
        };
        let deliveries = store.deliveries(&DeliveryQuery::default(), FIRST_1000).await.unwrap().items;
        assert_eq!(deliveries.iter().map(|delivery| delivery.id).collect::<Vec<_>>(), [queued]);
    }
    deliver(&store, 3).await;
}

pub async fn concurrent_workers_deliver_to_each_url_one_at_a_time(store: TestStore) {
    let token = new_token(&store, 1).await;
    for number in 0..60 {
        let url = format!("https://example.com/{}", number % 3);
        store.create_test_delivery(token, &CallbackTarget { url, ..target() }, UNLIMITED, &audit_at(0)).await.unwrap();
    }
    for round in 1..=5 {
        let claim = || {
            let store = Arc::clone(&store);
            tokio::spawn(async move { store.claim_delivery(LEASE_DURATION, at(round)).await.unwrap() })
        };
        let mut claimed = Vec::new();
        for claim in (0..8).map(|_| claim()).collect::<Vec<_>>() {
            claimed.extend(claim.await.unwrap());
        }
        let urls: BTreeSet<&str> = claimed.iter().map(|entry| entry.delivery.callback.callback_url.as_str()).collect();
        assert_eq!((claimed.len(), urls.len()), (3, 3), "each URL has exactly one claimed delivery");
        for entry in claimed {
            finish_attempt(&store, entry.claim, 200, AttemptResult::Delivered, round).await;
        }
    }
}
