//! Records of calls.

use super::rule::{Access, Record, Rule, apply, rules};
use super::value::{
    FieldInput, MAX_NAME_CHARS, MAX_PHONE_CHARS, call_outcome, id, named, new_id, recording_state, text, timestamp,
};
use super::{WriteMode, require};
use crate::api::{
    Call, CallId, CallStatus, CampaignId, CampaignLeadId, Direction, LeadId, Recording, RecordingState, Timestamp,
};
use crate::diagnostic::{
    Diagnostic, Message, catalog::record as texts, expected, format_text, member_location, new_diagnostic,
};

/// A record for creating or changing a call. `None` leaves a field unchanged; `Some(None)` removes its value.
#[derive(Clone, Debug, Default, PartialEq)]
#[expect(missing_docs, reason = "the fields are those of `Call`")]
pub struct CallRecord {
    pub id: Option<CallId>,
    pub original_identifier: Option<Option<String>>,
    pub lead_id: Option<Option<LeadId>>,
    pub campaign_lead_id: Option<Option<CampaignLeadId>>,
    pub campaign_id: Option<Option<CampaignId>>,
    pub agent: Option<Option<String>>,
    pub direction: Option<Direction>,
    pub caller_number: Option<Option<String>>,
    pub callee_number: Option<Option<String>>,
    pub status: Option<CallStatus>,
    pub started_at: Option<Option<Timestamp>>,
    pub ended_at: Option<Option<Timestamp>>,
    pub recording_state: Option<RecordingState>,
    /// File name of the recording; only in CSV.
    pub recording: Option<String>,
    pub created_at: Option<Timestamp>,
    pub updated_at: Option<Timestamp>,
    /// The lead to assign a new call to if `lead_id` is absent. Not a field of bodies or files.
    pub fallback_lead_id: Option<LeadId>,
    /// Origin of a call from call detail records. Not a field of bodies or files.
    pub details: Option<Box<DetailsOrigin>>,
}

impl Record for CallRecord {
    const NOUN: fn() -> Message = texts::call;
    const REQUIRED: &'static [&'static str] = &["direction", "status"];
    const KEYS: &'static [&'static [&'static str]] = &[&["id"], &["original_identifier"]];
    const RULES: &'static [Rule<Self>] = rules! { CallRecord:
        id: CreateOnly, required, new_id(CallId);
        original_identifier: Writable, optional, text(MAX_NAME_CHARS);
        lead_id: Writable, optional, id(LeadId);
        campaign_lead_id: Writable, optional, id(CampaignLeadId);
        campaign_id: Writable, optional, id(CampaignId);
        agent: Writable, optional, text(MAX_NAME_CHARS);
        direction: Writable, required, named(Direction::ALL, Direction::as_str);
        caller_number: Writable, optional, text(MAX_PHONE_CHARS);
        callee_number: Writable, optional, text(MAX_PHONE_CHARS);
        status: Writable, required, call_outcome;
        started_at: Writable, optional, timestamp;
        ended_at: Writable, optional, timestamp;
        recording_state: Writable, required, recording_state;
        recording: CsvOnly, required, file_name;
        created_at: CsvOnly, required, timestamp;
        updated_at: CsvOnly, required, timestamp;
    };

    fn check(&self, mode: Option<WriteMode>, diagnostics: &mut Vec<Diagnostic>) {
        let mut add = |field, error| diagnostics.push(Diagnostic { location: member_location(field), ..error });
        if mode.is_none() && self.id.is_none() && !matches!(self.original_identifier, Some(Some(_))) {
            add("id", new_diagnostic("missing_identifier", texts::call_identifier_required()));
        }
        if let (Some(Some(started)), Some(Some(ended))) = (self.started_at, self.ended_at)
            && ended < started
        {
            add("ended_at", new_diagnostic("out_of_order", texts::ended_before_started()));
        }
        match (self.recording_state, &self.recording) {
            (Some(RecordingState::Ready), None) => {
                let error = new_diagnostic("no_recording", texts::ready_without_file());
                add(
                    "recording_state",
                    match mode {
                        None => error.suggest(texts::name_file()),
                        Some(_) => error.suggest(texts::upload_file()),
                    },
                );
            }
            (Some(state), Some(_)) if state != RecordingState::Ready => {
                add("recording_state", new_diagnostic("not_permitted", texts::state_with_file(state.as_str())));
            }
            _ => {}
        }
    }
}

