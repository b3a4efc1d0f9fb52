//! Integrator's endpoint that receives deliveries over a real socket.

use std::sync::{Arc, Mutex};

use tokio::net::TcpListener;
use tokio::sync::Notify;
use warp::Filter;
use warp::http::{HeaderMap, Method, StatusCode};

/// Delivery as received.
#[derive(Clone, Debug)]
pub struct Arrived {
    pub method: Method,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// Endpoint that records what it receives. Stops when dropped.
pub struct Endpoint {
    /// URL that deliveries are sent to.
    pub url: String,
    arrived: Arc<Mutex<Vec<Arrived>>>,
    bell: Arc<Notify>,
    serving: tokio::task::JoinHandle<()>,
}

impl Endpoint {
    /// Starts an endpoint that answers the first deliveries with `statuses`, and all later ones with 204.
    pub async fn answering(statuses: &'static [u16]) -> Self {
        let (arrived, bell) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Notify::new()));
        let (notes, rung) = (arrived.clone(), bell.clone());
        let parts = warp::method().and(warp::header::headers_cloned()).and(warp::body::bytes());
        let route = warp::path!("hook").and(parts).map(move |method, headers, body: warp::hyper::body::Bytes| {
            let mut notes = notes.lock().unwrap();
            let status = statuses.get(notes.len()).copied().unwrap_or(204);
            notes.push(Arrived { method, headers, body: body.to_vec() });
            rung.notify_one();
            warp::reply::with_status("", StatusCode::from_u16(status).unwrap())
        });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let serving = tokio::spawn(warp::serve(route).incoming(listener).run());
        Self { url, arrived, bell, serving }
    }

    /// Waits until `count` deliveries have arrived, and returns all of them.
    pub async fn wait_for(&self, count: usize) -> Vec<Arrived> {
        loop {
            let arrived = self.arrived.lock().unwrap().clone();
            if arrived.len() >= count {
                return arrived;
            }
            self.bell.notified().await;
        }
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.serving.abort();
    }
}
