use std::fs;
use std::path::Path;
use std::sync::Arc;

use rcgen::{CertificateParams, CertifiedKey, KeyPair, date_time_ymd, generate_simple_self_signed};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;

use super::{AcceptedStream, CertificateFiles, POLL_INTERVAL, Tls};
use crate::clock::MockClock;
use crate::telemetry::testing::LogCapture;

fn generate_certificate() -> CertifiedKey<KeyPair> {
    generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate")
}

fn files(folder: &Path) -> CertificateFiles {
    CertificateFiles { certificate: folder.join("chain.pem"), key: folder.join("key.pem") }
}

fn write(files: &CertificateFiles, certificate: &str, key: &str) {
    fs::write(&files.certificate, certificate).expect("written");
    fs::write(&files.key, key).expect("written");
}

fn clock() -> Arc<MockClock> {
    Arc::new(MockClock::at("2026-05-01T09:30:00Z".parse().expect("a time")))
}

/// Returns the error for unusable files, with the folder removed from their paths.
fn open_error(certificate: &str, key: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let files = files(folder.path());
    write(&files, certificate, key);
    let error = Tls::open(files, clock()).expect_err("unusable files").to_string();
    error.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn reports_unusable_files() {
    let (first, second) = (generate_certificate(), generate_certificate());
    let (certificate, key) = (first.cert.pem(), first.signing_key.serialize_pem());
    let missing = CertificateFiles { certificate: "nowhere/chain.pem".into(), key: "nowhere/key.pem".into() };
    assert_eq!(
        Tls::open(missing, clock()).expect_err("no files").to_string(),
        "can't read nowhere/chain.pem: No such file or directory (os error 2)"
    );
    assert_eq!(
        open_error(&certificate, &second.signing_key.serialize_pem()),
        "the key in key.pem doesn't belong to the certificate in chain.pem"
    );
    assert_eq!(
        open_error("", &key),
        "expected a certificate in PEM (-----BEGIN CERTIFICATE-----) in chain.pem, found none"
    );
    assert_eq!(
        open_error(&key, &key),
        "expected a certificate in PEM (-----BEGIN CERTIFICATE-----) in chain.pem, found none"
    );
    assert_eq!(
        open_error(&certificate, &certificate),
        "expected a private key in PEM (-----BEGIN PRIVATE KEY-----) in key.pem, found none"
    );
    assert_eq!(
        open_error(&certificate, &key.replace("BEGIN ", "BEGIN ENCRYPTED ").replace("END ", "END ENCRYPTED ")),
        "expected a private key without a passphrase in key.pem, found an encrypted one; \
         `openssl pkey -in FILE -out NEW` decrypts it"
    );
    assert_eq!(
        open_error(&certificate.replace("-----END CERTIFICATE-----", ""), &key),
        "chain.pem is damaged: it isn't valid PEM"
    );
    assert_eq!(
        open_error(&certificate, &key.replace("-----END PRIVATE KEY-----", "")),
        "key.pem is damaged: it isn't valid PEM"
    );
    assert_eq!(
        open_error("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", &key),
        "expected an X.509 certificate in chain.pem, found something else"
    );
    assert_eq!(
        open_error(&certificate, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
        "expected an RSA (2048 bits or more), ECDSA or Ed25519 key in key.pem, found another kind of key"
    );
}

#[test]
fn warns_of_invalid_certificate_dates() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = files(folder.path());
    for (start_year, end_year, message) in [
        (2025, 2026, "certificate has expired; clients will reject it"),
        (2027, 2028, "certificate is not valid yet; clients will reject it"),
    ] {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(["localhost".to_owned()]).expect("a name");
        (params.not_before, params.not_after) = (date_time_ymd(start_year, 1, 1), date_time_ymd(end_year, 1, 1));
        write(&files, &params.self_signed(&key).expect("signed").pem(), &key.serialize_pem());
        let logs = LogCapture::default();
        let _logging = logs.capture();
        Tls::open(files.clone(), clock()).expect("usable");
        let lines = logs.lines();
        assert_eq!((lines.len(), &lines[0]["message"]), (1, &message.into()));
        let date = lines[0]["not_after"].as_str().or(lines[0]["not_before"].as_str()).map(|date| date[..10].to_owned());
        assert_eq!(date.as_deref(), Some(if start_year == 2025 { "2026-01-01" } else { "2027-01-01" }));
    }
}

/// True if a handshake succeeds with a client that trusts this certificate and offers these protocols.
async fn is_connected(tls: &Tls, trusted_certificate: &CertificateDer<'static>, protocols: &[&[u8]]) -> bool {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let mut roots = RootCertStore::empty();
    roots.add(trusted_certificate.clone()).expect("a certificate");
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    let name = ServerName::try_from("localhost").expect("a name");
    let connect = async {
        let stream = TcpStream::connect(address).await.expect("connected");
        TlsConnector::from(Arc::new(config)).connect(name, stream).await.is_ok()
    };
    let accept = async { tls.accept(listener.accept().await.expect("accepted").0).await };
    let (is_connected, accepted) = tokio::join!(connect, accept);
    assert_eq!(is_connected, accepted.is_ok());
    is_connected
}

#[tokio::test]
async fn negotiates_http_1_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let (files, certificate) = (files(folder.path()), generate_certificate());
    write(&files, &certificate.cert.pem(), &certificate.signing_key.serialize_pem());
    let tls = Tls::open(files, clock()).expect("usable");
    for (protocols, is_supported) in
        [(&[][..], true), (&[&b"http/1.1"[..]][..], true), (&[b"h2", b"http/1.1"], true), (&[b"h2"], false)]
    {
        assert_eq!(is_connected(&tls, certificate.cert.der(), protocols).await, is_supported, "{protocols:?}");
    }
}

