//! CSV files as spreadsheets and databases write them, imported by `leadscribe import`.

use std::path::{Path, PathBuf};

use crate::harness::{run_failing, run_to_end};

/// Temporary folder with a data folder and the imported files.
struct TestFolder(tempfile::TempDir);

impl TestFolder {
    fn new() -> Self {
        Self(tempfile::tempdir().unwrap())
    }

    fn data_dir(&self) -> PathBuf {
        self.0.path().join("data")
    }

    fn path(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    /// Runs `leadscribe import` and returns its output.
    fn import(&self, kind: &str, name: &str, file: impl AsRef<[u8]>, extra_args: &[&str]) -> String {
        let path = self.path(name);
        std::fs::write(&path, file).unwrap();
        let arguments = [&["import", kind, path.to_str().unwrap()], extra_args].concat();
        run_to_end(&self.data_dir(), &[], &arguments).1
    }

    /// Like [`TestFolder::import`], with a mapping.
    fn import_mapped(&self, kind: &str, file: impl AsRef<[u8]>, mapping: &str) -> String {
        let map = self.path("map.json");
        std::fs::write(&map, mapping).unwrap();
        self.import(kind, "mapped.csv", file, &["--mapping", map.to_str().unwrap()])
    }

    /// Returns lines and reasons of a file's rejected rows.
    fn rejected_rows(&self, name: &str) -> String {
        std::fs::read_to_string(Path::new(&self.path(name)).with_extension("rejected.csv")).unwrap()
    }
}

#[track_caller]
fn assert_contains(output: &str, expected: &str) {
    assert!(output.contains(expected), "{expected}: {output}");
}

#[test]
fn rejects_identifiers_in_scientific_notation() {
    let folder = TestFolder::new();
    let file = "Name,Telefon\nAda,4.91714E+12\nBea,4.91714E+12\nCia,4.91714E+12\nDot,4.91714E12\n";
    let mapping =
        r#"{"columns":{"Name":"first_name","Telefon":"phone"},"identifier":"Telefon","default_country":"DE"}"#;
    for _ in 0..2 {
        assert_contains(
            &folder.import_mapped("leads", file, mapping),
            "4 rows: 0 inserted, 0 updated, 0 unchanged, 4 rejected",
        );
    }
    assert!(folder.rejected_rows("mapped.csv").contains("is a number that a spreadsheet has shortened"));
}

#[test]
fn duplicate_keys_are_reported_before_writing() {
    let folder = TestFolder::new();
    let file = "Name,Telefon\nAda,030 23125123\nBea,030 23125123\nCia,030 23125123\n";
    let mapping =
        r#"{"columns":{"Name":"first_name","Telefon":"phone"},"identifier":"Telefon","default_country":"DE"}"#;
    let output = folder.import_mapped("leads", file, mapping);
    assert_contains(&output, "2 rows are rejected because another row has the same identifier:\n  lines 2, 3, 4");
    assert_contains(&output, "3 rows: 1 inserted, 0 updated, 0 unchanged, 2 rejected");
    assert!(folder.rejected_rows("mapped.csv").contains("3,line 2 has the same identifier,Bea,030 23125123"));
    assert_contains(&folder.import_mapped("leads", file, mapping), "0 inserted, 0 updated, 1 unchanged, 2 rejected");
    let no_duplicates = mapping.replacen('{', r#"{"duplicates":"none","#, 1);
    assert_contains(
        &folder.import_mapped("leads", file, &no_duplicates),
        "0 inserted, 0 updated, 0 unchanged, 3 rejected",
    );

    let same_id = "id,first_name\n501,Ada\n501,Bea\n";
    assert_contains(
        &folder.import("leads", "id.csv", same_id, &["--dry-run"]),
        "1 inserted, 0 updated, 0 unchanged, 1 rejected",
    );
    assert_contains(
        &folder.import("leads", "id.csv", same_id, &["--duplicates", "none"]),
        "0 inserted, 0 updated, 0 unchanged, 2",
    );
    assert_contains(&folder.import("leads", "id.csv", same_id, &[]), "1 inserted, 0 updated, 0 unchanged, 1 rejected");
    assert_contains(&folder.import("leads", "id.csv", same_id, &[]), "0 inserted, 0 updated, 1 unchanged, 1 rejected");

    let calls = "original_identifier,direction,status\nk1,inbound,answered\nk1,inbound,no_answer\n";
    assert_contains(&folder.import("calls", "calls.csv", calls, &[]), "1 inserted, 0 updated, 0 unchanged, 1 rejected");
    let campaigns = "name\nSpring\n Spring\n";
    assert_contains(
        &folder.import("campaigns", "campaigns.csv", campaigns, &[]),
        "1 inserted, 0 updated, 0 unchanged, 1 rejected",
    );
    let campaign_leads = "lead_id,campaign_id,status\n501,1,new\n501,1,done\n";
    assert_contains(
        &folder.import("campaign-leads", "pairs.csv", campaign_leads, &[]),
        "1 inserted, 0 updated, 0 unchanged, 1 rejected",
    );
}

#[test]
fn separator_lines_titles_and_blank_lines_are_skipped() {
    let folder = TestFolder::new();
    for (file, mapping) in [
        ("sep=,\r\noriginal_identifier,first_name\r\n1,Ada\r\n", "{}"),
        ("sep=;\r\noriginal_identifier;first_name\r\n1;Ada\r\n", r#"{"delimiter":";"}"#),
        ("\u{feff}\"sep=;\"\r\noriginal_identifier;first_name\r\n1;Ada\r\n", "{}"),
        ("\r\nKunden Mai 2026;\r\n\r\noriginal_identifier;first_name\r\n1;Ada\r\n", "{}"),
    ] {
        let output = folder.import_mapped("leads", file, mapping);
        assert!(
            output.contains("1 rows: 1 inserted") || output.contains("1 rows: 0 inserted, 0 updated, 1"),
            "{output}"
        );
    }
    folder.import("leads", "late.csv", "sep=,\r\noriginal_identifier,email\r\n1,ada\r\n", &[]);
    assert!(folder.rejected_rows("late.csv").starts_with("line,reason,original_identifier,email\n3,"));
}

#[test]
fn trailing_cells_may_be_missing_or_empty() {
    let folder = TestFolder::new();
    let short = "original_identifier,first_name,phone,custom.note,custom.source\r\n\
                 1,Ada,030 23125123,calls back,fair\r\n2,Bea,030 23125124\r\n3,Cia\r\n";
    assert_contains(
        &folder.import("leads", "short.csv", short, &[]),
        "3 rows: 3 inserted, 0 updated, 0 unchanged, 0 rejected",
    );
    let long = "original_identifier,first_name\r\n4,Dot,,\r\n";
    assert_contains(&folder.import("leads", "long.csv", long, &[]), "1 inserted, 0 updated, 0 unchanged, 0 rejected");
    let too_long = "original_identifier,first_name\r\n5,Eve,something\r\n";
    assert_contains(
        &folder.import("leads", "too-long.csv", too_long, &[]),
        "0 inserted, 0 updated, 0 unchanged, 1 rejected",
    );
    let trailing = "original_identifier,first_name,\r\n6,Ada,\r\n7,Bea,\r\n";
    assert_contains(
        &folder.import("leads", "trailing.csv", trailing, &[]),
        "2 inserted, 0 updated, 0 unchanged, 0 rejected",
    );
    let only_in_rows = "original_identifier,first_name\r\n8,Cia,\r\n9,Dot,\r\n";
    assert_contains(
        &folder.import("leads", "rows.csv", only_in_rows, &[]),
        "2 inserted, 0 updated, 0 unchanged, 0 rejected",
    );
    let filled = "original_identifier,first_name,\r\n10,Eve,something\r\n";
    assert_contains(
        &folder.import("leads", "filled.csv", filled, &[]),
        "0 inserted, 0 updated, 0 unchanged, 1 rejected",
    );
    assert!(folder.rejected_rows("filled.csv").contains("column 3 has no name"));
}

#[test]
fn blanks_and_no_value_markers_are_trimmed() {
    let folder = TestFolder::new();
    let first = "original_identifier,first_name,country\nb1,Ada,DE\n";
    assert_contains(&folder.import("leads", "first.csv", first, &[]), "1 inserted");
    for row in ["b1 ,Ada,DE ", " b1,Ada, DE", "\u{a0}b1,Ada,DE", "b1\t,Ada\t,DE"] {
        let second = format!("original_identifier,first_name,country\n{row}\n");
        assert_contains(
            &folder.import("leads", "second.csv", second, &[]),
            "0 inserted, 0 updated, 1 unchanged, 0 rejected",
        );
    }
    let padded = "original_identifier,email,do_not_call,birthdate,purchase_amount,timezone\n\
                  b2,ada@example.com ,no,1980-02-03,12.5,Europe/Berlin\n\
                  b3,bea@example.com,no ,1980-02-03 , 12.5,Europe/Berlin \n";
    assert_contains(
        &folder.import("leads", "padded.csv", padded, &[]),
        "2 inserted, 0 updated, 0 unchanged, 0 rejected",
    );
    let zero_dates = "original_identifier,first_name,birthdate,purchase_date\n\
                      n1,Ada,0000-00-00,2026-05-01\nn2,Bea,1980-02-03,0000-00-00 00:00:00\n";
    assert_contains(
        &folder.import("leads", "zero.csv", zero_dates, &[]),
        "2 inserted, 0 updated, 0 unchanged, 0 rejected",
    );
    let nulls = "original_identifier,first_name,phone,city,country,custom.note\n\
                 n3,Ada,\\N,\\N,\\N,\\N\nn4,Bea,NULL,NULL,NULL,NULL\n";
    assert_contains(&folder.import("leads", "nulls.csv", nulls, &[]), "2 inserted, 0 updated, 0 unchanged, 0 rejected");
    let plain = "original_identifier,first_name,phone,city,country,custom.note\nn3,Ada,,,,\nn4,Bea\n";
    assert_contains(&folder.import("leads", "plain.csv", plain, &[]), "0 inserted, 0 updated, 2 unchanged, 0 rejected");
    let nameless = "original_identifier,first_name\n\\N,Cia\n\\N,Dot\n";
    assert_contains(
        &folder.import("leads", "nameless.csv", nameless, &[]),
        "0 inserted, 0 updated, 0 unchanged, 2 rejected",
    );
    let amounts = "original_identifier;purchase_amount\na1;1.234,50 €\na2;EUR 12\na3;1'234.50\na4;-12,50\n";
    assert_contains(
        &folder.import("leads", "amounts.csv", amounts, &[]),
        "4 inserted, 0 updated, 0 unchanged, 0 rejected",
    );
}

#[test]
fn reads_utf16_and_rejects_utf32_by_name() {
    let folder = TestFolder::new();
    let text = "original_identifier\tfirst_name\tcity\r\n1\tZoë\tKöln\r\n";
    let encode_utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let output = folder.import_mapped("leads", encode_utf16(&format!("\u{feff}{text}")), r#"{"delimiter":"\t"}"#);
    assert_contains(&output, "reading the file as UTF-16\n");
    assert_contains(&output, "1 inserted, 0 updated, 0 unchanged, 0 rejected");
    assert_contains(
        &folder.import_mapped("leads", encode_utf16(text), "{}"),
        "0 inserted, 0 updated, 1 unchanged, 0 rejected",
    );
    assert_contains(&folder.import_mapped("leads", text, "{}"), "0 inserted, 0 updated, 1 unchanged, 0 rejected");
    let windows_1252: Vec<u8> = text.chars().map(|c| c as u8).collect();
    let output = folder.import_mapped("leads", windows_1252, "{}");
    assert_contains(&output, "reading the file as Windows-1252\n");
    assert_contains(&output, "0 inserted, 0 updated, 1 unchanged, 0 rejected");
    let utf32: Vec<u8> = format!("\u{feff}{text}").chars().flat_map(|c| u32::from(c).to_le_bytes()).collect();
    std::fs::write(folder.path("utf32.csv"), utf32).unwrap();
    let output = run_failing(&folder.data_dir(), &[], &["import", "leads", folder.path("utf32.csv").to_str().unwrap()]);
    assert_contains(&output, "UTF-32 isn't supported; save the file as UTF-8");
}

#[test]
fn stray_quote_rejects_only_its_row() {
    let folder = TestFolder::new();
    let escaped = "original_identifier,first_name,address1,phone\n1,Ada,\"Screen 19\\\"\",030 23125123\n\
                   2,Bea,\"Screen 22\\\"\",030 23125124\n3,Cia,Yard,030 23125125\n";
    assert_contains(
        &folder.import("leads", "escaped.csv", escaped, &[]),
        "3 rows: 1 inserted, 0 updated, 0 unchanged, 2 rejected",
    );
    let unclosed = "original_identifier,first_name,address1,phone\n4,Dot,\"Yard 1,030 23125126\n\
                    5,Eve,Yard 2,030 23125127\n6,Flo,\"Yard 3\",030 23125128\n";
    assert_contains(
        &folder.import("leads", "open.csv", unclosed, &[]),
        "3 rows: 2 inserted, 0 updated, 0 unchanged, 1 rejected",
    );
    let rejected = folder.rejected_rows("open.csv");
    assert!(rejected.ends_with(",,,,,\"4,Dot,\"\"Yard 1,030 23125126\"\n"), "{rejected}");
    assert!(rejected.contains("\n2,") && rejected.contains("closing quote"), "{rejected}");
    // Imported again, the row is rejected again; after correction it is imported.
    assert_contains(
        &folder.import("leads", "again.csv", &rejected, &[]),
        "1 rows: 0 inserted, 0 updated, 0 unchanged, 1 rejected",
    );
    let corrected = rejected.replace(",,,,\"4,Dot,\"\"Yard 1,030 23125126\"", "4,Dot,Yard 1,030 23125126");
    assert_contains(&folder.import("leads", "corrected.csv", corrected, &[]), "1 rows: 1 inserted");
}

#[test]
fn unused_columns_may_have_any_encoding() {
    let folder = TestFolder::new();
    let file = b"original_identifier,first_name,remark\n1,Ad\xc3\xa9,J\xfcrg\n2,Bea,fine\n";
    let output = folder.import_mapped("leads", file, r#"{"columns":{"remark":null}}"#);
    assert_contains(&output, "2 rows: 2 inserted, 0 updated, 0 unchanged, 0 rejected");
}
