//! Formats leads as CSV cells: the reverse of [`super::CsvReader`].

use std::borrow::Cow;

use chrono::SecondsFormat;

use crate::api::{CampaignDetails, CustomValue, Lead, Timestamp};
use crate::filter::fields::{FieldId, Kind};
use crate::filter::{FieldValueRef, lead_value};

/// Returns the value of a field of the lead. `None` without a value, and for fields of campaign leads and campaigns.
pub fn lead_cell(lead: &Lead, field: FieldId) -> Option<Cow<'_, str>> {
    Some(match lead_value(field, lead)? {
        FieldValueRef::Integer(integer) => integer.to_string().into(),
        FieldValueRef::Number(amount) if field == FieldId::PurchaseAmount => amount_cell(amount).into(),
        // Rust writes numbers in plain digits without an exponent, and they read back unchanged.
        FieldValueRef::Number(number) => number.to_string().into(),
        FieldValueRef::Text(text) => text.into(),
        FieldValueRef::Boolean(flag) => flag.to_string().into(),
        FieldValueRef::Time(time) if field.field().kind == Kind::Date => time.date_naive().to_string().into(),
        FieldValueRef::Time(time) => return time_cell(time),
    })
}

/// Returns the value of a field of the campaign lead or its campaign. `None` without a value, and for fields of the lead.
pub fn campaign_cell(details: &CampaignDetails, field: FieldId) -> Option<Cow<'_, str>> {
    match field {
        FieldId::CampaignLeadId => display_cell(Some(details.campaign_lead_id)),
        FieldId::CampaignId => display_cell(Some(details.campaign_id)),
        FieldId::CampaignName => Some(details.campaign_name.as_str().into()),
        FieldId::Status => Some(details.status.as_str().into()),
        FieldId::Weight => display_cell(Some(details.weight)),
        FieldId::CallsCount => display_cell(Some(details.calls_count)),
        FieldId::CallsToday => display_cell(Some(details.calls_today)),
        FieldId::LastCallAt => details.last_call_at.and_then(time_cell),
        FieldId::LastCallStatus => details.last_call_status.as_deref().map(Cow::from),
        FieldId::FreezeUntil => details.freeze_until.and_then(time_cell),
        FieldId::CallbackAt => details.callback_at.and_then(time_cell),
        FieldId::AssignedUserId => display_cell(details.assigned_user_id),
        FieldId::CampaignCreatedAt => time_cell(details.created_at),
        FieldId::CampaignUpdatedAt => time_cell(details.updated_at),
        _ => None,
    }
}

/// Returns the value of a custom field as text.
pub fn custom_cell(value: &CustomValue) -> Cow<'_, str> {
    match value {
        CustomValue::Bool(value) => value.to_string().into(),
        CustomValue::Integer(value) => value.to_string().into(),
        CustomValue::Number(value) => value.to_string().into(),
        CustomValue::Text(value) => value.into(),
    }
}

fn display_cell(value: Option<impl ToString>) -> Option<Cow<'static, str>> {
    value.map(|value| value.to_string().into())
}

/// Formats a number unambiguously: in `1.234`, the point could separate thousands.
fn amount_cell(value: f64) -> String {
    let text = value.to_string();
    let has_three_decimals = text.split_once('.').is_some_and(|(_, decimals)| decimals.len() == 3);
    if has_three_decimals { text + "0" } else { text }
}

pub(super) fn time_cell(timestamp: Timestamp) -> Option<Cow<'static, str>> {
    Some(timestamp.to_rfc3339_opts(SecondsFormat::AutoSi, true).into())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::LeadId;
    use crate::record::{CsvReader, LeadColumn, LeadRecord, Mapping};

    #[test]
    fn cells_round_trip() {
        let full = r#"{"first_name":"Ann","last_name":"O\"B, é","phone":"030 1","phone2":"030 2","phone_normalized":"+49301",
            "phone_normalized2":"+49302","email":"a@b","address1":"a\nb","address2":"c","city":"Bonn","state":"s","zip":"0123",
            "country":"DE","timezone":"Europe/Berlin","lat":-33.9,"lng":1e-7,"original_identifier":"x","support_site":"s1",
            "purchase_site":"s2","purchase_date":"2026-04-01","purchase_amount":1e11,"purchase_product_name":"p",
            "birthdate":"1969-12-31","do_not_call":true,"blacklisted":true,"custom_fields":{"tier":"gold"}}"#;
        let at = "2026-05-01T09:30:00.000001Z".parse().unwrap();
        let lead = LeadRecord::from_json(full, super::super::WriteMode::Create).unwrap().create(LeadId(7), at);
        let columns: Vec<_> = LeadRecord::columns().chain(["custom.tier"]).collect();
        let cell = |column: &str| LeadColumn::from_name(column).expect(column).own_cell(&lead);
        let cells: Vec<_> = columns.iter().map(|column| cell(column).unwrap_or_default()).collect();
        let record = CsvReader::<LeadRecord>::new(&columns, &Mapping::default()).unwrap().row(&cells).unwrap();
        assert_eq!(record.create(record.id.unwrap(), at), lead);
        assert_eq!(cell("global_updated_at").as_deref(), Some("2026-05-01T09:30:00.000001Z"));
        for amount in [1.234, -12.5, 1_234_567.891, 1e11, 0.125] {
            let lead = crate::api::Lead { purchase_amount: Some(amount), ..lead.clone() };
            let cell = lead_cell(&lead, FieldId::PurchaseAmount).unwrap();
            let record = CsvReader::<LeadRecord>::new(&["id", "purchase_amount"], &Mapping::default())
                .unwrap()
                .row(&["7", &*cell])
                .unwrap();
            assert_eq!(record.purchase_amount, Some(Some(amount)), "{cell}");
        }
        assert_eq!((cell("custom.none"), lead_cell(&lead, FieldId::Status)), (None, None));
    }
}
