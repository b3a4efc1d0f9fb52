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

    /// Returns the CSV file with the rejected rows of an imported file.
    fn rejected_rows(&self, name: &str) -> String {
        std::fs::read_to_string(Path::new(&self.path(name)).with_extension("rejected.csv")).unwrap()
    }
}

#[track_caller]
fn assert_contains(output: &str, expected: &str) {
    assert!(output.contains(expected), "{expected}: {output}");
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
