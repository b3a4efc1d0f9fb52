//! Scripted HTTP server for tests. Listens on a real socket and sends given bytes.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex};

use bytes::Bytes;
use http::HeaderMap;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::{TcpListener, TcpStream};
use tokio::task::JoinHandle;

/// Response of the server to a request.
pub(crate) enum ScriptedResponse {
    /// Sends these bytes and closes the connection.
    Bytes(Vec<u8>),
    /// Sends these bytes and then nothing until the client disconnects.
    Stall(Vec<u8>),
    /// Sends these bytes and then endless data until the client disconnects.
    Endless(Vec<u8>),
}

pub(crate) struct ReceivedRequest {
    /// Method and target.
    pub(crate) line: String,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Bytes,
}

/// A server that sends one scripted response to each request, in order. Afterwards it closes connections immediately.
pub(crate) struct ScriptedServer {
    /// Address that the server listens on.
    pub(crate) address: SocketAddr,
    received_requests: Arc<Mutex<Vec<ReceivedRequest>>>,
    task: JoinHandle<()>,
}

impl ScriptedServer {
    /// Starts a server.
    pub(crate) async fn start(responses: impl IntoIterator<Item = ScriptedResponse>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").await.expect("a port");
        let address = listener.local_addr().expect("an address");
        let mut responses: VecDeque<_> = responses.into_iter().collect();
        let received = Arc::<Mutex<Vec<ReceivedRequest>>>::default();
        let requests = Arc::clone(&received);
        let task = tokio::spawn(async move {
            while let Ok((mut stream, _)) = listener.accept().await {
                let Some(response) = responses.pop_front() else { continue };
                let Some(request) = read_request(&mut stream).await else { continue };
                requests.lock().expect("no test panics while it holds the lock").push(request);
                send_response(stream, response).await;
            }
        });
        Self { address, received_requests: received, task }
    }

    /// Returns the requests received since the last call.
    pub(crate) fn take_requests(&self) -> Vec<ReceivedRequest> {
        std::mem::take(&mut self.received_requests.lock().expect("no test panics while it holds the lock"))
    }
}

impl Drop for ScriptedServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

pub(crate) fn response(status: u16, headers: &[(&str, &str)], body: &str) -> ScriptedResponse {
    let headers: String = headers.iter().map(|(name, value)| format!("{name}: {value}\r\n")).collect();
    let length = body.len();
    let text = format!("HTTP/1.1 {status} Scripted\r\n{headers}content-length: {length}\r\n\r\n{body}");
    ScriptedResponse::Bytes(text.into_bytes())
}

async fn read_request(stream: &mut TcpStream) -> Option<ReceivedRequest> {
    let mut bytes = Vec::new();
    let head = loop {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
        if let Some(end) = bytes.windows(4).position(|window| window == b"\r\n\r\n") {
            break end + 4;
        }
    };
    let (line, headers) = parse_head(&bytes[..head])?;
    let length: usize = headers.get("content-length").map_or(Some(0), |text| text.to_str().ok()?.parse().ok())?;
    while bytes.len() < head + length {
        if stream.read_buf(&mut bytes).await.ok()? == 0 {
            return None;
        }
    }
    Some(ReceivedRequest { line, headers, body: Bytes::from(bytes.split_off(head)) })
}

fn parse_head(head: &[u8]) -> Option<(String, HeaderMap)> {
    let mut fields = [httparse::EMPTY_HEADER; 32];
    let mut request = httparse::Request::new(&mut fields);
    request.parse(head).ok()?;
    let line = format!("{} {}", request.method?, request.path?);
    let field = |field: &httparse::Header<'_>| Some((field.name.parse().ok()?, field.value.try_into().ok()?));
    let headers = request.headers.iter().map(field).collect::<Option<HeaderMap>>()?;
    Some((line, headers))
}

/// Sends a response. Ignores clients that disconnect early.
async fn send_response(mut stream: TcpStream, response: ScriptedResponse) {
    let (ScriptedResponse::Bytes(bytes) | ScriptedResponse::Stall(bytes) | ScriptedResponse::Endless(bytes)) =
        &response;
    let result = stream.write_all(bytes).await;
    match response {
        ScriptedResponse::Bytes(_) => drop(stream.shutdown().await),
        ScriptedResponse::Stall(_) if result.is_ok() => drop(stream.read(&mut [0]).await),
        ScriptedResponse::Endless(_) => while stream.write_all(&[b'.'; 4096]).await.is_ok() {},
        ScriptedResponse::Stall(_) => {}
    }
}
