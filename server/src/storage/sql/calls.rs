//! Calls and the metadata of their recordings.

use std::borrow::Cow;
use std::collections::{BTreeMap, BTreeSet};

use async_trait::async_trait;
use leadscribe_engine::api::{
    Call, CallId, CallOrder, CampaignId, CampaignLead, CampaignLeadId, ImportKind, LeadId, Order, Page, Recording,
    RecordingState, Timestamp, UndoSkipReason,
};
use leadscribe_engine::diagnostic::{Diagnostic, Location, conflict};
use leadscribe_engine::record::CallRecord;

use super::entity::Entity;
use super::ids::new_id;
use super::input_format::InputFormat;
use super::lists::{self, KeyType, List, ListKey};
use super::record;
use super::references::{self, ReferenceChecker};
use super::rows::{self, CALL_COLUMNS};
use super::{Bind, Database, Row, Session, SqlStore, audit, binds, campaign_leads};
use crate::storage::filter_sql::SqlBuilder;
use crate::storage::{AuditContext, BatchOutcome, CallQuery, CallStore, RecordingKey, Result, Slice, WriteError};

mod import;

pub(super) use import::import;

impl Entity for Call {
    type Record = CallRecord;
    const AUDIT_NAME: &'static str = "call";
    const IMPORT_KIND: ImportKind = ImportKind::Calls;
    const TABLE: &'static str = "calls";
    const WRITTEN_COLUMNS: &'static str = "id, lead_id, campaign_lead_id, campaign_id, agent, direction, caller_number, \
         callee_number, status, started_at, ended_at, created_at, recording_state, original_identifier";
    const FROM: &'static str = "calls";
    const READ_COLUMNS: &'static str = CALL_COLUMNS;
    const REFERRERS: &'static [(&'static str, &'static str, UndoSkipReason)] = &[
        ("transcriptions", "call_id", UndoSkipReason::Transcribed),
        ("deliveries", "call_id", UndoSkipReason::Transcribed),
    ];
    /// Recordings are uploaded after the import of their calls. Bytes that no call refers to anymore are swept.
    const POST_IMPORT_MEMBERS: &'static [&'static str] = &["recording"];
    const UNIQUE_MEMBERS: &'static [&'static str] = &["original_identifier"];

    fn read(row: &dyn Row) -> Result<Self> {
        rows::read_call(row)
    }

    fn binds(&self) -> Vec<Bind> {
        let binds = binds![
            new_id(self.id.0),
            self.lead_id.map(|id| id.0),
            self.campaign_lead_id.map(|id| id.0),
            self.campaign_id.map(|id| id.0),
            self.agent,
            self.direction.as_str(),
            self.caller_number,
            self.callee_number,
            self.status.as_str(),
            self.started_at,
            self.ended_at,
            self.created_at,
            self.recording.state.as_str(),
            self.original_identifier,
        ];
        binds.to_vec()
    }

    fn id(&self) -> i64 {
        self.id.0
    }

    fn created_at(&self) -> Timestamp {
        self.created_at
    }

    fn changed_at(&self) -> Option<Timestamp> {
        None
    }

    fn related_lead(&self) -> Option<LeadId> {
        self.lead_id
    }

    fn set_id(&mut self, id: i64) {
        self.id = CallId(id);
    }

    fn from_record(record: &CallRecord, now: Timestamp) -> Result<Self, Diagnostic> {
        let mut new = record.create(record.id.unwrap_or_default(), now)?;
        hold_as_pending(&mut new);
        Ok(new)
    }

    /// A recording whose bytes are stored stays ready, whatever the record says. Otherwise the sweep would delete its bytes as unused.
    fn apply(&mut self, record: &CallRecord) {
        let previous_state = self.recording.state;
        record.apply(self);
        match previous_state {
            RecordingState::Ready => self.recording.state = RecordingState::Ready,
            _ => hold_as_pending(self),
        }
    }

    /// Calls have no time of last change.
    fn set_changed_at(&mut self, _record: &CallRecord, _now: Timestamp) {}

    /// Checks that referenced rows exist, that the campaign lead belongs to the call's lead and campaign, that the identifier is unique,
    /// and that the call doesn't end before it begins.
    fn check(
        &self,
        old: Option<&Self>,
        checker: &ReferenceChecker<'_>,
        input_format: InputFormat,
    ) -> Result<(), WriteError> {
        let session = checker.session;
        if let Some(identifier) = &self.original_identifier
            && let Some(other) = find_by_identifier(session, identifier)?.filter(|other| *other != self.id)
        {
            return Err(identifier_taken_error(other, identifier, input_format));
        }
        if let Some(id) = self.lead_id {
            references::check_lead(session, id, input_format)?;
        }
        if let Some(id) = self.campaign_id {
            references::check_campaign(session, id, input_format)?;
        }
        if let Some(id) = self.campaign_lead_id {
            let campaign_lead = find_campaign_lead(session, id, input_format)?;
            // An unchanged contradiction is kept: an import may have moved the campaign lead after the call was stored.
            if contradicts_campaign_lead(self, &campaign_lead)
                && old.is_none_or(|old| call_references(old) != call_references(self))
            {
                return Err(contradictory_campaign_lead_error(&campaign_lead, input_format));
            }
        }
        check_times(self, input_format)
    }
}

