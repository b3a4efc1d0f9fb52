//! Sample calls and their recordings.
//!
//! Each call belongs to a campaign lead and becomes its last call.

use chrono::TimeDelta;
use leadscribe_engine::api::{CallId, CallStatus, Direction, RecordingState, Timestamp};
use leadscribe_engine::record::{CallRecord, CampaignLeadRecord, LeadRecord};

use super::campaign_leads::{note_call, tried};
use super::campaigns::CAMPAIGNS;
use super::random::Random;
use super::recordings::Sound;

/// A call, and the recording to store for it.
pub(super) struct SampleCall {
    pub record: CallRecord,
    pub sound: Option<Sound>,
}

/// Id of the first call.
const FIRST_ID: i64 = 101;

/// Number of calls with recorded speech.
const RECORDED: usize = 40;

/// Number of the call centre, from a range reserved for fiction.
const CENTRE: &str = "+12125550100";

const AGENTS: &[&str] = &["Amara Okafor", "Ben Carter", "Ines Duarte", "Marek Nowicki", "Priya Raman", "Tomás Rivera"];

/// Country of the lead, and the recording. Used in turn.
const SOUNDS: &[(&str, Sound)] = &[
    ("GB", Sound::File("call_pd_8k")),
    ("US", Sound::File("jfk")),
    ("DE", Sound::File("de_call")),
    ("GB", Sound::Conversation("en_call", "librivox_0930")),
    ("FR", Sound::File("fr_call")),
    ("US", Sound::Conversation("librivox_0870", "en_call")),
    ("ES", Sound::File("es_call")),
    ("IT", Sound::File("it_call")),
    ("US", Sound::File("goforward")),
    ("PL", Sound::File("pl_call")),
    ("GB", Sound::File("librivox_0890")),
    ("AU", Sound::Conversation("jfk", "goforward")),
    ("GB", Sound::File("librivox_0920")),
    ("CA", Sound::Conversation("fr_call", "en_call")),
    ("DE", Sound::File("ru_call")),
    ("US", Sound::Conversation("librivox_0880", "librivox_0930")),
    ("US", Sound::File("en_call")),
];

/// Plan of a call: outcome, state of its recording, and the lead's country if the recording requires one.
struct Plan {
    status: CallStatus,
    recording: RecordingState,
    sound: Option<Sound>,
    country: Option<&'static str>,
}

/// Plans all calls from oldest to newest. The last three have a recording that is too short, one that failed, and one that is pending.
fn plan() -> Vec<Plan> {
    let unrecorded = [CallStatus::NoAnswer, CallStatus::Busy, CallStatus::Failed];
    let answered = |recording, sound, country| Plan { status: CallStatus::Answered, recording, sound, country };
    let mut plan = Vec::new();
    for (place, (country, sound)) in SOUNDS.iter().cycle().take(RECORDED).enumerate() {
        plan.push(answered(RecordingState::None, Some(*sound), Some(*country)));
        if place % 6 == 3 {
            let status = unrecorded[plan.len() % unrecorded.len()];
            plan.push(Plan { status, recording: RecordingState::None, sound: None, country: None });
        }
    }
    plan.push(answered(RecordingState::None, Some(Sound::Fragment), None));
    plan.push(answered(RecordingState::Failed, None, None));
    plan.push(answered(RecordingState::Pending, None, None));
    plan
}

/// Creates the calls, spread over the last 30 days, and records each in its campaign lead.
pub(super) fn calls(
    leads: &[LeadRecord],
    campaign_leads: &mut [CampaignLeadRecord],
    now: Timestamp,
    random: &mut Random,
) -> Vec<SampleCall> {
    let plan = plan();
    let newest = plan.len() - 1;
    let mut from = 0;
    let mut calls = Vec::with_capacity(plan.len());
    for ((place, plan), id) in plan.into_iter().enumerate().zip(FIRST_ID..) {
        let spread =
            if place == newest { TimeDelta::zero() } else { random.time(TimeDelta::zero()..=TimeDelta::hours(13)) };
        let started_at = now - TimeDelta::minutes(4) - TimeDelta::hours(14) * (newest - place) as i32 - spread;
        let (next, lead) = find(leads, campaign_leads, from, plan.country);
        from = next + 1;
        calls.push(call(id, plan, lead, &mut campaign_leads[next], started_at, random));
    }
    calls
}

/// Finds the first campaign lead from index `from` that was called before and whose lead has a phone and lives in the country.
fn find<'a>(
    leads: &'a [LeadRecord],
    campaign_leads: &[CampaignLeadRecord],
    from: usize,
    country: Option<&str>,
) -> (usize, &'a LeadRecord) {
    let lead_of = |record: &CampaignLeadRecord| {
        let id = tried(record)?;
        let lead = leads.get(usize::try_from(id.0).ok()? - 1)?;
        let lives_there =
            country.is_none_or(|country| lead.country.as_ref().and_then(Option::as_deref) == Some(country));
        (lives_there && has_phone(lead)).then_some(lead)
    };
    campaign_leads
        .iter()
        .enumerate()
        .skip(from)
        .find_map(|(place, record)| Some((place, lead_of(record)?)))
        .expect("there are thousands of campaign leads, and dozens of calls")
}

fn has_phone(lead: &LeadRecord) -> bool {
    lead.phone_normalized.as_ref().is_some_and(Option::is_some)
}

fn call(
    id: i64,
    plan: Plan,
    lead: &LeadRecord,
    campaign_lead: &mut CampaignLeadRecord,
    started_at: Timestamp,
    random: &mut Random,
) -> SampleCall {
    let spoken = plan.status == CallStatus::Answered;
    let seconds = match plan.sound {
        Some(sound) => sound.seconds().ceil() as i64 + 2,
        None if spoken => random.between(40..=400),
        None => random.between(5..=45),
    };
    let campaign = campaign_lead.campaign_id.map_or(0, |id| id.0 as usize - 1);
    let calls_count = campaign_lead.calls_count.unwrap_or(1);
    let status = if spoken {
        "answered"
    } else if plan.status == CallStatus::Busy {
        "busy"
    } else {
        "no_answer"
    };
    note_call(campaign_lead, (status, plan.status), calls_count, started_at, &CAMPAIGNS[campaign]);

    let theirs = lead.phone_normalized.clone();
    let ours = Some(Some(CENTRE.to_owned()));
    let direction = if random.chance(30) { Direction::Inbound } else { Direction::Outbound };
    let (caller_number, callee_number) = match direction {
        Direction::Inbound => (theirs, ours),
        Direction::Outbound => (ours, theirs),
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
        recording_state: Some(plan.recording),
        recording: None,
        created_at: Some(started_at),
        updated_at: Some(started_at),
        likely_lead: None,
        details: None,
    };
    SampleCall { record, sound: plan.sound }
}
