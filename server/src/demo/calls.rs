//! Sample calls and their recordings.
//!
//! Each call belongs to a campaign lead and becomes its last call.

use chrono::TimeDelta;
use leadscribe_engine::api::{CallId, CallStatus, Direction, RecordingState, Timestamp};
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, LeadRecord};

use super::campaign_leads::{record_call, retryable_lead};
use super::campaigns::CAMPAIGNS;
use super::random::Random;
use super::recordings::SampleRecording;

/// A call, and the recording to store for it.
pub(super) struct SampleCall {
    pub record: CallRecord,
    pub recording: Option<SampleRecording>,
}

/// Id of the first call.
const FIRST_ID: i64 = 101;

/// Number of calls with recorded speech.
const RECORDED_CALLS: usize = 40;

/// Phone number of the call center, from a range reserved for fiction.
const CALL_CENTER_NUMBER: &str = "+12125550100";

const AGENTS: &[&str] = &["Amara Okafor", "Ben Carter", "Ines Duarte", "Marek Nowicki", "Priya Raman", "Tomás Rivera"];

/// Pairs of a lead's country and a recording, used in turn.
const CALL_RECORDINGS: &[(&str, SampleRecording)] = &[
    ("GB", SampleRecording::File("call_pd_8k")),
    ("US", SampleRecording::File("jfk")),
    ("DE", SampleRecording::File("de_call")),
    ("GB", SampleRecording::Conversation("en_call", "librivox_0930")),
    ("FR", SampleRecording::File("fr_call")),
    ("US", SampleRecording::Conversation("librivox_0870", "en_call")),
    ("ES", SampleRecording::File("es_call")),
    ("IT", SampleRecording::File("it_call")),
    ("US", SampleRecording::File("goforward")),
    ("PL", SampleRecording::File("pl_call")),
    ("GB", SampleRecording::File("librivox_0890")),
    ("AU", SampleRecording::Conversation("jfk", "goforward")),
    ("GB", SampleRecording::File("librivox_0920")),
    ("CA", SampleRecording::Conversation("fr_call", "en_call")),
    ("DE", SampleRecording::File("ru_call")),
    ("US", SampleRecording::Conversation("librivox_0880", "librivox_0930")),
    ("US", SampleRecording::File("en_call")),
];

/// Plan of a call: outcome, state of its recording, and the lead's country if the recording requires one.
struct CallPlan {
    status: CallStatus,
    recording_state: RecordingState,
    sample_recording: Option<SampleRecording>,
    country: Option<&'static str>,
}

/// Plans all calls from oldest to newest. Of the last three recordings, one is too short, one failed, and one is
/// pending.
fn plan_calls() -> Vec<CallPlan> {
    let unrecorded = [CallStatus::NoAnswer, CallStatus::Busy, CallStatus::Failed];
    let answered = |recording, sample_recording, country| CallPlan {
        status: CallStatus::Answered,
        recording_state: recording,
        sample_recording,
        country,
    };
    let mut plan = Vec::new();
    for (index, (country, sample_recording)) in CALL_RECORDINGS.iter().cycle().take(RECORDED_CALLS).enumerate() {
        plan.push(answered(RecordingState::None, Some(*sample_recording), Some(*country)));
        if index % 6 == 3 {
            let status = unrecorded[plan.len() % unrecorded.len()];
            plan.push(CallPlan {
                status,
                recording_state: RecordingState::None,
                sample_recording: None,
                country: None,
            });
        }
    }
    plan.push(answered(RecordingState::None, Some(SampleRecording::Fragment), None));
    plan.push(answered(RecordingState::Failed, None, None));
    plan.push(answered(RecordingState::Pending, None, None));
    plan
}