/// Sets a ready recording to pending. It becomes ready only when [`CallStore::set_recording`] reports that its bytes are stored.
fn hold_as_pending(call: &mut Call) {
    if call.recording.state == RecordingState::Ready {
        call.recording.state = RecordingState::Pending;
    }
}

fn call_references(call: &Call) -> (Option<LeadId>, Option<CampaignId>, Option<CampaignLeadId>) {
    (call.lead_id, call.campaign_id, call.campaign_lead_id)
}

/// True if the campaign lead belongs to another lead or campaign than the call.
fn contradicts_campaign_lead(call: &Call, campaign_lead: &CampaignLead) -> bool {
    call.lead_id.is_some_and(|lead| lead != campaign_lead.lead_id)
        || call.campaign_id.is_some_and(|campaign| campaign != campaign_lead.campaign_id)
}

/// Returns the campaign lead, which must exist.
fn find_campaign_lead(
    session: &dyn Session,
    id: CampaignLeadId,
    input_format: InputFormat,
) -> Result<CampaignLead, WriteError> {
    let unknown = || input_format.refuse("campaign_lead_id", "unknown_campaign_lead", conflict::no_campaign_lead(id.0));
    record::find::<CampaignLead>(session, id.0)?.ok_or_else(unknown)
}

fn contradictory_campaign_lead_error(campaign_lead: &CampaignLead, input_format: InputFormat) -> WriteError {
    let detail =
        conflict::campaign_lead_mismatch(campaign_lead.id.0, campaign_lead.lead_id.0, campaign_lead.campaign_id.0);
    input_format.refuse("campaign_lead_id", "campaign_lead_mismatch", detail)
}

/// Fills in the lead and campaign of the record's campaign lead where the record doesn't set them.
fn with_references_of<'r>(record: &'r CallRecord, campaign_lead: Option<&CampaignLead>) -> Cow<'r, CallRecord> {
    match campaign_lead {
        Some(campaign_lead) if record.lead_id.is_none() || record.campaign_id.is_none() => Cow::Owned(CallRecord {
            lead_id: record.lead_id.or(Some(Some(campaign_lead.lead_id))),
            campaign_id: record.campaign_id.or(Some(Some(campaign_lead.campaign_id))),
            ..record.clone()
        }),
        _ => Cow::Borrowed(record),
    }
}

/// Removes the record's fallback lead if that lead was deleted after it was found.
fn without_deleted_fallback_lead<'r>(
    mut record: Cow<'r, CallRecord>,
    lead_exists: impl FnOnce(LeadId) -> Result<bool>,
) -> Result<Cow<'r, CallRecord>> {
    if record.lead_id.is_none()
        && let Some(fallback_lead_id) = record.fallback_lead_id
        && !lead_exists(fallback_lead_id)?
    {
        record.to_mut().fallback_lead_id = None;
    }
    Ok(record)
}

fn check_times(call: &Call, input_format: InputFormat) -> Result<(), WriteError> {
    if let (Some(started), Some(ended)) = (call.started_at, call.ended_at)
        && ended < started
    {
        return Err(input_format.refuse("ended_at", "out_of_order", conflict::end_before_start()));
    }
    Ok(())
}

