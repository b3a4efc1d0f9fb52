//! Sample campaign leads: every status, and every reason that blocks a call.

use chrono::{NaiveTime, TimeDelta};
use leadscribe_engine::api::{CallStatus, CampaignId, CampaignLeadId, LeadId, Timestamp};
use leadscribe_engine::record::{CampaignLeadRecord, LeadRecord};

use super::campaigns::{CAMPAIGNS, SampleCampaign};
use super::random::Random;

/// State of a lead in a campaign.
#[derive(Clone, Copy)]
enum Situation {
    /// Not called yet.
    Fresh,
    /// Called, and may be called again.
    Tried,
    /// An agent is dialing.
    Dialing,
    /// Called a moment ago, or frozen by staff.
    Frozen,
    /// Callback in the future.
    CallbackLater,
    /// Callback that is due.
    CallbackDue,
    /// Maximum number of calls reached.
    UsedUp,
    /// Maximum number of calls per day reached.
    CalledToday,
    /// In a status that blocks calls.
    Finished,
}

/// Weight of each state.
const SITUATIONS: &[(Situation, u32)] = &[
    (Situation::Fresh, 38),
    (Situation::Tried, 24),
    (Situation::Dialing, 1),
    (Situation::Frozen, 6),
    (Situation::CallbackLater, 5),
    (Situation::CallbackDue, 3),
    (Situation::UsedUp, 6),
    (Situation::CalledToday, 5),
    (Situation::Finished, 12),
];

/// Outcomes after which a lead may be called again: status of the campaign lead, status of the call.
const REPEATABLE: &[(&str, CallStatus)] =
    &[("no_answer", CallStatus::NoAnswer), ("busy", CallStatus::Busy), ("answered", CallStatus::Answered)];

/// Outcome with an agreed callback: status of the campaign lead, status of the call.
const CALLBACK: (&str, CallStatus) = ("callback", CallStatus::Answered);

/// Final outcomes: status of the campaign lead, status of the last call.
const FINISHED: &[(&str, CallStatus)] = &[
    ("converted", CallStatus::Answered),
    ("refused", CallStatus::Answered),
    ("not_interested", CallStatus::Answered),
    ("wrong_number", CallStatus::Answered),
    ("invalid", CallStatus::Failed),
    ("dnc", CallStatus::Answered),
    ("closed", CallStatus::NoAnswer),
];

/// Number of campaigns of a lead, with its weight.
const MEMBERSHIPS: &[(i64, u32)] = &[(0, 8), (1, 50), (2, 30), (3, 12)];

/// Returns the campaign leads as stored, sorted by lead.
pub(super) fn records(leads: &[LeadRecord], now: Timestamp, random: &mut Random) -> Vec<CampaignLeadRecord> {
    let mut records = Vec::new();
    for lead in leads {
        let (Some(lead_id), Some(lead_created_at)) = (lead.id, lead.created_at) else { continue };
        let (memberships, _) = *random.pick_weighted(MEMBERSHIPS, |(_, weight)| *weight);
        let campaigns = CAMPAIGNS.len() as i64;
        let first = random.between(0..=campaigns - 1);
        // Each step is coprime with the 14 campaigns, so no campaign repeats.
        let step = *random.pick(&[1, 3, 5]);
        for membership in 0..memberships {
            let place = (first + membership * step) % campaigns;
            let created_at =
                lead_created_at + random.time(TimeDelta::zero()..=now - lead_created_at - TimeDelta::days(30));
            let mut record = CampaignLeadRecord {
                id: Some(CampaignLeadId(records.len() as i64 + 1)),
                lead_id: Some(lead_id),
                campaign_id: Some(CampaignId(place + 1)),
                status: Some("new".to_owned()),
                weight: Some(*random.pick(&[0, 0, 0, 10, 25, 50, 100])),
                calls_count: Some(0),
                calls_today: Some(0),
                created_at: Some(created_at),
                updated_at: Some(created_at),
                ..CampaignLeadRecord::default()
            };
            advance(&mut record, &CAMPAIGNS[place as usize], now, random);
            records.push(record);
        }
    }
    records
}

/// Moves a new campaign lead to a random state.
fn advance(record: &mut CampaignLeadRecord, campaign: &SampleCampaign, now: Timestamp, random: &mut Random) {
    let (minute, hour, day) = (TimeDelta::minutes(1), TimeDelta::hours(1), TimeDelta::days(1));
    // A campaign without a limit can't reach it, so the lead is only called.
    let (situation, _) = *random.pick_weighted(SITUATIONS, |(_, weight)| *weight);
    let situation = match situation {
        Situation::UsedUp if campaign.max_attempts.is_none() => Situation::Tried,
        Situation::CalledToday if campaign.daily_attempts.is_none() => Situation::Tried,
        other => other,
    };
    let most = campaign.max_attempts.unwrap_or(12);
    let some_calls = random.between(1..=i64::from(most) - 1) as u32;
    let outcome = *random.pick(REPEATABLE);
    match situation {
        Situation::Fresh => {}
        Situation::Dialing => {
            record.status = Some("dialing".to_owned());
            record.updated_at = Some(now);
        }
        Situation::Tried => {
            note_call(record, outcome, some_calls, now - random.time(day * 3..=day * 29), campaign);
        }
        Situation::Frozen => {
            note_call(record, outcome, some_calls, now - random.time(minute..=minute * 14), campaign);
            if campaign.freeze_minutes < 15 {
                record.freeze_until = Some(Some(now + random.time(hour..=day * 5)));
            }
        }
        Situation::CallbackLater => {
            note_call(record, CALLBACK, some_calls, now - random.time(day * 2..=day * 9), campaign);
            record.callback_at = Some(Some(now + random.time(hour..=day * 12)));
        }
        Situation::CallbackDue => {
            note_call(record, CALLBACK, some_calls, now - random.time(day * 2..=day * 9), campaign);
            record.callback_at = Some(Some(now - random.time(minute..=hour * 30)));
        }
        Situation::UsedUp => {
            note_call(record, outcome, most, now - random.time(day * 2..=day * 25), campaign);
        }
        Situation::CalledToday => {
            let midnight = now.date_naive().and_time(NaiveTime::MIN).and_utc();
            let today = campaign.daily_attempts.unwrap_or(1);
            let at = now - random.time(TimeDelta::zero()..=now - midnight);
            note_call(record, outcome, some_calls.max(today), at, campaign);
            record.calls_today = Some(today);
        }
        Situation::Finished => {
            let outcome = *random.pick(FINISHED);
            note_call(record, outcome, some_calls, now - random.time(day * 2..=day * 29), campaign);
        }
    }
}

/// Records the last of `calls` calls in a campaign lead: made `at`, first of its day, with this outcome.
pub(super) fn note_call(
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
pub(super) fn tried(record: &CampaignLeadRecord) -> Option<LeadId> {
    let tried = REPEATABLE.iter().any(|(status, _)| record.status.as_deref() == Some(*status));
    record.lead_id.filter(|_| tried)
}
