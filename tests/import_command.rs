//! `leadscribe import`: dry runs, mapping files, the file of rejected rows, and the default country.

use crate::harness::{run_failing, run_to_end};

#[test]
fn dry_run_counts_rows_before_import() {
    let temp_dir = tempfile::tempdir().unwrap();
    let write_file = |name: &str, text: &str| {
        let path = temp_dir.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let leads = write_file("kunden.csv", "Kunde;E-Mail\n7;ada@example.com\n8;bob\n");
    let map = write_file("map.json", r#"{"columns":{"Kunde":"original_identifier","E-Mail":"email"},"delimiter":";"}"#);
    let data_dir = temp_dir.path().join("data");
    let import = |extra_args: &[&str]| {
        run_failing(&data_dir, &[], &[&["import", "leads", &leads, "--mapping", &map], extra_args].concat())
    };
    for _ in 0..2 {
        let output = import(&["--dry-run"]);
        assert!(
            output.contains("dry run, nothing was changed; 2 rows: 1 inserted, 0 updated, 0 unchanged, 1 rejected"),
            "{output}"
        );
    }
    let output = import(&[]);
    assert!(output.contains("2 rows: 1 inserted, 0 updated, 0 unchanged, 1 rejected"), "{output}");
    assert!(!output.contains("dry run"), "{output}");
    let rejected_rows = std::fs::read_to_string(temp_dir.path().join("kunden.rejected.csv")).unwrap();
    assert!(
        rejected_rows.starts_with("line;reason;Kunde;E-Mail\n3;\"E-Mail: expected an email address"),
        "{rejected_rows}"
    );
    let rejected_path = temp_dir.path().join("kunden.rejected.csv").to_str().unwrap().to_owned();
    std::fs::write(&rejected_path, rejected_rows.replace(";bob", ";bob@example.com")).unwrap();
    let (succeeded, output) = run_to_end(&data_dir, &[], &["import", "leads", &rejected_path, "--mapping", &map]);
    assert!(succeeded && output.contains("1 rows: 1 inserted, 0 updated, 0 unchanged, 0 rejected"), "{output}");
    let output = import(&["--dry-run"]);
    assert!(output.contains("0 inserted, 0 updated, 1 unchanged, 1 rejected"), "{output}");

    let wrong_mapping = write_file("wrong.json", r#"{"colums":{}}"#);
    let output = run_failing(&data_dir, &[], &["import", "leads", &leads, "--mapping", &wrong_mapping]);
    assert!(output.contains("wrong.json: /colums: a mapping has no member `colums`"), "{output}");
}

#[test]
fn default_country_applies_to_numbers_without_country_code() {
    let temp_dir = tempfile::tempdir().unwrap();
    let leads = temp_dir.path().join("leads.csv");
    std::fs::write(&leads, "id,phone\n1,030 901820\n").unwrap();
    let data_dir = temp_dir.path().join("data");
    let run_import = |options: &[(&str, &str)], extra_args: &[&str]| {
        let command = ["import", "leads", leads.to_str().unwrap(), "--dry-run"];
        let (succeeded, output) = run_to_end(&data_dir, options, &[&command[..], extra_args].concat());
        assert!(succeeded && output.contains("1 rows: 1 inserted"), "{output}");
        output
    };
    let undialable = "1 leads have phone numbers, but none that can be dialed";
    assert!(run_import(&[], &[]).contains(undialable));
    for output in
        [run_import(&[("LEADSCRIBE_DEFAULT_COUNTRY", "DE")], &[]), run_import(&[], &["--default-country", "DE"])]
    {
        assert!(!output.contains(undialable), "{output}");
    }
}