/// Parses the name of a file below the recordings folder. The path is relative and can't leave the folder.
fn file_name(input: &FieldInput<'_>) -> Result<String, Diagnostic> {
    let name = text(MAX_NAME_CHARS)(input)?;
    let leaves_folder = |part: &str| matches!(part, "" | "." | "..");
    // The path must mean the same file on every system, so `\\` and `C:` are rejected.
    if name.split('/').any(leaves_folder) || name.contains(['\\', ':']) {
        return Err(expected("invalid_file_name", texts::file_name(), format_text(&name)));
    }
    Ok(name)
}

impl CallRecord {
    /// Applies the record to a call. The caller stores the file in `recording`.
    ///
    /// Call detail records may describe only a part of a call. Such a record doesn't overwrite data from the records of other parts.
    pub fn apply(&self, call: &mut Call) {
        let Some(details) = &self.details else { return self.overwrite(call) };
        if details.merge_into(self, call) {
            return;
        }
        let (direction, agent) = (call.direction, call.agent.take());
        self.overwrite(call);
        if call.agent.is_none() && call.direction == direction {
            call.agent = agent;
        }
    }

    fn overwrite(&self, call: &mut Call) {
        apply!(self => call: original_identifier, lead_id, campaign_lead_id, campaign_id, agent, direction, caller_number, callee_number, status,
            started_at, ended_at, created_at);
        if let Some(state) = self.recording_state {
            call.recording.state = state;
        }
    }

    /// Creates a call. Its recording and creation time come from the record; by default, it has no recording and was created `now`. If the
    /// record names no lead, `fallback_lead_id` is used.
    ///
    /// # Errors
    /// The record has no `direction` or no `status`.
    pub fn create(&self, id: CallId, now: Timestamp) -> Result<Call, Diagnostic> {
        let mut call = Call {
            id,
            original_identifier: None,
            lead_id: self.fallback_lead_id,
            campaign_lead_id: None,
            campaign_id: None,
            agent: None,
            direction: require(&self.direction, "direction")?,
            caller_number: None,
            callee_number: None,
            status: require(&self.status, "status")?,
            started_at: None,
            ended_at: None,
            created_at: now,
            recording: Recording {
                state: RecordingState::None,
                media_type: None,
                channels: None,
                sample_rate: None,
                duration_seconds: None,
                bytes: None,
            },
            transcription_state: None,
        };
        self.overwrite(&mut call);
        Ok(call)
    }
}

/// Origin of a call that was assembled from call detail records.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DetailsOrigin {
    /// Identifiers that earlier versions of the program may have given the call, most likely first. They stored each record as a call.
    pub earlier_identifiers: Vec<String>,
    /// The `uniqueid`s of its channels, with the call's own first.
    pub uniqueids: Vec<String>,
    /// File names of recordings in the records, without folders.
    pub recordings: Vec<String>,
    /// True if the records of the channel that began the call are missing, for example after a log rotation.
    pub is_partial: bool,
}

impl DetailsOrigin {
    /// Merges the record into a stored call that has data from other records. Returns true if it was merged, and false if the record is
    /// complete and replaces the stored call.
    ///
    /// A stored call stays answered and never becomes shorter, because the record may describe only a part of the call.
    fn merge_into(&self, record: &CallRecord, stored: &mut Call) -> bool {
        let is_answered = record.status == Some(CallStatus::Answered);
        let (started_at, ended_at) = (record.started_at.flatten(), record.ended_at.flatten());
        let starts_earlier = started_at.is_some_and(|at| stored.started_at.is_none_or(|stored| at < stored));
        let is_complete = (starts_earlier || started_at == stored.started_at) && ended_at >= stored.ended_at;
        if !self.is_partial && is_complete && (is_answered || stored.status != CallStatus::Answered) {
            return false;
        }
        if starts_earlier && !self.is_partial {
            stored.caller_number = record.caller_number.clone().flatten();
            stored.callee_number = record.callee_number.clone().flatten();
        }
        stored.original_identifier.clone_from(&record.original_identifier.clone().flatten());
        if is_answered && stored.status != CallStatus::Answered {
            stored.status = CallStatus::Answered;
            stored.agent = record.agent.clone().flatten().or(stored.agent.take());
        } else if stored.agent.is_none() {
            stored.agent = record.agent.clone().flatten();
        }
        if starts_earlier {
            stored.started_at = started_at;
        }
        stored.ended_at = ended_at.max(stored.ended_at);
        if let Some(created_at) = record.created_at {
            stored.created_at = stored.created_at.min(created_at);
        }
        true
    }
}
