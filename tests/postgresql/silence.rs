//! PostgreSQL server that accepts connections and never responds, like a frozen machine or a broken proxy.

use std::sync::Arc;
use std::time::{Duration, Instant};

use reqwest::Method;
use serde_json::json;
use tokio::io::copy_bidirectional;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::watch;
use tokio::time::timeout;
use url::Url;

use crate::harness::{Installation, ServerProcess, create_postgres_database, eventually};

/// Grace period in seconds for a shutdown; hanging work is abandoned afterwards.
const STOP_SECONDS: u64 = 1;

/// Time limit for operations that must not hang; the program's longest timeout is eight seconds.
const TIMEOUT: Duration = Duration::from_secs(30);

/// Proxy that can fall silent: it keeps and accepts connections, but forwards nothing.
struct SilenceableProxy {
    url: String,
    silence: Arc<watch::Sender<bool>>,
}

impl SilenceableProxy {
    async fn start(server: &str) -> Self {
        let mut url: Url = server.parse().unwrap();
        let server_address = (url.host_str().unwrap().to_owned(), url.port().unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        url.set_ip_host([127, 0, 0, 1].into()).unwrap();
        url.set_port(Some(listener.local_addr().unwrap().port())).unwrap();
        let silence = Arc::new(watch::Sender::new(false));
        let silence_states = silence.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(forward(client, server_address.clone(), silence_states.subscribe()));
            }
        });
        Self { url: url.into(), silence }
    }

    fn set_silent(&self, silent: bool) {
        self.silence.send_replace(silent);
    }
}

/// Forwards bytes unless silent. A connection that was interrupted by silence ends.
async fn forward(mut client: TcpStream, server: (String, u16), mut silent: watch::Receiver<bool>) {
    if !*silent.borrow() {
        let mut server = TcpStream::connect(server).await.unwrap();
        tokio::select! {
            _ = copy_bidirectional(&mut client, &mut server) => return,
            _ = silent.wait_for(|silent| *silent) => {}
        }
    }
    let _ = silent.wait_for(|silent| !*silent).await;
}

/// Returns the status of a response, which must arrive. The usual test client doesn't accept a 503.
async fn response_status(api: &ServerProcess, key: &str, method: Method, path: &str) -> u16 {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = http.request(method, format!("{}{path}", api.base_url)).bearer_auth(key);
    let request = request.header("content-type", "application/json").body(r#"{"limit":"1;0"}"#);
    timeout(TIMEOUT, request.send()).await.expect("a response").unwrap().status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn requests_are_rejected_while_the_database_is_silent() {
    let database = create_postgres_database().await;
    let proxy = SilenceableProxy::start(database.url()).await;
    let mut installation = Installation::with_database_url(&proxy.url);
    installation.set("LEADSCRIBE_SHUTDOWN_TIMEOUT_SECONDS", &STOP_SECONDS.to_string());
    let key = installation.create_api_key();
    let mut api = installation.start_all_roles().await;
    let lead = api.client().with_key(&key).create("/api/leads", json!({ "city": "Bonn" })).await;

    proxy.set_silent(true);
    let path = format!("/api/leads/{lead}");
    // More requests than pooled connections, so that new connections are tried too.
    let requests = (0..40).map(|_| response_status(&api, &key, Method::DELETE, &path));
    assert_eq!(futures::future::join_all(requests).await, [503; 40]);
    assert_eq!(response_status(&api, &key, Method::PUT, "/api/leads/extended-data").await, 503);

    proxy.set_silent(false);
    let search_status = async || response_status(&api, &key, Method::PUT, "/api/leads/extended-data").await;
    eventually("requests are answered again", async || search_status().await == 200).await;

    proxy.set_silent(true);
    assert_eq!(search_status().await, 503);
    let started = Instant::now();
    tokio::task::spawn_blocking(move || api.stop()).await.unwrap();
    // Waiting for abandoned work would have taken five more seconds.
    assert!(started.elapsed() < Duration::from_secs(STOP_SECONDS + 4), "{:?}", started.elapsed());
}
