//! Sample campaign leads: every status, and every reason that blocks a call.

use chrono::{NaiveTime, TimeDelta};
use leadscribe_engine::api::{CallStatus, CampaignId, CampaignLeadId, LeadId, Timestamp};
use leadscribe_engine::record::{CampaignLeadRecord, LeadRecord};

use super::campaigns::{CAMPAIGNS, SampleCampaign};
use super::random::Random;

#[derive(Clone, Copy)]
enum CampaignLeadState {
    /// Not called yet.
    Fresh,
    /// Called, and may be called again.
    Retryable,
    /// An agent is dialing.
    Dialing,
    /// Called recently, or frozen by staff.
    Frozen,
    /// Callback in the future.
    CallbackLater,
    CallbackDue,
    /// Maximum number of calls reached.
    MaxAttemptsReached,
    /// Maximum number of calls per day reached.
    DailyLimitReached,
    /// In a status that blocks calls.
    Finished,
}

const STATE_WEIGHTS: &[(CampaignLeadState, u32)] = &[
    (CampaignLeadState::Fresh, 38),
    (CampaignLeadState::Retryable, 24),
    (CampaignLeadState::Dialing, 1),
    (CampaignLeadState::Frozen, 6),
    (CampaignLeadState::CallbackLater, 5),
    (CampaignLeadState::CallbackDue, 3),
    (CampaignLeadState::MaxAttemptsReached, 6),
    (CampaignLeadState::DailyLimitReached, 5),
    (CampaignLeadState::Finished, 12),
];

/// Outcomes after which a lead may be called again: status of the campaign lead, status of the call.
const RETRYABLE_OUTCOMES: &[(&str, CallStatus)] =
    &[("no_answer", CallStatus::NoAnswer), ("busy", CallStatus::Busy), ("answered", CallStatus::Answered)];

/// Outcome with an agreed callback: status of the campaign lead, status of the call.
const CALLBACK_OUTCOME: (&str, CallStatus) = ("callback", CallStatus::Answered);

/// Final outcomes: status of the campaign lead, status of the last call.
const FINAL_OUTCOMES: &[(&str, CallStatus)] = &[
    ("converted", CallStatus::Answered),
    ("refused", CallStatus::Answered),
    ("not_interested", CallStatus::Answered),
    ("wrong_number", CallStatus::Answered),
    ("invalid", CallStatus::Failed),
    ("dnc", CallStatus::Answered),
    ("closed", CallStatus::NoAnswer),
];

/// Number of campaigns of a lead, with its weight.
const CAMPAIGN_COUNTS: &[(i64, u32)] = &[(0, 8), (1, 50), (2, 30), (3, 12)];

/// Returns the campaign leads as stored, sorted by lead.
pub(super) fn records(leads: &[LeadRecord], now: Timestamp, random: &mut Random) -> Vec<CampaignLeadRecord> {
    let mut records = Vec::new();
    for lead in leads {
        let (Some(lead_id), Some(lead_created_at)) = (lead.id, lead.created_at) else { continue };
        let (memberships, _) = *random.pick_weighted(CAMPAIGN_COUNTS, |(_, weight)| *weight);
        let campaigns = CAMPAIGNS.len() as i64;
        let first = random.in_range(0..=campaigns - 1);
        // Each step is coprime with 14, the number of campaigns, so no campaign repeats.
        let step = *random.pick(&[1, 3, 5]);
        for membership in 0..memberships {
            let index = (first + membership * step) % campaigns;
            let created_at =
                lead_created_at + random.duration(TimeDelta::zero()..=now - lead_created_at - TimeDelta::days(30));
            let mut record = CampaignLeadRecord {
                id: Some(CampaignLeadId(records.len() as i64 + 1)),
                lead_id: Some(lead_id),
                campaign_id: Some(CampaignId(index + 1)),
                status: Some("new".to_owned()),
                weight: Some(*random.pick(&[0, 0, 0, 10, 25, 50, 100])),
                calls_count: Some(0),
                calls_today: Some(0),
                created_at: Some(created_at),
                updated_at: Some(created_at),
                ..CampaignLeadRecord::default()
            };
            set_random_state(&mut record, &CAMPAIGNS[index as usize], now, random);
            records.push(record);
        }
    }
    records
}

