//! `leadscribe doctor` as a command. Individual findings are tested with their checks.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{PASSWORD, Program, SmallDisk, SpeechServer, body, outcome, postgres, run, run_with};

const LISTEN: &str = "LEADSCRIBE_LISTEN";

/// Returns the findings, and whether the command succeeded.
fn doctor(data: &Path, options: &[(&str, &str)], args: &[&str]) -> (bool, Vec<Value>) {
    let (succeeded, said) = outcome(data, options, &[&["doctor", "--json"], args].concat());
    (succeeded, read(&said))
}

fn read(said: &str) -> Vec<Value> {
    serde_json::from_str(said).unwrap_or_else(|error| panic!("{error}: {said}"))
}

/// Returns the findings that aren't ok, without those about the test machine's own resources.
fn ills(findings: &[Value]) -> Vec<String> {
    // The environment variables are those of the test run.
    let of_the_machine = ["disk", "file handles", "environment"];
    let ills = findings.iter().filter(|finding| finding["verdict"] != "ok");
    let told = ills.map(|finding| format!("{} {}: {}", finding["verdict"], finding["check"], finding["found"]));
    told.filter(|line| !of_the_machine.iter().any(|check| line.contains(&format!("{check:?}")))).collect()
}

fn of_check<'f>(findings: &'f [Value], check: &str) -> &'f Value {
    let of_check = findings.iter().find(|finding| finding["check"] == check);
    of_check.unwrap_or_else(|| panic!("no {check}"))
}

