//! Tests the headers and rows of files.

use super::*;

#[test]
fn reports_all_errors_of_a_header() {
    assert_eq!(
        errors(
            CsvReader::<LeadRecord>::new(
                &["\u{feff}id", "frist_name", "id", "", "custom.cvv", "global_updated_at", "shoe size"],
                &Mapping::default()
            )
            .map(drop)
        ),
        [
            "[frist_name] unknown_column: a lead has no field `frist_name` (did you mean `first_name`?)",
            "[id] duplicate_column: the column `id` appears twice",
            "[custom.cvv] card_data: `cvv` looks like card data, which is never stored",
            "[global_updated_at] read_only: `global_updated_at` is managed by the server",
            "[shoe size] unknown_column: a lead has no field `shoe size` (use `custom.<name>` for a custom field)",
        ]
    );
    assert_eq!(
        errors(CsvReader::<CallRecord>::new(&["id", "custom.a"], &Mapping::default()).map(drop)),
        ["[custom.a] unknown_column: a call has no field `custom.a`"]
    );
}

#[test]
fn reports_all_errors_of_a_row() {
    assert_eq!(
        row_errors::<LeadRecord>(
            "id,lat,lng,do_not_call,created_at,custom.note",
            "1.0,+5,9.5.1,maybe,2026-02-30 00:00:00,a\u{0}b"
        ),
        [
            "[id] wrong_type: expected an integer, found \"1.0\"",
            "[lat] wrong_type: expected a number, found \"+5\"",
            "[lng] wrong_type: \"9.5.1\" is not a number",
            "[do_not_call] wrong_type: expected `true` or `false`, found \"maybe\"",
            "[created_at] 8..10 no_such_time: 30 February 2026 doesn't exist",
            "[custom.note] 1..2 control_character: the control character U+0000 is not allowed",
        ]
    );
}

#[test]
fn accepts_missing_cells_and_empty_extra_cells() {
    assert_eq!(parse_row::<LeadRecord>("id,city", "1"), parse_row::<LeadRecord>("id,city", "1,"));
    assert_eq!(parse_row::<LeadRecord>("id,city", "1,Bonn, ,"), parse_row::<LeadRecord>("id,city", "1,Bonn"));
    assert_eq!(
        row_errors::<LeadRecord>("id,city", "1,Bonn,,x"),
        [" wrong_number_of_cells: expected as many cells as in the header, 2, found 4"]
    );
    // An empty column without a name is ignored.
    assert_eq!(parse_row::<LeadRecord>("id,city,", "1,Bonn,"), parse_row::<LeadRecord>("id,city", "1,Bonn"));
    assert_eq!(
        row_errors::<LeadRecord>("id,,city", "1,x,Bonn"),
        [" unknown_column: column 2 has no name but contains \"x\""]
    );
}

#[test]
fn trims_blanks_and_ignores_null_markers() {
    let header = "original_identifier,email,do_not_call,birthdate,purchase_amount,timezone,custom.note";
    let plain = parse_row::<LeadRecord>(header, "b2,a@b,no,1980-02-03,12.5,Europe/Berlin,x");
    assert_eq!(
        parse_row::<LeadRecord>(header, "\u{a0}b2 ,a@b\t, no,1980-02-03 , 12.5,Europe/Berlin ,\u{3000}x "),
        plain
    );
    let nothing = parse_row::<LeadRecord>(header, "b2,,,,,,");
    assert_eq!(parse_row::<LeadRecord>(header, "b2,NULL,\\N,0000-00-00,null,(null),\\N"), nothing);
    assert_eq!(parse_row::<LeadRecord>("id,last_name", "1,Null").last_name, Some(Some("Null".to_owned())));
    for blank in ["\\N", "NULL", " \u{a0}", "\u{200b}", "-------", "-"] {
        assert_eq!(row_errors::<LeadRecord>("original_identifier,city", &format!("{blank},Bonn")).len(), 1, "{blank}");
    }
    let call = "original_identifier,direction,status,started_at";
    assert_eq!(parse_row::<CallRecord>(call, "k,inbound,busy,0000-00-00 00:00:00").started_at, Some(None));
    assert_eq!(parse_row::<CampaignLeadRecord>("id,callback_at", "1,0000-00-00 00:00:00").callback_at, Some(None));
}