/// Stores a new call and counts it as an attempt of its campaign lead.
fn create(session: &dyn Session, record: &CallRecord, audit: &AuditContext) -> Result<Call, WriteError> {
    let campaign_lead = match record.campaign_lead_id.flatten() {
        Some(id) => record::find::<CampaignLead>(session, id.0)?,
        None => None,
    };
    let lead_exists = |lead: LeadId| session.exists("SELECT 1 FROM leads WHERE id = ?1", &binds![lead.0]);
    let completed_record =
        without_deleted_fallback_lead(with_references_of(record, campaign_lead.as_ref()), lead_exists)?;
    let call = record::create::<Call>(session, &completed_record, audit)?;
    campaign_leads::record_attempt(session, &call, audit)?;
    Ok(call)
}

/// Changes a call. `None` if the call doesn't exist.
fn change(
    session: &dyn Session,
    id: CallId,
    record: &CallRecord,
    audit: &AuditContext,
) -> Result<Option<Call>, WriteError> {
    if let Some(state) = record.recording_state
        && state != RecordingState::Ready
        && ready_recording(session, id)?.is_some()
    {
        return Err(InputFormat::Body.refuse(
            "recording_state",
            "recording_stored",
            conflict::recording_stored(state.as_str()),
        ));
    }
    let campaign_lead = match record.campaign_lead_id.flatten() {
        Some(new_id) if find(session, id)?.is_some_and(|current| current.campaign_lead_id != Some(new_id)) => {
            record::find::<CampaignLead>(session, new_id.0)?
        }
        _ => None,
    };
    record::change::<Call>(session, id.0, &with_references_of(record, campaign_lead.as_ref()), None, audit)
}

fn find_by_identifier(session: &dyn Session, identifier: &str) -> Result<Option<CallId>> {
    let sql = "SELECT id FROM calls WHERE original_identifier = ?1";
    Ok(session.find(sql, &binds![identifier], |row| row.get(0))?.map(CallId))
}

fn identifier_taken_error(other: CallId, identifier: &str, input_format: InputFormat) -> WriteError {
    input_format.refuse("original_identifier", "taken", conflict::call_identifier_taken(other.0, identifier))
}

pub(super) fn find(session: &dyn Session, id: CallId) -> Result<Option<Call>> {
    record::find(session, id.0)
}

/// Metadata of a call's recording and the key of its bytes; `None` unless the bytes are stored.
pub(super) fn ready_recording(session: &dyn Session, id: CallId) -> Result<Option<(Recording, RecordingKey)>> {
    session.find(
        "SELECT recording_state, media_type, channels, sample_rate, duration_seconds, bytes, recording_key
         FROM calls WHERE id = ?1 AND recording_state = 'ready' AND recording_key IS NOT NULL",
        &binds![id.0],
        |row| Ok((rows::read_recording(row, 0)?, RecordingKey(row.get(6)?))),
    )
}

/// Returns a diagnostic if the call's recording can't be replaced, because a transcript of it exists or is being made.
fn recording_replacement_refusal(session: &dyn Session, id: CallId) -> Result<Option<Diagnostic>> {
    let sql = "SELECT 1 FROM calls c JOIN transcriptions t ON t.call_id = c.id
                       WHERE c.id = ?1 AND c.recording_key IS NOT NULL AND t.state IN ('processing', 'completed')";
    let is_transcribed = session.exists(sql, &binds![id.0])?;
    let diagnostic = || {
        Diagnostic::new(Location::default(), "in_use", conflict::recording_is_transcribed())
            .suggest(conflict::use_another_call())
    };
    Ok(is_transcribed.then(diagnostic))
}

/// Keys of the recordings of these calls, by call.
fn recording_keys(session: &dyn Session, ids: Bind) -> Result<BTreeMap<CallId, RecordingKey>> {
    let has_id = session.dialect().is_any_of("id", "?1");
    let sql = format!("SELECT id, recording_key FROM calls WHERE recording_key IS NOT NULL AND {has_id}");
    let keys = session.query(&sql, &[ids], |row| Ok((CallId(row.get(0)?), RecordingKey(row.get(1)?))))?;
    Ok(keys.into_iter().collect())
}

