//! What filters mean: which leads they match, how they read, and that every way to write one says the same.

use super::form::{rows_of, to_filter};
use super::predicate::{CampaignsShown, Cursor, Limit, OrderKey, Value};
use super::*;
use crate::api::{CampaignId, CampaignLead, CampaignLeadId, CustomValue, Lead, LeadId, Timestamp};
use crate::wording::Language;

pub(super) fn at(text: &str) -> Timestamp {
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
        last_call_at: Some(at("2026-05-01 08:00:00")),
        last_call_status: Some("busy".to_owned()),
        freeze_until: None,
        callback_at: None,
        assigned_user_id: None,
        created_at: at("2026-01-02 00:00:00"),
        updated_at: at("2026-04-01 00:00:00"),
    }
}

/// The lead is in campaign 7 as `new` and in campaign 8 as `closed`.
fn matches_at(text: &str, now: &str) -> bool {
    let campaign_leads =
        [(campaign_lead(1, 7, "new"), "Spring".to_owned()), (campaign_lead(2, 8, "closed"), "Autumn".to_owned())];
    let filter = read(text, &Limits::default()).unwrap();
    filter.matches(&Row { lead: &lead(), campaign_leads: &campaign_leads }, at(now))
}

fn is_match(text: &str) -> bool {
    matches_at(text, "2026-05-01 12:00:00")
}

#[track_caller]
fn yes(text: &str) {
    assert!(is_match(text), "{text}");
}

#[track_caller]
fn no(text: &str) {
    assert!(!is_match(text), "{text}");
}

