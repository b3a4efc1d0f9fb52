//! Storage conformance suite: checks every adapter through the traits alone.
//!
//! The tests of an adapter call [`suite!`] with a function that opens a new, empty store; each check becomes a separate test. To add a
//! check, write an async function that takes the store, and list it in the macro.

use std::sync::Arc;

use chrono::{TimeDelta, TimeZone, Utc};
use leadscribe_engine::api::*;
use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord};

use super::{AuditQuery, Origin, RowOutcome, Slice, Store, WriteError};

pub mod access;
pub mod calls;
pub mod campaigns;
pub mod clock;
pub mod deliveries;
pub mod delivery_turns;
pub mod import_targets;
pub mod import_undos;
pub mod imports;
pub mod lead_actions;
pub mod leads;
pub mod leads_put_in;
pub mod lists;
pub mod look_up;
pub mod overview;
pub mod properties;
pub mod speech;
pub mod transcript_search;
pub mod transcripts;
pub mod undo_journal;
pub mod upgraded_undo;
pub mod views;

/// Store under test.
pub type Tested = Arc<dyn Store>;

/// Runs every check against a new store from `$open`: an async function that returns a [`Tested`] and the value that keeps it alive.
macro_rules! suite {
    ($open:path) => {
        crate::storage::conformance::suite! { @ $open;
            access: users_have_unique_emails, an_admin_remains, sessions_end, sessions_that_nobody_uses_end, sessions_are_listed_and_ended_one_by_one, a_new_password_ends_sessions, a_password_that_was_changed_meanwhile_opens_no_session,
                api_keys_are_found_by_hash, use_is_noted_to_the_minute, speech_tokens_rotate_and_end, audit_log_tells_what_was_done,
                subjects_are_called_what_they_are_by_now, the_audit_log_is_narrowed, what_changes_ends_sessions, nobody_deactivated_logs_in, ones_own_password_changes;
            calls: calls_are_stored_and_changed, calls_refer_to_what_exists,
                a_call_is_of_the_lead_and_campaign_of_its_campaign_lead, calls_count_as_attempts, calls_are_listed_by_query,
                calls_are_listed_by_when_their_transcriptions_ended,
                recordings_are_set, bytes_are_named_whatever_the_state_of_their_recording, a_recording_without_bytes_is_not_ready, a_recording_with_bytes_stays_ready,
                calls_are_imported, calls_are_imported_by_identifier;
            campaigns: campaigns_are_stored_and_changed, campaigns_are_searched, campaigns_in_use_stay,
                campaigns_are_imported, campaigns_tell_how_far_they_are, a_campaign_is_sampled;
            clock: jobs_keep_their_pause_when_the_clock_is_set_forward, jobs_are_not_stuck_when_the_clock_is_set_back,
                released_jobs_are_due_at_once, small_clock_differences_are_left_alone,
                sessions_do_not_last_longer_when_the_clock_is_set;
            deliveries: a_request_queues_what_it_finds, deliveries_are_claimed_with_all_they_need,
                attempts_are_noted_and_retried, stale_delivery_claims_are_refused, a_stopped_delivery_stops_its_request,
                an_endpoint_that_does_not_answer_holds_up_nobody_else,
                concurrent_workers_deliver_one_at_a_time_to_each_url, ended_deliveries_are_replayed, deliveries_that_wait_are_sent_at_once, test_deliveries_need_a_token, webhook_secrets_rotate,
                deliveries_are_listed_by_query, deliveries_are_counted_by_url, changed_deliveries_are_told, old_deliveries_are_forgotten;
            delivery_turns: open_deliveries_of_a_token_are_bounded, requests_of_tests_are_seen_by_nobody, delivery_turns_follow_the_clock,
                deliveries_queued_during_claims_are_claimed, claims_follow_the_documented_order;
            imports: imports_are_kept, refused_rows_are_read_one_after_the_other, large_refused_rows_are_read_few_at_a_time_and_listed_by_their_beginnings, imports_are_listed_by_query, bytes_that_no_database_takes_are_shown_by_a_sign, lost_imports_fail, a_cancelled_import_says_so_until_it_stops,
                dry_runs_are_in_no_list_and_are_forgotten, refused_rows_are_forgotten_and_their_count_stays, a_tried_batch_leaves_nothing_behind;
            import_undos: an_import_is_undone_as_a_whole, an_import_stands_in_the_history_of_its_leads, every_kind_is_undone, what_was_changed_or_used_since_is_left, what_a_deleted_lead_was_is_forgotten,
                a_row_changed_twice_gets_its_first_value_back, names_that_were_passed_on_go_back, an_undo_goes_on_by_steps, a_cancelled_undo_goes_on_with_the_rest,
                a_batch_goes_in_once_however_often_it_is_tried, what_cannot_be_undone_is_refused, changes_are_forgotten;
            lists: calls_are_ordered, campaigns_are_ordered, deliveries_are_ordered, imports_are_ordered, the_audit_log_is_ordered,
                transcripts_are_ordered, what_comes_and_goes_moves_nothing_else;
            lead_actions: an_action_changes_leads_and_is_undone, an_action_tells_who_could_be_called_by_it,
                an_action_reaches_the_campaign_leads_that_a_filter_shows,
                what_was_changed_since_an_action_is_left_alone, a_status_that_went_does_not_come_back,
                an_action_names_what_exists_and_not_too_many, a_long_action_is_carried_out_part_by_part, actions_are_listed,
                old_actions_are_forgotten;
            leads: a_new_store_is_empty, an_installation_has_an_id, leads_are_stored_and_changed, normalised_numbers_follow_what_is_stored_by_then, leads_have_a_history, ids_are_never_given_twice, leads_take_their_campaign_leads_along, a_lead_has_only_so_many_custom_fields,
                campaign_leads_are_stored_and_changed, campaign_leads_refer_to_what_exists,
                global_updated_at_is_exact, statuses_are_kept, statuses_are_ordered, leads_are_imported, leads_are_imported_by_identifier,
                campaign_leads_are_imported, rows_of_a_batch_see_one_another, imports_add_statuses, concurrent_writers_lose_nothing;
            import_targets: import_puts_leads_into_a_campaign, undo_takes_imported_leads_out_of_the_campaign,
                unknown_campaign_or_status_is_refused, import_finds_the_leads_it_made, corrected_rows_are_no_longer_listed,
                only_refused_rows_of_a_finished_import_are_corrected;
            leads_put_in: leads_are_put_into_a_campaign_and_taken_out_again, what_was_done_in_a_campaign_keeps_leads_in_it,
                who_can_be_called_once_put_into_a_campaign_is_told;
            look_up: total_and_page_agree, conditions_hold_on_one_campaign_lead, absent_values_are_last,
                custom_fields_keep_their_types, texts_match_without_case, todays_calls_are_of_today, one_lead_shows_everything,
                long_lists_are_taken, a_cursor_survives_changes, frequent_values_come_first;
            overview: activity_is_counted_by_day, states_are_counted, the_backlog_is_counted, deliveries_are_counted_by_state;
            properties: random_filters_agree_with_the_engine, verdicts_are_those_on_each_lead, values_are_counted_as_by_hand,
                many_verdict_conditions_are_answered;
            speech: every_skip_reason_in_order, accepted_calls_are_queued, a_dry_run_writes_nothing,
                a_call_is_sent_once, an_idempotent_submission_is_replayed, a_thousand_calls_at_once;
            transcript_search: transcripts_are_found_by_each_condition, transcripts_are_found_by_what_is_said,
                phrases_stay_on_one_side, found_transcripts_are_paged, random_searches_agree_with_the_engine;
            transcripts: the_longest_waiting_is_claimed, a_claimed_recording_is_the_one_of_its_call,
                what_a_worker_lost_goes_first, a_lease_ends_unless_it_is_extended, stale_claims_are_refused,
                a_retry_waits_until_it_is_due, a_released_transcription_was_never_begun,
                concurrent_workers_claim_each_entry_once, transcripts_are_stored_once,
                a_failed_call_is_sent_again, what_is_cancelled_is_given_up, changed_transcriptions_are_told, no_change_of_a_moment_is_left_out,
                old_transcripts_are_forgotten, old_recordings_are_forgotten;
            undo_journal: called_leads_stay_in_the_campaign_of_an_import, undo_of_an_action_restores_only_what_it_changed,
                undo_leaves_a_new_lead_with_a_deleted_id;
            views: views_are_saved_and_changed, only_shared_views_are_seen_by_others, who_may_share_keeps_shared_views,
                shared_views_outlive_their_owner, an_owner_has_so_many_views;
        }
    };
    (@ $open:path; $($module:ident: $($check:ident),+;)+) => {$($(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $check() {
            let (store, _alive) = $open().await;
            crate::storage::conformance::$module::$check(store).await;
        }
    )+)+};
}
pub(crate) use suite;

