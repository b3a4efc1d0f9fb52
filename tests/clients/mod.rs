//! Clients generated from the OpenAPI document look leads up, follow pages, get an error, submit a call, and read its
//! transcript.
//!
//! `cargo xtask test system` generates them and checks the types of these programs.

use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;

use serde_json::json;

use crate::harness::{ServerProcess, SpeechServer, measure_test, run, sample_recording};

const TIMEOUT: Duration = Duration::from_secs(60);

fn folder(variable: &str) -> PathBuf {
    let folder = std::env::var_os(variable).map(PathBuf::from);
    folder.unwrap_or_else(|| panic!("{variable} is not set; run `cargo xtask test system`"))
}

#[tokio::test]
async fn generated_clients_use_the_api() {
    measure_test();
    let temp_dir = tempfile::tempdir().unwrap();
    let key = run(temp_dir.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let token = run(temp_dir.path(), &["token", "create", "--name", "test"]);
    let speech = SpeechServer::start("please send the invoice again", Duration::ZERO).await;
    let program = ServerProcess::start_with(temp_dir.path(), &speech.options()).await;
    let client = program.client().with_key(&key);
    for tier in ["gold", "silver", "silver"] {
        client.create("/api/leads", json!({ "city": "Bonn", "custom_fields": { "tier": tier } })).await;
    }

    let clients = folder("LEADSCRIBE_CLIENTS");
    let python = folder("LEADSCRIBE_CLIENTS_PYTHON").join("python");
    let mut programs = vec![
        (PathBuf::from("node"), "compiled/use_openapi_fetch.js"),
        ("node".into(), "compiled/use_hey_api.js"),
        (python.clone(), "use_openapi_python_client.py"),
    ];
    // The generator needs Java.
    if clients.join("openapi_generator").exists() {
        programs.push((python, "use_openapi_generator.py"));
    }
    for (interpreter, path) in programs {
        let call = client.create_recorded_call(sample_recording("librivox_0880.wav")).await;
        let mut command = Command::new(interpreter);
        command
            .arg(path)
            .current_dir(&clients)
            .env("BASE_URL", &program.base_url)
            .env("API_KEY", &key)
            .env("SPEECH_TOKEN", &token)
            .env("CALL_ID", call.to_string())
            .env("PYTHONPATH", "python:openapi_generator")
            .stdin(Stdio::null());
        let run = tokio::task::spawn_blocking(move || command.output());
        // A program that takes too long fails when the server stops.
        let output = tokio::time::timeout(TIMEOUT, run).await;
        let output = output.unwrap_or_else(|_| panic!("{path} takes too long")).unwrap().unwrap();
        assert!(output.status.success(), "{path}: {}", String::from_utf8_lossy(&output.stderr));
    }
}
