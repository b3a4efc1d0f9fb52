//! `leadscribe doctor` as a command. The checks have their own tests.

use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::time::Duration;

use serde_json::{Value, json};

use crate::harness::{
    PASSWORD, ServerProcess, SmallDisk, SpeechServer, body, create_postgres_database, run, run_to_end, run_with,
};

const LISTEN_VARIABLE: &str = "LEADSCRIBE_LISTEN";

/// Returns the results, and whether the command succeeded.
fn run_doctor(data_dir: &Path, options: &[(&str, &str)], args: &[&str]) -> (bool, Vec<Value>) {
    let (succeeded, output) = run_to_end(data_dir, options, &[&["doctor", "--json"], args].concat());
    (succeeded, parse_results(&output))
}

fn parse_results(output: &str) -> Vec<Value> {
    serde_json::from_str(output).unwrap_or_else(|error| panic!("{error}: {output}"))
}

/// Returns the results that aren't ok, without those about the test machine's own resources.
fn problems(results: &[Value]) -> Vec<String> {
    // The environment variables are those of the test run.
    let machine_checks = ["disk", "file descriptors", "environment"];
    let problems = results.iter().filter(|result| result["status"] != "ok");
    let lines = problems.map(|result| format!("{} {}: {}", result["status"], result["check"], result["message"]));
    lines.filter(|line| !machine_checks.iter().any(|check| line.contains(&format!("{check:?}")))).collect()
}

fn find_result<'f>(results: &'f [Value], check: &str) -> &'f Value {
    let found = results.iter().find(|result| result["check"] == check);
    found.unwrap_or_else(|| panic!("no {check}"))
}

