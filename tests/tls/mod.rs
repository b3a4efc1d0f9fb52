//! Built-in TLS, with certificates made for the test.

mod authority;

use std::io::{Read, Write};
use std::net::TcpStream;
use std::time::Duration;

use serde_json::json;

use self::authority::{Authority, Files};
use crate::harness::{Client, PASSWORD, Program, cookie, log_in, refusal, run, run_with_input};

/// Time limit for expected events, generous for a busy machine.
const PATIENCE: Duration = Duration::from_secs(60);

#[tokio::test]
async fn tls_serves_panel_and_api_with_secure_cookies() {
    let home = tempfile::tempdir().unwrap();
    let authority = Authority::new();
    let files = Files::new(home.path(), &authority.sign());
    run_with_input(home.path(), &["user", "add", "ann@example.com", "--role", "admin"], PASSWORD);
    let key = run(home.path(), &["api-key", "create", "--name", "test", "--scope", "admin"]);
    let program = Program::start_over_tls(home.path(), &files.options(), &authority.pem()).await;

    let client = program.client();
    assert_eq!(client.get("/healthz").await.text(), "ok\n");
    assert!(client.get("/").await.text().contains("<html"));
    assert_eq!(client.with_key(&key).get("/api/leads?limit=1;0").await.expect(200)["total_leads"], 0);

    let answer = log_in(&client.with_header("origin", &program.base), "ann@example.com", PASSWORD).await;
    let session = answer.expect(200);
    let (secret, attributes) = answer.header("set-cookie").unwrap().split_once("; ").unwrap();
    assert!(secret.starts_with("__Host-leadscribe_session=ls_ses_"), "{secret}");
    assert_eq!(attributes, "HttpOnly; SameSite=Strict; Secure; Path=/");
    assert_eq!(answer.header("strict-transport-security"), Some("max-age=63072000; includeSubDomains"));
    let who = client.with_header("cookie", &cookie(&answer)).get("/api/session").await.expect(200);
    assert_eq!((&who["user"]["email"], &who["csrf_token"]), (&json!("ann@example.com"), &session["csrf_token"]));

    let measured = client.with_key(&key).get("/metrics").await.text();
    assert!(measured.contains("\nleadscribe_tls_certificate_expiry_timestamp_seconds 6"), "{measured}");

    let plain = Client::anonymous(&format!("http://{}", program.address()));
    let answer = plain.get("/api/session").await;
    assert_eq!(answer.expect(400)["detail"], "expected TLS on this port; the URL must begin with https://");
}

#[tokio::test]
async fn renewed_certificate_is_used_without_a_restart() {
    let home = tempfile::tempdir().unwrap();
    let (former, renewed) = (Authority::new(), Authority::new());
    let files = Files::new(home.path(), &former.sign());
    let program = Program::start_over_tls(home.path(), &files.options(), &former.pem()).await;
    let client = Client::anonymous_over_tls(&program.base, &renewed.pem());
    assert!(!client.reaches("/healthz").await, "the former certificate was signed by somebody else");

    files.write(&renewed.sign());
    let shown = async {
        while !client.reaches("/healthz").await {
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    };
    tokio::time::timeout(PATIENCE, shown).await.expect("the renewed certificate is shown");
    assert!(!program.client().reaches("/healthz").await, "the former one no more");
}

#[test]
fn mismatched_key_is_rejected_at_startup() {
    let home = tempfile::tempdir().unwrap();
    let authority = Authority::new();
    let files = Files::new(home.path(), &authority.sign());
    let (mut signed, folder) = (authority.sign(), home.path().display());
    signed.key = authority.sign().key;
    files.write(&signed);
    let said = refusal(home.path(), &files.options(), &["serve", "--listen", "127.0.0.1:0"]);
    let expected = format!(
        "can't enable TLS: expected the key of the certificate in {folder}/chain.pem, found that of another one in {folder}/key.pem"
    );
    assert!(said.contains(&expected), "{said}");

    let said = refusal(home.path(), &files.options()[..1], &["serve", "--listen", "127.0.0.1:0"]);
    assert!(said.contains("requires --tls-key (LEADSCRIBE_TLS_KEY, http.tls_key)"), "{said}");
}

#[tokio::test(flavor = "multi_thread")]
async fn stalled_handshakes_are_closed_and_delay_no_client() {
    let home = tempfile::tempdir().unwrap();
    let authority = Authority::new();
    let files = Files::new(home.path(), &authority.sign());
    let limits = [("LEADSCRIBE_MAX_CONNECTIONS", "20"), ("LEADSCRIBE_HEADER_SECONDS", "2")];
    let options: Vec<_> = files.options().into_iter().chain(limits).collect();
    let program = Program::start_over_tls(home.path(), &options, &authority.pem()).await;
    let stalled = |count: usize| -> Vec<TcpStream> {
        let begin = |at: usize| {
            let mut stream = TcpStream::connect(program.address()).unwrap();
            stream.set_read_timeout(Some(PATIENCE)).unwrap();
            // No bytes, or the beginning of a handshake.
            stream.write_all(&[0x16, 0x03, 0x01, 0x02, 0x00][..at % 6]).unwrap();
            stream
        };
        (0..count).map(begin).collect()
    };
    // Twice as many as the limit: later connections are served after the stalled ones are closed.
    let crowd = stalled(40);
    let client = program.client();
    let answered = tokio::time::timeout(PATIENCE, client.get("/healthz")).await.expect("answered");
    assert_eq!(answered.text(), "ok\n");
    for mut stream in crowd {
        let ended = tokio::task::block_in_place(|| stream.read_to_end(&mut Vec::new()));
        let is_over = ended.as_ref().is_ok_and(|bytes| *bytes == 0)
            || ended.as_ref().is_err_and(|error| error.kind() == std::io::ErrorKind::ConnectionReset);
        assert!(is_over, "{ended:?}");
    }
    // With a free slot, stalled handshakes delay nothing.
    let _few = stalled(19);
    assert_eq!(client.get("/healthz").await.text(), "ok\n");
}