fn found(findings: &[Value], check: &str) -> String {
    of_check(findings, check)["found"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn running_server_is_healthy_and_untouched() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("data");
    let speech = SpeechServer::saying("hello", Duration::ZERO).await;
    let key = run(&data, &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let program = Program::start_with(&data, &speech.options()).await;
    let ann = json!({ "email": "ann@example.com", "password": PASSWORD, "role": "admin" });
    program.client().with_key(&key).post("/api/users", body(ann)).await.expect(201);
    let address = program.base.strip_prefix("http://").unwrap().to_owned();
    let mut options = speech.options().to_vec();
    options.push((LISTEN, &address));
    for args in [&[][..], &["--full"]] {
        let (succeeded, findings) = doctor(&data, &options, args);
        assert_eq!((succeeded, ills(&findings)), (true, Vec::<String>::new()));
        assert_eq!(found(&findings, "address"), format!("a Leadscribe server is already running at {address}"));
    }
    assert_eq!(program.client().get("/readyz").await.status, 200);
    drop(program);

    let database = data.join("leadscribe.db");
    let before = fs::read(&database).unwrap();
    let (succeeded, findings) = doctor(&data, &options, &["--full"]);
    assert!(succeeded);
    assert_eq!(found(&findings, "address"), format!("{address} is free"));
    assert!(fs::read(&database).unwrap() == before, "the database is as it was");

    // The text output has one line per finding, with advice below it, and a summary.
    let (succeeded, said) = outcome(&data, &[("LEADSCRIBE_RECOGNIZER", "off"), (LISTEN, "127.0.0.1:0")], &["doctor"]);
    assert!(succeeded, "{said}");
    assert!(
        said.contains("ok       database        ") && said.contains("warning  recogniser      none in this process\n"),
        "{said}"
    );
    assert!(
        said.contains("→ calls that are sent wait") && said.contains(" ok, ") && said.contains(" wrong\n"),
        "{said}"
    );
}

#[test]
fn fault_sets_the_exit_code_and_hides_secrets() {
    let home = tempfile::tempdir().unwrap();
    let data = home.path().join("data");
    // Missing files aren't created.
    let (succeeded, findings) = doctor(&data, &[("LEADSCRIBE_RECOGNIZER", "off"), (LISTEN, "127.0.0.1:0")], &[]);
    assert!(succeeded, "{findings:?}");
    assert!(found(&findings, "data folder").ends_with("doesn't exist yet") && !data.exists());

    run(&data, &["migrate"]);
    let file = data.join("leadscribe.toml");
    fs::write(&file, "[http]\nlistn = \"127.0.0.1:1\"\n[speech]\nkey = \"sk-hidden\"\n").unwrap();
    let (succeeded, findings) = doctor(&data, &[], &[]);
    assert!(!succeeded && findings.len() == 1, "{findings:?}");
    assert!(found(&findings, "options").contains("unknown field `listn`"), "{findings:?}");
    assert!(!format!("{findings:?}").contains("hidden"));

    fs::remove_file(&file).unwrap();
    let given = [("LEADSCRIBE_LOG", "nonsense=x=y"), ("LEADSCRIBE_TRANSCRIPTS_DAYS", "30")];
    let (succeeded, findings) = doctor(&data, &[&given[..], &[(LISTEN, "127.0.0.1:0")]].concat(), &[]);
    assert!(!succeeded && found(&findings, "log filter").contains("nonsense=x=y"), "{findings:?}");
    let told =
        |finding: &Value| finding["found"].as_str().unwrap().contains("did you mean LEADSCRIBE_TRANSCRIPT_DAYS?");
    assert!(findings.iter().any(|finding| finding["verdict"] == "warning" && told(finding)), "{findings:?}");

    fs::write(&file, "[speech]\nrecognizer = \"off\"\nkey = \"sk-hidden\"\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    // The log contains the latest writes, and would repair the file.
    for end in ["-wal", "-shm"] {
        let _ = fs::remove_file(data.join(format!("leadscribe.db{end}")));
    }
    fs::write(data.join("leadscribe.db"), "no database at all, and quite long".repeat(99)).unwrap();
    let (succeeded, findings) = doctor(&data, &[(LISTEN, "0.0.0.0:0")], &[]);
    assert!(!succeeded, "{findings:?}");
    let ills = ills(&findings);
    let expected = [
        "\"warning\" \"options\"",
        "\"fault\" \"database\"",
        "\"warning\" \"recogniser\"",
        "\"warning\" \"encryption\"",
    ];
    assert_eq!(ills.len(), expected.len(), "{ills:?}");
    for (ill, expected) in ills.iter().zip(expected) {
        assert!(ill.starts_with(expected), "{ill}");
    }
    assert!(!format!("{findings:?}").contains("hidden"));
}

#[test]
fn low_disk_space_is_reported() {
    for (megabytes, verdict) in [(32, "fault"), (512, "warning")] {
        let disk = SmallDisk::of_megabytes(megabytes);
        disk.run(&["migrate"]);
        let (_, said) = disk.outcome(&["doctor", "--json"]);
        let findings = read(&said);
        let told = of_check(&findings, "disk");
        assert_eq!(told["verdict"], verdict, "{megabytes} MB: {told}");
        assert!(told["found"].as_str().unwrap().contains(" MB are free"), "{told}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_is_checked_too() {
    let home = tempfile::tempdir().unwrap();
    let (data, database) = (home.path().join("data"), postgres().await);
    let options =
        [("LEADSCRIBE_DATABASE_URL", database.url()), ("LEADSCRIBE_RECOGNIZER", "off"), (LISTEN, "127.0.0.1:0")];
    let (succeeded, findings) = doctor(&data, &options, &[]);
    assert!(succeeded && found(&findings, "schema") == "the database is empty", "{findings:?}");
    run_with(&data, &options, &["migrate"]);
    let (succeeded, findings) = doctor(&data, &options, &[]);
    assert!(succeeded, "{findings:?}");
    assert!(found(&findings, "database").contains(", PostgreSQL 1"), "{findings:?}");
    assert!(found(&findings, "connections").contains("each Leadscribe process uses up to 17"), "{findings:?}");
    assert_eq!(found(&findings, "staff"), "no admin can log in");

    // A problem that prevents the server's start is a fault; any other is a warning.
    let other = postgres().await;
    for (url, good, said) in
        [(other.url(), false, "the server is not a replica"), (database.url(), true, "there may have been a failover")]
    {
        let mut with_replica = options.to_vec();
        with_replica.push(("LEADSCRIBE_READ_DATABASE_URL", url));
        let (succeeded, findings) = doctor(&data, &with_replica, &[]);
        assert!(succeeded == good && found(&findings, "replica").contains(said), "{findings:?}");
    }

    let gone = [("LEADSCRIBE_DATABASE_URL", "postgres://ann:hidden@127.0.0.1:1/calls"), options[1], options[2]];
    let (succeeded, findings) = doctor(&data, &gone, &[]);
    assert!(!succeeded && found(&findings, "database").contains("127.0.0.1:1"), "{findings:?}");
    assert!(!format!("{findings:?}").contains("hidden"));
}
