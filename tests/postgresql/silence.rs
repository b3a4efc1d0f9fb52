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

use crate::harness::{Installation, Program, eventually, postgres};

/// Grace period in seconds for a shutdown; hanging work is abandoned afterwards.
const STOP_SECONDS: u64 = 1;

/// Time limit for operations that must not hang; the program's longest timeout is eight seconds.
const PATIENCE: Duration = Duration::from_secs(30);

/// Proxy that can fall silent: it keeps and accepts connections, but forwards nothing.
struct Line {
    url: String,
    silent: Arc<watch::Sender<bool>>,
}

impl Line {
    async fn to(server: &str) -> Self {
        let mut url: Url = server.parse().unwrap();
        let address = (url.host_str().unwrap().to_owned(), url.port().unwrap());
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        url.set_ip_host([127, 0, 0, 1].into()).unwrap();
        url.set_port(Some(listener.local_addr().unwrap().port())).unwrap();
        let silent = Arc::new(watch::Sender::new(false));
        let states = silent.clone();
        tokio::spawn(async move {
            while let Ok((client, _)) = listener.accept().await {
                tokio::spawn(pass_on(client, address.clone(), states.subscribe()));
            }
        });
        Self { url: url.into(), silent }
    }

    fn set_silent(&self, silent: bool) {
        self.silent.send_replace(silent);
    }
}

/// Forwards bytes unless silent. A connection that was interrupted by silence ends.
async fn pass_on(mut client: TcpStream, server: (String, u16), mut silent: watch::Receiver<bool>) {
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
async fn status(api: &Program, key: &str, method: Method, path: &str) -> u16 {
    let http = reqwest::Client::builder().no_proxy().build().unwrap();
    let request = http.request(method, format!("{}{path}", api.base)).bearer_auth(key);
    let request = request.header("content-type", "application/json").body(r#"{"limit":"1;0"}"#);
    timeout(PATIENCE, request.send()).await.expect("an answer").unwrap().status().as_u16()
}

#[tokio::test(flavor = "multi_thread")]
async fn silent_server_rejects_requests_and_stops_in_time() {
    let database = postgres().await;
    let line = Line::to(database.url()).await;
    let mut installation = Installation::on(&line.url);
    installation.set("LEADSCRIBE_STOP_SECONDS", &STOP_SECONDS.to_string());
    let key = installation.key();
    let mut api = installation.all().await;
    let lead = api.client().with_key(&key).create("/api/leads", json!({ "city": "Bonn" })).await;

    line.set_silent(true);
    let path = format!("/api/leads/{lead}");
    // More requests than pooled connections, so that new connections are tried too.
    let asked = (0..40).map(|_| status(&api, &key, Method::DELETE, &path));
    assert_eq!(futures::future::join_all(asked).await, [503; 40]);
    assert_eq!(status(&api, &key, Method::PUT, "/api/leads/extended-data").await, 503);

    line.set_silent(false);
    let look_up = async || status(&api, &key, Method::PUT, "/api/leads/extended-data").await;
    eventually("requests are answered again", async || look_up().await == 200).await;

    line.set_silent(true);
    assert_eq!(look_up().await, 503);
    let begun = Instant::now();
    tokio::task::spawn_blocking(move || api.stop()).await.unwrap();
    // Waiting for abandoned work would have taken five more seconds.
    assert!(begun.elapsed() < Duration::from_secs(STOP_SECONDS + 4), "{:?}", begun.elapsed());
}
