//! Callback endpoint that receives deliveries over a real socket.

use std::sync::{Arc, Mutex};

use tokio::net::TcpListener;
use tokio::sync::Notify;
use warp::Filter;
use warp::http::{HeaderMap, Method, StatusCode};

#[derive(Clone, Debug)]
pub struct ReceivedDelivery {
    pub method: Method,
    pub headers: HeaderMap,
    pub body: Vec<u8>,
}

/// Endpoint that records what it receives. Stops when dropped.
pub struct Endpoint {
    /// URL that deliveries are sent to.
    pub url: String,
    deliveries: Arc<Mutex<Vec<ReceivedDelivery>>>,
    arrival: Arc<Notify>,
    task: tokio::task::JoinHandle<()>,
}

impl Endpoint {
    /// Starts an endpoint that answers the first deliveries with `statuses`, and all later ones with 204.
    pub async fn start(statuses: &'static [u16]) -> Self {
        let (deliveries, arrival) = (Arc::new(Mutex::new(Vec::new())), Arc::new(Notify::new()));
        let (recorded, arrival_sender) = (deliveries.clone(), arrival.clone());
        let request_parts = warp::method().and(warp::header::headers_cloned()).and(warp::body::bytes());
        let route =
            warp::path!("hook").and(request_parts).map(move |method, headers, body: warp::hyper::body::Bytes| {
                let mut recorded = recorded.lock().unwrap();
                let status = statuses.get(recorded.len()).copied().unwrap_or(204);
                recorded.push(ReceivedDelivery { method, headers, body: body.to_vec() });
                arrival_sender.notify_one();
                warp::reply::with_status("", StatusCode::from_u16(status).unwrap())
            });
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}/hook", listener.local_addr().unwrap());
        let task = tokio::spawn(warp::serve(route).incoming(listener).run());
        Self { url, deliveries, arrival, task }
    }

    /// Waits until `count` deliveries have arrived, and returns all of them.
    pub async fn wait_for(&self, count: usize) -> Vec<ReceivedDelivery> {
        loop {
            let deliveries = self.deliveries.lock().unwrap().clone();
            if deliveries.len() >= count {
                return deliveries;
            }
            self.arrival.notified().await;
        }
    }
}

impl Drop for Endpoint {
    fn drop(&mut self) {
        self.task.abort();
    }
}