/// Creates the calls, spread over the last 30 days, and records each in its campaign lead.
pub(super) fn create_calls(
    leads: &[LeadRecord],
    campaign_leads: &mut [CampaignLeadRecord],
    now: Timestamp,
    random: &mut Random,
) -> Vec<SampleCall> {
    let plan = plan_calls();
    let newest = plan.len() - 1;
    let mut start = 0;
    let mut calls = Vec::with_capacity(plan.len());
    for ((index, plan), id) in plan.into_iter().enumerate().zip(FIRST_ID..) {
        let jitter =
            if index == newest { TimeDelta::zero() } else { random.duration(TimeDelta::zero()..=TimeDelta::hours(13)) };
        let started_at = now - TimeDelta::minutes(4) - TimeDelta::hours(14) * (newest - index) as i32 - jitter;
        let (next, lead) = find_called_lead(leads, campaign_leads, start, plan.country);
        start = next + 1;
        calls.push(create_call(id, plan, lead, &mut campaign_leads[next], started_at, random));
    }
    calls
}

/// Finds the first campaign lead from index `start` that was called before and whose lead has a phone and lives in the country.
fn find_called_lead<'a>(
    leads: &'a [LeadRecord],
    campaign_leads: &[CampaignLeadRecord],
    start: usize,
    country: Option<&str>,
) -> (usize, &'a LeadRecord) {
    let lead_of = |record: &CampaignLeadRecord| {
        let id = retryable_lead(record)?;
        let lead = leads.get(usize::try_from(id.0).ok()? - 1)?;
        let is_in_country =
            country.is_none_or(|country| lead.country.as_ref().and_then(Option::as_deref) == Some(country));
        (is_in_country && has_phone(lead)).then_some(lead)
    };
    campaign_leads
        .iter()
        .enumerate()
        .skip(start)
        .find_map(|(index, record)| Some((index, lead_of(record)?)))
        .expect("there are thousands of campaign leads, and dozens of calls")
}

fn has_phone(lead: &LeadRecord) -> bool {
    lead.phone_normalized.as_ref().is_some_and(Option::is_some)
}

fn create_call(
    id: i64,
    plan: CallPlan,
    lead: &LeadRecord,
    campaign_lead: &mut CampaignLeadRecord,
    started_at: Timestamp,
    random: &mut Random,
) -> SampleCall {
    let is_answered = plan.status == CallStatus::Answered;
    let seconds = match plan.sample_recording {
        Some(sample_recording) => sample_recording.seconds().ceil() as i64 + 2,
        None if is_answered => random.in_range(40..=400),
        None => random.in_range(5..=45),
    };
    let campaign = campaign_lead.campaign_id.map_or(0, |id| id.0 as usize - 1);
    let calls_count = campaign_lead.calls_count.unwrap_or(1);
    let status = if is_answered {
        "answered"
    } else if plan.status == CallStatus::Busy {
        "busy"
    } else {
        "no_answer"
    };
    record_call(campaign_lead, (status, plan.status), calls_count, started_at, &CAMPAIGNS[campaign]);

    let lead_number = lead.phone_normalized.clone();
    let own_number = Some(Some(CALL_CENTER_NUMBER.to_owned()));
    let direction = if random.chance(30) { Direction::Inbound } else { Direction::Outbound };
    let (caller_number, callee_number) = match direction {
        Direction::Inbound => (lead_number, own_number),
        Direction::Outbound => (own_number, lead_number),
    };
    let record = CallRecord {
        id: Some(CallId(id)),
        original_identifier: None,
        lead_id: Some(lead.id),
        campaign_lead_id: Some(campaign_lead.id),
        campaign_id: Some(campaign_lead.campaign_id),
        agent: Some(Some(random.pick(AGENTS).to_string())),
        direction: Some(direction),
        caller_number,
        callee_number,
        status: Some(plan.status),
        started_at: Some(Some(started_at)),
        ended_at: Some(Some(started_at + TimeDelta::seconds(seconds))),
        recording_state: Some(plan.recording_state),
        recording: None,
        created_at: Some(started_at),
        updated_at: Some(started_at),
        fallback_lead_id: None,
        details: None,
    };
    SampleCall { record, recording: plan.sample_recording }
}
