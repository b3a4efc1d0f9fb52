//! Tests column mappings.

use super::*;

fn mapping(json: &str) -> Mapping {
    Mapping::from_json(json)
        .map_err(|diagnostics| diagnostics.iter().map(format_diagnostic).collect::<Vec<_>>())
        .expect("valid input")
}

#[test]
fn maps_columns_to_fields() {
    let mapping = mapping(
        r#"{"columns":{"Kunde":"original_identifier","E-Mail":"email","Farbe":"custom.colour","Notiz":null,"":null},"delimiter":";"}"#,
    );
    assert_eq!(mapping.delimiter, Some(Delimiter::Semicolon));
    let header = ["Kunde", "E-Mail", "Farbe", "city", "Notiz", ""];
    let reader = CsvReader::<LeadRecord>::new(&header, &mapping).expect("the header is valid");
    let record = reader.row(&["7", "a@b", "red", "Bonn", "\0", "x"]).expect("the row is valid");
    let expected = parse_row::<LeadRecord>("original_identifier,email,custom.colour,city", "7,a@b,red,Bonn");
    assert_eq!(record, expected);

    // Diagnostics use the column names of the file.
    assert_eq!(
        errors(reader.row(&["", "ab", "a\u{1}", "Bonn", "", ""])),
        [
            "[E-Mail] invalid_email: expected an email address such as `name@example.com`, found \"ab\"",
            "[Farbe] 1..2 control_character: the control character U+0001 is not allowed",
        ]
    );
    assert_eq!(
        errors(reader.row(&["", "", "", "", "", ""])),
        ["[id] missing_identifier: the row needs an `id` or an `original_identifier` that identifies the lead"]
    );
    let column = Location::Column("original_identifier".to_owned());
    let stored = Diagnostic::new(column, "ambiguous", crate::diagnostic::conflict::use_id());
    assert_eq!(
        format_diagnostic(&reader.column_names().with_file_column(stored)),
        "[Kunde] ambiguous: use the lead's `id`"
    );
}

