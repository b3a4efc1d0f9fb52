//! Options from the program's environment.

use std::fs::{self, File};
use std::net::{SocketAddr, TcpListener};
use std::process::Command;

use crate::harness::{Program, binary, refusal, run_with};

/// Returns the server's log of its start.
async fn logged_at_start(address: SocketAddr, options: &[(&str, &str)]) -> String {
    let home = tempfile::tempdir().unwrap();
    let log = home.path().join("log");
    let mut command = Command::new(binary());
    command
        .args(["serve", "--log", "warn", "--listen", &address.to_string(), "--data-dir"])
        .arg(home.path().join("data"));
    command.env("LEADSCRIBE_RECOGNIZER", "off").envs(options.iter().copied()).stderr(File::create(&log).unwrap());
    let here = SocketAddr::from(([127, 0, 0, 1], address.port()));
    drop(Program::of(command.spawn().unwrap(), here).ready().await);
    fs::read_to_string(log).unwrap()
}

fn free_port() -> u16 {
    TcpListener::bind("127.0.0.1:0").unwrap().local_addr().unwrap().port()
}

#[test]
fn empty_variable_counts_as_unset() {
    let home = tempfile::tempdir().unwrap();
    let unset = [
        "LEADSCRIBE_CONFIG",
        "LEADSCRIBE_DATABASE_URL",
        "LEADSCRIBE_DATABASE_CONNECTIONS",
        "LEADSCRIBE_RECORDINGS_URL",
        "LEADSCRIBE_RECORDINGS_SECRET_ACCESS_KEY",
        "LEADSCRIBE_RECORDINGS_ADDRESSING",
        "LEADSCRIBE_LOG_FORMAT",
    ];
    run_with(home.path(), &unset.map(|name| (name, "")), &["migrate"]);
    assert!(home.path().join("leadscribe.db").is_file());
}

#[test]
fn option_is_reported_in_the_form_it_was_given() {
    let home = tempfile::tempdir().unwrap();
    let said = refusal(home.path(), &[("LEADSCRIBE_RECORDINGS_REGION", "eu-1")], &["migrate"]);
    assert!(said.contains("--recordings-region (LEADSCRIBE_RECORDINGS_REGION, recordings.region): expected"), "{said}");
    let said = refusal(home.path(), &[("LEADSCRIBE_DATABASE_CONNECTIONS", "many")], &["migrate"]);
    assert!(said.contains("'many' for '--database-connections <COUNT>'"), "{said}");
    let said = refusal(home.path(), &[], &["import", "lead", "leads.csv"]);
    assert!(said.contains("[possible values: campaigns, leads, campaign-leads, calls]"), "{said}");
}

#[tokio::test]
async fn misspelled_variable_is_logged_without_its_value() {
    let here = SocketAddr::from(([127, 0, 0, 1], free_port()));
    let log = logged_at_start(here, &[("LEADSCRIBE_TRANSCRIPTS_DAYS", "4711hidden")]).await;
    assert!(log.contains("unknown environment variable LEADSCRIBE_TRANSCRIPTS_DAYS is ignored"), "{log}");
    assert!(log.contains("did you mean LEADSCRIBE_TRANSCRIPT_DAYS?") && !log.contains("hidden"), "{log}");
}

#[tokio::test]
async fn public_server_without_tls_logs_a_warning() {
    let told = "is reachable from other machines without TLS: passwords and cookies can be intercepted";
    let everywhere = SocketAddr::from(([0, 0, 0, 0], free_port()));
    let log = logged_at_start(everywhere, &[]).await;
    assert!(log.contains(told) && log.contains("--tls-cert"), "{log}");
    for (address, options) in [([0, 0, 0, 0], &[("LEADSCRIBE_BEHIND_TLS", "true")][..]), ([127, 0, 0, 1], &[])] {
        let log = logged_at_start(SocketAddr::from((address, free_port())), options).await;
        assert!(!log.contains(told), "{log}");
    }
}