fn check_message(results: &[Value], check: &str) -> String {
    find_result(results, check)["message"].as_str().unwrap().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn running_server_is_healthy_and_untouched() {
    let temp_dir = tempfile::tempdir().unwrap();
    let data_dir = temp_dir.path().join("data");
    let speech = SpeechServer::start("hello", Duration::ZERO).await;
    let key = run(&data_dir, &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let program = ServerProcess::start_with(&data_dir, &speech.options()).await;
    let ann = json!({ "email": "ann@example.com", "password": PASSWORD, "role": "admin" });
    program.client().with_key(&key).post("/api/users", body(ann)).await.expect(201);
    let address = program.base_url.strip_prefix("http://").unwrap().to_owned();
    let mut options = speech.options().to_vec();
    options.push((LISTEN_VARIABLE, &address));
    for args in [&[][..], &["--full"]] {
        let (succeeded, results) = run_doctor(&data_dir, &options, args);
        assert_eq!((succeeded, problems(&results)), (true, Vec::<String>::new()));
        assert_eq!(
            check_message(&results, "listen address"),
            format!("a Leadscribe server is already running at {address}")
        );
    }
    assert_eq!(program.client().get("/readyz").await.status, 200);
    drop(program);

    let database = data_dir.join("leadscribe.db");
    let before = fs::read(&database).unwrap();
    let (succeeded, results) = run_doctor(&data_dir, &options, &["--full"]);
    assert!(succeeded);
    assert_eq!(check_message(&results, "listen address"), format!("{address} is free"));
    assert!(fs::read(&database).unwrap() == before, "the database is unchanged");

    // The text output has one line per result, with advice below it, and a summary.
    let (succeeded, output) =
        run_to_end(&data_dir, &[("LEADSCRIBE_RECOGNIZER", "off"), (LISTEN_VARIABLE, "127.0.0.1:0")], &["doctor"]);
    assert!(succeeded, "{output}");
    assert!(
        output.contains("ok       database        ")
            && output.contains("warning  recognizer         none in this process\n"),
        "{output}"
    );
    assert!(
        output.contains("→ submitted calls wait") && output.contains(" ok, ") && output.contains(" errors\n"),
        "{output}"
    );
}

#[test]
fn error_sets_the_exit_code_and_hides_secrets() {
    let temp_dir = tempfile::tempdir().unwrap();
    let data_dir = temp_dir.path().join("data");
    // Missing files aren't created.
    let (succeeded, results) =
        run_doctor(&data_dir, &[("LEADSCRIBE_RECOGNIZER", "off"), (LISTEN_VARIABLE, "127.0.0.1:0")], &[]);
    assert!(succeeded, "{results:?}");
    assert!(check_message(&results, "data folder").ends_with("doesn't exist yet") && !data_dir.exists());

    run(&data_dir, &["migrate"]);
    let file = data_dir.join("leadscribe.toml");
    fs::write(&file, "[http]\nlistn = \"127.0.0.1:1\"\n[speech]\nkey = \"sk-hidden\"\n").unwrap();
    let (succeeded, results) = run_doctor(&data_dir, &[], &[]);
    assert!(!succeeded && results.len() == 1, "{results:?}");
    assert!(check_message(&results, "options").contains("unknown field `listn`"), "{results:?}");
    assert!(!format!("{results:?}").contains("hidden"));

    fs::remove_file(&file).unwrap();
    let options = [("LEADSCRIBE_LOG", "nonsense=x=y"), ("LEADSCRIBE_TRANSCRIPTS_DAYS", "30")];
    let (succeeded, results) =
        run_doctor(&data_dir, &[&options[..], &[(LISTEN_VARIABLE, "127.0.0.1:0")]].concat(), &[]);
    assert!(!succeeded && check_message(&results, "log filter").contains("nonsense=x=y"), "{results:?}");
    let has_suggestion =
        |result: &Value| result["message"].as_str().unwrap().contains("did you mean LEADSCRIBE_TRANSCRIPT_DAYS?");
    assert!(results.iter().any(|result| result["status"] == "warning" && has_suggestion(result)), "{results:?}");

    fs::write(&file, "[speech]\nrecognizer = \"off\"\nkey = \"sk-hidden\"\n").unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(0o644)).unwrap();
    // The write-ahead log holds the latest writes, and would repair the file.
    for suffix in ["-wal", "-shm"] {
        let _ = fs::remove_file(data_dir.join(format!("leadscribe.db{suffix}")));
    }
    fs::write(data_dir.join("leadscribe.db"), "no database at all, and quite long".repeat(99)).unwrap();
    let (succeeded, results) = run_doctor(&data_dir, &[(LISTEN_VARIABLE, "0.0.0.0:0")], &[]);
    assert!(!succeeded, "{results:?}");
    let problems = problems(&results);
    let expected = [
        "\"warning\" \"options\"",
        "\"error\" \"database\"",
        "\"warning\" \"recognizer\"",
        "\"warning\" \"encryption\"",
    ];
    assert_eq!(problems.len(), expected.len(), "{problems:?}");
    for (problem, expected) in problems.iter().zip(expected) {
        assert!(problem.starts_with(expected), "{problem}");
    }
    assert!(!format!("{results:?}").contains("hidden"));
}

#[test]
fn low_disk_space_is_reported() {
    for (megabytes, status) in [(32, "error"), (512, "warning")] {
        let disk = SmallDisk::mount(megabytes);
        disk.run(&["migrate"]);
        let (_, output) = disk.run_to_end(&["doctor", "--json"]);
        let results = parse_results(&output);
        let result = find_result(&results, "disk");
        assert_eq!(result["status"], status, "{megabytes} MB: {result}");
        assert!(result["message"].as_str().unwrap().contains(" MB are free"), "{result}");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn postgresql_is_checked_too() {
    let temp_dir = tempfile::tempdir().unwrap();
    let (data_dir, database) = (temp_dir.path().join("data"), create_postgres_database().await);
    let options = [
        ("LEADSCRIBE_DATABASE_URL", database.url()),
        ("LEADSCRIBE_RECOGNIZER", "off"),
        (LISTEN_VARIABLE, "127.0.0.1:0"),
    ];
    let (succeeded, results) = run_doctor(&data_dir, &options, &[]);
    assert!(succeeded && check_message(&results, "schema") == "the database is empty", "{results:?}");
    run_with(&data_dir, &options, &["migrate"]);
    let (succeeded, results) = run_doctor(&data_dir, &options, &[]);
    assert!(succeeded, "{results:?}");
    assert!(check_message(&results, "database").contains(", PostgreSQL 1"), "{results:?}");
    assert!(check_message(&results, "connections").contains("each Leadscribe process uses up to 17"), "{results:?}");
    assert_eq!(check_message(&results, "staff"), "no admin can log in");

    // A problem that prevents the server's start is an error; any other is a warning.
    let other_database = create_postgres_database().await;
    for (url, is_success, message) in [
        (other_database.url(), false, "the server is not a replica"),
        (database.url(), true, "there may have been a failover"),
    ] {
        let mut with_replica = options.to_vec();
        with_replica.push(("LEADSCRIBE_READ_DATABASE_URL", url));
        let (succeeded, results) = run_doctor(&data_dir, &with_replica, &[]);
        assert!(succeeded == is_success && check_message(&results, "replica").contains(message), "{results:?}");
    }

    let unreachable = [("LEADSCRIBE_DATABASE_URL", "postgres://ann:hidden@127.0.0.1:1/calls"), options[1], options[2]];
    let (succeeded, results) = run_doctor(&data_dir, &unreachable, &[]);
    assert!(!succeeded && check_message(&results, "database").contains("127.0.0.1:1"), "{results:?}");
    assert!(!format!("{results:?}").contains("hidden"));
}
