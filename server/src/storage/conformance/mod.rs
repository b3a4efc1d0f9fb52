//! Storage conformance suite: checks every adapter through the traits alone.
//!
//! The tests of an adapter call [`suite!`] with a function that opens a new, empty store; each check becomes a separate test. To add a
//! check, write an async function that takes the store, and list it in the macro.

use std::sync::Arc;

use chrono::{TimeDelta, TimeZone, Utc};
use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::{Diagnostic, Location, Message};
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, CampaignRecord, LeadRecord};

use super::{AuditContext, AuditQuery, RowOutcome, Slice, Store, WriteError};

pub mod access;
pub mod calls;
pub mod campaigns;
pub mod changes;
pub mod clock;
pub mod deliveries;
pub mod delivery_claim_order;
pub mod idempotency_keys;
pub mod import_targets;
pub mod import_undo;
pub mod imports;
pub mod keys_after_upgrade;
pub mod lead_actions;
pub mod lead_lookup;
pub mod leads;
pub mod leads_added_to_campaign;
pub mod lists;
pub mod overview;
pub mod property_tests;
pub mod speech;
pub mod transcript_search;
pub mod transcripts;
pub mod undo_after_upgrade;
pub mod undo_journal;
pub mod views;
pub mod waiting_deliveries;
pub mod webhooks;

/// Store under test.
pub type TestStore = Arc<dyn Store>;

