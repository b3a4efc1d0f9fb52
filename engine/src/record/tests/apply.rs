//! Tests applying records.

use proptest::prelude::*;

use super::*;

#[test]
fn apply_changes_only_present_fields() {
    let now = timestamp(NOW);
    let json = r#"{"first_name":"Ada","city":"Bonn","custom_fields":{"a":1,"b":2}}"#;
    let mut lead = LeadRecord::from_json(json, WriteMode::Create).expect("valid input").create(LeadId(3), now);
    assert_eq!((lead.id, lead.created_at, lead.updated_at, lead.global_updated_at), (LeadId(3), now, now, now));
    let before = lead.clone();
    let change = r#"{"city":null,"blacklisted":true,"custom_fields":{"a":null,"c":"x"}}"#;
    LeadRecord::from_json(change, WriteMode::Update).expect("valid input").apply(&mut lead);
    let expected = Lead {
        city: None,
        blacklisted: true,
        custom_fields: [("b".to_owned(), CustomValue::Integer(2)), ("c".to_owned(), CustomValue::Text("x".to_owned()))]
            .into(),
        ..before
    };
    assert_eq!(lead, expected);
}

#[test]
fn new_records_have_defaults_and_keep_given_times() {
    let now = timestamp(NOW);
    let campaign =
        parse_row::<CampaignRecord>("name,created_at", "Spring,2026-01-01 00:00:00").create(CampaignId(1), now);
    let campaign = campaign.expect("the name is given");
    assert!(campaign.active);
    assert_eq!(
        (campaign.freeze_minutes, campaign.created_at, campaign.updated_at),
        (0, timestamp("2026-01-01 00:00:00"), now)
    );

    let campaign_lead = parse_row::<CampaignLeadRecord>("lead_id,campaign_id,updated_at", "1,2,2026-02-02 00:00:00");
    let campaign_lead = campaign_lead.create(CampaignLeadId(9), now).expect("lead and campaign are given");
    assert_eq!((campaign_lead.status.as_str(), campaign_lead.weight, campaign_lead.calls_count), ("new", 0, 0));
    // The creation time can't be later than the update time.
    assert_eq!(campaign_lead.created_at, timestamp("2026-02-02 00:00:00"));
    assert_eq!(campaign_lead.updated_at, timestamp("2026-02-02 00:00:00"));

    let call = parse_row::<CallRecord>("id,direction,status,recording_state", "1,outbound,answered,pending")
        .create(CallId(1), now);
    let call = call.expect("direction and status are given");
    assert_eq!((call.recording.state, call.created_at), (RecordingState::Pending, now));

    assert_eq!(
        CallRecord::default().create(CallId(1), now).map_err(|diagnostic| format_diagnostic(&diagnostic)),
        Err("[direction] required: no existing record matches, and a new one requires `direction`".to_owned())
    );
}

#[test]
fn cells_keep_the_type_of_equal_custom_values() {
    let json = r#"{"custom_fields":{"a":7,"b":0.5,"c":true,"d":"7","e":7}}"#;
    let lead = LeadRecord::from_json(json, WriteMode::Create).expect("valid input").create(LeadId(3), timestamp(NOW));
    let fields_after = |cells: &str| {
        let record = parse_row::<LeadRecord>("id,custom.a,custom.b,custom.c,custom.d,custom.f", cells);
        let mut changed_lead = lead.clone();
        record.with_stored_types(&lead).apply(&mut changed_lead);
        changed_lead.custom_fields
    };
    let expected = |json: &str| {
        let json = format!(r#"{{"custom_fields":{json}}}"#);
        LeadRecord::from_json(&json, WriteMode::Create)
            .expect("valid input")
            .create(LeadId(3), timestamp(NOW))
            .custom_fields
    };
    assert_eq!(fields_after("3,7,0.5,true,7,"), lead.custom_fields);
    // A different text is a different value, and its type is ambiguous.
    assert_eq!(fields_after("3,07,.5,yes,8,9"), expected(r#"{"a":"07","b":".5","c":"yes","d":"8","e":7,"f":"9"}"#));
    assert_eq!(fields_after("3,,,,,"), expected(r#"{"e":7}"#));
}

proptest! {
    #[test]
    fn bodies_never_panic(text in "\\PC{0,40}|\\{\"(custom_fields|calling_hours|id|name|lat|direction)\":\\PC{0,30}\\}") {
        for mode in [WriteMode::Create, WriteMode::Update] {
            let _ = LeadRecord::from_json(&text, mode);
            let _ = CampaignRecord::from_json(&text, mode);
            let _ = CampaignLeadRecord::from_json(&text, mode);
            let _ = CallRecord::from_json(&text, mode);
        }
    }

    #[test]
    fn rows_never_panic(cells in prop::collection::vec("\\PC{0,12}", 8)) {
        let header = ["id", "phone_normalized", "email", "lat", "do_not_call", "birthdate", "timezone", "custom.x"];
        let _ = CsvReader::<LeadRecord>::new(&header, &Mapping::default()).map(|reader| reader.row(&cells));
        let header = ["id", "name", "active", "calling_hours_start", "calling_hours_end", "calling_hours_days", "max_attempts", "updated_at"];
        let _ = CsvReader::<CampaignRecord>::new(&header, &Mapping::default()).map(|reader| reader.row(&cells));
    }
}
