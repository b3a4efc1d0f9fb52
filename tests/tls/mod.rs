//! Built-in TLS, with certificates made for the test.

mod authority;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use self::authority::{Authority, CertificateFiles};
use crate::harness::{Client, PASSWORD, ServerProcess, log_in, run, run_failing, run_with_input, session_cookie};

/// Time limit for expected events, generous for a busy machine.
const TIMEOUT: Duration = Duration::from_secs(60);

#[tokio::test]
async fn tls_serves_panel_and_api_with_secure_cookies() {
    let temp_dir = tempfile::tempdir().unwrap();
    let authority = Authority::new();
    let files = CertificateFiles::new(temp_dir.path(), &authority.sign());
    run_with_input(temp_dir.path(), &["user", "add", "ann@example.com", "--role", "admin"], PASSWORD);
    let key = run(temp_dir.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let program = ServerProcess::start_with_tls(temp_dir.path(), &files.options(), &authority.pem()).await;

    let client = program.client();
    assert_eq!(client.get("/healthz").await.text(), "ok\n");
    assert!(client.get("/").await.text().contains("<html"));
    assert_eq!(client.with_key(&key).get("/api/leads?limit=1;0").await.expect(200)["total_leads"], 0);

    let response = log_in(&client.with_header("origin", &program.base_url), "ann@example.com", PASSWORD).await;
    let session = response.expect(200);
    let (cookie_pair, attributes) = response.header("set-cookie").unwrap().split_once("; ").unwrap();
    assert!(cookie_pair.starts_with("__Host-leadscribe_session=ls_ses_"), "{cookie_pair}");
    assert_eq!(attributes, "HttpOnly; SameSite=Strict; Secure; Path=/");
    assert_eq!(response.header("strict-transport-security"), Some("max-age=63072000; includeSubDomains"));
    let session_info = client.with_header("cookie", &session_cookie(&response)).get("/api/session").await.expect(200);
    assert_eq!(
        (&session_info["user"]["email"], &session_info["csrf_token"]),
        (&json!("ann@example.com"), &session["csrf_token"])
    );

    let metrics = client.with_key(&key).get("/metrics").await.text();
    assert!(metrics.contains("\nleadscribe_tls_certificate_expiry_timestamp_seconds 6"), "{metrics}");

    let plain_client = Client::anonymous(&format!("http://{}", program.address()));
    let response = plain_client.get("/api/session").await;
    assert_eq!(response.expect(400)["detail"], "this port requires TLS; use https://");
}

#[tokio::test]
async fn renewed_certificate_is_used_without_a_restart() {
    let temp_dir = tempfile::tempdir().unwrap();
    let (old_authority, new_authority) = (Authority::new(), Authority::new());
    let files = CertificateFiles::new(temp_dir.path(), &old_authority.sign());
    let program = ServerProcess::start_with_tls(temp_dir.path(), &files.options(), &old_authority.pem()).await;
    let client = Client::anonymous_over_tls(&program.base_url, &new_authority.pem());
    assert!(!client.is_reachable("/healthz").await, "the old certificate is not signed by this CA");

    files.write(&new_authority.sign());
    let wait_for_renewal = async {
        while !client.is_reachable("/healthz").await {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(TIMEOUT, wait_for_renewal).await.expect("the renewed certificate is served");
    assert!(!program.client().is_reachable("/healthz").await, "the old certificate is no longer served");
}

#[test]
fn mismatched_key_is_rejected_at_startup() {
    let temp_dir = tempfile::tempdir().unwrap();
    let authority = Authority::new();
    let files = CertificateFiles::new(temp_dir.path(), &authority.sign());
    let (mut signed, folder) = (authority.sign(), temp_dir.path().display());
    signed.key = authority.sign().key;
    files.write(&signed);
    let output = run_failing(temp_dir.path(), &files.options(), &["serve", "--listen", "127.0.0.1:0"]);
    let expected = format!(
        "can't enable TLS: the key in {folder}/key.pem doesn't belong to the certificate in {folder}/chain.pem"
    );
    assert!(output.contains(&expected), "{output}");

    let output = run_failing(temp_dir.path(), &files.options()[..1], &["serve", "--listen", "127.0.0.1:0"]);
    assert!(output.contains("requires --tls-key (LEADSCRIBE_TLS_KEY, http.tls_key)"), "{output}");
}

#[tokio::test(flavor = "multi_thread")]
async fn stalled_handshakes_are_closed_and_delay_no_client() {
    let temp_dir = tempfile::tempdir().unwrap();
    let authority = Authority::new();
    let files = CertificateFiles::new(temp_dir.path(), &authority.sign());
    let limits = [("LEADSCRIBE_MAX_CONNECTIONS", "20"), ("LEADSCRIBE_HEADER_TIMEOUT_SECONDS", "2")];
    let options: Vec<_> = files.options().into_iter().chain(limits).collect();
    let program = ServerProcess::start_with_tls(temp_dir.path(), &options, &authority.pem()).await;
    let open_stalled = |count: usize| -> Vec<TcpStream> {
        let open_connection = |index: usize| {
            let mut stream = TcpStream::connect(program.address()).unwrap();
            stream.set_read_timeout(Some(TIMEOUT)).unwrap();
            // No bytes, or the beginning of a handshake.
            stream.write_all(&[0x16, 0x03, 0x01, 0x02, 0x00][..index % 6]).unwrap();
            stream
        };
        (0..count).map(open_connection).collect()
    };
    // Twice as many as the limit: later connections are served after the stalled ones are closed.
    let stalled_streams = open_stalled(40);
    let client = program.client();
    let response = tokio::time::timeout(TIMEOUT, client.get("/healthz")).await.expect("answered");
    assert_eq!(response.text(), "ok\n");
    for mut stream in stalled_streams {
        let read_result = tokio::task::block_in_place(|| stream.read_to_end(&mut Vec::new()));
        let is_closed = read_result.as_ref().is_ok_and(|bytes| *bytes == 0)
            || read_result.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionReset);
        assert!(is_closed, "{read_result:?}");
    }
    // With a free slot, stalled handshakes delay nothing.
    let _stalled_streams = open_stalled(19);
    assert_eq!(client.get("/healthz").await.text(), "ok\n");
}
