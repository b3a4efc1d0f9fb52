//! The engine as an ES module in a browser: its results must equal those of the native and Node builds.

use std::path::PathBuf;

use serde_json::{Value, json};
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};

use super::{project_dir, run_in_browser, target_dir};

/// Functions, with their cases under engine/corpus.
const SUITES: [(&str, &str); 5] = [
    ("checkSubmission", "submissions.json"),
    ("parseFilter", "filters.json"),
    ("explainFilter", "explanations.json"),
    ("checkTemplate", "templates.json"),
    ("parseSearch", "searches.json"),
];

/// Calls a function of the module with each input, and returns the results as JSON.
const CALL_SCRIPT: &str = "const [name, inputs, done] = arguments;
    import('/leadscribe_engine.js')
        .then(async module => {
            await module.default();
            done(JSON.stringify(inputs.map(input => module[name](input))));
        })
        .catch(error => done(String(error)));";

#[tokio::test(flavor = "multi_thread", worker_threads = 2)]
async fn browser_module_matches_native_results() {
    let package = package_dir();
    let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
    let base = format!("http://{}", listener.local_addr().unwrap());
    let server_task = tokio::spawn(serve(listener, package));
    run_in_browser("browser_module_matches_native_results", &base, async |page| {
        page.open("/").await;
        for (function, file) in SUITES {
            let text = std::fs::read_to_string(project_dir().join("engine/corpus").join(file)).unwrap();
            let cases: Vec<Value> = serde_json::from_str(&text).unwrap();
            let inputs: Vec<_> = cases.iter().map(|case| case["input"].clone()).collect();
            let response = page.run_async_script(CALL_SCRIPT, vec![json!(function), json!(inputs)]).await;
            let response = response.as_str().unwrap();
            let responses: Vec<Value> =
                serde_json::from_str(response).unwrap_or_else(|_| panic!("{function}: {response}"));
            assert!(!cases.is_empty() && responses.len() == cases.len());
            for (case, response) in cases.iter().zip(responses) {
                assert_eq!(response, case["output"], "{function}: {}", case["name"]);
            }
        }
    })
    .await;
    server_task.abort();
}

/// Returns the folder of the browser build.
fn package_dir() -> PathBuf {
    let package =
        std::env::var_os("LEADSCRIBE_ENGINE_JS").map_or_else(|| target_dir().join("engine-js"), PathBuf::from);
    let folder = package.join("web");
    let module = folder.join("leadscribe_engine.js");
    assert!(module.is_file(), "{} is missing; run `cargo xtask engine-js` first", module.display());
    folder
}

/// Serves the files of a folder, and an empty page, until it is stopped.
async fn serve(listener: TcpListener, folder: PathBuf) {
    loop {
        let (connection, _) = listener.accept().await.unwrap();
        let folder = folder.clone();
        tokio::spawn(async move {
            // A browser that closes the connection early needs no response.
            let _ = serve_request(connection, folder).await;
        });
    }
}

/// Answers one request and closes the connection, which suffices for three files.
async fn serve_request(mut connection: TcpStream, folder: PathBuf) -> std::io::Result<()> {
    let mut request_head = Vec::new();
    while !request_head.ends_with(b"\r\n\r\n") {
        request_head.push(connection.read_u8().await?);
    }
    let request_head = String::from_utf8_lossy(&request_head);
    let path = request_head.split(' ').nth(1).unwrap_or("/");
    let (status, media_type, content) = match path.rsplit('/').next().unwrap_or("") {
        "" => ("200 OK", "text/html", b"<!doctype html><title>Engine</title>".to_vec()),
        "favicon.ico" => ("204 No Content", "image/x-icon", Vec::new()),
        name => match std::fs::read(folder.join(name)) {
            Ok(content) if name.ends_with(".wasm") => ("200 OK", "application/wasm", content),
            Ok(content) => ("200 OK", "text/javascript", content),
            Err(_) => ("404 Not Found", "text/plain", Vec::new()),
        },
    };
    let length = content.len();
    let response_head = format!(
        "HTTP/1.1 {status}\r\nContent-Type: {media_type}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n"
    );
    connection.write_all(response_head.as_bytes()).await?;
    connection.write_all(&content).await?;
    connection.shutdown().await
}
