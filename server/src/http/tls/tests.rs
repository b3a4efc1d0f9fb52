use std::fs;
use std::path::Path;
use std::sync::Arc;

use rcgen::{CertificateParams, CertifiedKey, KeyPair, date_time_ymd, generate_simple_self_signed};
use rustls::pki_types::{CertificateDer, ServerName};
use rustls::{ClientConfig, RootCertStore};
use tokio::net::{TcpListener, TcpStream};
use tokio_rustls::TlsConnector;

use super::{Beginning, Files, LOOK, Tls};
use crate::clock::MockClock;
use crate::telemetry::testing::Written;

fn made() -> CertifiedKey<KeyPair> {
    generate_simple_self_signed(["localhost".to_owned()]).expect("a certificate")
}

fn files(folder: &Path) -> Files {
    Files { certificate: folder.join("chain.pem"), key: folder.join("key.pem") }
}

fn write(files: &Files, certificate: &str, key: &str) {
    fs::write(&files.certificate, certificate).expect("written");
    fs::write(&files.key, key).expect("written");
}

fn clock() -> Arc<MockClock> {
    Arc::new(MockClock::at("2026-05-01T09:30:00Z".parse().expect("a time")))
}

/// Returns the error for unusable files, without their folder.
fn refusal(certificate: &str, key: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let files = files(folder.path());
    write(&files, certificate, key);
    let error = Tls::open(files, clock()).expect_err("they can't be used").to_string();
    error.replace(&format!("{}/", folder.path().display()), "")
}

#[test]
fn reports_unusable_files() {
    let (one, other) = (made(), made());
    let (certificate, key) = (one.cert.pem(), one.signing_key.serialize_pem());
    let missing = Files { certificate: "nowhere/chain.pem".into(), key: "nowhere/key.pem".into() };
    assert_eq!(
        Tls::open(missing, clock()).expect_err("no files").to_string(),
        "can't read nowhere/chain.pem: No such file or directory (os error 2)"
    );
    assert_eq!(
        refusal(&certificate, &other.signing_key.serialize_pem()),
        "expected the key of the certificate in chain.pem, found that of another one in key.pem"
    );
    assert_eq!(
        refusal("", &key),
        "expected a certificate in PEM (-----BEGIN CERTIFICATE-----) in chain.pem, found none"
    );
    assert_eq!(
        refusal(&key, &key),
        "expected a certificate in PEM (-----BEGIN CERTIFICATE-----) in chain.pem, found none"
    );
    assert_eq!(
        refusal(&certificate, &certificate),
        "expected a private key in PEM (-----BEGIN PRIVATE KEY-----) in key.pem, found none"
    );
    assert_eq!(
        refusal(&certificate, &key.replace("BEGIN ", "BEGIN ENCRYPTED ").replace("END ", "END ENCRYPTED ")),
        "expected a private key without a passphrase in key.pem, found an encrypted one; \
         `openssl pkey -in FILE -out NEW` decrypts it"
    );
    assert_eq!(
        refusal(&certificate.replace("-----END CERTIFICATE-----", ""), &key),
        "expected PEM in chain.pem, found a part of it that is damaged"
    );
    assert_eq!(
        refusal(&certificate, &key.replace("-----END PRIVATE KEY-----", "")),
        "expected PEM in key.pem, found a part of it that is damaged"
    );
    assert_eq!(
        refusal("-----BEGIN CERTIFICATE-----\nAAAA\n-----END CERTIFICATE-----\n", &key),
        "expected an X.509 certificate in chain.pem, found something else"
    );
    assert_eq!(
        refusal(&certificate, "-----BEGIN PRIVATE KEY-----\nAAAA\n-----END PRIVATE KEY-----\n"),
        "expected an RSA (2048 bits or more), ECDSA or Ed25519 key in key.pem, found another kind of key"
    );
}

#[test]
fn warns_of_invalid_certificate_dates() {
    let folder = tempfile::tempdir().expect("a folder");
    let files = files(folder.path());
    for (begins, ends, told) in [
        (2025, 2026, "certificate has expired; clients will reject it"),
        (2027, 2028, "certificate is not valid yet; clients will reject it"),
    ] {
        let key = KeyPair::generate().expect("a key");
        let mut params = CertificateParams::new(["localhost".to_owned()]).expect("a name");
        (params.not_before, params.not_after) = (date_time_ymd(begins, 1, 1), date_time_ymd(ends, 1, 1));
        write(&files, &params.self_signed(&key).expect("signed").pem(), &key.serialize_pem());
        let written = Written::default();
        let _logging = written.logging();
        Tls::open(files.clone(), clock()).expect("usable");
        let lines = written.lines();
        assert_eq!((lines.len(), &lines[0]["message"]), (1, &told.into()));
        let date = lines[0]["ends"].as_str().or(lines[0]["begins"].as_str()).map(|date| date[..10].to_owned());
        assert_eq!(date.as_deref(), Some(if begins == 2025 { "2026-01-01" } else { "2027-01-01" }));
    }
}

