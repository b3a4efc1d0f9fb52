//! Mapping of fields to columns and to the values of leads and campaign leads.

use std::sync::Arc;

use leadscribe_engine::api::Lead;
use leadscribe_engine::filter::fields::{FIELDS, FieldId, Kind, Owner};
use leadscribe_engine::filter::{FieldValueRef, lead_value};
use roaring::RoaringBitmap;

use crate::column::{Cell, Column, SmallSet, TextColumn, Values};
use crate::key;
use crate::ranges::Ranges;
use crate::row::CampaignLeadRow;

/// Lead fields that have a column. The id has none, because slots are ordered by it.
pub(crate) const LEAD_FIELDS: std::ops::Range<usize> = 1..FieldId::CampaignLeadId as usize;

/// Campaign lead fields that have a column. Lead id and campaign id are known from the context.
pub(crate) const CAMPAIGN_FIELDS: [FieldId; 12] = [
    FieldId::CampaignLeadId,
    FieldId::Status,
    FieldId::Weight,
    FieldId::CallsCount,
    FieldId::CallsToday,
    FieldId::LastCallAt,
    FieldId::LastCallStatus,
    FieldId::FreezeUntil,
    FieldId::CallbackAt,
    FieldId::AssignedUserId,
    FieldId::CampaignCreatedAt,
    FieldId::CampaignUpdatedAt,
];

/// Creates the columns of leads, in the order of [`LEAD_FIELDS`].
pub(crate) fn new_lead_columns() -> Vec<Arc<Column>> {
    FIELDS[LEAD_FIELDS].iter().map(|field| Arc::new(new_column(field.id))).collect()
}

/// Creates the columns of a campaign's leads, in the order of [`CAMPAIGN_FIELDS`].
pub(crate) fn new_campaign_columns() -> Vec<Arc<Column>> {
    CAMPAIGN_FIELDS.iter().map(|id| Arc::new(new_column(*id))).collect()
}

/// Position of a lead field's column.
pub(crate) fn lead_column_index(field: FieldId) -> usize {
    field as usize - LEAD_FIELDS.start
}

/// Position of a campaign lead field's column.
pub(crate) fn campaign_column_index(id: FieldId) -> Option<usize> {
    CAMPAIGN_FIELDS.iter().position(|column_field| *column_field == id)
}

/// True if the values of a field are kept in order, so that several comparisons with it form one range.
pub(crate) fn is_ranged(id: FieldId) -> bool {
    match id.field().kind {
        Kind::Number | Kind::DateTime | Kind::Date => true,
        Kind::Integer => matches!(id, FieldId::Id | FieldId::CampaignLeadId),
        Kind::Text | Kind::Boolean | Kind::Custom => false,
    }
}

fn new_column(id: FieldId) -> Column {
    let field = id.field();
    let values = match field.kind {
        _ if is_ranged(id) => Values::Ranges(Ranges::default()),
        Kind::Text => Values::Texts(TextColumn::default()),
        Kind::Boolean => Values::Flags(RoaringBitmap::new()),
        _ => Values::SmallSet(SmallSet::default()),
    };
    debug_assert!(field.owner != Owner::Campaign, "campaign fields have no column per lead");
    Column::new(values, field.nullable)
}

/// Value of a lead's field, as stored in its column.
pub(crate) fn lead_cell(id: FieldId, lead: &Lead) -> Option<Cell<'_>> {
    lead_value(id, lead).map(|value| match value {
        FieldValueRef::Integer(integer) => Cell::Key(integer),
        FieldValueRef::Number(number) => Cell::Key(key::from_number(number)),
        FieldValueRef::Text(text) => Cell::Text(text),
        FieldValueRef::Boolean(flag) => Cell::Flag(flag),
        FieldValueRef::Time(time) => Cell::Key(key::from_time(time)),
    })
}

/// Value of a campaign lead's field, as stored in its column.
pub(crate) fn campaign_lead_cell<'a>(id: FieldId, row: &CampaignLeadRow<'a>) -> Option<Cell<'a>> {
    match id {
        FieldId::CampaignLeadId => Some(Cell::Key(row.id.0)),
        FieldId::Status => Some(Cell::Text(row.status)),
        FieldId::Weight => Some(Cell::Key(row.weight)),
        FieldId::CallsCount => Some(Cell::Key(row.calls_count.into())),
        FieldId::CallsToday => Some(Cell::Key(row.calls_today.into())),
        FieldId::LastCallAt => row.last_call_at.map(Cell::Key),
        FieldId::LastCallStatus => row.last_call_status.map(Cell::Text),
        FieldId::FreezeUntil => row.freeze_until.map(Cell::Key),
        FieldId::CallbackAt => row.callback_at.map(Cell::Key),
        FieldId::AssignedUserId => row.assigned_user_id.map(|user| Cell::Key(user.0)),
        FieldId::CampaignCreatedAt => Some(Cell::Key(row.created_at)),
        FieldId::CampaignUpdatedAt => Some(Cell::Key(row.updated_at)),
        _ => None,
    }
}
