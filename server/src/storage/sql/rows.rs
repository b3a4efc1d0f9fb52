//! Mapping of rows to types. Columns are read by position, so each list of columns is next to the function that reads it.

use leadscribe_engine::api::*;

use super::ids::new_id;
use super::{Bind, Row};
use crate::storage::{Result, Slice};

/// Values of `LIMIT ? OFFSET ?`. Larger offsets than `i64::MAX` are bound as `i64::MAX`, which is past the end of every table.
pub(super) fn slice_binds(slice: Slice) -> [Bind; 2] {
    [Bind::from(&slice.count), Bind::from(&slice.offset)]
}

macro_rules! lead_rows {
    (
        id: $id:ty [$($about_id:tt)*];
        $($(#[$attribute:meta])* $member:ident: $type:ty [$($about:tt)*];)+
    ) => {
        /// Columns of leads, named like the members.
        pub(super) const LEAD_COLUMNS: &str = concat!("id", $(", ", stringify!($member)),+);

        /// Reads [`LEAD_COLUMNS`].
        pub(super) fn read_lead(row: &dyn Row) -> Result<Lead> {
            let mut columns = 1..;
            let mut column = || columns.next().unwrap_or_default();
            Ok(Lead { id: LeadId(row.get(0)?), $($member: row.get(column())?),+ })
        }

        /// Values of [`LEAD_COLUMNS`]. The id is null for a new lead.
        pub(super) fn lead_binds(lead: &Lead) -> Vec<Bind> {
            vec![new_id(lead.id.0), $(Bind::from(&lead.$member)),+]
        }
    };
}
leadscribe_engine::lead_members!(lead_rows);

/// Columns that [`read_campaign_lead`] reads.
pub(super) const CAMPAIGN_LEAD_COLUMNS: &str = "c.id, c.lead_id, c.campaign_id, c.status, c.weight, c.calls_count, \
     c.calls_today, c.last_call_at, c.last_call_status, c.freeze_until, c.callback_at, c.assigned_user_id, \
     c.created_at, c.updated_at";

pub(super) fn read_campaign_lead(row: &dyn Row) -> Result<CampaignLead> {
    Ok(CampaignLead {
        id: CampaignLeadId(row.get(0)?),
        lead_id: LeadId(row.get(1)?),
        campaign_id: CampaignId(row.get(2)?),
        status: row.get(3)?,
        weight: row.get(4)?,
        calls_count: row.get(5)?,
        calls_today: row.get(6)?,
        last_call_at: row.get(7)?,
        last_call_status: row.get(8)?,
        freeze_until: row.get(9)?,
        callback_at: row.get(10)?,
        assigned_user_id: row.get::<Option<i64>>(11)?.map(UserId),
        created_at: row.get(12)?,
        updated_at: row.get(13)?,
    })
}

/// Columns that [`read_campaign`] reads.
pub(super) const CAMPAIGN_COLUMNS: &str =
    "id, name, active, calling_hours, max_attempts, daily_attempts, freeze_minutes, created_at, updated_at";

pub(super) fn read_campaign(row: &dyn Row) -> Result<Campaign> {
    Ok(Campaign {
        id: CampaignId(row.get(0)?),
        name: row.get(1)?,
        active: row.get(2)?,
        calling_hours: row.json_or_null(3)?,
        max_attempts: row.get(4)?,
        daily_attempts: row.get(5)?,
        freeze_minutes: row.get(6)?,
        created_at: row.get(7)?,
        updated_at: row.get(8)?,
    })
}

/// Columns that [`read_call`] reads.
pub(super) const CALL_COLUMNS: &str = "id, lead_id, campaign_lead_id, campaign_id, agent, direction, caller_number, \
     callee_number, status, started_at, ended_at, created_at, recording_state, media_type, channels, sample_rate, \
     duration_seconds, bytes, \
     (SELECT t.state FROM transcriptions t WHERE t.call_id = calls.id ORDER BY t.id DESC LIMIT 1), \
     original_identifier";

pub(super) fn read_call(row: &dyn Row) -> Result<Call> {
    Ok(Call {
        id: CallId(row.get(0)?),
        original_identifier: row.get(19)?,
        lead_id: row.get::<Option<i64>>(1)?.map(LeadId),
        campaign_lead_id: row.get::<Option<i64>>(2)?.map(CampaignLeadId),
        campaign_id: row.get::<Option<i64>>(3)?.map(CampaignId),
        agent: row.get(4)?,
        direction: row.get_enum(5, Direction::from_name)?,
        caller_number: row.get(6)?,
        callee_number: row.get(7)?,
        status: row.get_enum(8, CallStatus::from_name)?,
        started_at: row.get(9)?,
        ended_at: row.get(10)?,
        created_at: row.get(11)?,
        recording: read_recording(row, 12)?,
        transcription_state: row.get_enum_or_null(18, TranscriptionState::from_name)?,
    })
}

/// Reads the metadata of a recording, from `recording_state` at column `first_column` to `bytes`.
pub(super) fn read_recording(row: &dyn Row, first_column: usize) -> Result<Recording> {
    Ok(Recording {
        state: row.get_enum(first_column, RecordingState::from_name)?,
        media_type: row.get(first_column + 1)?,
        channels: row.get(first_column + 2)?,
        sample_rate: row.get(first_column + 3)?,
        duration_seconds: row.get(first_column + 4)?,
        bytes: row.get(first_column + 5)?,
    })
}
