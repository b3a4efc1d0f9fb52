//! Rows and the types they hold. Columns are read by position: each list of columns stands beside the function that
//! reads it.

use leadscribe_engine::api::*;
use rusqlite::types::{FromSql, FromSqlError, FromSqlResult, ToSql, ToSqlOutput, Type, ValueRef};
use rusqlite::{Connection, Params, Row};
use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::storage::Slice;

/// A moment, stored as microseconds since 1970 in UTC.
#[derive(Clone, Copy)]
pub(super) struct Micros(pub Timestamp);

impl ToSql for Micros {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.timestamp_micros().into())
    }
}

impl FromSql for Micros {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        let micros = value.as_i64()?;
        Timestamp::from_timestamp_micros(micros).map(Self).ok_or(FromSqlError::OutOfRange(micros))
    }
}

/// A date, stored as its midnight in UTC.
struct Midnight(chrono::NaiveDate);

impl ToSql for Midnight {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        Ok(self.0.and_time(chrono::NaiveTime::MIN).and_utc().timestamp_micros().into())
    }
}

impl FromSql for Midnight {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        Micros::column_result(value).map(|moment| Self(moment.0.date_naive()))
    }
}

/// Anything that is stored as JSON text.
pub(super) struct Json<T>(pub T);

impl<T: Serialize> ToSql for Json<T> {
    fn to_sql(&self) -> rusqlite::Result<ToSqlOutput<'_>> {
        let text =
            serde_json::to_string(&self.0).map_err(|error| rusqlite::Error::ToSqlConversionFailure(error.into()))?;
        Ok(text.into())
    }
}

impl<T: DeserializeOwned> FromSql for Json<T> {
    fn column_result(value: ValueRef<'_>) -> FromSqlResult<Self> {
        serde_json::from_str(value.as_str()?).map(Self).map_err(FromSqlError::other)
    }
}

/// The moment in a column that may be null.
pub(super) fn moment(row: &Row<'_>, column: usize) -> rusqlite::Result<Option<Timestamp>> {
    Ok(row.get::<_, Option<Micros>>(column)?.map(|moment| moment.0))
}

/// For a parameter that may be null.
pub(super) fn micros(moment: Option<Timestamp>) -> Option<Micros> {
    moment.map(Micros)
}

/// The value of a closed list in a column.
pub(super) fn named<T>(row: &Row<'_>, column: usize, from_name: fn(&str) -> Option<T>) -> rusqlite::Result<T> {
    let name = row.get_ref(column)?.as_str()?;
    from_name(name).ok_or_else(|| {
        let cause = format!("`{name}` is not in the closed list of this column");
        rusqlite::Error::FromSqlConversionFailure(column, Type::Text, cause.into())
    })
}

/// The number a statement counts.
pub(super) fn count(connection: &Connection, sql: &str, params: impl Params) -> rusqlite::Result<u64> {
    connection.prepare_cached(sql)?.query_row(params, |row| row.get(0))
}

/// `LIMIT ? OFFSET ?`. Offsets beyond what SQLite counts to are beyond every table too.
pub(super) fn slice_params(slice: Slice) -> [i64; 2] {
    [i64::from(slice.count), i64::try_from(slice.offset).unwrap_or(i64::MAX)]
}

/// What [`lead`] reads, and after the id what [`lead_params`] gives.
pub(super) const LEAD_COLUMNS: &str = "id, first_name, last_name, phone, phone2, phone_normalized, phone_normalized2, \
     email, address1, address2, city, state, zip, country, timezone, lat, lng, original_identifier, support_site, \
     purchase_site, purchase_date, purchase_amount, purchase_product_name, birthdate, do_not_call, blacklisted, \
     custom_fields, created_at, updated_at, global_updated_at";

pub(super) fn lead(row: &Row<'_>) -> rusqlite::Result<Lead> {
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
        purchase_date: row.get::<_, Option<Midnight>>(20)?.map(|date| date.0),
        purchase_amount: row.get(21)?,
        purchase_product_name: row.get(22)?,
        birthdate: row.get::<_, Option<Midnight>>(23)?.map(|date| date.0),
        do_not_call: row.get(24)?,
        blacklisted: row.get(25)?,
        custom_fields: row.get::<_, Json<_>>(26)?.0,
        created_at: row.get::<_, Micros>(27)?.0,
        updated_at: row.get::<_, Micros>(28)?.0,
        global_updated_at: row.get::<_, Micros>(29)?.0,
    })
}