/// Runs every check against a new store from `$open`: an async function that returns a [`TestStore`] and the value that keeps it alive.
macro_rules! suite {
    ($open:path) => {
        crate::storage::conformance::suite! { @ $open;
            access: users_have_unique_emails, last_admin_cannot_be_removed, sessions_expire_and_are_deleted,
                unused_sessions_expire, sessions_are_listed_and_ended_one_by_one, new_password_ends_sessions,
                changed_password_prevents_pending_logins, api_keys_are_found_by_hash,
                credential_use_is_recorded_to_the_minute, speech_tokens_are_rotated_and_revoked,
                audit_log_records_changes, audit_subjects_show_current_names, audit_log_is_filtered,
                user_changes_end_sessions, deactivated_users_cannot_log_in, changing_own_password_keeps_the_session;
            calls: calls_are_stored_and_changed, calls_require_existing_references,
                call_takes_lead_and_campaign_from_its_campaign_lead, calls_count_as_attempts, calls_are_listed_by_query,
                calls_are_filtered_by_end_of_transcription,
                recordings_are_set, recording_keys_are_listed_in_every_state, recording_without_bytes_is_not_ready,
                recording_with_bytes_stays_ready, calls_are_imported, calls_are_imported_by_identifier;
            campaigns: campaigns_are_stored_and_changed, campaigns_are_searched, campaigns_in_use_cannot_be_deleted,
                campaigns_are_imported, campaign_progress_is_counted, campaign_sample_is_spread_evenly;
            changes: changes_have_the_current_record, deleting_a_lead_reports_its_dependents,
                change_pages_are_limited_and_filtered, transcript_changes_are_reported, expired_change_cursors_are_refused;
            clock: jobs_keep_their_delay_when_the_clock_is_set_forward, jobs_are_not_stuck_when_the_clock_is_set_back,
                released_jobs_are_due_immediately, small_clock_differences_are_ignored,
                sessions_do_not_last_longer_when_the_clock_is_set;
            deliveries: request_queues_matching_transcripts, claimed_deliveries_include_their_data,
                attempts_are_recorded_and_retried, stale_delivery_claims_are_refused, stopped_delivery_stops_its_request,
                unresponsive_endpoint_does_not_delay_others,
                concurrent_workers_deliver_to_each_url_one_at_a_time, ended_deliveries_are_replayed,
                replay_makes_waiting_deliveries_due, test_deliveries_need_a_token, webhook_secrets_rotate,
                deliveries_are_listed_by_query, deliveries_are_counted_by_url, delivery_changes_are_reported,
                old_deliveries_are_purged, purge_keeps_endpoints_of_new_deliveries;
            delivery_claim_order: pending_deliveries_of_a_token_are_limited, test_delivery_requests_are_hidden,
                delivery_times_follow_the_clock, deliveries_queued_during_claims_are_claimed,
                claims_follow_the_documented_order;
            idempotency_keys: deleted_users_and_views_are_not_replayed, deleted_webhooks_are_not_replayed,
                purged_deliveries_are_not_replayed, purged_dry_runs_are_not_replayed,
                later_record_with_the_same_id_is_not_replayed;
            imports: imports_are_stored, rejected_rows_are_paged, large_rejected_rows_are_paged_and_truncated,
                imports_are_listed_by_query, nul_characters_in_rejected_rows_are_replaced, lost_imports_fail,
                cancel_request_of_an_import_is_kept, dry_runs_are_hidden_and_purged,
                purging_rejected_rows_keeps_their_count, previewed_batch_changes_nothing;
            import_undo: import_is_undone_completely, lead_history_lists_imports, every_kind_of_import_is_undone,
                undo_leaves_changed_or_used_records, undo_journal_forgets_deleted_leads,
                undo_restores_the_first_of_repeated_values, undo_restores_names_passed_between_records,
                undo_runs_in_steps, cancelled_undo_can_be_continued, retried_batch_is_imported_once,
                undo_is_refused_if_impossible, undo_journal_is_purged;
            lists: calls_are_ordered, campaigns_are_ordered, deliveries_are_ordered, imports_are_ordered, the_audit_log_is_ordered,
                transcripts_are_ordered, positions_survive_concurrent_changes;
            lead_actions: action_changes_leads_and_is_undone, action_counts_changes_of_callability,
                action_changes_the_campaign_leads_that_a_filter_shows,
                action_undo_leaves_changed_records, action_undo_does_not_restore_a_deleted_status,
                action_is_limited_and_requires_existing_references, long_action_runs_in_parts, actions_are_listed,
                old_actions_are_purged;
            leads: new_store_is_empty, installation_has_an_id, leads_are_stored_and_changed,
                normalized_numbers_use_the_stored_country, leads_have_a_history, ids_are_never_reused,
                deleting_a_lead_deletes_its_campaign_leads, custom_fields_of_a_lead_are_limited,
                campaign_leads_are_stored_and_changed, campaign_leads_require_existing_references,
                global_updated_at_only_rises, statuses_are_stored, statuses_are_ordered, leads_are_imported,
                leads_are_imported_by_identifier, campaign_leads_are_imported, rows_of_a_batch_see_earlier_rows,
                imports_add_statuses, concurrent_writers_lose_nothing;
            import_targets: import_adds_leads_to_a_campaign, undo_removes_imported_leads_from_the_campaign,
                unknown_campaign_or_status_is_refused, leads_are_found_by_their_import, corrected_rows_are_no_longer_listed,
                only_rejected_rows_of_finished_imports_are_corrected;
            leads_added_to_campaign: action_adds_leads_to_a_campaign_and_is_undone, undo_keeps_leads_with_activity_in_the_campaign,
                action_counts_callable_leads_added_to_a_campaign;
            lead_lookup: total_and_page_agree, conditions_hold_on_one_campaign_lead, absent_values_are_last,
                custom_fields_keep_their_types, texts_match_without_case, calls_today_counts_only_the_current_day,
                single_lead_includes_all_campaign_leads, long_value_lists_are_supported, cursor_survives_changes,
                frequent_values_come_first;
            overview: activity_is_counted_by_day, states_are_counted, backlog_is_counted, deliveries_are_counted_by_state;
            property_tests: random_filters_agree_with_the_engine, verdict_filters_agree_with_single_leads,
                value_counts_agree_with_naive_count, many_verdict_conditions_are_evaluated;
            speech: calls_are_skipped_for_every_reason, accepted_calls_are_queued, dry_run_writes_nothing,
                call_is_submitted_once, idempotent_submission_is_replayed, concurrent_repeats_create_once,
                derived_key_expires, submits_a_thousand_calls;
            transcript_search: transcripts_are_filtered_by_each_condition, transcripts_are_found_by_spoken_words,
                phrases_do_not_span_sides, found_transcripts_are_paged, random_searches_agree_with_the_engine;
            transcripts: longest_waiting_transcription_is_claimed, claim_returns_the_current_recording,
                lost_transcriptions_are_claimed_first, lease_ends_unless_extended, stale_claims_are_refused,
                retry_waits_until_due, releasing_a_transcription_restores_its_state,
                concurrent_workers_claim_each_entry_once, transcripts_are_stored_once,
                failed_call_can_be_submitted_again, cancelled_transcriptions_end, transcription_changes_are_reported,
                changes_include_all_of_the_last_timestamp, old_transcripts_are_purged, old_recordings_are_purged;
            undo_journal: called_leads_stay_in_the_campaign_of_an_import, undo_of_an_action_restores_only_what_it_changed,
                undo_leaves_a_new_lead_with_a_deleted_id;
            views: views_are_saved_and_changed, other_users_see_only_shared_views, sharing_right_allows_changing_shared_views,
                shared_views_outlive_their_owner, views_per_owner_are_limited;
            waiting_deliveries: submitted_calls_are_delivered_when_transcribed, failed_and_cancelled_calls_are_delivered_once,
                waiting_deliveries_count_as_pending, stopped_request_stops_waiting_deliveries,
                purge_keeps_waiting_deliveries, deliveries_of_concurrent_transcriptions_are_claimed;
            webhooks: webhooks_are_stored_and_changed, webhooks_are_limited_and_need_a_token, events_are_queued_once,
                repeated_changes_are_one_event, webhook_of_a_token_gets_its_own_calls, events_have_the_current_record,
                paused_webhooks_get_events_later, endpoint_that_is_gone_pauses_its_webhook,
                deleted_webhook_stops_its_deliveries, deleting_a_paused_webhook_ends_its_deliveries,
                webhook_with_many_pending_deliveries_waits, lost_events_are_reported, secret_of_a_webhook_rotates;
        }
    };
    (@ $open:path; $($module:ident: $($check:ident),+;)+) => {$($(
        #[tokio::test(flavor = "multi_thread", worker_threads = 2)]
        async fn $check() {
            let (store, _guard) = $open().await;
            crate::storage::conformance::$module::$check(store).await;
        }
    )+)+};
}
pub(crate) use suite;