/// True if a handshake succeeds with a client that trusts this certificate and offers these protocols.
async fn is_served(tls: &Tls, trusted: &CertificateDer<'static>, protocols: &[&[u8]]) -> bool {
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let address = listener.local_addr().expect("an address");
    let mut roots = RootCertStore::empty();
    roots.add(trusted.clone()).expect("a certificate");
    let provider = Arc::new(rustls::crypto::aws_lc_rs::default_provider());
    let mut config = ClientConfig::builder_with_provider(provider)
        .with_safe_default_protocol_versions()
        .expect("versions")
        .with_root_certificates(roots)
        .with_no_client_auth();
    config.alpn_protocols = protocols.iter().map(|protocol| protocol.to_vec()).collect();
    let name = ServerName::try_from("localhost").expect("a name");
    let asking = async {
        let stream = TcpStream::connect(address).await.expect("connected");
        TlsConnector::from(Arc::new(config)).connect(name, stream).await.is_ok()
    };
    let answering = async { tls.accept(listener.accept().await.expect("accepted").0).await };
    let (is_served, served) = tokio::join!(asking, answering);
    assert_eq!(is_served, served.is_ok());
    is_served
}

#[tokio::test]
async fn negotiates_http_1_1() {
    let folder = tempfile::tempdir().expect("a folder");
    let (files, one) = (files(folder.path()), made());
    write(&files, &one.cert.pem(), &one.signing_key.serialize_pem());
    let tls = Tls::open(files, clock()).expect("usable");
    for (protocols, is_spoken) in
        [(&[][..], true), (&[&b"http/1.1"[..]][..], true), (&[b"h2", b"http/1.1"], true), (&[b"h2"], false)]
    {
        assert_eq!(is_served(&tls, one.cert.der(), protocols).await, is_spoken, "{protocols:?}");
    }
}

#[tokio::test]
async fn detects_connections_without_tls() {
    let folder = tempfile::tempdir().expect("a folder");
    let (files, one) = (files(folder.path()), made());
    write(&files, &one.cert.pem(), &one.signing_key.serialize_pem());
    let tls = Tls::open(files, clock()).expect("usable");
    let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
    let client = TcpStream::connect(listener.local_addr().expect("an address")).await.expect("connected");
    client.try_write(b"GET / HTTP/1.1\r\n").expect("written");
    let accepted = tls.accept(listener.accept().await.expect("accepted").0).await;
    assert!(matches!(accepted, Ok(Beginning::Plain(_))), "{accepted:?}");
}

#[tokio::test(start_paused = true)]
async fn reloads_renewed_certificate_and_ignores_bad_one() {
    let folder = tempfile::tempdir().expect("a folder");
    let (files, former, renewed) = (files(folder.path()), made(), made());
    write(&files, &former.cert.pem(), &former.signing_key.serialize_pem());
    let tls = Tls::open(files.clone(), clock()).expect("usable");
    let written = Written::default();
    let _logging = written.logging();
    let shown = || tls.shown.0.read().expect("no panic").cert[0].clone();
    let looking = tls.watch();
    let told = || written.lines().iter().map(|line| line["message"].as_str().unwrap().to_owned()).collect::<Vec<_>>();
    let testing = async {
        // The renewal writes one file before a check and the other one after it.
        tokio::time::sleep(LOOK / 2).await;
        fs::write(&files.certificate, renewed.cert.pem()).expect("written");
        tokio::time::sleep(LOOK).await;
        fs::write(&files.key, renewed.signing_key.serialize_pem()).expect("written");
        assert_eq!(shown(), *former.cert.der());
        tokio::time::sleep(LOOK * 3).await;
        assert_eq!(told(), ["certificate reloaded"]);
        assert_eq!(shown(), *renewed.cert.der());

        fs::write(&files.key, "").expect("written");
        tokio::time::sleep(LOOK * 6).await;
        assert_eq!(told()[1..], ["can't load the changed certificate; still using the previous one"]);
        assert_eq!(shown(), *renewed.cert.der());

        fs::remove_file(&files.key).expect("removed");
        tokio::time::sleep(LOOK * 6).await;
        let cause = written.lines().last().map(|line| line["error"].as_str().unwrap().to_owned());
        assert!(cause.is_some_and(|cause| cause.ends_with("key.pem: No such file or directory (os error 2)")));
    };
    tokio::select! {
        () = looking => unreachable!("it never ends"),
        () = testing => {}
    }
}
