//! Tests the meaning of filters: the leads that match, and that query pairs are equivalent to JSON.

use super::fields::{FIELDS, Kind, Owner};
use super::predicate::{CampaignSelection, Cursor, Limit, OrderKey, Value};
use super::*;
use crate::api::{CampaignId, CampaignLead, CampaignLeadId, CustomValue, Lead, LeadId, Timestamp};

pub(super) fn timestamp(text: &str) -> Timestamp {
    crate::time::parse(text).unwrap()
}

pub(super) fn lead() -> Lead {
    let json = r#"{"id":5,"custom_fields":{},"do_not_call":false,"blacklisted":false,"created_at":"2026-01-01T00:00:00Z",
        "updated_at":"2026-02-01T00:00:00Z","global_updated_at":"2026-03-01T00:00:00Z"}"#;
    let mut lead: Lead = serde_json::from_str(json).unwrap();
    lead.first_name = Some("Ann".into());
    lead.city = Some("Köln am Rhein".into());
    lead.lat = Some(50.9);
    lead.birthdate = "1990-06-15".parse().ok();
    lead.custom_fields.insert("score".into(), CustomValue::Integer(7));
    lead.custom_fields.insert("code".into(), CustomValue::Text("7".into()));
    lead.custom_fields.insert("ratio".into(), CustomValue::Number(7.0));
    lead.custom_fields.insert("vip".into(), CustomValue::Bool(true));
    lead
}

pub(super) fn campaign_lead(id: i64, campaign: i64, status: &str) -> CampaignLead {
    CampaignLead {
        id: CampaignLeadId(id),
        lead_id: LeadId(5),
        campaign_id: CampaignId(campaign),
        status: status.to_owned(),
        weight: 10,
        calls_count: 3,
        calls_today: 2,
        last_call_at: Some(timestamp("2026-05-01 08:00:00")),
        last_call_status: Some("busy".to_owned()),
        freeze_until: None,
        callback_at: None,
        assigned_user_id: None,
        created_at: timestamp("2026-01-02 00:00:00"),
        updated_at: timestamp("2026-04-01 00:00:00"),
    }
}

/// Evaluates a filter on a lead that is in campaign 7 as `new` and in campaign 8 as `closed`.
fn is_match_at(text: &str, now: &str) -> bool {
    let campaign_leads =
        [(campaign_lead(1, 7, "new"), "Spring".to_owned()), (campaign_lead(2, 8, "closed"), "Autumn".to_owned())];
    let filter = parse_and_check(text, &Limits::default()).unwrap();
    filter.matches(&Row { lead: &lead(), campaign_leads: &campaign_leads }, timestamp(now))
}

fn is_match(text: &str) -> bool {
    is_match_at(text, "2026-05-01 12:00:00")
}

#[track_caller]
fn assert_matches(text: &str) {
    assert!(is_match(text), "{text}");
}

#[track_caller]
fn assert_no_match(text: &str) {
    assert!(!is_match(text), "{text}");
}

