//! Tests the rules of each kind of record.

use super::*;
use crate::json::MAX_DIAGNOSTICS;

#[test]
fn json_and_csv_produce_the_same_lead() {
    let json = r#"{"id":7,"first_name":"Żaneta","phone":"030 / 123456","phone_normalized":"+4930123456","email":"z@example.com",
        "address1":"Am Markt 1\nHinterhaus","timezone":"Europe/Berlin","lat":52.5,"lng":-13,"purchase_date":"2026-02-28",
        "purchase_amount":19.90,"do_not_call":true,"custom_fields":{"colour":"red","size":null}}"#;
    let from_json = LeadRecord::from_json(json, WriteMode::Create).expect("valid input");
    let header = "id,first_name,phone,phone_normalized,email,address1,timezone,lat,lng,purchase_date,purchase_amount,do_not_call,custom.colour,custom.size,blacklisted";
    let cells = "7,Żaneta,030 / 123456,+4930123456,z@example.com,Am Markt 1\nHinterhaus,Europe/Berlin,52.5,-13,2026-02-28,19.90,TRUE,red,,";
    assert_eq!(parse_row::<LeadRecord>(header, cells), from_json);
    assert_eq!(from_json.lat, Some(Some(52.5)));
    assert_eq!(from_json.custom_fields.as_ref().map(|fields| fields["size"].is_none()), Some(true));
    assert_eq!(from_json.last_name, None);
}

#[test]
fn custom_fields_are_typed_in_json_and_texts_in_csv() {
    let json = r#"{"custom_fields":{"a":7,"b":7.0,"c":"7","d":true,"e":-0.5e1}}"#;
    let fields =
        LeadRecord::from_json(json, WriteMode::Update).expect("valid input").custom_fields.expect("custom fields");
    let expected = [
        ("a", CustomValue::Integer(7)),
        ("b", CustomValue::Number(7.0)),
        ("c", CustomValue::Text("7".to_owned())),
        ("d", CustomValue::Bool(true)),
        ("e", CustomValue::Number(-5.0)),
    ];
    assert_eq!(fields, expected.map(|(name, value)| (name.to_owned(), Some(value))).into());
    let fields = parse_row::<LeadRecord>("id,custom.a", "1,007").custom_fields.expect("custom fields");
    assert_eq!(fields["a"], Some(CustomValue::Text("007".to_owned())));
}

