use std::io::{Read, Write};
use std::net::TcpListener;

use super::super::catalog::{Build, Languages};
use super::*;

const WEIGHTS: &[u8] = b"pretend weights";

const MODEL: Model = Model {
    name: "pretend",
    file: "ggml-pretend.bin",
    bytes: 15,
    languages: Languages::Multilingual,
    memory_mb: 1,
    purpose: "for these tests",
    builds: &[Build {
        sha256: "b46e8daba03e1d333e7053378fa8301abf117b6702ac68580e67a0d4342a0cf3",
        origin: Origin::Published,
    }],
};

/// Responds to one request with `head` and `body`. Returns the URL.
fn serve_once(head: &'static str, body: &'static [u8]) -> String {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a free port");
    let url = format!("http://{}", listener.local_addr().expect("an address"));
    std::thread::spawn(move || {
        let (mut stream, _) = listener.accept().expect("a client");
        let mut request = [0; 4096];
        let request_bytes = stream.read(&mut request).expect("a request");
        assert!(request[..request_bytes].starts_with(b"GET /models/ggml-pretend.bin "));
        stream.write_all(head.as_bytes()).expect("a client that reads");
        // The client may have disconnected early.
        let _ = stream.write_all(body);
    });
    url
}

fn files(folder: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(folder).expect("a folder");
    entries.map(|entry| entry.expect("an entry").file_name().to_string_lossy().into_owned()).collect()
}

#[tokio::test]
async fn fetches_model_from_server_once() {
    let home = tempfile::tempdir().expect("a folder");
    let folder = home.path().join("data/models");
    let url = serve_once("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n", WEIGHTS);
    let mut received_bytes = 0;
    let outcome = fetch(&MODEL, &format!("{url}/models/"), &folder, |bytes| received_bytes = bytes).await;
    assert_eq!((outcome.expect("the model"), received_bytes), (FetchOutcome::Fetched(Origin::Published), 15));
    assert_eq!(std::fs::read(folder.join(MODEL.file)).expect("a file"), WEIGHTS);
    assert_eq!(files(&folder), [MODEL.file]);

    // The server is no longer running.
    let second_fetch = fetch(&MODEL, &url, &folder, |_| panic!("nothing should be downloaded")).await;
    assert_eq!(second_fetch.expect("the model"), FetchOutcome::AlreadyPresent(Origin::Published));
}

#[tokio::test]
async fn fetches_model_from_folder_over_damaged_file() {
    let home = tempfile::tempdir().expect("a folder");
    let mirror = tempfile::tempdir().expect("a folder");
    std::fs::write(mirror.path().join(MODEL.file), WEIGHTS).expect("a file");
    std::fs::write(home.path().join(MODEL.file), "cut short").expect("a file");
    let outcome = fetch(&MODEL, mirror.path().to_str().expect("text"), home.path(), |_| ()).await;
    assert_eq!(outcome.expect("the model"), FetchOutcome::Fetched(Origin::Published));
    assert_eq!(verify(&MODEL, home.path()).expect("a file"), FileState::Valid(Origin::Published));
}

#[tokio::test]
async fn rejects_other_contents() {
    let home = tempfile::tempdir().expect("a folder");
    let cases = [
        (
            "Content-Length: 15\r\n\r\n",
            &b"pretend Weights"[..],
            format!("expected the SHA-256 {}, found ", MODEL.builds[0].sha256),
        ),
        ("Content-Length: 16\r\n\r\n", b"pretend weights!", "expected 15 bytes, found more; ".to_owned()),
        ("Content-Length: 7\r\n\r\n", b"pretend", "expected 15 bytes, found 7; ".to_owned()),
    ];
    for (headers, body, expected) in cases {
        let head: &'static str = Box::leak(format!("HTTP/1.1 200 OK\r\n{headers}").into_boxed_str());
        let url = serve_once(head, body);
        let error =
            fetch(&MODEL, &format!("{url}/models"), home.path(), |_| ()).await.expect_err("another file").to_string();
        let prefix = format!("{url}/models/ggml-pretend.bin is not the model `pretend`: {expected}");
        assert!(error.starts_with(&prefix), "{error}");
        assert!(error.ends_with("; the download was discarded"), "{error}");
        assert_eq!(files(home.path()), [""; 0]);
    }
}

#[tokio::test]
async fn source_error_suggests_alternatives() {
    const OTHER_WAYS: &str = "; set --model-source to a mirror or folder with this file, or --model to the \
                              path of a ggml file";
    let home = tempfile::tempdir().expect("a folder");
    let error_message =
        async |source: String| fetch(&MODEL, &source, home.path(), |_| ()).await.expect_err("no model").to_string();

    let url = serve_once("HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\n\r\n", b"");
    assert_eq!(
        error_message(format!("{url}/models")).await,
        format!("can't download {url}/models/ggml-pretend.bin: the server responded with 404 Not Found{OTHER_WAYS}")
    );
    let url = serve_once("HTTP/1.1 200 OK\r\nContent-Length: 15\r\n\r\n", b"pretend");
    let broken = error_message(format!("{url}/models")).await;
    assert!(broken.starts_with(&format!("can't download {url}/models/ggml-pretend.bin: ")), "{broken}");
    let unused_address =
        TcpListener::bind("127.0.0.1:0").and_then(|listener| listener.local_addr()).expect("a free port");
    assert_eq!(
        error_message(format!("http://{unused_address}")).await,
        format!(
            "can't download http://{unused_address}/ggml-pretend.bin: Connection refused (os error 111){OTHER_WAYS}"
        )
    );
    assert_eq!(
        error_message("/nowhere".to_owned()).await,
        format!("can't download /nowhere/ggml-pretend.bin: No such file or directory (os error 2){OTHER_WAYS}")
    );
    assert_eq!(files(home.path()), [""; 0]);
}

#[tokio::test]
async fn folder_error_names_path_and_size() {
    let home = tempfile::tempdir().expect("a folder");
    std::fs::write(home.path().join(MODEL.file), WEIGHTS).expect("a file");
    let blocked_folder = home.path().join(MODEL.file).join("models");
    let error =
        fetch(&MODEL, home.path().to_str().expect("text"), &blocked_folder, |_| ()).await.expect_err("no folder");
    assert_eq!(
        error.to_string(),
        format!(
            "can't store the model, which takes 1 MB, in {}: Not a directory (os error 20)",
            blocked_folder.display()
        )
    );
}