/// Moves a new campaign lead to a random state.
fn set_random_state(record: &mut CampaignLeadRecord, campaign: &SampleCampaign, now: Timestamp, random: &mut Random) {
    let (minute, hour, day) = (TimeDelta::minutes(1), TimeDelta::hours(1), TimeDelta::days(1));
    // Without a limit in the campaign, the lead can't reach it and is retryable instead.
    let (state, _) = *random.pick_weighted(STATE_WEIGHTS, |(_, weight)| *weight);
    let state = match state {
        CampaignLeadState::MaxAttemptsReached if campaign.max_attempts.is_none() => CampaignLeadState::Retryable,
        CampaignLeadState::DailyLimitReached if campaign.daily_attempts.is_none() => CampaignLeadState::Retryable,
        other => other,
    };
    let max_attempts = campaign.max_attempts.unwrap_or(12);
    let call_count = random.in_range(1..=i64::from(max_attempts) - 1) as u32;
    let outcome = *random.pick(RETRYABLE_OUTCOMES);
    match state {
        CampaignLeadState::Fresh => {}
        CampaignLeadState::Dialing => {
            record.status = Some("dialing".to_owned());
            record.updated_at = Some(now);
        }
        CampaignLeadState::Retryable => {
            record_call(record, outcome, call_count, now - random.duration(day * 3..=day * 29), campaign);
        }
        CampaignLeadState::Frozen => {
            record_call(record, outcome, call_count, now - random.duration(minute..=minute * 14), campaign);
            if campaign.freeze_minutes < 15 {
                record.freeze_until = Some(Some(now + random.duration(hour..=day * 5)));
            }
        }
        CampaignLeadState::CallbackLater => {
            record_call(record, CALLBACK_OUTCOME, call_count, now - random.duration(day * 2..=day * 9), campaign);
            record.callback_at = Some(Some(now + random.duration(hour..=day * 12)));
        }
        CampaignLeadState::CallbackDue => {
            record_call(record, CALLBACK_OUTCOME, call_count, now - random.duration(day * 2..=day * 9), campaign);
            record.callback_at = Some(Some(now - random.duration(minute..=hour * 30)));
        }
        CampaignLeadState::MaxAttemptsReached => {
            record_call(record, outcome, max_attempts, now - random.duration(day * 2..=day * 25), campaign);
        }
        CampaignLeadState::DailyLimitReached => {
            let midnight = now.date_naive().and_time(NaiveTime::MIN).and_utc();
            let daily_limit = campaign.daily_attempts.unwrap_or(1);
            let at = now - random.duration(TimeDelta::zero()..=now - midnight);
            record_call(record, outcome, call_count.max(daily_limit), at, campaign);
            record.calls_today = Some(daily_limit);
        }
        CampaignLeadState::Finished => {
            let outcome = *random.pick(FINAL_OUTCOMES);
            record_call(record, outcome, call_count, now - random.duration(day * 2..=day * 29), campaign);
        }
    }
}

/// Sets the fields of a campaign lead after `calls` calls. The last call was made `at`, was the first of its day, and had this outcome.
pub(super) fn record_call(
    record: &mut CampaignLeadRecord,
    (status, call): (&str, CallStatus),
    calls: u32,
    at: Timestamp,
    campaign: &SampleCampaign,
) {
    let freeze = TimeDelta::minutes(i64::from(campaign.freeze_minutes));
    record.status = Some(status.to_owned());
    record.calls_count = Some(calls);
    record.calls_today = Some(1);
    record.last_call_at = Some(Some(at));
    record.last_call_status = Some(Some(call.to_string()));
    record.freeze_until = Some((freeze > TimeDelta::zero()).then_some(at + freeze));
    record.updated_at = Some(at);
}

/// Returns the lead if it was called before and may be called again.
pub(super) fn retryable_lead(record: &CampaignLeadRecord) -> Option<LeadId> {
    let is_retryable = RETRYABLE_OUTCOMES.iter().any(|(status, _)| record.status.as_deref() == Some(*status));
    record.lead_id.filter(|_| is_retryable)
}