/// `seconds` after noon on a day in May 2026.
pub(super) fn at(seconds: i64) -> Timestamp {
    Utc.with_ymd_and_hms(2026, 5, 4, 12, 0, 0).unwrap() + TimeDelta::seconds(seconds)
}

/// Origin of a change by a user, `seconds` after noon.
pub(super) fn by(seconds: i64) -> Origin {
    Origin { actor: "user:1".to_owned(), request_id: Some("request".to_owned()), at: at(seconds) }
}

pub(super) const ALL: Slice = Slice { count: 1_000, offset: 0 };

pub(super) fn text(value: &str) -> Option<Option<String>> {
    Some(Some(value.to_owned()))
}

/// Fault of a refused write.
#[track_caller]
pub(super) fn refused<T: std::fmt::Debug>(result: Result<T, WriteError>) -> Fault {
    match result {
        Err(WriteError::Refused(fault)) => fault,
        other => panic!("expected a refusal, got {other:?}"),
    }
}

/// Code and place of a refused write.
#[track_caller]
pub(super) fn refusal<T: std::fmt::Debug>(result: Result<T, WriteError>) -> (String, String) {
    let fault = refused(result);
    let place = match fault.place {
        Place::Pointer(place) | Place::Parameter(place) | Place::Column(place) => place,
    };
    (fault.code, place)
}