#[test]
fn rejects_shortened_numbers_as_identifiers() {
    for cell in ["4.91714E+12", "4.91714E12", "4.91714e+012", "1E+15", "-1.5E-05"] {
        let words = "is a number that a spreadsheet has shortened; format the column as text or as a whole number, and export it again";
        assert_eq!(
            row_errors::<LeadRecord>("original_identifier", cell),
            [format!("[original_identifier] shortened_number: \"{cell}\" {words}")]
        );
    }
    for cell in ["12E5", "E12", "4.9E", "1E1234", "A1E+5", "491714000000", "1.5"] {
        assert_eq!(
            parse_row::<LeadRecord>("original_identifier", cell).original_identifier,
            Some(Some(cell.to_owned()))
        );
    }
    let identifier = Mapping::from_json(r#"{"columns":{"Tel":"phone"},"identifier":"Tel"}"#).expect("a valid mapping");
    let reader = CsvReader::<LeadRecord>::new(&["Tel"], &identifier).expect("the header is valid");
    assert_eq!(errors(reader.row(&["4,9E+12"])).len(), 1);
}

#[test]
fn rejects_exponents_in_numbers_but_not_in_texts() {
    for column in ["lat", "purchase_amount", "id", "phone"] {
        let header = format!("original_identifier,{column}");
        for cell in ["1e3", "4.9E+12"] {
            let row = format!("k,{cell}");
            let diagnostics = CsvReader::<LeadRecord>::new(&header.split(',').collect::<Vec<_>>(), &Mapping::default())
                .expect("the header is valid")
                .row(&row.split(',').collect::<Vec<_>>());
            assert_eq!(diagnostics.is_err(), column != "phone", "{column}: {cell}");
        }
    }
    let texts = parse_row::<LeadRecord>("original_identifier,city,custom.score", "k,1e3,4.9E+12");
    assert_eq!(texts.city, Some(Some("1e3".to_owned())));
    let custom = texts.custom_fields.expect("a custom field");
    assert_eq!(custom["score"], Some(CustomValue::Text("4.9E+12".to_owned())));
}

#[test]
fn returns_the_keys_of_a_row() {
    let reader =
        CsvReader::<LeadRecord>::new(&["id", "original_identifier"], &Mapping::default()).expect("the header is valid");
    let keys = |cells: [&'static str; 2]| reader.keys(move |column| cells[column]).collect::<Vec<_>>();
    assert_eq!(keys(["1", "x"])[0], keys([" 1", "y"])[0]);
    assert_eq!(keys(["", "x"]), keys(["NULL", "x\u{a0}"]));
    assert_eq!(keys(["5", "x"])[1..], keys(["", "x"]));
    assert_ne!(keys(["", "1"]), keys(["1", ""]));
    assert_eq!((keys(["", " "]), keys(["", "4.9E+12"])), (vec![], vec![]));
    let reader = CsvReader::<CampaignLeadRecord>::new(&["campaign_id", "lead_id", "status"], &Mapping::default())
        .expect("the header is valid");
    let keys = |cells: [&'static str; 3]| reader.keys(move |column| cells[column]).collect::<Vec<_>>();
    assert_eq!(keys(["1", "2", "new"]), keys(["1", "2", "done"]));
    assert_ne!(keys(["1", "2", ""]), keys(["2", "1", ""]));
    assert_eq!(keys(["1", "", ""]), []);
}

#[test]
fn rejects_rows_without_a_key() {
    assert_eq!(
        row_errors::<LeadRecord>("city,original_identifier", "Bonn,"),
        ["[id] missing_identifier: the row needs an `id` or an `original_identifier` that identifies the lead"]
    );
    assert_eq!(
        row_errors::<CampaignRecord>("active,name", "true,"),
        ["[id] missing_identifier: the row needs an `id` or a `name` that identifies the campaign"]
    );
    assert_eq!(
        row_errors::<CampaignLeadRecord>("lead_id,status", "1,new"),
        [
            "[id] missing_identifier: the row needs an `id`, or a `lead_id` and a `campaign_id`, to identify the campaign lead"
        ]
    );
    assert_eq!(
        row_errors::<CallRecord>("status", "busy"),
        ["[id] missing_identifier: the row needs an `id` or an `original_identifier` that identifies the call"]
    );
    assert_eq!(parse_row::<LeadRecord>("original_identifier", "A-1").original_identifier, Some(Some("A-1".to_owned())));
}

#[test]
fn normalizes_status_names_in_cells() {
    let status = |cell: &str| parse_row::<CampaignLeadRecord>("id,status", &format!("1,{cell}")).status;
    for (cell, name) in [
        ("no_answer", "no_answer"),
        ("No answer", "no_answer"),
        (" Left-Message / 2. ", "left_message_2"),
        ("RÜCKRUF", "ruckruf"),
        // Valid names are kept.
        ("_a__b", "_a__b"),
    ] {
        assert_eq!(status(cell).as_deref(), Some(name), "{cell}");
    }
    let long = "a b ".repeat(13);
    for (cell, expected) in [("?!", "?!"), (&long, "a b a b a b a b a b a b a b a b a b a b …")] {
        assert_eq!(
            row_errors::<CampaignLeadRecord>("id,status", &format!("1,{cell}")),
            [format!(
                "[status] invalid_status: expected a status of 1 to 50 of the characters `a` to `z`, `0` to `9` and `_`, found {expected:?}"
            )]
        );
    }
}
