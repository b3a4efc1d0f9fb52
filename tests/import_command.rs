//! `leadscribe import`: what only the command line has.

use crate::harness::{outcome, refusal, told, wav};

#[test]
fn a_file_is_mapped_and_counted_before_it_goes_in() {
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
            said.contains("the database stays as it is; 2 rows: 1 inserted, 0 updated, 0 unchanged, 1 rejected"),
            "{said}"
        );
    }
    let said = import(&[]);
    assert!(said.contains("2 rows: 1 inserted, 0 updated, 0 unchanged, 1 rejected"), "{said}");
    assert!(!said.contains("the database stays as it is"), "{said}");
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
fn numbers_without_a_country_are_of_the_one_of_the_options() {
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
    let undialable = "1 of them have phone numbers that can't be dialled";
    assert!(import(&[], &[]).contains(undialable));
    for said in [import(&[("LEADSCRIBE_DEFAULT_COUNTRY", "DE")], &[]), import(&[], &["--default-country", "DE"])] {
        assert!(!said.contains(undialable), "{said}");
    }
}

/// Three calls as Asterisk's `cdr_csv` writes them: to a customer, from one who rings at two agents of whom the second answers.
const MASTER: &str = "\
\"\",\"101\",\"030901820\",\"from-internal\",\"\"\"Ada\"\" <101>\",\"PJSIP/101-0000002a\",\"PJSIP/trunk-0000002b\",\"Dial\",\"PJSIP/030901820@trunk,60\",\"2026-05-01 11:30:00\",\"2026-05-01 11:30:08\",\"2026-05-01 11:31:00\",60,52,\"ANSWERED\",\"DOCUMENTATION\",\"1777627800.42\",\"\"
\"\",\"+442079460018\",\"600\",\"queues\",\"<+442079460018>\",\"PJSIP/trunk-0000002c\",\"PJSIP/102-0000002d\",\"Queue\",\"600\",\"2026-05-01 11:40:00\",,\"2026-05-01 11:40:15\",15,0,\"NO ANSWER\",\"DOCUMENTATION\",\"1777628400.44\",\"\"
\"\",\"+442079460018\",\"600\",\"queues\",\"<+442079460018>\",\"PJSIP/trunk-0000002c\",\"PJSIP/103-0000002e\",\"Queue\",\"600\",\"2026-05-01 11:40:15\",\"2026-05-01 11:40:20\",\"2026-05-01 11:42:20\",125,120,\"ANSWERED\",\"DOCUMENTATION\",\"1777628400.44\",\"\"
";

#[test]
fn call_detail_records_of_asterisk_go_in_with_their_recordings() {
    let home = tempfile::tempdir().unwrap();
    let (data, master) = (home.path().join("data"), home.path().join("Master.csv"));
    let recordings = home.path().join("monitor");
    let day = recordings.join("2026/05/01");
    std::fs::create_dir_all(&day).unwrap();
    std::fs::write(&master, MASTER).unwrap();
    std::fs::write(day.join("out-030901820-101-20260501-113000-1777627800.42.wav"), wav(2, 2.0)).unwrap();
    std::fs::write(day.join("q-600-20260501-114000-1777628400.44.wav"), wav(1, 3.0)).unwrap();
    let arguments = |more: &[&str]| {
        let of = ["import", "calls", master.to_str().unwrap(), "--format", "asterisk", "--timezone", "Europe/Berlin"];
        let recordings = ["--recordings", recordings.to_str().unwrap()];
        [&of[..], &recordings, more].concat().into_iter().map(str::to_owned).collect::<Vec<_>>()
    };
    let import = |more: &[&str]| told(&data, &arguments(more));
    assert!(
        import(&["--dry-run"])
            .contains("the database stays as it is; 3 rows: 3 inserted, 0 updated, 0 unchanged, 0 rejected")
    );
    assert!(import(&[]).contains("3 rows: 3 inserted, 0 updated, 0 unchanged, 0 rejected"));
    for more in [&["--dry-run"][..], &[]] {
        let said = import(more);
        assert!(said.contains("3 rows: 0 inserted, 0 updated, 3 unchanged, 0 rejected"), "{said}");
    }
    let leads = refusal(&data, &[], &["import", "leads", master.to_str().unwrap(), "--format", "asterisk"]);
    assert!(leads.contains("expected a file of calls, as call detail records are"), "{leads}");
    for (given, meant) in [("Europe/Berlim", "`Europe/Berlin`"), ("EST", "`America/New_York`")] {
        let zone = ["import", "calls", master.to_str().unwrap(), "--format", "asterisk", "--timezone", given];
        let zone = refusal(&data, &[], &zone);
        assert!(zone.contains("--timezone: expected an IANA time zone") && zone.contains(meant), "{zone}");
    }
}