/// Gives the parameters of a lead to `run`: ?1 is the id, null for a new one, then the columns up to `updated_at`.
pub(super) fn with_lead_params<T>(
    lead: &Lead,
    run: impl FnOnce(&[&dyn ToSql]) -> rusqlite::Result<T>,
) -> rusqlite::Result<T> {
    run(&[
        &(lead.id.0 != 0).then_some(lead.id.0),
        &lead.first_name,
        &lead.last_name,
        &lead.phone,
        &lead.phone2,
        &lead.phone_normalized,
        &lead.phone_normalized2,
        &lead.email,
        &lead.address1,
        &lead.address2,
        &lead.city,
        &lead.state,
        &lead.zip,
        &lead.country,
        &lead.timezone,
        &lead.lat,
        &lead.lng,
        &lead.original_identifier,
        &lead.support_site,
        &lead.purchase_site,
        &lead.purchase_date.map(Midnight),
        &lead.purchase_amount,
        &lead.purchase_product_name,
        &lead.birthdate.map(Midnight),
        &lead.do_not_call,
        &lead.blacklisted,
        &Json(&lead.custom_fields),
        &Micros(lead.created_at),
        &Micros(lead.updated_at),
    ])
}

/// What [`campaign_lead`] reads.
pub(super) const CAMPAIGN_LEAD_COLUMNS: &str = "c.id, c.lead_id, c.campaign_id, c.status, c.weight, c.calls_count, \
     c.calls_today, c.last_call_at, c.last_call_status, c.freeze_until, c.callback_at, c.assigned_user_id, \
     c.created_at, c.updated_at";

pub(super) fn campaign_lead(row: &Row<'_>) -> rusqlite::Result<CampaignLead> {
    Ok(CampaignLead {
        id: CampaignLeadId(row.get(0)?),
        lead_id: LeadId(row.get(1)?),
        campaign_id: CampaignId(row.get(2)?),
        status: row.get(3)?,
        weight: row.get(4)?,
        calls_count: row.get(5)?,
        calls_today: row.get(6)?,
        last_call_at: moment(row, 7)?,
        last_call_status: row.get(8)?,
        freeze_until: moment(row, 9)?,
        callback_at: moment(row, 10)?,
        assigned_user_id: row.get::<_, Option<i64>>(11)?.map(UserId),
        created_at: row.get::<_, Micros>(12)?.0,
        updated_at: row.get::<_, Micros>(13)?.0,
    })
}

/// What [`campaign`] reads.
pub(super) const CAMPAIGN_COLUMNS: &str =
    "id, name, active, calling_hours, max_attempts, daily_attempts, freeze_minutes, created_at, updated_at";

pub(super) fn campaign(row: &Row<'_>) -> rusqlite::Result<Campaign> {
    Ok(Campaign {
        id: CampaignId(row.get(0)?),
        name: row.get(1)?,
        active: row.get(2)?,
        calling_hours: row.get::<_, Option<Json<_>>>(3)?.map(|hours| hours.0),
        max_attempts: row.get(4)?,
        daily_attempts: row.get(5)?,
        freeze_minutes: row.get(6)?,
        created_at: row.get::<_, Micros>(7)?.0,
        updated_at: row.get::<_, Micros>(8)?.0,
    })
}

/// What [`call`] reads.
pub(super) const CALL_COLUMNS: &str = "id, lead_id, campaign_lead_id, campaign_id, agent, direction, caller_number, \
     callee_number, status, started_at, ended_at, created_at, recording_state, media_type, channels, sample_rate, \
     duration_seconds, bytes, \
     (SELECT t.state FROM transcriptions t WHERE t.call_id = calls.id ORDER BY t.id DESC LIMIT 1)";

pub(super) fn call(row: &Row<'_>) -> rusqlite::Result<Call> {
    Ok(Call {
        id: CallId(row.get(0)?),
        lead_id: row.get::<_, Option<i64>>(1)?.map(LeadId),
        campaign_lead_id: row.get::<_, Option<i64>>(2)?.map(CampaignLeadId),
        campaign_id: row.get::<_, Option<i64>>(3)?.map(CampaignId),
        agent: row.get(4)?,
        direction: named(row, 5, Direction::from_name)?,
        caller_number: row.get(6)?,
        callee_number: row.get(7)?,
        status: named(row, 8, CallStatus::from_name)?,
        started_at: moment(row, 9)?,
        ended_at: moment(row, 10)?,
        created_at: row.get::<_, Micros>(11)?.0,
        recording: recording(row, 12)?,
        transcription_state: match row.get_ref(18)? {
            ValueRef::Null => None,
            _ => Some(named(row, 18, TranscriptionState::from_name)?),
        },
    })
}

/// What is known of a recording, from `recording_state` at `first` to `bytes`.
pub(super) fn recording(row: &Row<'_>, first: usize) -> rusqlite::Result<Recording> {
    Ok(Recording {
        state: named(row, first, RecordingState::from_name)?,
        media_type: row.get(first + 1)?,
        channels: row.get(first + 2)?,
        sample_rate: row.get(first + 3)?,
        duration_seconds: row.get(first + 4)?,
        bytes: row.get(first + 5)?,
    })
}