#[test]
fn identifier_column_can_also_be_a_field() {
    let by_phone = mapping(r#"{"columns":{"Telefon":"phone"},"identifier":"Telefon"}"#);
    let reader = CsvReader::<LeadRecord>::new(&["Telefon", "city"], &by_phone).expect("the header is valid");
    let record = reader.row(&["030 901820", "Berlin"]).expect("the row is valid");
    let expected = parse_row::<LeadRecord>("original_identifier,phone,city", "030 901820,030 901820,Berlin");
    assert_eq!(record, expected);
    let row_diagnostics = reader.row(&["", "Berlin"]).expect_err("the row has no identifier");
    let expected_message = "[Telefon] missing_identifier: `Telefon` can't be empty, because it identifies the row";
    assert_eq!(row_diagnostics.iter().map(format_diagnostic).collect::<Vec<_>>(), [expected_message]);
    let header_errors = |header: &[&str]| {
        let diagnostics = CsvReader::<LeadRecord>::new(header, &by_phone).err().expect("the header is rejected");
        diagnostics.iter().map(format_diagnostic).collect::<Vec<_>>()
    };
    assert_eq!(
        header_errors(&["Telefone", "city"]),
        [
            "[Telefone] unknown_column: a lead has no field `Telefone` (use `custom.<name>` for a custom field)",
            "[Telefon] unknown_column: the file has no column `Telefon` (did you mean `Telefone`?)",
        ]
    );
    assert_eq!(
        header_errors(&["Telefon", "original_identifier"]),
        ["[Telefon] duplicate_column: the column `original_identifier` appears twice"]
    );
    assert!(
        CsvReader::<CampaignRecord>::new(
            &["Telefon"],
            &mapping(r#"{"columns":{"Telefon":null},"identifier":"Telefon"}"#)
        )
        .is_err()
    );
}

#[test]
fn rejects_unknown_columns_and_fields() {
    let mapping = mapping(r#"{"columns":{"Tel":"phon","Mobil":"phone","Telefon":"phone","Seit":"global_updated_at"}}"#);
    let diagnostics = CsvReader::<LeadRecord>::new(&["Tel", "Mobil", "Telefon", "Seit"], &mapping)
        .err()
        .expect("the header is rejected");
    assert_eq!(
        diagnostics.iter().map(format_diagnostic).collect::<Vec<_>>(),
        [
            "[Tel] unknown_column: a lead has no field `phon` (did you mean `phone`?)",
            "[Telefon] duplicate_column: the column `phone` appears twice",
            "[Seit] read_only: `global_updated_at` is managed by the server",
        ]
    );
}

#[test]
fn reports_all_errors_of_a_mapping() {
    let long = "x".repeat(201);
    let text = format!(r#"{{"columns":{{"a":1,"b/c":"{long}"}},"delimiter":"+","delimeter":","}}"#);
    assert_eq!(
        errors(Mapping::from_json(&text)),
        [
            "/columns/a wrong_type: expected the name of a field, or null to leave the column out, found a number",
            "/columns/b~1c too_long: the name of a field can have at most 200 characters",
            "/delimiter not_permitted: expected `,`, `;`, `\\t` or `|`, found \"+\"",
            "/delimeter unknown_key: a mapping has no member `delimeter` (did you mean `delimiter`?)",
        ]
    );
    assert_eq!(errors(Mapping::from_json("[]")), [" wrong_type: expected an object, found an array"]);
    assert_eq!(errors(Mapping::from_json(" ")).len(), 1);
    assert_eq!(
        errors(Mapping::from_json(r#"{"columns":{"a":"id","a":"email"}}"#))[0].split(' ').nth(1),
        Some("duplicate_key:")
    );
    let many: Vec<_> = (0..=MAX_MAPPED_COLUMNS).map(|n| format!("\"{n}\":null")).collect();
    assert_eq!(
        errors(Mapping::from_json(&format!(r#"{{"columns":{{{}}}}}"#, many.join(",")))),
        ["/columns too_many: expected at most 500 columns, found 501"]
    );
    assert_eq!(mapping("{}"), Mapping::default());
    let json_text =
        serde_json::to_string(&mapping(r#"{"columns":{"a":null},"delimiter":"\t"}"#)).expect("mappings serialize");
    assert_eq!(json_text, r#"{"columns":{"a":null},"delimiter":"\t"}"#);
    for text in [r#"{"default_country":"de"}"#, r#"{"default_country":"Deutschland"}"#] {
        let of_country = serde_json::to_string(&mapping(text)).expect("mappings serialize");
        assert_eq!(of_country, r#"{"default_country":"DE"}"#);
    }
    assert_eq!(
        errors(Mapping::from_json(r#"{"default_country":"Congo"}"#))[0].split(',').next(),
        Some(r#"/default_country unknown_country: expected a country: its name or its ISO 3166-1 code such as `DE`"#)
    );
    assert_eq!(serde_json::to_string(&Mapping::default()).expect("mappings serialize"), "{}");
}

#[test]
fn mapping_sets_the_decimal_mark() {
    let amounts = |json: &str, cells: &[&str]| -> Vec<String> {
        let reader =
            CsvReader::<LeadRecord>::new(&["id", "purchase_amount"], &mapping(json)).expect("the header is valid");
        let parse_amount = |cell: &&str| match reader.row(&["1", cell]) {
            Ok(record) => format!("{:?}", record.purchase_amount.flatten().expect("an amount")),
            Err(diagnostics) => errors(Err::<(), _>(diagnostics)).join("; "),
        };
        cells.iter().map(parse_amount).collect()
    };
    assert_eq!(amounts(r#"{"decimal":","}"#, &["1.234", "1.234,5", "7"]), ["1234.0", "1234.5", "7.0"]);
    assert_eq!(amounts(r#"{"decimal":"."}"#, &["1,234", "1,234.5", "1.234"]), ["1234.0", "1234.5", "1.234"]);
    for cell in ["1.000", "1.234", "1,234", "1.234 €"] {
        let messages = amounts("{}", &[cell]).concat();
        assert!(
            messages.contains("ambiguous_number") && messages.contains("set `decimal` in the mapping"),
            "{messages}"
        );
    }
    assert_eq!(amounts("{}", &["1.234,50", "12.5", "0.125", "1000"]), ["1234.5", "12.5", "0.125", "1000.0"]);
    // Degrees have no thousands separators.
    let unmapped = CsvReader::<LeadRecord>::new(&["id", "lat"], &mapping("{}")).expect("the header is valid");
    assert_eq!(unmapped.row(&["1", "13.405"]).expect("the row is valid").lat, Some(Some(13.405)));
    let reader =
        CsvReader::<LeadRecord>::new(&["id", "lat", "lng"], &mapping(r#"{"decimal":","}"#)).expect("valid input");
    let lead = reader.row(&["1", "52,521", "-13.377"]).expect("the row is valid");
    assert_eq!((lead.lat, lead.lng), (Some(Some(52.521)), Some(Some(-13.377))));
    assert_eq!(
        amounts(r#"{"decimal":","}"#, &["12.5"]),
        ["[purchase_amount] wrong_type: expected a number with a decimal comma, found \"12.5\""]
    );
    assert_eq!(
        errors(Mapping::from_json(r#"{"decimal":";"}"#)),
        ["/decimal not_permitted: expected `,` or `.`, found \";\""]
    );
}

#[test]
fn mapping_sets_duplicate_handling() {
    let mapping_without_duplicates = mapping(r#"{"duplicates":"none"}"#);
    assert_eq!(mapping_without_duplicates.duplicates, Duplicates::RejectAll);
    assert_eq!(
        serde_json::to_string(&mapping_without_duplicates).expect("mappings serialize"),
        r#"{"duplicates":"none"}"#
    );
    assert_eq!(
        errors(Mapping::from_json(r#"{"duplicates":"last"}"#)),
        ["/duplicates not_permitted: expected `first` or `none`, found \"last\""]
    );
}

#[test]
fn preview_reports_errors_of_each_row() {
    let rows = [["1", "ada@example.com"], ["x", "ada"]].map(|row| row.map(str::to_owned).to_vec());
    let mapping = mapping(r#"{"columns":{"No":"id"}}"#);
    let result = preview(ImportKind::Leads, &mapping, &["No", "email"], &rows).expect("the header is valid");
    let columns: Vec<Vec<_>> =
        result.iter().map(|row| row.iter().map(|diagnostic| diagnostic.location.clone()).collect()).collect();
    let column = |name: &str| Location::Column(name.to_owned());
    assert_eq!(columns, [vec![], vec![column("No"), column("email")]]);
    assert!(preview(ImportKind::Calls, &mapping, &["No", "email"], &rows).is_err());
}