#[tokio::test]
async fn detects_connections_without_tls() {
    let folder = tempfile::tempdir().expect("a folder");
    let (files, certificate) = (files(folder.path()), generate_certificate());
    write(&files, &certificate.cert.pem(), &certificate.signing_key.serialize_pem());
    let tls = Tls::open(files, clock()).expect("usable");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let client = TcpStream::connect(listener.local_addr().expect("an address")).await.expect("connected");
    client.try_write(b"GET / HTTP/1.1\r\n").expect("written");
    let accepted = tls.accept(listener.accept().await.expect("accepted").0).await;
    assert!(matches!(accepted, Ok(AcceptedStream::Plain(_))), "{accepted:?}");
}

#[tokio::test(start_paused = true)]
async fn reloads_renewed_certificate_and_ignores_bad_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let (files, previous, renewed) = (files(folder.path()), generate_certificate(), generate_certificate());
    write(&files, &previous.cert.pem(), &previous.signing_key.serialize_pem());
    let tls = Tls::open(files.clone(), clock()).expect("usable");
    let logs = LogCapture::default();
    let _logging = logs.capture();
    let served_certificate = || tls.resolver.0.read().expect("no panic").cert[0].clone();
    let watch = tls.watch();
    let messages = || logs.lines().iter().map(|line| line["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let scenario = async {
        // The renewal writes one file before a check and the other one after it.
        tokio::time::sleep(POLL_INTERVAL / 2).await;
        fs::write(&files.certificate, renewed.cert.pem()).expect("written");
        tokio::time::sleep(POLL_INTERVAL).await;
        fs::write(&files.key, renewed.signing_key.serialize_pem()).expect("written");
        assert_eq!(served_certificate(), *previous.cert.der());
        tokio::time::sleep(POLL_INTERVAL * 3).await;
        assert_eq!(messages(), ["certificate reloaded"]);
        assert_eq!(served_certificate(), *renewed.cert.der());

        fs::write(&files.key, "").expect("written");
        tokio::time::sleep(POLL_INTERVAL * 6).await;
        assert_eq!(messages()[1..], ["can't load the changed certificate; still using the previous one"]);
        assert_eq!(served_certificate(), *renewed.cert.der());

        fs::remove_file(&files.key).expect("removed");
        tokio::time::sleep(POLL_INTERVAL * 6).await;
        let cause = logs.lines().last().map(|line| line["error"].as_str().unwrap().to_owned());
        assert!(cause.is_some_and(|cause| cause.ends_with("key.pem: No such file or directory (os error 2)")));
    };
    tokio::select! {
        () = watch => unreachable!("it never ends"),
        () = scenario => {}
    }
}