/// Names of outcomes, with code and place of refusals.
pub(super) fn outcomes(rows: &[RowOutcome]) -> Vec<String> {
    let name = |row: &RowOutcome| match row {
        RowOutcome::Inserted => "inserted".to_owned(),
        RowOutcome::Updated => "updated".to_owned(),
        RowOutcome::Unchanged => "unchanged".to_owned(),
        RowOutcome::Rejected(fault) => format!("{} {:?}", fault.code, fault.place),
    };
    rows.iter().map(name).collect()
}

pub(super) async fn new_campaign(store: &Tested, name: &str) -> CampaignId {
    let record = CampaignRecord { name: Some(name.to_owned()), ..CampaignRecord::default() };
    store.create_campaign(record, &by(0)).await.unwrap().id
}

pub(super) async fn new_lead(store: &Tested, record: LeadRecord) -> LeadId {
    store.create_lead(record, &by(0)).await.unwrap().id
}

pub(super) fn in_campaign(lead: LeadId, campaign: CampaignId) -> CampaignLeadRecord {
    CampaignLeadRecord { lead_id: Some(lead), campaign_id: Some(campaign), ..CampaignLeadRecord::default() }
}

pub(super) fn a_call() -> CallRecord {
    CallRecord {
        direction: Some(Direction::Outbound),
        status: Some(CallStatus::Answered),
        created_at: Some(at(0)),
        ..CallRecord::default()
    }
}

/// A ready recording.
pub(super) fn a_recording(seconds: f64, channels: u16) -> Recording {
    Recording {
        state: RecordingState::Ready,
        media_type: Some("audio/wav".to_owned()),
        channels: Some(channels),
        sample_rate: Some(8_000),
        duration_seconds: Some(seconds),
        bytes: Some(16_000),
    }
}

/// Contents of the audit log, oldest first: action and subject.
pub(super) async fn logged(store: &Tested) -> Vec<String> {
    let page = store.audit_log(&AuditQuery::default(), ALL).await.unwrap();
    page.items.iter().rev().map(|entry| format!("{} {}", entry.action, entry.subject)).collect()
}
