//! Tests the description of filters in each language.

use super::fields::FieldId;
use super::*;
use crate::api::CampaignId;
use crate::wording::Language;

/// Provides names for one campaign and one status.
struct TestNames;

impl DisplayNames for TestNames {
    fn campaign_name(&self, id: CampaignId) -> Option<String> {
        (id.0 == 8).then(|| "Spring sale".to_owned())
    }

    fn status_label(&self, name: &str) -> Option<String> {
        (name == "no_answer").then(|| "Not reached".to_owned())
    }
}

#[track_caller]
fn assert_description(language: Language, text: &str, expected: &str) {
    let filter = parse_and_check(text, &Limits::default()).unwrap();
    assert_eq!(explain(&filter, &TestNames, language), expected, "{text}");
}

#[test]
fn formats_times_with_a_custom_function() {
    let filter =
        parse_and_check(r#"{"created_at":"2026-05-01 09:30:00;>","birthdate":"2000-01-01"}"#, &Limits::default())
            .unwrap();
    let description = explain_with(&filter, &(), &|time| time.format("%H o'clock").to_string(), Language::English);
    assert_eq!(description, "leads created after 09 o'clock, born on 1 January 2000");
}

#[test]
fn describes_filters_in_english() {
    let reads = |text, expected| assert_description(Language::English, text, expected);
    reads(r#"{"limit":"200;0"}"#, "all leads");
    reads(
        r#"{"campaign_id":7,"updated_at":"2026-05-01 09:30:00;>"}"#,
        "leads in campaign 7, updated after 1 May 2026, 09:30 UTC",
    );
    reads(r#"{"campaign_id":[7,8]}"#, "leads in campaign 7 or Spring sale");
    reads(r#"{"campaign_id":{"not":7}}"#, "leads in a campaign other than 7");
    reads(r#"{"campaign_id":null}"#, "leads in no campaign");
    reads(r#"{"campaign_lead_id":{"null":true},"city":"Bonn"}"#, "leads in no campaign, with city Bonn");
    reads(r#"{"campaign_id":{"gt":7}}"#, "leads in a campaign with ID above 7");
    reads(
        r#"{"first_name":["Ann","Bob","Eve","Zoe","Kim","Lee","Sam"]}"#,
        "leads with first name Ann, Bob, Eve, Zoe or 3 others",
    );
    reads(r#"{"first_name":"Ann, or \"A\""}"#, "leads with first name “Ann, or \"A\"”");
    reads(r#"{"email":null,"city":{"null":false}}"#, "leads without email, with any city");
    reads(r#"{"city":["Bonn",null]}"#, "leads with city Bonn, or without one");
    reads(r#"{"phone":["",null],"zip":[null]}"#, "leads without phone, without ZIP code");
    reads(r#"{"phone":{"not":["",null]},"zip":""}"#, "leads with any phone, with ZIP code “”");
    reads(r#"{"city":{"not":["Bonn"]}}"#, "leads with city not Bonn (or empty)");
    reads(r#"{"status":{"not":["closed","dnc"]}}"#, "leads with status other than closed or dnc");
    reads(r#"{"status":["new","no_answer"]}"#, "leads with status new or Not reached");
    reads(r#"{"status":{"not":"no_answer"}}"#, "leads with status other than Not reached");
    reads(
        r#"{"city":{"starts_with":"B","contains":"on"}}"#,
        "leads with city starting with B, with city containing on",
    );
    reads(r#"{"calls_count":{"gte":2,"lt":5}}"#, "leads with at least 2 and fewer than 5 calls");
    reads(r#"{"calls_today":{"gt":1}}"#, "leads with more than 1 call today");
    reads(r#"{"birthdate":"1990-01-01;>="}"#, "leads born on or after 1 January 1990");
    reads(r#"{"do_not_call":true,"blacklisted":false}"#, "leads marked do-not-call, not blacklisted");
    reads(r#"{"last_call_at":null}"#, "leads never called");
    reads(r#"{"custom.score":[7,"7"]}"#, "leads with custom field score 7 or “7”");
    reads(r#"{"id":[]}"#, "leads with lead ID in an empty list (matches nothing)");
    reads(r#"{"last_call_at":[]}"#, "leads with last call in an empty list (matches nothing)");
    reads(r#"{"last_call_at":{"not":[]}}"#, "leads with or without last call");
    reads(
        r#"{"city":"Bonn","_or":[{"status":"new","weight":"5;>"},{"_or":[{"zip":"1"},{"zip":"2"}]}]}"#,
        "leads with city Bonn, (either (with status new and with weight above 5) or (either with ZIP code 1 or with ZIP code 2))",
    );
    reads(
        r#"{"limit":"50;1000","_order":["-updated_at","last_name"],"_campaigns":"all"}"#,
        "all leads; sorted by update time (latest first), then last name; at most 50 after the first 1,000; \
         with all their campaigns",
    );
    reads(r#"{"limit":"0;0"}"#, "all leads; total only");
    reads(r#"{"_cursor":"","_fields":["phone"]}"#, "all leads; from the start (cursor); showing only id, phone");
}

#[test]
fn describes_filters_in_german() {
    let reads = |text, expected| assert_description(Language::German, text, expected);
    reads(r#"{"limit":"200;0"}"#, "alle Leads");
    reads(
        r#"{"campaign_id":7,"updated_at":"2026-05-01 09:30:00;>"}"#,
        "Leads in Kampagne 7, geändert nach dem 1. Mai 2026, 09:30 UTC",
    );
    reads(r#"{"campaign_id":[7,8]}"#, "Leads in Kampagne 7 oder Spring sale");
    reads(r#"{"campaign_id":{"not":7}}"#, "Leads in einer anderen Kampagne als 7");
    reads(r#"{"campaign_id":{"gt":7}}"#, "Leads in einer Kampagne mit ID über 7");
    reads(
        r#"{"first_name":["Ann","Bob","Eve","Zoe","Kim","Lee","Sam"]}"#,
        "Leads mit Vorname Ann, Bob, Eve, Zoe oder 3 andere",
    );
    reads(r#"{"first_name":"Ann oder Bob","last_name":"Or"}"#, "Leads mit Vorname „Ann oder Bob“, mit Nachname Or");
    reads(r#"{"email":null,"city":{"null":false}}"#, "Leads ohne E-Mail, mit Stadt (beliebig)");
    reads(r#"{"city":["Bonn",null]}"#, "Leads mit Stadt Bonn, oder ohne");
    reads(r#"{"phone":["",null],"custom.tier":["",null]}"#, "Leads ohne Telefon, ohne tier (eigenes Feld)");
    reads(r#"{"city":{"not":["Bonn"]}}"#, "Leads mit Stadt außer Bonn (oder leer)");
    reads(r#"{"status":{"not":["closed","dnc"]}}"#, "Leads mit Status außer closed oder dnc");
    reads(
        r#"{"city":{"starts_with":"B","contains":"on","ends_with":"n"}}"#,
        "Leads mit B am Anfang des Felds Stadt, mit on im Feld Stadt, mit n am Ende des Felds Stadt",
    );
    reads(r#"{"calls_count":{"gte":2,"lt":5}}"#, "Leads mit mindestens 2 und weniger als 5 Anrufen");
    reads(r#"{"purchase_amount":"99.5;>="}"#, "Leads mit Kaufbetrag mindestens 99,5");
    reads(
        r#"{"birthdate":"1990-01-01;>=|1999-12-31;<="}"#,
        "Leads geboren ab dem 1. Januar 1990 und bis einschließlich 31. Dezember 1999",
    );
    reads(r#"{"first_name":{"gt":"Am","lte":"Ann"}}"#, "Leads mit Vorname nach Am und bis einschließlich Ann");
    reads(r#"{"freeze_until":"2026-05-01 09:30:00;>"}"#, "Leads mit Ende der Pause nach dem 1. Mai 2026, 09:30 UTC");
    reads(r#"{"purchase_date":"2026-05-01"}"#, "Leads gekauft am 1. Mai 2026");
    reads(
        r#"{"do_not_call":true,"blacklisted":false}"#,
        "Leads als „Nicht anrufen“ markiert, nicht auf der Sperrliste",
    );
    reads(r#"{"last_call_at":null}"#, "Leads nie angerufen");
    reads(r#"{"custom.score":[7,"7"]}"#, "Leads mit score (eigenes Feld) 7 oder „7“");
    reads(r#"{"id":[]}"#, "Leads mit Lead-ID aus einer leeren Liste (kein Treffer)");
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
    reads(r#"{"_cursor":"","_fields":["phone"]}"#, "alle Leads; von Anfang an (Cursor); gezeigt werden nur id, phone");
}

#[test]
fn describes_every_condition_on_one_line() {
    for field in fields::FIELDS {
        let value = match field.kind {
            fields::Kind::Integer | fields::Kind::Number => "5",
            fields::Kind::Boolean => "true",
            fields::Kind::DateTime => r#""2026-05-01 09:30:00""#,
            fields::Kind::Text if !field.permitted.is_empty() => &format!("{:?}", field.permitted[0]),
            fields::Kind::Text => r#""x""#,
            fields::Kind::Date => r#""2026-05-01""#,
            fields::Kind::Custom => unreachable!("no field of the table is a custom one"),
        };
        for operator in operators_for(field.kind) {
            let operand = match operator.arity() {
                Arity::Boolean => "true".to_owned(),
                Arity::Many => format!("[{value},null]"),
                Arity::One | Arity::OneOrMore => value.to_owned(),
            };
            let text = format!(r#"{{"{}":{{"{operator}":{operand}}}}}"#, field.name());
            let filter = parse_and_check(&text, &Limits::default()).expect(&text);
            for language in Language::ALL {
                let description = explain(&filter, &(), language);
                assert!(
                    description.to_lowercase().starts_with("leads ")
                        && !description.contains("  ")
                        && !description.ends_with(' '),
                    "{text}: {description}"
                );
            }
        }
    }
}

#[test]
fn describes_each_kind_of_condition() {
    let reads = |text, expected| assert_description(Language::English, text, expected);
    reads(
        r#"{"created_at":{"gte":"2026-05-01 09:30:00","lte":"2026-05-02 09:30:00"}}"#,
        "leads created at or after 1 May 2026, 09:30 UTC and at or before 2 May 2026, 09:30 UTC",
    );
    reads(
        r#"{"created_at":{"gt":"2026-05-01 09:30:00","lt":"2026-05-02 09:30:00"}}"#,
        "leads created after 1 May 2026, 09:30 UTC and before 2 May 2026, 09:30 UTC",
    );
    reads(
        r#"{"birthdate":{"gte":"1990-01-01","lte":"1999-12-31"}}"#,
        "leads born on or after 1 January 1990 and on or before 31 December 1999",
    );
    reads(
        r#"{"birthdate":{"gt":"1990-01-01","lt":"1999-12-31"}}"#,
        "leads born after 1 January 1990 and before 31 December 1999",
    );
    reads(
        r#"{"birthdate":["1990-01-01","1991-01-01"],"purchase_date":{"not":"2026-01-01"}}"#,
        "leads born on 1 January 1990 or 1 January 1991, not bought on 1 January 2026",
    );
    reads(r#"{"created_at":{"not":"2026-05-01 09:30:00"}}"#, "leads not created at 1 May 2026, 09:30 UTC");
    reads(r#"{"first_name":{"gte":"A","lte":"M"}}"#, "leads with first name at or after A and at or before M");
    reads(r#"{"first_name":{"gt":"A","lt":"M"}}"#, "leads with first name after A and before M");
    reads(r#"{"lat":{"gte":1.5,"lte":2}}"#, "leads with latitude at least 1.5 and at most 2");
    reads(r#"{"lat":{"gt":1.5,"lt":2}}"#, "leads with latitude above 1.5 and below 2");
    reads(
        r#"{"last_call_at":{"null":false},"freeze_until":null,"callback_at":{"null":false}}"#,
        "leads called before, without end of freeze, with any callback",
    );
    reads(
        r#"{"last_call_at":["2026-05-01 09:30:00",null]}"#,
        "leads with last call 1 May 2026, 09:30 UTC, or without one",
    );
    reads(r#"{"campaign_id":[7,null]}"#, "leads in a campaign with ID 7, or without one");
    reads(r#"{"campaign_id":[]}"#, "leads in a campaign with ID in an empty list (matches nothing)");
    reads(r#"{"campaign_id":{"null":false},"campaign_lead_id":7}"#, "leads in any campaign, with campaign lead ID 7");
    reads(
        r#"{"status":["new",null],"city":{"not":["Bonn",null]}}"#,
        "leads with status new, or without one, with city other than Bonn",
    );
    reads(
        r#"{"do_not_call":null,"blacklisted":[true,false]}"#,
        "leads without do not call, with blacklisted true or false",
    );
    reads(
        r#"{"custom.tier":{"not":"gold"},"custom.vip":true,"custom.n":{"gt":3}}"#,
        "leads with custom field tier not “gold” (or empty), with custom field vip true, with custom field n above 3",
    );
    reads(r#"{"callable":true,"not_callable_reason":null}"#, "leads callable now, callable now");
    reads(
        r#"{"_or":[{"callable":false},{"not_callable_reason":{"null":false}}]}"#,
        "leads either not callable now or not callable now",
    );
    reads(
        r#"{"not_callable_reason":["frozen","outside_calling_hours"]}"#,
        "leads not callable now (frozen or outside hours)",
    );
    reads(r#"{"not_callable_reason":{"not":["frozen","no_phone"]}}"#, "leads not blocked by frozen or no phone number");
    reads(r#"{"not_callable_reason":{"ends_with":"_limit"}}"#, "leads with reason not to call ending with _limit");
    reads(r#"{"not_callable_reason":["frozen",null]}"#, "leads with reason not to call frozen, or without one");
    reads(r#"{"city":["A","B","C","D","E"]}"#, "leads with city A, B, C, D or E");
    reads(r#"{"city":["A","B","C","D","E","F"]}"#, "leads with city A, B, C, D or 2 others");
    reads(
        r#"{"city":"Bad  Bonn","state":"A\u0001","zip":"X or Y"}"#,
        "leads with city “Bad  Bonn”, with state “A\u{fffd}”, with ZIP code “X or Y”",
    );
    reads(r#"{"_order":["-id"],"limit":"10;0"}"#, "all leads; sorted by lead ID (largest first); at most 10");
    reads(r#"{"_order":["id"]}"#, "all leads");
    reads(
        r#"{"_order":["-city","-lat","-birthdate","created_at"]}"#,
        "all leads; sorted by city (Z to A), then latitude (largest first), then date of birth (latest first), then creation time",
    );
    reads(r#"{"_cursor":"","limit":"10;0"}"#, "all leads; at most 10, from the start (cursor)");
    reads(r#"{"_fields":["phone"],"_campaigns":"all"}"#, "all leads; showing only id, phone; with all their campaigns");
    reads(r#"{"_or":[{"city":"Bonn"},{"city":"Berlin"}]}"#, "leads either with city Bonn or with city Berlin");
    reads(r#"{"_or":[{"city":"Bonn"}]}"#, "leads with city Bonn");
    // Short texts are shown in full.
    for (length, expected_text) in [(60, "a".repeat(60)), (61, format!("“{}…”", "a".repeat(60)))] {
        let text = format!(r#"{{"city":"{}"}}"#, "a".repeat(length));
        assert_description(Language::English, &text, &format!("leads with city {expected_text}"));
    }
}

#[test]
fn some_fields_have_their_own_wording() {
    let nouns = |id: FieldId| Language::ALL.map(|language| wording::noun(id.field(), language));
    for (id, english, german) in [
        (FieldId::CampaignName, "campaign name", "Kampagnenname"),
        (FieldId::AssignedUserId, "assigned user", "Benutzer"),
        (FieldId::FreezeUntil, "end of freeze", "Ende der Pause"),
        (FieldId::CallsCount, "calls", "Anrufzahl"),
        (FieldId::CallsToday, "calls today", "Anrufzahl heute"),
        (FieldId::CreatedAt, "creation time", "Anlagezeit"),
        (FieldId::UpdatedAt, "update time", "Änderungszeit"),
        (FieldId::GlobalUpdatedAt, "update time (including campaigns)", "Änderungszeit (auch in Kampagnen)"),
        (FieldId::CampaignCreatedAt, "added to campaign", "Aufnahme in die Kampagne"),
        (FieldId::CampaignUpdatedAt, "updated in campaign", "Änderung in der Kampagne"),
        (FieldId::Zip, "ZIP code", "Postleitzahl"),
    ] {
        assert_eq!(nouns(id), [english, german]);
    }
    for (id, verb) in [
        (FieldId::CreatedAt, Some("created")),
        (FieldId::UpdatedAt, Some("updated")),
        (FieldId::GlobalUpdatedAt, Some("updated (including campaigns)")),
        (FieldId::CampaignCreatedAt, Some("added to the campaign")),
        (FieldId::CampaignUpdatedAt, Some("updated in the campaign")),
        (FieldId::LastCallAt, Some("last called")),
        (FieldId::PurchaseDate, Some("bought")),
        (FieldId::Birthdate, Some("born")),
        (FieldId::FreezeUntil, None),
    ] {
        assert_eq!(wording::verb(id, Language::English), verb);
    }
}