fn set_recording(
    session: &dyn Session,
    id: CallId,
    recording: &Recording,
    key: Option<&RecordingKey>,
    audit: &AuditContext,
) -> Result<Option<Option<RecordingKey>>, WriteError> {
    // The row is locked first, so that no worker claims the recording between the check and the update.
    let sql = format!("SELECT recording_key FROM calls WHERE id = ?1 {}", session.dialect().lock_rows());
    let Some(previous_key) = session.find(&sql, &binds![id.0], |row| row.get::<Option<String>>(0))? else {
        return Ok(None);
    };
    let previous_key = previous_key.map(RecordingKey);
    if let Some(diagnostic) = recording_replacement_refusal(session, id)? {
        return Err(WriteError::Refused(diagnostic));
    }
    session.execute(
        "UPDATE calls SET recording_state = ?2, media_type = ?3, channels = ?4, sample_rate = ?5, duration_seconds = ?6,
             bytes = ?7, recording_key = ?8
         WHERE id = ?1",
        &binds![
            id.0,
            recording.state.as_str(),
            recording.media_type,
            recording.channels,
            recording.sample_rate,
            recording.duration_seconds,
            recording.bytes,
            key.map(|key| key.0.as_str()),
        ],
    )?;
    audit::record(session, "recording.upload", &id.subject(), audit)?;
    Ok(Some(previous_key.filter(|previous_key| Some(previous_key) != key)))
}

/// State of a call's latest transcription.
const LATEST_TRANSCRIPTION_STATE: &str =
    "(SELECT t.state FROM transcriptions t WHERE t.call_id = calls.id ORDER BY t.id DESC LIMIT 1)";

impl List for CallQuery {
    type SortField = CallOrder;
    type Row = Call;
    const FROM: &'static str = "calls";
    const ID: &'static str = "calls.id";
    const COLUMNS: &'static str = CALL_COLUMNS;

    fn order(&self) -> Order<CallOrder> {
        self.order
    }

    fn key(&self, field: CallOrder, sql: &SqlBuilder) -> ListKey {
        let campaign_name = || {
            let name = sql.dialect().lower("p.name");
            format!("(SELECT {name} FROM campaigns p WHERE p.id = calls.campaign_id)")
        };
        match field {
            CallOrder::Id => ListKey::new(KeyType::Integer, Self::ID),
            CallOrder::CreatedAt => ListKey::new(KeyType::Time, "calls.created_at"),
            CallOrder::StartedAt => ListKey::nullable(KeyType::Time, "started_at"),
            CallOrder::EndedAt => ListKey::nullable(KeyType::Time, "ended_at"),
            CallOrder::Agent => ListKey::nullable(KeyType::Text, sql.dialect().lower("agent")),
            CallOrder::Direction => ListKey::new(KeyType::Text, "direction"),
            CallOrder::Status => ListKey::new(KeyType::Text, "status"),
            CallOrder::CallerNumber => ListKey::nullable(KeyType::Text, "caller_number"),
            CallOrder::CalleeNumber => ListKey::nullable(KeyType::Text, "callee_number"),
            CallOrder::LeadId => ListKey::nullable(KeyType::Integer, "lead_id"),
            CallOrder::CampaignId => ListKey::nullable(KeyType::Integer, "campaign_id"),
            CallOrder::CampaignName => ListKey::nullable(KeyType::Text, campaign_name()),
            CallOrder::RecordingState => ListKey::new(KeyType::Text, "recording_state"),
            CallOrder::RecordingDuration => ListKey::nullable(KeyType::Number, "duration_seconds"),
            CallOrder::TranscriptionState => ListKey::nullable(KeyType::Text, LATEST_TRANSCRIPTION_STATE),
        }
    }

