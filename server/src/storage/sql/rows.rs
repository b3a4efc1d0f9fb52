//! Mapping of rows to types. Columns are read by position, so each list of columns is next to the function that reads it.

use leadscribe_engine::api::*;

use super::ids::new_id;
use super::{Bind, Row, binds};
use crate::storage::{Slice, StoreError};

/// Values of `LIMIT ? OFFSET ?`. An offset beyond the database's integer range is past the end of every table.
pub(super) fn slice_binds(slice: Slice) -> [Bind; 2] {
    [Bind::from(&slice.count), Bind::from(&slice.offset)]
}

/// Columns that [`read_lead`] reads.
pub(super) const LEAD_COLUMNS: &str = "id, first_name, last_name, phone, phone2, phone_normalized, phone_normalized2, \
     email, address1, address2, city, state, zip, country, timezone, lat, lng, original_identifier, support_site, \
     purchase_site, purchase_date, purchase_amount, purchase_product_name, birthdate, do_not_call, blacklisted, \
     import_id, custom_fields, created_at, updated_at, global_updated_at";

pub(super) fn read_lead(row: &dyn Row) -> Result<Lead, StoreError> {
    Ok(Lead {
        id: LeadId(row.get(0)?),
        first_name: row.get(1)?,
        last_name: row.get(2)?,
        phone: row.get(3)?,
        phone2: row.get(4)?,
        phone_normalized: row.get(5)?,
        phone_normalized2: row.get(6)?,
        email: row.get(7)?,
        address1: row.get(8)?,
        address2: row.get(9)?,
        city: row.get(10)?,
        state: row.get(11)?,
        zip: row.get(12)?,
        country: row.get(13)?,
        timezone: row.get(14)?,
        lat: row.get(15)?,
        lng: row.get(16)?,
        original_identifier: row.get(17)?,
        support_site: row.get(18)?,
        purchase_site: row.get(19)?,
        purchase_date: row.get(20)?,
        purchase_amount: row.get(21)?,
        purchase_product_name: row.get(22)?,
        birthdate: row.get(23)?,
        do_not_call: row.get(24)?,
        blacklisted: row.get(25)?,
        import_id: row.get::<Option<i64>>(26)?.map(ImportId),
        custom_fields: row.json(27)?,
        created_at: row.get(28)?,
        updated_at: row.get(29)?,
        global_updated_at: row.get(30)?,
    })
}

/// Values of [`LEAD_COLUMNS`] up to `updated_at`; `?1` is the id, null for a new lead.
pub(super) fn lead_binds(lead: &Lead) -> [Bind; 30] {
    binds![
        new_id(lead.id.0),
        lead.first_name,
        lead.last_name,
        lead.phone,
        lead.phone2,
        lead.phone_normalized,
        lead.phone_normalized2,
        lead.email,
        lead.address1,
        lead.address2,
        lead.city,
        lead.state,
        lead.zip,
        lead.country,
        lead.timezone,
        lead.lat,
        lead.lng,
        lead.original_identifier,
        lead.support_site,
        lead.purchase_site,
        lead.purchase_date,
        lead.purchase_amount,
        lead.purchase_product_name,
        lead.birthdate,
        lead.do_not_call,
        lead.blacklisted,
        lead.import_id.map(|import| import.0),
        Bind::json(&lead.custom_fields),
        lead.created_at,
        lead.updated_at,
    ]
}

/// Columns that [`read_campaign_lead`] reads.
pub(super) const CAMPAIGN_LEAD_COLUMNS: &str = "c.id, c.lead_id, c.campaign_id, c.status, c.weight, c.calls_count, \
     c.calls_today, c.last_call_at, c.last_call_status, c.freeze_until, c.callback_at, c.assigned_user_id, \
     c.created_at, c.updated_at";

pub(super) fn read_campaign_lead(row: &dyn Row) -> Result<CampaignLead, StoreError> {
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

pub(super) fn read_campaign(row: &dyn Row) -> Result<Campaign, StoreError> {
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

pub(super) fn read_call(row: &dyn Row) -> Result<Call, StoreError> {
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
pub(super) fn read_recording(row: &dyn Row, first_column: usize) -> Result<Recording, StoreError> {
    Ok(Recording {
        state: row.get_enum(first_column, RecordingState::from_name)?,
        media_type: row.get(first_column + 1)?,
        channels: row.get(first_column + 2)?,
        sample_rate: row.get(first_column + 3)?,
        duration_seconds: row.get(first_column + 4)?,
        bytes: row.get(first_column + 5)?,
    })
}