#[test]
fn each_rule_of_a_lead_has_its_message() {
    let long_name = format!("\"{}\"", "é".repeat(201));
    let long_custom = format!(r#"{{"{}":1}}"#, "n".repeat(101));
    for (field, value, expected) in [
        ("first_name", "7", "/first_name wrong_type: expected a string, found 7"),
        ("first_name", &long_name, "/first_name 200..201 too_long: expected at most 200 characters, found 201"),
        (
            "first_name",
            "\"Ä\\u0007\"",
            "/first_name 1..2 control_character: the control character U+0007 is not allowed",
        ),
        ("city", "\"a\\nb\"", "/city 1..2 control_character: the control character U+000A is not allowed"),
        ("phone", "4930123456", "/phone wrong_type: expected a string, found 4930123456"),
        (
            "phone_normalized",
            "\"030 123456\"",
            "/phone_normalized invalid_phone_number: expected a phone number in E.164 such as `+4930123456`, found \"030 123456\"",
        ),
        (
            "email",
            "\"a@b@c\"",
            "/email invalid_email: expected an email address such as `name@example.com`, found \"a@b@c\"",
        ),
        (
            "email",
            "\"a b@c\"",
            "/email invalid_email: expected an email address such as `name@example.com`, found \"a b@c\"",
        ),
        (
            "timezone",
            "\"Europe/Berlim\"",
            "/timezone unknown_time_zone: expected an IANA time zone such as `Europe/Berlin`, found \"Europe/Berlim\" (did you mean `Europe/Berlin`?)",
        ),
        (
            "country",
            "\"Germny\"",
            "/country unknown_country: expected a country: its name or its ISO 3166-1 code such as `DE`, found \"Germny\" (did you mean `DE` (Germany)?)",
        ),
        ("lat", "90.001", "/lat out_of_range: expected a number from -90 to 90, found 90.001"),
        ("lat", "\"52\"", "/lat wrong_type: expected a number, found a string"),
        ("purchase_amount", "\"12,5\"", "/purchase_amount wrong_type: \"12,5\" is not a number (write 12.5)"),
        ("purchase_amount", "\"much\"", "/purchase_amount wrong_type: \"much\" is not a number"),
        ("lng", "1e999", "/lng out_of_range: expected a number from -180 to 180, found 1e999"),
        ("birthdate", "\"2023-02-29\"", "/birthdate 8..10 no_such_time: 29 February 2023 doesn't exist"),
        ("do_not_call", "null", "/do_not_call wrong_type: expected `true` or `false`, found null"),
        ("do_not_call", "1", "/do_not_call wrong_type: expected `true` or `false`, found 1"),
        ("id", "7", "/id read_only: `id` can't be changed after creation"),
        ("updated_at", "\"\"", "/updated_at read_only: `updated_at` can only be set by a CSV import"),
        ("global_updated_at", "\"\"", "/global_updated_at read_only: `global_updated_at` is managed by the server"),
        (
            "frist_name",
            "\"A\"",
            "/frist_name unknown_key: a lead has no field `frist_name` (did you mean `first_name`?)",
        ),
        (
            "shoe size",
            "44",
            "/shoe size unknown_key: a lead has no field `shoe size` (put custom fields into `custom_fields`)",
        ),
        ("custom_fields", "[]", "/custom_fields wrong_type: expected an object of custom fields, found an array"),
        (
            "custom_fields",
            r#"{"a/b":[1]}"#,
            "/custom_fields/a~1b wrong_type: expected a string, a number, true, false or null, found an array",
        ),
        (
            "custom_fields",
            r#"{"n":9223372036854775808}"#,
            "/custom_fields/n out_of_range: expected a 64-bit integer, found 9223372036854775808 (send it as a string, to keep its digits)",
        ),
        ("custom_fields", r#"{"n":-1e400}"#, "/custom_fields/n out_of_range: expected a finite number, found -1e400"),
        ("custom_fields", r#"{"":1}"#, "/custom_fields/ invalid_name: expected a name of 1 to 100 characters, found 0"),
        (
            "custom_fields",
            r#"{"Card-Number":"4111"}"#,
            "/custom_fields/Card-Number card_data: `Card-Number` looks like card data, which is never stored",
        ),
    ] {
        let text = format!(r#"{{"{field}":{value}}}"#);
        assert_eq!(errors(LeadRecord::from_json(&text, WriteMode::Update)), [expected], "{text}");
    }
    let text = format!(r#"{{"custom_fields":{long_custom}}}"#);
    assert_eq!(
        errors(LeadRecord::from_json(&text, WriteMode::Create)),
        [format!("/custom_fields/{} invalid_name: expected a name of 1 to 100 characters, found 101", "n".repeat(101))]
    );
}

#[test]
fn rejects_card_data_by_name_only() {
    for name in ["cvv", "CVC2", "card_number", "cc-number", "credit card no", "cardNum"] {
        assert!(custom::check_name(name).is_err(), "{name}");
    }
    for name in ["card_holder", "loyalty_card", "discard", "score", "pan", "IMEI"] {
        assert!(custom::check_name(name).is_ok(), "{name}");
    }
}

#[test]
fn rejects_empty_bodies() {
    for (text, expected) in [
        ("", " empty_body: expected a JSON object, found an empty body"),
        ("[]", " wrong_type: expected an object, found an array"),
        ("{}", " empty_body: expected at least one field, found none"),
    ] {
        assert_eq!(errors(LeadRecord::from_json(text, WriteMode::Create)), [expected]);
        assert_eq!(errors(LeadRecord::from_json(text, WriteMode::Update)), [expected]);
    }
    assert_eq!(errors(CampaignRecord::from_json("{}", WriteMode::Create)), ["/name required: `name` is required"]);
    assert_eq!(
        errors(CallRecord::from_json(r#"{"agent":"Ada"}"#, WriteMode::Create)),
        ["/direction required: `direction` is required", "/status required: `status` is required"]
    );
}

#[test]
fn reports_all_errors_of_a_body_with_positions() {
    let text = r#"{"first_name":"Zoë","zap":1,"lat":91,"lat":1,"birthdate":"2024-02-30","id":0}"#;
    let diagnostics = LeadRecord::from_json(text, WriteMode::Create).expect_err("the body has many errors");
    let marked: Vec<String> = diagnostics
        .iter()
        .map(|diagnostic| {
            format!("{} `{}`", diagnostic.code, &text[diagnostic.byte_range.start..diagnostic.byte_range.end])
        })
        .collect();
    assert_eq!(
        marked,
        [
            "unknown_key `\"zap\"`",
            "out_of_range `91`",
            "duplicate_key `\"lat\"`",
            "no_such_time `30`",
            "out_of_range `0`"
        ]
    );
}

#[test]
fn each_rule_of_a_campaign_has_its_message() {
    for (field, value, expected) in [
        ("name", "null", "/name wrong_type: expected a string, found null"),
        ("name", "\" \"", "/name too_short: expected a name of 1 to 200 characters, found only spaces"),
        ("max_attempts", "0", "/max_attempts out_of_range: expected a whole number from 1 to 1000000, found 0"),
        ("daily_attempts", "2.0", "/daily_attempts wrong_type: expected an integer, found 2.0"),
        ("freeze_minutes", "-1", "/freeze_minutes out_of_range: expected a whole number from 0 to 527040, found -1"),
        (
            "calling_hours",
            "\"09:00-20:00\"",
            "/calling_hours wrong_type: expected an object with `start`, `end` and `days`, or null, found a string",
        ),
        (
            "calling_hours",
            r#"{"start":"9:00","end":"20:00","days":["mon"]}"#,
            "/calling_hours/start invalid_time: expected a time as `hh:mm`, `00:00` to `23:59`, found \"9:00\"",
        ),
        (
            "calling_hours",
            r#"{"start":"09:00","end":"24:00","days":["mon"]}"#,
            "/calling_hours/end invalid_time: expected a time as `hh:mm`, `00:00` to `23:59`, found \"24:00\" (write `00:00` for the end of the day)",
        ),
        (
            "calling_hours",
            r#"{"start":"09:00","end":"20:00","days":["Mon"]}"#,
            "/calling_hours/days/0 not_permitted: expected mon, tue, wed, thu, fri, sat or sun, found \"Mon\" (did you mean `mon`?)",
        ),
        (
            "calling_hours",
            r#"{"start":"09:00","end":"20:00","days":[]}"#,
            "/calling_hours/days too_few: expected at least one day, found none",
        ),
        (
            "calling_hours",
            r#"{"start":"09:00","end":"20:00","days":["mon"],"day":1}"#,
            "/calling_hours/day unknown_key: calling hours have no field `day` (did you mean `days`?)",
        ),
        ("calling_hours", r#"{"start":"09:00","end":"20:00"}"#, "/calling_hours/days required: `days` is required"),
    ] {
        let text = format!(r#"{{"{field}":{value}}}"#);
        assert_eq!(errors(CampaignRecord::from_json(&text, WriteMode::Update)), [expected], "{text}");
    }
}

#[test]
fn json_and_csv_produce_the_same_calling_hours() {
    let json = r#"{"calling_hours":{"start":"18:00","end":"02:00","days":["sun","fri","sat","fri"]}}"#;
    let hours = CampaignRecord::from_json(json, WriteMode::Update).expect("valid input").calling_hours;
    assert_eq!(hours.as_ref().and_then(|hours| Some(hours.as_ref()?.days.len())), Some(3));
    let header = "id,calling_hours_start,calling_hours_end,calling_hours_days";
    for days in ["fri sat sun", "fri-sun", "sun fri-sat", "sat sun fri fri"] {
        assert_eq!(
            parse_row::<CampaignRecord>(header, &format!("1,18:00,02:00,{days}")).calling_hours,
            hours,
            "{days}"
        );
    }
    let over_the_weekend = parse_row::<CampaignRecord>(header, "1,18:00,02:00,sat-mon").calling_hours.flatten();
    assert_eq!(over_the_weekend.map(|hours| hours.days), Some(vec![Weekday::Mon, Weekday::Sat, Weekday::Sun]));
    assert_eq!(parse_row::<CampaignRecord>(header, "1,,,").calling_hours, Some(None));
    assert_eq!(parse_row::<CampaignRecord>("id,name", "1,A").calling_hours, None);
    assert_eq!(
        row_errors::<CampaignRecord>(header, "1,09:00,,mon-fry"),
        [
            "[calling_hours_end] required: calling hours need a start, an end and days, but this cell is empty",
            "[calling_hours_days] not_permitted: expected mon, tue, wed, thu, fri, sat or sun, found \"fry\" (did you mean `fri`?)",
        ]
    );
}

#[test]
fn each_rule_of_a_campaign_lead_has_its_message() {
    for (field, value, expected) in [
        ("campaign_id", "7", "/campaign_id read_only: `campaign_id` can't be changed after creation"),
        (
            "status",
            "\"No answer\"",
            "/status invalid_status: expected a status of 1 to 50 of the characters `a` to `z`, `0` to `9` and `_`, found \"No answer\"",
        ),
        (
            "weight",
            "1000000001",
            "/weight out_of_range: expected a whole number from -1000000000 to 1000000000, found 1000000001",
        ),
        ("calls_count", "-1", "/calls_count out_of_range: expected a whole number from 0 to 1000000000, found -1"),
        (
            "last_call_status",
            "\"no-answer\"",
            "/last_call_status not_permitted: expected answered, no_answer, busy or failed, found \"no-answer\" (did you mean `no_answer`?)",
        ),
        (
            "callback_at",
            "\"2026-05-01T09:30:00\"",
            "/callback_at 19..19 invalid_time: expected `Z` or an offset such as `+02:00`, found the end",
        ),
        (
            "assigned_user_id",
            "0",
            "/assigned_user_id out_of_range: expected a whole number from 1 to 9007199254740991, found 0",
        ),
    ] {
        let text = format!(r#"{{"{field}":{value}}}"#);
        assert_eq!(errors(CampaignLeadRecord::from_json(&text, WriteMode::Update)), [expected], "{text}");
    }
}

#[test]
fn limits_given_ids_to_leave_room_for_assigned_ones() {
    let are_accepted = |id: i64| {
        let lead = LeadRecord::from_json(&format!(r#"{{"id":{id}}}"#), WriteMode::Create).is_ok();
        let campaign =
            CampaignRecord::from_json(&format!(r#"{{"id":{id},"name":"Spring"}}"#), WriteMode::Create).is_ok();
        (lead, campaign)
    };
    assert_eq!(are_accepted(9_000_000_000_000_000), (true, true));
    assert_eq!(are_accepted(9_000_000_000_000_001), (false, false));
    let row = r#"{"lead_id":9007199254740991,"campaign_id":9007199254740991}"#;
    CampaignLeadRecord::from_json(row, WriteMode::Create).expect("every id that the store assigns can be sent back");
    assert_eq!(
        errors(LeadRecord::from_json(r#"{"id":9007199254740991}"#, WriteMode::Create)),
        ["/id out_of_range: expected a whole number from 1 to 9000000000000000, found 9007199254740991"]
    );
}

#[test]
fn each_rule_of_a_call_has_its_message() {
    for (text, expected) in [
        (r#"{"direction":"in"}"#, "/direction not_permitted: expected inbound or outbound, found \"in\""),
        (
            r#"{"started_at":"2026-05-01 09:00:01","ended_at":"2026-05-01 09:00:00"}"#,
            "/ended_at out_of_order: `ended_at` must not be before `started_at`",
        ),
        (
            r#"{"recording_state":"ready"}"#,
            "/recording_state no_recording: a recording is `ready` only once its file is there (upload it to `/api/calls/{call_id}/recording`)",
        ),
        (r#"{"recording":"a.wav"}"#, "/recording read_only: `recording` can only be set by a CSV import"),
    ] {
        assert_eq!(errors(CallRecord::from_json(text, WriteMode::Update)), [expected], "{text}");
    }
    let header = "id,direction,status,recording,recording_state";
    for (cells, expected) in [
        (
            "1,inbound,busy,,ready",
            "[recording_state] no_recording: a recording is `ready` only once its file is there (name the file in the column `recording`)",
        ),
        (
            "1,inbound,busy,a.wav,pending",
            "[recording_state] not_permitted: `recording_state` must be `ready` or empty if `recording` names a file, not `pending`",
        ),
    ] {
        assert_eq!(row_errors::<CallRecord>(header, cells), [expected], "{cells}");
    }
    for name in ["../a.wav", "/etc/passwd", "a/../../b.wav", "a//b.wav", "C:a.wav", "..\\a.wav", "."] {
        let diagnostics = row_errors::<CallRecord>(header, &format!("1,inbound,busy,{name},"));
        assert!(
            diagnostics[0].starts_with("[recording] invalid_file_name: expected the path of a file inside"),
            "{diagnostics:?}"
        );
    }
    assert_eq!(
        parse_row::<CallRecord>(header, "1,inbound,busy,2026/05/a b.wav,").recording.as_deref(),
        Some("2026/05/a b.wav")
    );
}

#[test]
fn array_errors_point_into_their_item() {
    let records = LeadRecord::array_from_json(r#"[{"city":"Bonn"},{"city":"Ulm"}]"#).expect("valid input");
    assert_eq!(
        records.iter().map(|record| record.city.clone()).collect::<Vec<_>>(),
        ["Bonn", "Ulm"].map(|city| Some(Some(city.to_owned())))
    );
    let errors = |text: &str| -> Vec<String> {
        let diagnostics = LeadRecord::array_from_json(text).expect_err("invalid input");
        let to_text = |diagnostic: &Diagnostic| match &diagnostic.location {
            Location::Pointer(pointer) => format!("{pointer} {}", diagnostic.code),
            location => panic!("{location:?}"),
        };
        diagnostics.iter().map(to_text).collect()
    };
    assert_eq!(
        errors(r#"[{"city":"Bonn"},{"phone":5,"cty":"x"},7,{}]"#),
        ["/1/phone wrong_type", "/1/cty unknown_key", "/2 wrong_type", "/3 empty_body"]
    );
    assert_eq!(errors("[]"), [" out_of_range"]);
    assert_eq!(errors(&format!("[{}]", [r#"{"city":"x"}"#; 1_001].join(","))), [" out_of_range"]);
    assert_eq!(errors("{}"), [" wrong_type"]);
    assert_eq!(errors("").len(), 1);
    assert_eq!(errors(r#"[{"city":"Bonn"}"#).len(), 1);
    assert_eq!(
        errors(r#"[{"id":7,"original_identifier":"7"},{"original_identifier":"7"},{"id":7},{"id":8}]"#),
        ["/1/original_identifier duplicate", "/2/id duplicate"]
    );
    for item in [r#"{"id":7}"#, r#"{"original_identifier":"a"}"#] {
        assert_eq!(errors(&format!("[{}]", [item; 1_000].join(","))).len(), MAX_DIAGNOSTICS);
    }
    let spans = LeadRecord::array_from_json(r#"[{"city":"Bonn"},{"phone":5}]"#).expect_err("invalid input");
    assert_eq!(spans[0].byte_range, crate::diagnostic::Span::new(26, 27));
}
