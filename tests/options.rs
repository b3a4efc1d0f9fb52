//! Options from the program's environment.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener};
use std::process::Command;

use crate::harness::{ServerProcess, binary, run_failing, run_with};

/// Returns the server's log of its start.
async fn startup_log(address: SocketAddr, options: &[(&str, &str)]) -> String {
    let temp_dir = tempfile::tempdir().unwrap();
    let log = temp_dir.path().join("log");
    let mut command = Command::new(binary());
    command
        .args(["serve", "--log", "warn", "--listen", &address.to_string(), "--data-dir"])
        .arg(temp_dir.path().join("data"));
    command.env("LEADSCRIBE_RECOGNIZER", "off").envs(options.iter().copied()).stderr(File::create(&log).unwrap());
    let local_address = SocketAddr::from(([127, 0, 0, 1], address.port()));
    drop(ServerProcess::from_process(command.spawn().unwrap(), local_address).wait_until_ready().await);
    fs::read_to_string(log).unwrap()
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn empty_variable_counts_as_unset() {
    let temp_dir = tempfile::tempdir().unwrap();
    let unset = [
        "LEADSCRIBE_CONFIG",
        "LEADSCRIBE_DATABASE_URL",
        "LEADSCRIBE_DATABASE_CONNECTIONS",
        "LEADSCRIBE_RECORDINGS_URL",
        "LEADSCRIBE_RECORDINGS_SECRET_ACCESS_KEY",
        "LEADSCRIBE_RECORDINGS_ADDRESSING",
        "LEADSCRIBE_LOG_FORMAT",
    ];
    run_with(temp_dir.path(), &unset.map(|name| (name, "")), &["migrate"]);
    assert!(temp_dir.path().join("leadscribe.db").is_file());
}

#[test]
fn option_is_reported_in_the_form_it_was_given() {
    let temp_dir = tempfile::tempdir().unwrap();
    let output = run_failing(temp_dir.path(), &[("LEADSCRIBE_RECORDINGS_REGION", "eu-1")], &["migrate"]);
    assert!(
        output.contains("--recordings-region (LEADSCRIBE_RECORDINGS_REGION, recordings.region): requires"),
        "{output}"
    );
    let output = run_failing(temp_dir.path(), &[("LEADSCRIBE_DATABASE_CONNECTIONS", "many")], &["migrate"]);
    assert!(output.contains("'many' for '--database-connections <COUNT>'"), "{output}");
    let output = run_failing(temp_dir.path(), &[], &["import", "lead", "leads.csv"]);
    assert!(output.contains("[possible values: campaigns, leads, campaign-leads, calls]"), "{output}");
}

#[tokio::test]
async fn misspelled_variable_is_logged_without_its_value() {
    let address = SocketAddr::from(([127, 0, 0, 1], free_port()));
    let log = startup_log(address, &[("LEADSCRIBE_TRANSCRIPTS_DAYS", "4711hidden")]).await;
    assert!(log.contains("unknown environment variable LEADSCRIBE_TRANSCRIPTS_DAYS is ignored"), "{log}");
    assert!(log.contains("did you mean LEADSCRIBE_TRANSCRIPT_DAYS?") && !log.contains("hidden"), "{log}");
}

#[tokio::test]
async fn public_server_without_tls_logs_a_warning() {
    let warning = "is reachable from other machines without TLS: passwords and cookies can be intercepted";
    let public_address = SocketAddr::from(([0, 0, 0, 0], free_port()));
    let log = startup_log(public_address, &[]).await;
    assert!(log.contains(warning) && log.contains("--tls-cert"), "{log}");
    for (address, options) in [([0, 0, 0, 0], &[("LEADSCRIBE_BEHIND_TLS", "true")][..]), ([127, 0, 0, 1], &[])] {
        let log = startup_log(SocketAddr::from((address, free_port())), options).await;
        assert!(!log.contains(warning), "{log}");
    }
}
