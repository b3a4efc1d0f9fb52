//! Formats leads as CSV cells: the reverse of [`super::CsvReader`].

use std::borrow::Cow;

use chrono::SecondsFormat;

use crate::api::{CampaignDetails, CustomValue, Lead, Timestamp};
use crate::filter::fields::{CUSTOM_PREFIX, FieldId};

/// Returns a lead's value in an import column: a field of the lead, or `custom.<name>`. `None` without a value, and for unknown columns.
pub fn lead_cell<'a>(lead: &'a Lead, column: &str) -> Option<Cow<'a, str>> {
    match column {
        "id" => Some(lead.id.to_string().into()),
        "first_name" => text_cell(&lead.first_name),
        "last_name" => text_cell(&lead.last_name),
        "phone" => text_cell(&lead.phone),
        "phone2" => text_cell(&lead.phone2),
        "phone_normalized" => text_cell(&lead.phone_normalized),
        "phone_normalized2" => text_cell(&lead.phone_normalized2),
        "email" => text_cell(&lead.email),
        "address1" => text_cell(&lead.address1),
        "address2" => text_cell(&lead.address2),
        "city" => text_cell(&lead.city),
        "state" => text_cell(&lead.state),
        "zip" => text_cell(&lead.zip),
        "country" => text_cell(&lead.country),
        "timezone" => text_cell(&lead.timezone),
        "lat" => display_cell(lead.lat),
        "lng" => display_cell(lead.lng),
        "original_identifier" => text_cell(&lead.original_identifier),
        "support_site" => text_cell(&lead.support_site),
        "purchase_site" => text_cell(&lead.purchase_site),
        "purchase_date" => display_cell(lead.purchase_date),
        "purchase_amount" => lead.purchase_amount.map(|amount| amount_cell(amount).into()),
        "purchase_product_name" => text_cell(&lead.purchase_product_name),
        "birthdate" => display_cell(lead.birthdate),
        "do_not_call" => display_cell(Some(lead.do_not_call)),
        "blacklisted" => display_cell(Some(lead.blacklisted)),
        "import_id" => display_cell(lead.import_id),
        "created_at" => time_cell(lead.created_at),
        "updated_at" => time_cell(lead.updated_at),
        "global_updated_at" => time_cell(lead.global_updated_at),
        _ => lead.custom_fields.get(column.strip_prefix(CUSTOM_PREFIX)?).map(custom_cell),
    }
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
        FieldId::LastCallStatus => text_cell(&details.last_call_status),
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

fn text_cell(value: &Option<String>) -> Option<Cow<'_, str>> {
    value.as_deref().map(Cow::from)
}

/// Also used for numbers: Rust writes them in plain digits without an exponent, and they read back unchanged.
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
    use crate::record::LeadRecord;

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
        let cells: Vec<_> = columns.iter().map(|column| lead_cell(&lead, column).expect(column)).collect();
        let record = LeadRecord::csv(&columns).unwrap().row(&cells).unwrap();
        assert_eq!(record.create(record.id.unwrap(), at), lead);
        assert_eq!(lead_cell(&lead, "global_updated_at").as_deref(), Some("2026-05-01T09:30:00.000001Z"));
        for amount in [1.234, -12.5, 1_234_567.891, 1e11, 0.125] {
            let lead = crate::api::Lead { purchase_amount: Some(amount), ..lead.clone() };
            let cell = lead_cell(&lead, "purchase_amount").unwrap();
            let record = LeadRecord::csv(&["id", "purchase_amount"]).unwrap().row(&["7", &*cell]).unwrap();
            assert_eq!(record.purchase_amount, Some(Some(amount)), "{cell}");
        }
        for column in ["custom.none", "custom_fields", "tier"] {
            assert_eq!(lead_cell(&lead, column), None, "{column}");
        }
    }
}
