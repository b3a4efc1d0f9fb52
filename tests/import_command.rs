//! Options of `leadscribe import` that the API doesn't have.

use crate::harness::{outcome, refusal};

#[test]
fn file_is_mapped_and_counted_before_importing() {
    let home = tempfile::tempdir().unwrap();
    let file = |name: &str, text: &str| {
        let path = home.path().join(name);
        std::fs::write(&path, text).unwrap();
        path.to_str().unwrap().to_owned()
    };
    let leads = file("kunden.csv", "Kunde;E-Mail\n7;ada@example.com\n8;bob\n");
    let map = file("map.json", r#"{"columns":{"Kunde":"original_identifier","E-Mail":"email"},"delimiter":";"}"#);
    let data = home.path().join("data");
    let import = |more: &[&str]| refusal(&data, &[], &[&["import", "leads", &leads, "--map", &map], more].concat());
    for _ in 0..2 {
        let said = import(&["--dry-run"]);
        assert!(
            said.contains("dry run, nothing was changed; 2 rows: 1 inserted, 0 updated, 0 unchanged, 1 rejected"),
            "{said}"
        );
    }
    let said = import(&[]);
    assert!(said.contains("2 rows: 1 inserted, 0 updated, 0 unchanged, 1 rejected"), "{said}");
    assert!(!said.contains("dry run"), "{said}");
    let rejects = std::fs::read_to_string(home.path().join("kunden.rejected.csv")).unwrap();
    assert!(rejects.starts_with("line;reason;Kunde;E-Mail\n3;\"E-Mail: expected an e-mail address"), "{rejects}");
    let again = home.path().join("kunden.rejected.csv").to_str().unwrap().to_owned();
    std::fs::write(&again, rejects.replace(";bob", ";bob@example.com")).unwrap();
    let (succeeded, said) = outcome(&data, &[], &["import", "leads", &again, "--map", &map]);
    assert!(succeeded && said.contains("1 rows: 1 inserted, 0 updated, 0 unchanged, 0 rejected"), "{said}");
    let said = import(&["--dry-run"]);
    assert!(said.contains("0 inserted, 0 updated, 1 unchanged, 1 rejected"), "{said}");

    let wrong = file("wrong.json", r#"{"colums":{}}"#);
    let said = refusal(&data, &[], &["import", "leads", &leads, "--map", &wrong]);
    assert!(said.contains("wrong.json: /colums: a mapping has no member `colums`"), "{said}");
}

#[test]
fn default_country_applies_to_numbers_without_one() {
    let home = tempfile::tempdir().unwrap();
    let leads = home.path().join("leads.csv");
    std::fs::write(&leads, "id,phone\n1,030 901820\n").unwrap();
    let data = home.path().join("data");
    let import = |options: &[(&str, &str)], more: &[&str]| {
        let import = ["import", "leads", leads.to_str().unwrap(), "--dry-run"];
        let (succeeded, said) = outcome(&data, options, &[&import[..], more].concat());
        assert!(succeeded && said.contains("1 rows: 1 inserted"), "{said}");
        said
    };
    let undialable = "1 of them have phone numbers, but none that can be dialled";
    assert!(import(&[], &[]).contains(undialable));
    for said in [import(&[("LEADSCRIBE_DEFAULT_COUNTRY", "DE")], &[]), import(&[], &["--default-country", "DE"])] {
        assert!(!said.contains(undialable), "{said}");
    }
}