    fn push_conditions(&self, sql: &mut SqlBuilder) {
        if !self.ids.is_empty() {
            sql.push(" AND ").push_any_of("id", self.ids.iter().map(|id| Bind::Integer(id.0)).collect());
        }
        let comparisons = [
            (" AND original_identifier = ", self.original_identifier.as_deref().map(Bind::from)),
            (" AND lead_id = ", self.lead_id.map(|id| Bind::Integer(id.0))),
            (" AND campaign_id = ", self.campaign_id.map(|id| Bind::Integer(id.0))),
            (" AND direction = ", self.direction.map(|item| Bind::from(item.as_str()))),
            (" AND status = ", self.status.map(|item| Bind::from(item.as_str()))),
            (" AND recording_state = ", self.recording.map(|item| Bind::from(item.as_str()))),
            (" AND created_at >= ", self.from.map(Bind::Time)),
            (" AND created_at <= ", self.till.map(Bind::Time)),
        ];
        for (condition, value) in comparisons {
            if let Some(value) = value {
                sql.push(condition).push_bind(value);
            }
        }
        match self.transcription {
            Some(Some(state)) => {
                _ = sql.push(&format!(" AND {LATEST_TRANSCRIPTION_STATE} = ")).push_bind(Bind::from(state.as_str()))
            }
            Some(None) => _ = sql.push(&format!(" AND {LATEST_TRANSCRIPTION_STATE} IS NULL")),
            None => {}
        }
        if let Some(search) = &self.search {
            let name = "(coalesce(l.first_name, '') || ' ' || coalesce(l.last_name, ''))";
            let dialect = sql.dialect();
            for (text, prefix) in [
                ("agent", " AND ("),
                ("caller_number", " OR "),
                ("callee_number", " OR "),
                (name, " OR lead_id IN (SELECT l.id FROM leads l WHERE "),
            ] {
                let needle = sql.add_placeholder(Bind::Text(search.to_ascii_lowercase()));
                sql.push(prefix).push(&dialect.contains(&dialect.lower(text), &needle));
            }
            sql.push("))");
        }
        // `changed_at`, which is indexed, is the end time: completed and failed transcriptions never change.
        let bounds =
            [(" AND t.changed_at >= ", self.transcription_from), (" AND t.changed_at <= ", self.transcription_till)];
        if bounds.iter().any(|(_, time)| time.is_some()) {
            sql.push(" AND id IN (SELECT t.call_id FROM transcriptions t WHERE t.state IN ('completed', 'failed')");
            for (comparison, time) in bounds {
                if let Some(time) = time {
                    sql.push(comparison).push_bind(Bind::Time(time));
                }
            }
            sql.push(")");
        }
    }

    fn read(&self, row: &dyn Row) -> Result<Call> {
        rows::read_call(row)
    }

    fn id(row: &Call) -> i64 {
        row.id.0
    }

    fn entries(_session: &dyn Session, rows: Vec<Call>) -> Result<Vec<Call>> {
        Ok(rows)
    }
}

#[async_trait]
impl<D: Database> CallStore for SqlStore<D> {
    async fn calls(&self, query: &CallQuery, slice: Slice) -> Result<Page<Call>> {
        let query = query.clone();
        self.database.read(move |session| lists::page(session, &query, slice)).await
    }

    async fn call(&self, id: CallId) -> Result<Option<Call>> {
        self.database.read(move |session| find(session, id)).await
    }

    async fn create_call(&self, record: CallRecord, audit: &AuditContext) -> Result<Call, WriteError> {
        let own_audit = audit.clone();
        self.create_record(audit, move |session| create(session, &record, &own_audit)).await
    }

    async fn update_call(
        &self,
        id: CallId,
        record: CallRecord,
        audit: &AuditContext,
    ) -> Result<Option<Call>, WriteError> {
        let audit = audit.clone();
        self.database.write(move |session| change(session, id, &record, &audit)).await
    }

    async fn import_calls(&self, rows: Vec<CallRecord>, audit: &AuditContext) -> Result<BatchOutcome> {
        let audit = audit.clone();
        let outcome = self.database.write(move |session| import(session, &rows, None, &audit)).await?;
        self.refresh_statistics().await;
        Ok(outcome)
    }

    async fn set_recording(
        &self,
        id: CallId,
        recording: &Recording,
        key: Option<&RecordingKey>,
        audit: &AuditContext,
    ) -> Result<Option<Option<RecordingKey>>, WriteError> {
        let (recording, key, audit) = (recording.clone(), key.cloned(), audit.clone());
        self.database.write_locking(move |session| set_recording(session, id, &recording, key.as_ref(), &audit)).await
    }

    async fn recording_replacement_refusal(&self, id: CallId) -> Result<Option<Diagnostic>> {
        self.database.read_primary(move |session| recording_replacement_refusal(session, id)).await
    }

    async fn recording_key(&self, id: CallId) -> Result<Option<(Recording, RecordingKey)>> {
        self.database.read(move |session| ready_recording(session, id)).await
    }

    async fn recording_keys(&self, ids: &BTreeSet<CallId>) -> Result<BTreeMap<CallId, RecordingKey>> {
        let ids = Bind::List(ids.iter().map(|id| Bind::Integer(id.0)).collect());
        // A replica may lag behind, and recordings it doesn't know yet would be swept as unused.
        self.database.read_primary(move |session| recording_keys(session, ids.clone())).await
    }
}