#[test]
fn equality_and_lists() {
    yes(r#"{"id":5}"#);
    no(r#"{"id":6}"#);
    yes(r#"{"id":[6,5]}"#);
    no(r#"{"id":[]}"#);
    yes(r#"{"first_name":"Ann"}"#);
    no(r#"{"first_name":"ann"}"#);
    yes(r#"{"do_not_call":false}"#);
    yes(r#"{"birthdate":"1990-06-15"}"#);
    yes(r#"{"birthdate":"1990-06-15 00:00:00;<="}"#);
    yes(r#"{"created_at":"2026-01-01T01:00:00+01:00"}"#);
    yes(r#"{"lat":5.09e1}"#);
}

#[test]
fn no_value() {
    yes(r#"{"email":null}"#);
    no(r#"{"first_name":null}"#);
    yes(r#"{"email":["a@b.c",null]}"#);
    yes(r#"{"email":{"not":["a@b.c"]}}"#);
    no(r#"{"email":{"not":["a@b.c",null]}}"#);
    yes(r#"{"first_name":{"not":null}}"#);
    yes(r#"{"first_name":{"null":false}}"#);
    no(r#"{"email":{"contains":""}}"#);
    no(r#"{"purchase_amount":"5;<"}"#);
    yes(r#"{"purchase_amount":"5;!="}"#);
    no(r#"{"id":null}"#);
    yes(r#"{"custom.none":null}"#);
}

#[test]
fn comparisons() {
    yes(r#"{"updated_at":"2026-01-31 00:00:00;>|2026-02-01 00:00:00;<="}"#);
    no(r#"{"updated_at":"2026-02-01 00:00:00;>"}"#);
    yes(r#"{"id":"4;>|6;<"}"#);
    no(r#"{"id":"5;!="}"#);
    yes(r#"{"id":"5;="}"#);
    yes(r#"{"id":{"gte":5,"lt":6}}"#);
    no(r#"{"id":{"gte":5,"lt":5}}"#);
    yes(r#"{"first_name":{"gt":"Am","lte":"Ann"}}"#);
}

#[test]
fn texts() {
    yes(r#"{"city":{"contains":"AM rh"}}"#);
    yes(r#"{"city":{"starts_with":"kö"}}"#);
    no(r#"{"city":{"starts_with":"KÖ"}}"#);
    yes(r#"{"city":{"ends_with":"RHEIN"}}"#);
    no(r#"{"city":{"ends_with":"n Köln am Rhein"}}"#);
    yes(r#"{"city":{"contains":"","starts_with":"","ends_with":""}}"#);
}

#[test]
fn custom_fields_compare_as_they_are_stored() {
    yes(r#"{"custom.score":7}"#);
    yes(r#"{"custom.score":7.0}"#);
    no(r#"{"custom.score":"7"}"#);
    yes(r#"{"custom.code":"7"}"#);
    no(r#"{"custom.code":7}"#);
    yes(r#"{"custom.ratio":7}"#);
    yes(r#"{"custom.score":{"gt":6.5,"lt":7.5}}"#);
    no(r#"{"custom.score":{"gt":"6"}}"#);
    yes(r#"{"custom.code":{"gt":"6","contains":"7"}}"#);
    no(r#"{"custom.score":{"contains":"7"}}"#);
    yes(r#"{"custom.vip":true}"#);
    yes(r#"{"custom.score":{"not":"7"}}"#);
}

#[test]
fn campaign_keys_hold_on_one_campaign_lead() {
    yes(r#"{"campaign_id":7,"status":"new"}"#);
    no(r#"{"campaign_id":7,"status":"closed"}"#);
    yes(r#"{"_and":[{"campaign_name":"Spring"},{"status":"new"}]}"#);
    no(r#"{"_and":[{"campaign_name":"Spring"},{"status":"closed"}]}"#);
    yes(r#"{"campaign_id":7,"_or":[{"status":"new"},{"weight":99}]}"#);
    no(r#"{"campaign_id":7,"_or":[{"status":"closed"},{"weight":99}]}"#);
    yes(r#"{"_or":[{"status":"nothing"},{"first_name":"Ann"}]}"#);
}

#[test]
fn calls_today_is_about_the_day_of_now() {
    assert!(matches_at(r#"{"calls_today":2}"#, "2026-05-01 23:59:59"));
    assert!(!matches_at(r#"{"calls_today":2}"#, "2026-05-02 00:00:00"));
    assert!(matches_at(r#"{"calls_today":0}"#, "2026-05-02 00:00:00"));
}

#[test]
fn without_a_campaign_lead_no_campaign_test_holds() {
    for text in [r#"{"freeze_until":null}"#, r#"{"status":{"not":"closed"}}"#, r#"{"campaign_id":{"null":false}}"#] {
        let filter = read(text, &Limits::default()).unwrap();
        assert!(!filter.matches(&Row { lead: &lead(), campaign_leads: &[] }, at("2026-05-01 12:00:00")), "{text}");
    }
    let either = read(r#"{"_or":[{"status":"new"},{"first_name":"Ann"}]}"#, &Limits::default()).unwrap();
    assert!(either.matches(&Row { lead: &lead(), campaign_leads: &[] }, at("2026-05-01 12:00:00")));
}

#[test]
fn controls() {
    let filter = read(
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
    assert_eq!(filter.campaigns, CampaignsShown::All);

    let plain = read(r#"{"id":1}"#, &Limits { max_count: 50 }).unwrap();
    assert_eq!((plain.limit, plain.order), (Limit { count: 50, offset: 0 }, vec![key(Id, false)]));
    let by_id = read(r#"{"_order":["-id","city"]}"#, &Limits::default()).unwrap();
    assert_eq!(by_id.order, [key(Id, true)]);
}

#[test]
fn a_cursor_comes_back_as_it_was() {
    let order = read(r#"{"_order":["lat","-birthdate","city","email"]}"#, &Limits::default()).unwrap().order;
    let mut lead = lead();
    lead.lat = Some(0.1 + 0.2);
    let text = cursor::after(&order, &lead);
    assert!(text.bytes().all(|byte| byte.is_ascii_alphanumeric() || matches!(byte, b'-' | b'_')));
    let values = [
        Some(Value::Number(0.1 + 0.2)),
        Some(Value::Time(at("1990-06-15 00:00:00"))),
        Some(Value::Text("Köln am Rhein".into())),
        None,
        Some(Value::Integer(5)),
    ];
    assert_eq!(cursor::decode(&order, &text).unwrap(), values);
    let filter = format!(r#"{{"_order":["lat","-birthdate","city","email"],"_cursor":"{text}"}}"#);
    assert_eq!(read(&filter, &Limits::default()).unwrap().cursor, Some(Cursor::After(values.to_vec())));
    assert_eq!(cursor::decode(&order[..2], &text), Err(cursor::CursorError::OtherOrder));
}

#[track_caller]
fn pairs_say(pairs: &[(&str, &str)], json: &str) {
    let pairs: Vec<(String, String)> = pairs.iter().map(|(key, value)| ((*key).into(), (*value).into())).collect();
    assert_eq!(read_pairs(&pairs, &Limits::default()), read(json, &Limits::default()), "{pairs:?}");
}

#[test]
fn pairs_say_the_same_as_json() {
    pairs_say(&[("limit", "500;0")], r#"{"limit":"500;0"}"#);
    pairs_say(&[("id", "7"), ("city", "7")], r#"{"id":7,"city":"7"}"#);
    pairs_say(&[("id", "7"), ("city", "Bonn"), ("id", "8")], r#"{"id":[7,8],"city":"Bonn"}"#);
    pairs_say(&[("created_at", "2023-12-21 13:15:11;>")], r#"{"created_at":"2023-12-21 13:15:11;>"}"#);
    pairs_say(&[("do_not_call", "true"), ("lat", "1.5")], r#"{"do_not_call":true,"lat":1.5}"#);
    pairs_say(&[("email[null]", "true")], r#"{"email":{"null":true}}"#);
    pairs_say(&[("status[not]", "new"), ("status[not]", "busy")], r#"{"status":{"not":["new","busy"]}}"#);
    pairs_say(&[("status[in]", "new")], r#"{"status":{"in":["new"]}}"#);
    pairs_say(&[("calls_count[gte]", "2"), ("calls_count[lt]", "5")], r#"{"calls_count":{"gte":2,"lt":5}}"#);
    pairs_say(&[("custom.score", "7")], r#"{"custom.score":[7,"7"]}"#);
    pairs_say(&[("custom.score[gt]", "7")], r#"{"custom.score":{"gt":7}}"#);
    pairs_say(
        &[("_order", "-city,id"), ("_fields", "city,phone"), ("_campaigns", "all"), ("_cursor", "")],
        r#"{"_order":["-city","id"],"_fields":["city","phone"],"_campaigns":"all","_cursor":""}"#,
    );
    let all = read_pairs(&[], &Limits::default()).unwrap();
    assert_eq!(all, read(r#"{"limit":"200;0"}"#, &Limits::default()).unwrap());
}

#[track_caller]
fn reads_in(language: Language, text: &str, reading: &str) {
    let filter = read(text, &Limits::default()).unwrap();
    let names = |id: CampaignId| (id.0 == 8).then(|| "Spring sale".to_owned());
    assert_eq!(explain(&filter, &names, language), reading, "{text}");
}

#[test]
fn plain_english() {
    let reads = |text, reading| reads_in(Language::English, text, reading);
    reads(r#"{"limit":"200;0"}"#, "all leads");
    reads(
        r#"{"campaign_id":7,"updated_at":"2026-05-01 09:30:00;>"}"#,
        "leads in campaign 7, updated after 1 May 2026, 09:30 UTC",
    );
    reads(r#"{"campaign_id":[7,8]}"#, "leads in campaign 7 or 8 (Spring sale)");
    reads(r#"{"campaign_id":{"not":7}}"#, "leads in a campaign other than 7");
    reads(r#"{"campaign_id":{"gt":7}}"#, "leads in a campaign with ID above 7");
    reads(
        r#"{"first_name":["Ann","Bob","Eve","Zoe","Kim","Lee","Sam"]}"#,
        "leads with first name Ann, Bob, Eve, Zoe or 3 others",
    );
    reads(r#"{"first_name":"Ann, or \"A\""}"#, "leads with first name “Ann, or \"A\"”");
    reads(r#"{"email":null,"city":{"null":false}}"#, "leads without e-mail, with any city");
    reads(r#"{"city":["Bonn",null]}"#, "leads with city Bonn, or without one");
    reads(r#"{"city":{"not":["Bonn"]}}"#, "leads with city other than Bonn, if any");
    reads(r#"{"status":{"not":["closed","dnc"]}}"#, "leads with status other than closed or dnc");
    reads(
        r#"{"city":{"starts_with":"B","contains":"on"}}"#,
        "leads with city starting with B, with city containing on",
    );
    reads(r#"{"calls_count":{"gte":2,"lt":5}}"#, "leads with calls at least 2 and below 5");
    reads(r#"{"birthdate":"1990-01-01;>="}"#, "leads born on or after 1 January 1990");
    reads(r#"{"do_not_call":true,"blacklisted":false}"#, "leads marked do-not-call, not blacklisted");
    reads(r#"{"last_call_at":null}"#, "leads never called");
    reads(r#"{"custom.score":[7,"7"]}"#, "leads with custom field score 7 or “7”");
    reads(r#"{"id":[]}"#, "leads with lead ID from an empty list, so none");
    reads(
        r#"{"city":"Bonn","_or":[{"status":"new","weight":"5;>"},{"_or":[{"zip":"1"},{"zip":"2"}]}]}"#,
        "leads with city Bonn, (either (with status new and with weight above 5) or (either with ZIP code 1 or with ZIP code 2))",
    );
    reads(
        r#"{"limit":"50;1000","_order":["-updated_at","last_name"],"_campaigns":"all"}"#,
        "all leads; sorted by time updated (latest first), then last name; at most 50 after the first 1,000; \
         with all their campaigns",
    );
    reads(r#"{"limit":"0;0"}"#, "all leads; the total alone");
    reads(r#"{"_cursor":"","_fields":["phone"]}"#, "all leads; from the start, by cursor; showing only id, phone");
}

#[test]
fn plain_german() {
    let reads = |text, reading| reads_in(Language::German, text, reading);
    reads(r#"{"limit":"200;0"}"#, "alle Leads");
    reads(
        r#"{"campaign_id":7,"updated_at":"2026-05-01 09:30:00;>"}"#,
        "Leads in Kampagne 7, geändert nach dem 1. Mai 2026, 09:30 UTC",
    );
    reads(r#"{"campaign_id":[7,8]}"#, "Leads in Kampagne 7 oder 8 (Spring sale)");
    reads(r#"{"campaign_id":{"not":7}}"#, "Leads in einer anderen Kampagne als 7");
    reads(r#"{"campaign_id":{"gt":7}}"#, "Leads in einer Kampagne mit ID über 7");
    reads(
        r#"{"first_name":["Ann","Bob","Eve","Zoe","Kim","Lee","Sam"]}"#,
        "Leads mit Vorname Ann, Bob, Eve, Zoe oder 3 andere",
    );
    reads(r#"{"first_name":"Ann oder Bob","last_name":"Or"}"#, "Leads mit Vorname „Ann oder Bob“, mit Nachname Or");
    reads(r#"{"email":null,"city":{"null":false}}"#, "Leads ohne E-Mail, mit Stadt (beliebig)");
    reads(r#"{"city":["Bonn",null]}"#, "Leads mit Stadt Bonn, oder ohne");
    reads(r#"{"city":{"not":["Bonn"]}}"#, "Leads mit Stadt außer Bonn, falls angegeben");
    reads(r#"{"status":{"not":["closed","dnc"]}}"#, "Leads mit Status außer closed oder dnc");
    reads(
        r#"{"city":{"starts_with":"B","contains":"on","ends_with":"n"}}"#,
        "Leads mit B am Anfang des Felds Stadt, mit on im Feld Stadt, mit n am Ende des Felds Stadt",
    );
    reads(r#"{"calls_count":{"gte":2,"lt":5}}"#, "Leads mit Anrufzahl mindestens 2 und unter 5");
    reads(r#"{"purchase_amount":"99.5;>="}"#, "Leads mit Kaufbetrag mindestens 99,5");
    reads(
        r#"{"birthdate":"1990-01-01;>=|1999-12-31;<="}"#,
        "Leads geboren ab dem 1. Januar 1990 und bis einschließlich 31. Dezember 1999",
    );
    reads(r#"{"first_name":{"gt":"Am","lte":"Ann"}}"#, "Leads mit Vorname nach Am und bis einschließlich Ann");
    reads(
        r#"{"freeze_until":"2026-05-01 09:30:00;>"}"#,
        "Leads mit Ende der Sperrfrist nach dem 1. Mai 2026, 09:30 UTC",
    );
    reads(r#"{"purchase_date":"2026-05-01"}"#, "Leads gekauft am 1. Mai 2026");
    reads(
        r#"{"do_not_call":true,"blacklisted":false}"#,
        "Leads als „Nicht anrufen“ markiert, nicht auf der Sperrliste",
    );
    reads(r#"{"last_call_at":null}"#, "Leads nie angerufen");
    reads(r#"{"custom.score":[7,"7"]}"#, "Leads mit score (eigenes Feld) 7 oder „7“");
    reads(r#"{"id":[]}"#, "Leads mit Lead-ID aus einer leeren Liste, also keine");
    reads(
        r#"{"city":"Bonn","_or":[{"status":"new","weight":"5;>"},{"_or":[{"zip":"1"},{"zip":"2"}]}]}"#,
        "Leads mit Stadt Bonn, (entweder (mit Status new und mit Gewicht über 5) oder \
         (entweder mit Postleitzahl 1 oder mit Postleitzahl 2))",
    );
    reads(
        r#"{"limit":"50;1000","_order":["-updated_at","last_name"],"_campaigns":"all"}"#,
        "alle Leads; sortiert nach Änderungszeit (neueste zuerst), dann Nachname; höchstens 50 nach den ersten 1.000; \
         mit allen ihren Kampagnen",
    );
    reads(r#"{"limit":"0;0"}"#, "alle Leads; nur die Gesamtzahl");
    reads(
        r#"{"_cursor":"","_fields":["phone"]}"#,
        "alle Leads; von Anfang an, mit Cursor; gezeigt werden nur id, phone",
    );
}

#[test]
fn every_test_on_every_field_reads_as_one_line() {
    for field in fields::FIELDS {
        let value = match field.kind {
            fields::Kind::Integer | fields::Kind::Number => "5",
            fields::Kind::Boolean => "true",
            fields::Kind::DateTime => r#""2026-05-01 09:30:00""#,
            fields::Kind::Text if !field.permitted.is_empty() => r#""busy""#,
            fields::Kind::Text => r#""x""#,
            fields::Kind::Date => r#""2026-05-01""#,
            fields::Kind::Custom => unreachable!("no field of the table is a custom one"),
        };
        for operator in operators_for(field.kind) {
            let operand = match operator.arity() {
                Arity::Truth => "true".to_owned(),
                Arity::Many => format!("[{value},null]"),
                Arity::One | Arity::OneOrMore => value.to_owned(),
            };
            let text = format!(r#"{{"{}":{{"{operator}":{operand}}}}}"#, field.name());
            let filter = read(&text, &Limits::default()).expect(&text);
            for language in Language::ALL {
                let reading = explain(&filter, &|_| None, language);
                assert!(
                    reading.to_lowercase().starts_with("leads ") && !reading.contains("  ") && !reading.ends_with(' '),
                    "{text}: {reading}"
                );
            }
        }
    }
}

#[track_caller]
fn form_says(text: &str, rows: &[(&str, Operator, &[&str])]) {
    let tree = parse(text).tree;
    let found = rows_of(&tree).unwrap();
    let shown: Vec<(&str, Operator, Vec<&str>)> = found
        .iter()
        .map(|row| (row.key.as_str(), row.operator, row.values.iter().map(String::as_str).collect()))
        .collect();
    let expected: Vec<_> = rows.iter().map(|(key, operator, values)| (*key, *operator, values.to_vec())).collect();
    assert_eq!(shown, expected, "{text}");
    let back = to_filter(&found, &tree);
    assert_eq!(check(&back, &Limits::default()), read(text, &Limits::default()), "{}", print(&back));
    assert_eq!(rows_of(&back).unwrap(), found);
}

#[test]
fn the_form_says_the_same_as_the_text() {
    use Operator::{Contains, Eq, Gt, Gte, In, Lt, Not, Null};
    form_says(r#"{"id":7,"limit":"5;0"}"#, &[("id", Eq, &["7"])]);
    form_says(r#"{"status":["new","busy"]}"#, &[("status", In, &["new", "busy"])]);
    form_says(r#"{"status":[]}"#, &[("status", In, &[])]);
    form_says(r#"{"email":null,"city":{"null":false}}"#, &[("email", Null, &["true"]), ("city", Null, &["false"])]);
    form_says(r#"{"calls_count":"2;>=|5;<"}"#, &[("calls_count", Gte, &["2"]), ("calls_count", Lt, &["5"])]);
    form_says(
        r#"{"calls_count":{"gt":2,"lt":5,"not":[3,4]}}"#,
        &[("calls_count", Gt, &["2"]), ("calls_count", Lt, &["5"]), ("calls_count", Not, &["3", "4"])],
    );
    form_says(
        r#"{"custom.a":7,"custom.b":"7","custom.c":"x","custom.d":"\"x\""}"#,
        &[
            ("custom.a", Eq, &["7"]),
            ("custom.b", Eq, &["\"7\""]),
            ("custom.c", Eq, &["x"]),
            ("custom.d", Eq, &[r#""\"x\"""#]),
        ],
    );
    form_says(
        r#"{"city":{"contains":"a"},"_and":[{"city":{"contains":"b"}}]}"#,
        &[("city", Contains, &["a"]), ("city", Contains, &["b"])],
    );
    for beyond in [r#"{"_or":[{"id":1}]}"#, r#"{"city":["x",null]}"#, r#"{"city":{"like":"x"}}"#, r#"{"city":"#] {
        assert_eq!(rows_of(&parse(beyond).tree), None, "{beyond}");
    }
}

#[test]
fn the_form_writes_the_documented_shapes() {
    let row = |key: &str, operator, values: &[&str]| form::Row {
        key: key.to_owned(),
        operator,
        values: values.iter().map(|value| (*value).to_owned()).collect(),
    };
    let keep = parse(r#"{"limit":"5;0"}"#).tree;
    let rows = [
        row("created_at", Operator::Gt, &["2026-05-01 00:00:00"]),
        row("zip", Operator::Eq, &["01234"]),
        row("created_at", Operator::Lte, &["2026-06-01 00:00:00"]),
        row("id", Operator::Eq, &["x"]),
        row("city", Operator::Contains, &[]),
    ];
    let filter = to_filter(&rows, &keep);
    assert_eq!(
        print(&filter),
        r#"{"created_at":"2026-05-01 00:00:00;>|2026-06-01 00:00:00;<=","zip":"01234","id":"x","limit":"5;0"}"#
    );
    assert_eq!(
        print_pretty(&parse(r#"{"id":[1,2],"_or":[{"city":{"not":"x"}}]}"#).tree),
        "{\n  \"id\": [1, 2],\n  \"_or\": [\n    {\n      \"city\": {\"not\": \"x\"}\n    }\n  ]\n}"
    );
}

#[test]
fn the_members_that_may_be_asked_for_are_those_of_an_answered_lead() {
    let mut members: Vec<&str> = members().collect();
    members.sort_unstable();
    let lead = serde_json::to_value(lead()).unwrap();
    let mut answered: Vec<&str> = lead.as_object().unwrap().keys().map(String::as_str).collect();
    answered.extend(["campaigns", "not_callable_reasons"]);
    answered.sort_unstable();
    assert_eq!(members, answered);
}