/// `seconds` after noon on a day in May 2026.
pub(super) fn at(seconds: i64) -> Timestamp {
    Utc.with_ymd_and_hms(2026, 5, 4, 12, 0, 0).unwrap() + TimeDelta::seconds(seconds)
}

/// Audit context of a change by a user, `seconds` after noon.
pub(super) fn audit_at(seconds: i64) -> AuditContext {
    AuditContext { request_id: Some("request".to_owned()), ..AuditContext::new("user:1", at(seconds)) }
}

pub(super) const FIRST_1000: Slice = Slice { count: 1_000, offset: 0 };

/// A message as an earlier version stored it.
pub(super) fn message(text: &str) -> Message {
    Message::from_stored(text.to_owned())
}

pub(super) fn text(value: &str) -> Option<Option<String>> {
    Some(Some(value.to_owned()))
}

#[track_caller]
pub(super) fn refused_diagnostic<T: std::fmt::Debug>(result: Result<T, WriteError>) -> Diagnostic {
    match result {
        Err(WriteError::Refused(diagnostic)) => diagnostic,
        other => panic!("expected a refused write, got {other:?}"),
    }
}

/// Code and location of a refused write.
#[track_caller]
pub(super) fn refusal<T: std::fmt::Debug>(result: Result<T, WriteError>) -> [String; 2] {
    let diagnostic = refused_diagnostic(result);
    let location = match diagnostic.location {
        Location::Pointer(location) | Location::Parameter(location) | Location::Column(location) => location,
    };
    [diagnostic.code, location]
}

/// Names of outcomes, with code and location of rejected rows.
pub(super) fn outcomes(rows: &[RowOutcome]) -> Vec<String> {
    let name = |row: &RowOutcome| match row {
        RowOutcome::Inserted => "inserted".to_owned(),
        RowOutcome::Updated => "updated".to_owned(),
        RowOutcome::Unchanged => "unchanged".to_owned(),
        RowOutcome::Rejected(diagnostic) => format!("{} {:?}", diagnostic.code, diagnostic.location),
    };
    rows.iter().map(name).collect()
}

pub(super) async fn new_campaign(store: &TestStore, name: &str) -> CampaignId {
    let record = CampaignRecord { name: Some(name.to_owned()), ..CampaignRecord::default() };
    store.create_campaign(record, &audit_at(0)).await.unwrap().id
}

pub(super) async fn new_lead(store: &TestStore, record: LeadRecord) -> LeadId {
    store.create_lead(record, &audit_at(0)).await.unwrap().id
}

pub(super) fn campaign_lead_record(lead: LeadId, campaign: CampaignId) -> CampaignLeadRecord {
    CampaignLeadRecord { lead_id: Some(lead), campaign_id: Some(campaign), ..CampaignLeadRecord::default() }
}

pub(super) fn call_record() -> CallRecord {
    CallRecord {
        direction: Some(Direction::Outbound),
        status: Some(CallStatus::Answered),
        created_at: Some(at(0)),
        ..CallRecord::default()
    }
}

pub(super) fn ready_recording(seconds: f64, channels: u16) -> Recording {
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
pub(super) async fn audit_lines(store: &TestStore) -> Vec<String> {
    let page = store.audit_log(&AuditQuery::default(), FIRST_1000).await.unwrap();
    page.items.iter().rev().map(|entry| format!("{} {}", entry.action, entry.subject)).collect()
}