#[test]
fn evaluates_equality_and_lists() {
    assert_matches(r#"{"id":5}"#);
    assert_no_match(r#"{"id":6}"#);
    assert_matches(r#"{"id":[6,5]}"#);
    assert_no_match(r#"{"id":[]}"#);
    assert_matches(r#"{"first_name":"Ann"}"#);
    assert_no_match(r#"{"first_name":"ann"}"#);
    assert_matches(r#"{"do_not_call":false}"#);
    assert_matches(r#"{"birthdate":"1990-06-15"}"#);
    assert_matches(r#"{"birthdate":"1990-06-15 00:00:00;<="}"#);
    assert_matches(r#"{"created_at":"2026-01-01T01:00:00+01:00"}"#);
    assert_matches(r#"{"lat":5.09e1}"#);
}

#[test]
fn evaluates_every_lead_field() {
    let fields = FIELDS.iter().filter(|field| field.owner == Owner::Lead);
    let cases = (1..).zip(fields).map(|(number, field)| {
        let values = match field.kind {
            Kind::Text => [format!("\"{}-of-its-own\"", field.name()), "\"another\"".to_owned()],
            Kind::Integer => [number, -number].map(|value| value.to_string()),
            Kind::Number => [number, -number].map(|value| format!("{value}.25")),
            Kind::Boolean => ["true", "false"].map(str::to_owned),
            Kind::Date => [2000 + number, 1900].map(|year| format!("\"{year}-12-24\"")),
            Kind::DateTime => [2000 + number, 1900].map(|year| format!("\"{year}-12-24T00:00:00Z\"")),
            Kind::Custom => unreachable!("custom fields are not in the table"),
        };
        let [own_value, other_value] = values;
        (field.name(), own_value, other_value)
    });
    let cases: Vec<_> = cases.collect();
    let members: Vec<_> = cases.iter().map(|(name, own_value, _)| format!("\"{name}\":{own_value}")).collect();
    let lead: Lead = serde_json::from_str(&format!("{{\"custom_fields\":{{}},{}}}", members.join(","))).unwrap();
    let row = Row { lead: &lead, campaign_leads: &[] };
    for (name, own_value, other_value) in cases {
        let is_match = |value: &str| {
            let filter = parse_and_check(&format!("{{\"{name}\":{value}}}"), &Limits::default()).unwrap();
            filter.matches(&row, timestamp("2026-05-01 12:00:00"))
        };
        assert!(is_match(&own_value) && !is_match(&other_value), "{name}");
    }
}

#[test]
fn evaluates_every_campaign_lead_field() {
    for (field, own_value, other_value) in [
        ("campaign_lead_id", "1", "3"),
        ("lead_id", "5", "6"),
        ("campaign_id", "7", "9"),
        ("campaign_name", "\"Spring\"", "\"Winter\""),
        ("status", "\"new\"", "\"busy\""),
        ("weight", "10", "11"),
        ("calls_count", "3", "4"),
        ("calls_today", "2", "3"),
        ("last_call_at", "\"2026-05-01 08:00:00\"", "\"2026-05-01 08:00:01\""),
        ("last_call_status", "\"busy\"", "\"failed\""),
        ("campaign_freeze_until", "null", "\"2026-05-01 08:00:00\""),
        ("callback_at", "null", "\"2026-05-01 08:00:00\""),
        ("assigned_user_id", "null", "1"),
        ("campaign_created_at", "\"2026-01-02 00:00:00\"", "\"2026-01-02 00:00:01\""),
        ("campaign_updated_at", "\"2026-04-01 00:00:00\"", "\"2026-04-01 00:00:01\""),
    ] {
        assert_matches(&format!(r#"{{"{field}":{own_value}}}"#));
        assert_no_match(&format!(r#"{{"{field}":{other_value}}}"#));
    }
}

#[test]
fn evaluates_missing_values() {
    assert_matches(r#"{"email":null}"#);
    assert_no_match(r#"{"first_name":null}"#);
    assert_matches(r#"{"email":["a@b.c",null]}"#);
    assert_matches(r#"{"email":{"not":["a@b.c"]}}"#);
    assert_no_match(r#"{"email":{"not":["a@b.c",null]}}"#);
    assert_matches(r#"{"first_name":{"not":null}}"#);
    assert_matches(r#"{"first_name":{"null":false}}"#);
    assert_no_match(r#"{"email":{"contains":""}}"#);
    assert_no_match(r#"{"purchase_amount":"5;<"}"#);
    assert_matches(r#"{"purchase_amount":"5;!="}"#);
    assert_no_match(r#"{"id":null}"#);
    assert_matches(r#"{"custom.none":null}"#);
}

#[test]
fn evaluates_comparisons() {
    assert_matches(r#"{"updated_at":"2026-01-31 00:00:00;>|2026-02-01 00:00:00;<="}"#);
    assert_no_match(r#"{"updated_at":"2026-02-01 00:00:00;>"}"#);
    assert_matches(r#"{"id":"4;>|6;<"}"#);
    assert_no_match(r#"{"id":"5;!="}"#);
    assert_matches(r#"{"id":"5;="}"#);
    assert_matches(r#"{"id":{"gte":5,"lt":6}}"#);
    assert_no_match(r#"{"id":{"gte":5,"lt":5}}"#);
    assert_matches(r#"{"first_name":{"gt":"Am","lte":"Ann"}}"#);
}

#[test]
fn evaluates_text_operators() {
    assert_matches(r#"{"city":{"contains":"AM rh"}}"#);
    assert_matches(r#"{"city":{"starts_with":"kö"}}"#);
    assert_no_match(r#"{"city":{"starts_with":"KÖ"}}"#);
    assert_matches(r#"{"city":{"ends_with":"RHEIN"}}"#);
    assert_no_match(r#"{"city":{"ends_with":"n Köln am Rhein"}}"#);
    assert_matches(r#"{"city":{"contains":"","starts_with":"","ends_with":""}}"#);
}

#[test]
fn custom_fields_compare_by_stored_type() {
    assert_matches(r#"{"custom.score":7}"#);
    assert_matches(r#"{"custom.score":7.0}"#);
    assert_no_match(r#"{"custom.score":"7"}"#);
    assert_matches(r#"{"custom.code":"7"}"#);
    assert_no_match(r#"{"custom.code":7}"#);
    assert_matches(r#"{"custom.ratio":7}"#);
    assert_matches(r#"{"custom.score":{"gt":6.5,"lt":7.5}}"#);
    assert_no_match(r#"{"custom.score":{"gt":"6"}}"#);
    assert_matches(r#"{"custom.code":{"gt":"6","contains":"7"}}"#);
    assert_no_match(r#"{"custom.score":{"contains":"7"}}"#);
    assert_matches(r#"{"custom.vip":true}"#);
    assert_matches(r#"{"custom.score":{"not":"7"}}"#);
}

#[test]
fn campaign_keys_match_the_same_campaign_lead() {
    assert_matches(r#"{"campaign_id":7,"status":"new"}"#);
    assert_no_match(r#"{"campaign_id":7,"status":"closed"}"#);
    assert_matches(r#"{"_and":[{"campaign_name":"Spring"},{"status":"new"}]}"#);
    assert_no_match(r#"{"_and":[{"campaign_name":"Spring"},{"status":"closed"}]}"#);
    assert_matches(r#"{"campaign_id":7,"_or":[{"status":"new"},{"weight":99}]}"#);
    assert_no_match(r#"{"campaign_id":7,"_or":[{"status":"closed"},{"weight":99}]}"#);
    assert_matches(r#"{"_or":[{"status":"nothing"},{"first_name":"Ann"}]}"#);
}

#[test]
fn calls_today_depends_on_now() {
    assert!(is_match_at(r#"{"calls_today":2}"#, "2026-05-01 23:59:59"));
    assert!(!is_match_at(r#"{"calls_today":2}"#, "2026-05-02 00:00:00"));
    assert!(is_match_at(r#"{"calls_today":0}"#, "2026-05-02 00:00:00"));
}

#[test]
fn campaign_conditions_fail_without_campaign_leads() {
    for text in [r#"{"freeze_until":null}"#, r#"{"status":{"not":"closed"}}"#, r#"{"campaign_id":{"null":false}}"#] {
        let filter = parse_and_check(text, &Limits::default()).unwrap();
        assert!(
            !filter.matches(&Row { lead: &lead(), campaign_leads: &[] }, timestamp("2026-05-01 12:00:00")),
            "{text}"
        );
    }
    let alternatives =
        parse_and_check(r#"{"_or":[{"status":"new"},{"first_name":"Ann"}]}"#, &Limits::default()).unwrap();
    assert!(alternatives.matches(&Row { lead: &lead(), campaign_leads: &[] }, timestamp("2026-05-01 12:00:00")));
}

#[test]
fn checks_controls() {
    let filter = parse_and_check(
        r#"{"limit":"0;0","_order":["-updated_at","city"],"_cursor":null,"_fields":["phone","campaigns"],"_campaigns":"all"}"#,
        &Limits::default(),
    )
    .unwrap();
    assert_eq!(filter.limit, Limit { count: 0, offset: 0 });
    let key = |field, descending| OrderKey { field, descending };
    use fields::FieldId::{City, Id, UpdatedAt};
    assert_eq!(filter.order, [key(UpdatedAt, true), key(City, false), key(Id, false)]);
    assert_eq!(filter.cursor, Some(Cursor::Start));
    assert_eq!(filter.fields.unwrap().into_iter().collect::<Vec<_>>(), ["campaigns", "id", "phone"]);
    assert_eq!(filter.campaigns, CampaignSelection::All);

    let plain = parse_and_check(r#"{"id":1}"#, &Limits { max_count: 50 }).unwrap();
    assert_eq!((plain.limit, plain.order), (Limit { count: 50, offset: 0 }, vec![key(Id, false)]));
    let by_id = parse_and_check(r#"{"_order":["-id","city"]}"#, &Limits::default()).unwrap();
    assert_eq!(by_id.order, [key(Id, true)]);
}

#[test]
fn cursor_round_trips() {
    let order = parse_and_check(r#"{"_order":["lat","-birthdate","city","email"]}"#, &Limits::default()).unwrap().order;
    let mut lead = lead();
    lead.lat = Some(0.1 + 0.2);
    let text = cursor::encode_after(&order, &lead);
    assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')));
    let values = [
        Some(Value::Number(0.1 + 0.2)),
        Some(Value::Time(timestamp("1990-06-15 00:00:00"))),
        Some(Value::Text("Köln am Rhein".into())),
        None,
        Some(Value::Integer(5)),
    ];
    assert_eq!(cursor::decode(&order, &text).unwrap(), values);
    let filter = format!(r#"{{"_order":["lat","-birthdate","city","email"],"_cursor":"{text}"}}"#);
    assert_eq!(parse_and_check(&filter, &Limits::default()).unwrap().cursor, Some(Cursor::After(values.to_vec())));
    assert_eq!(cursor::decode(&order[..2], &text), Err(cursor::CursorError::DifferentOrder));
}

#[track_caller]
fn assert_pairs_equal(pairs: &[(&str, &str)], json: &str) {
    let pairs: Vec<(String, String)> = pairs.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    assert_eq!(parse_pairs(&pairs, &Limits::default()), parse_and_check(json, &Limits::default()), "{pairs:?}");
}

#[test]
fn query_pairs_are_equivalent_to_json() {
    assert_pairs_equal(&[("limit", "500;0")], r#"{"limit":"500;0"}"#);
    assert_pairs_equal(&[("id", "7"), ("city", "7")], r#"{"id":7,"city":"7"}"#);
    assert_pairs_equal(&[("id", "7"), ("city", "Bonn"), ("id", "8")], r#"{"id":[7,8],"city":"Bonn"}"#);
    assert_pairs_equal(&[("created_at", "2023-12-21 13:15:11;>")], r#"{"created_at":"2023-12-21 13:15:11;>"}"#);
    assert_pairs_equal(&[("do_not_call", "true"), ("lat", "1.5")], r#"{"do_not_call":true,"lat":1.5}"#);
    assert_pairs_equal(&[("email[null]", "true")], r#"{"email":{"null":true}}"#);
    assert_pairs_equal(&[("status[not]", "new"), ("status[not]", "busy")], r#"{"status":{"not":["new","busy"]}}"#);
    assert_pairs_equal(&[("status[in]", "new")], r#"{"status":{"in":["new"]}}"#);
    assert_pairs_equal(&[("calls_count[gte]", "2"), ("calls_count[lt]", "5")], r#"{"calls_count":{"gte":2,"lt":5}}"#);
    assert_pairs_equal(&[("custom.score", "7")], r#"{"custom.score":[7,"7"]}"#);
    assert_pairs_equal(&[("custom.score[gt]", "7")], r#"{"custom.score":{"gt":7}}"#);
    assert_pairs_equal(
        &[("custom.code[starts_with]", "20"), ("custom.code[contains]", "true")],
        r#"{"custom.code":{"starts_with":"20","contains":"true"}}"#,
    );
    assert_pairs_equal(
        &[("_order", "-city,id"), ("_fields", "city,phone"), ("_campaigns", "all"), ("_cursor", "")],
        r#"{"_order":["-city","id"],"_fields":["city","phone"],"_campaigns":"all","_cursor":""}"#,
    );
    let all_leads = parse_pairs(&[], &Limits::default()).unwrap();
    assert_eq!(all_leads, parse_and_check(r#"{"limit":"200;0"}"#, &Limits::default()).unwrap());
}

#[test]
fn selectable_members_match_the_response() {
    let mut members: Vec<&str> = member_names().collect();
    members.sort_unstable();
    let lead = serde_json::to_value(lead()).unwrap();
    let mut response_members: Vec<&str> = lead.as_object().unwrap().keys().map(String::as_str).collect();
    response_members.extend(["campaigns", "not_callable_reasons"]);
    response_members.sort_unstable();
    assert_eq!(members, response_members);
}
