//! Raw requests in forms that no client library sends: each gets a response, and each error is a problem document.

use std::time::Duration;

use serde_json::Value;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::time::{sleep, timeout};

use crate::harness::{Server, wav};

/// Longer than any response takes, and shorter than the server's timeouts.
const RESPONSE_TIMEOUT: Duration = Duration::from_secs(4);

/// Connection that buffers what it has read beyond one response.
struct Connection {
    stream: TcpStream,
    buffer: Vec<u8>,
}

/// Response as received.
#[derive(Debug)]
struct RawResponse {
    status: u16,
    head: String,
    body: Vec<u8>,
}

impl Connection {
    async fn open(server: &Server) -> Self {
        let stream = TcpStream::connect(server.base().trim_start_matches("http://")).await.unwrap();
        stream.set_nodelay(true).unwrap();
        Self { stream, buffer: Vec::new() }
    }

    async fn send(&mut self, bytes: impl AsRef<[u8]>) {
        self.stream.write_all(bytes.as_ref()).await.unwrap();
    }

    /// Reads the next response, with its body by `Content-Length`.
    async fn read_response(&mut self) -> RawResponse {
        self.read_response_to("GET").await
    }

    async fn read_response_to(&mut self, method: &str) -> RawResponse {
        let end = loop {
            match self.buffer.windows(4).position(|bytes| bytes == b"\r\n\r\n") {
                Some(end) => break end + 4,
                None => self.read_more().await,
            }
        };
        let head = String::from_utf8(self.buffer.drain(..end).collect()).unwrap().to_ascii_lowercase();
        let status = head.split(' ').nth(1).unwrap().parse().unwrap();
        let mut response = RawResponse { status, head, body: Vec::new() };
        let length = response.header("content-length").map_or(0, |length| length.parse().unwrap());
        if method != "HEAD" {
            while self.buffer.len() < length {
                self.read_more().await;
            }
            response.body = self.buffer.drain(..length).collect();
        }
        response
    }

    async fn read_more(&mut self) {
        let count = timeout(RESPONSE_TIMEOUT, self.stream.read_buf(&mut self.buffer))
            .await
            .expect("no response in time")
            .unwrap();
        assert_ne!(count, 0, "closed after {:?}", String::from_utf8_lossy(&self.buffer));
    }

    /// Checks that the server closes the connection without a reset or another response.
    async fn assert_closed(mut self) {
        timeout(RESPONSE_TIMEOUT, self.stream.read_to_end(&mut self.buffer))
            .await
            .expect("the connection was not closed in time")
            .unwrap();
        assert_eq!(String::from_utf8_lossy(&self.buffer), "");
    }
}

impl RawResponse {
    fn header(&self, name: &str) -> Option<&str> {
        self.head.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':')).map(str::trim)
    }

    /// Checks that this is a complete problem document with this code.
    #[track_caller]
    fn assert_problem(&self, status: u16, code: &str) {
        let text = String::from_utf8_lossy(&self.body);
        assert_eq!(self.status, status, "{} {text}", self.head);
        assert_eq!(self.header("content-type"), Some("application/problem+json"), "{text}");
        let problem: Value = serde_json::from_slice(&self.body).unwrap();
        assert_eq!((&problem["code"], &problem["status"]), (&code.into(), &status.into()), "{text}");
        assert_eq!(problem["type"], format!("urn:leadscribe:problem:{code}"));
        assert!(problem["title"].is_string() && problem["detail"].is_string(), "{text}");
        assert_eq!(problem["request_id"].as_str(), self.header("x-request-id"), "{text}");
    }
}

/// Sends a request on a new connection and returns the response.
async fn send_request(server: &Server, request: impl AsRef<[u8]>) -> RawResponse {
    let mut connection = Connection::open(server).await;
    connection.send(request.as_ref()).await;
    let method = if request.as_ref().starts_with(b"HEAD ") { "HEAD" } else { "GET" };
    connection.read_response_to(method).await
}

/// Returns the start of a bodiless request with the admin key.
fn request(server: &Server, method: &str, target: &str) -> String {
    format!("{method} {target} HTTP/1.1\r\nHost: h\r\nAuthorization: Bearer {}\r\n", server.admin_key())
}

fn get(server: &Server, target: &str) -> String {
    request(server, "GET", target) + "\r\n"
}

#[tokio::test]
async fn unescaped_filter_in_the_path_works() {
    let server = Server::start().await;
    let lead = server.admin().post("/api/leads", r#"{"purchase_site":"Zoë <shop> \"1\" {a|b}#2"}"#).await.expect(201);
    for (target, count) in [
        (
            "/api/leads/limit/500;0/purchase_site/Zo\u{eb}%20<shop>%20\"1\"%20{a|b}#2/created_at/2023-12-21%2013:15:11;>",
            1,
        ),
        ("/api/leads/limit/500;0/created_at/2023-12-21%2013:15:11;<", 0),
        ("/api/leads?limit=500;0&created_at=2023-12-21%2013:15:11;>|2030-01-01%2000:00:00;<", 1),
    ] {
        let response = send_request(&server, get(&server, target)).await;
        let leads: Value = serde_json::from_slice(&response.body).unwrap();
        assert_eq!((response.status, leads["total_leads"].as_u64()), (200, Some(count)), "{target}: {leads}");
        assert!(count == 0 || leads["leads"][0]["id"] == lead["id"], "{leads}");
    }
    let request_with_invalid_utf8 =
        [&b"GET /api/leads?purchase_site=\xff"[..], &get(&server, "").as_bytes()[4..]].concat();
    send_request(&server, request_with_invalid_utf8).await.assert_problem(400, "invalid_parameter");
    send_request(&server, get(&server, "/api/leads/purchase_site/a b")).await.assert_problem(400, "malformed_request");
}

#[tokio::test]
async fn malformed_request_gets_a_problem_document_and_closes() {
    let server = Server::start().await;
    let upload_request = |headers: &str| format!("{}{headers}\r\n\r\n", request(&server, "POST", "/api/leads"));
    for (bytes, status, code) in [
        (b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03".to_vec(), 400, "malformed_request"),
        (b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n\0\0\0\x04\0\0\0\0\0".to_vec(), 400, "unsupported_http_version"),
        (b"GET /healthz HTTP/3.0\r\nHost: h\r\n\r\n".to_vec(), 400, "unsupported_http_version"),
        (b"GET /healthz\r\n\r\n".to_vec(), 400, "malformed_request"),
        (b"GET /healthz HTTP/1.1\r\n\r\n".to_vec(), 400, "malformed_request"),
        (b"GET /healthz HTTP/1.1\r\nHost: h\r\nno colon\r\n\r\n".to_vec(), 400, "malformed_request"),
        (b"GET /healthz HTTP/1.1\r\nHost: h\r\nx: \0\r\n\r\n".to_vec(), 400, "malformed_request"),
        (b"G<T /healthz HTTP/1.1\r\nHost: h\r\n\r\n".to_vec(), 400, "malformed_request"),
        (b"CONNECT h:443 HTTP/1.1\r\nHost: h:443\r\n\r\n".to_vec(), 405, "method_not_allowed"),
        (b"GET * HTTP/1.1\r\nHost: h\r\n\r\n".to_vec(), 400, "malformed_request"),
        (b"GET refused://head/ HTTP/1.1\r\nHost: h\r\n\r\n".to_vec(), 400, "malformed_request"),
        (upload_request("Content-Length: two").into_bytes(), 400, "malformed_request"),
        (upload_request("Content-Length: 2\r\nContent-Length: 3").into_bytes(), 400, "malformed_request"),
        (upload_request("Content-Length: 2\r\nTransfer-Encoding: chunked").into_bytes(), 400, "malformed_request"),
        (upload_request("Transfer-Encoding: gzip").into_bytes(), 400, "malformed_request"),
        (upload_request("Content-Length: 18446744073709551615").into_bytes(), 400, "malformed_request"),
        (get(&server, &format!("/api/leads?email={}", "a".repeat(20_000))).into_bytes(), 414, "uri_too_long"),
        (get(&server, &format!("/api/leads?email={}", "a".repeat(200_000))).into_bytes(), 414, "uri_too_long"),
        (upload_request(&format!("x: {}", "a".repeat(200_000))).into_bytes(), 431, "head_too_large"),
        (upload_request(&"x: a\r\n".repeat(200)).into_bytes(), 431, "head_too_large"),
    ] {
        let mut connection = Connection::open(&server).await;
        connection.send(&bytes).await;
        connection.read_response().await.assert_problem(status, code);
        connection.stream.shutdown().await.unwrap();
        connection.assert_closed().await;
    }
    assert_eq!(send_request(&server, get(&server, "/healthz")).await.status, 200, "the server still accepts requests");
}

#[tokio::test]
async fn error_for_head_has_no_body() {
    let server = Server::start().await;
    let mut connection = Connection::open(&server).await;
    connection.send("HEAD /healthz HTTP/1.1\r\n\r\n").await;
    let response = connection.read_response_to("HEAD").await;
    assert_eq!((response.status, response.header("content-type")), (400, Some("application/problem+json")));
    connection.stream.shutdown().await.unwrap();
    connection.assert_closed().await;
}

#[tokio::test]
async fn pipelined_requests_are_answered_in_order() {
    let server = Server::start().await;
    let body = r#"{"purchase_site":"GET /healthz HTTP/1.1\\r\\n\\r\\n<"}"#;
    let upload_request = |framing_headers: &str, body: &str| {
        format!(
            "{}Content-Type: application/json\r\n{framing_headers}\r\n\r\n{body}",
            request(&server, "POST", "/api/leads")
        )
    };
    let chunks =
        format!("{:x};<\r\n{}\r\n{:x}\r\n{}\r\n0\r\nX-Trailer: <\r\n\r\n", 9, &body[..9], body.len() - 9, &body[9..]);
    let requests = [
        get(&server, "/healthz?unknown=<"),
        upload_request(&format!("Content-Length: {}", body.len()), body),
        get(&server, "/api/leads/purchase_date/2023-12-21;>"),
        upload_request("Transfer-Encoding: chunked", &chunks),
        get(&server, "/api/nothing/<"),
        get(&server, "/api/leads?limit=0;0"),
    ]
    .concat();
    let unsupported_request = "GET / HTTP/4\r\n\r\nGET /healthz HTTP/1.1\r\nHost: h\r\n\r\n";
    for piece_length in [1, 13, usize::MAX] {
        let mut connection = Connection::open(&server).await;
        let bytes = [requests.as_bytes(), unsupported_request.as_bytes()].concat();
        for piece in bytes.chunks(piece_length.min(bytes.len())) {
            connection.send(piece).await;
        }
        let mut statuses = Vec::new();
        for _ in 0..6 {
            statuses.push(connection.read_response().await.status);
        }
        assert_eq!(statuses, [400, 201, 200, 201, 404, 200], "sent in pieces of {piece_length} bytes");
        connection.read_response().await.assert_problem(400, "unsupported_http_version");
        connection.stream.shutdown().await.unwrap();
        connection.assert_closed().await;
    }
    let mut connection = Connection::open(&server).await;
    for (target, status) in [("/api/nothing>", 404), ("/healthz", 200), ("/api/nothing/<", 404)] {
        connection.send(get(&server, target)).await;
        assert_eq!(connection.read_response().await.status, status, "pipelined request for {target}");
    }
}

#[tokio::test]
async fn large_body_arrives_unchanged() {
    let (server, client) = Server::start_with_admin().await;
    let call = r#"{"direction":"inbound","status":"answered","started_at":"2026-05-01T09:00:00Z"}"#;
    let call = client.post("/api/calls", call).await.expect(201)["id"].as_i64().unwrap();
    let path = format!("/api/calls/{call}/recording");
    // The audio data looks like request heads.
    let mut file = wav(2, 20.0);
    let fake_request_head = b"GET /<> HTTP/1.1\r\nhost: <\r\n\r\n0\r\n\r\n";
    file[44..].iter_mut().zip(fake_request_head.iter().cycle()).for_each(|(sample, byte)| *sample = *byte);

    let request_head = format!(
        "{}Content-Type: audio/wav\r\nContent-Length: {}\r\nExpect: 100-continue\r\n\r\n",
        request(&server, "PUT", &path),
        file.len()
    );
    let mut connection = Connection::open(&server).await;
    connection.send(&request_head).await;
    assert_eq!(connection.read_response().await.status, 100, "expected 100 Continue");
    connection.send([&file, get(&server, &path).as_bytes()].concat()).await;
    let stored = connection.read_response().await;
    assert!((200..300).contains(&stored.status), "{stored:?}");
    assert_eq!(connection.read_response().await.status, 200, "the request after the body is parsed");

    let mut chunked =
        format!("{}Content-Type: audio/wav\r\nTransfer-Encoding: chunked\r\n\r\n", request(&server, "PUT", &path))
            .into_bytes();
    for chunk in file.chunks(70_001) {
        chunked.extend(format!("{:X}\r\n", chunk.len()).bytes());
        chunked.extend(chunk);
        chunked.extend(b"\r\n");
    }
    chunked.extend(b"0\r\n\r\n");
    let mut connection = Connection::open(&server).await;
    connection.send([&chunked, get(&server, "/healthz").as_bytes()].concat()).await;
    let stored = connection.read_response().await;
    assert!((200..300).contains(&stored.status), "{stored:?}");
    assert_eq!(connection.read_response().await.status, 200);
    assert_eq!(client.get(&path).await.body, file);
}

#[tokio::test]
async fn unread_body_does_not_cut_off_the_error_response() {
    let server = Server::start().await;
    for head in [
        "POST /api/leads HTTP/1.1\r\nHost: h\r\nContent-Length: 3000000\r\n\r\n".to_owned(),
        format!("{}Content-Length: 3000000\r\n\r\n", request(&server, "POST", "/api/users")),
    ] {
        let mut connection = Connection::open(&server).await;
        connection.send(head).await;
        // The server has responded and closes the connection while most of this arrives.
        for _ in 0..30 {
            connection.send(vec![b' '; 100_000]).await;
            sleep(Duration::from_millis(1)).await;
        }
        let response = connection.read_response().await;
        assert!([401, 413].contains(&response.status), "{response:?}");
        response
            .assert_problem(response.status, if response.status == 401 { "unauthenticated" } else { "body_too_large" });
    }
    let request_head = "POST /api/leads HTTP/1.1\r\nHost: h\r\nContent-Length: 9\r\nExpect: 100-continue\r\n\r\n";
    send_request(&server, request_head).await.assert_problem(401, "unauthenticated");
}

#[tokio::test]
async fn early_error_announces_connection_close() {
    let server = Server::start().await;
    let upload_head = |headers: &str| format!("POST /api/leads HTTP/1.1\r\nHost: h\r\n{headers}\r\n\r\n");
    let too_large = format!("{}Content-Length: 1048577\r\n\r\n", request(&server, "POST", "/api/users"));
    for (head, status) in [
        (upload_head("Content-Length: 65537"), 401),
        (upload_head("Content-Length: 9\r\nExpect: 100-continue"), 401),
        (too_large, 413),
    ] {
        let mut connection = Connection::open(&server).await;
        connection.send(&head).await;
        let response = connection.read_response().await;
        assert_eq!((response.status, response.header("connection")), (status, Some("close")), "{head}");
        connection.stream.shutdown().await.unwrap();
        connection.assert_closed().await;
    }
    for (head, body) in [
        (upload_head("Content-Length: 65536"), " ".repeat(65_536)),
        (upload_head("Transfer-Encoding: chunked"), format!("9c40\r\n{}\r\n0\r\n\r\n", " ".repeat(40_000))),
    ] {
        let mut connection = Connection::open(&server).await;
        for round in 0..3 {
            connection.send(&head).await;
            for piece in body.as_bytes().chunks(10_000) {
                sleep(Duration::from_millis(5)).await;
                connection.send(piece).await;
            }
            let response = connection.read_response().await;
            assert_eq!((response.status, response.header("connection")), (401, None), "{round} {head}");
        }
        connection.send(get(&server, "/healthz")).await;
        assert_eq!(connection.read_response().await.status, 200, "the body was read completely");
    }
    // A client that reuses connections never finds one closed for its next request.
    let client = server.anonymous();
    for length in [70_000, 9, 200_000, 60_000].repeat(5) {
        client.post("/api/leads", vec![b' '; length]).await.expect_problem(401, "unauthenticated");
    }
}

#[tokio::test]
async fn unusual_request_forms_are_answered() {
    let server = Server::start().await;
    let key = format!("Authorization: Bearer {}\r\n", server.admin_key());
    for (request, status) in [
        ("GET http://anything.example/healthz HTTP/1.1\r\nHost: anything.example\r\n\r\n".to_owned(), 200),
        (format!("GET http://h/api/leads/created_at/2023-12-21%2013:15:11;> HTTP/1.1\r\nHost: h\r\n{key}\r\n"), 200),
        ("OPTIONS * HTTP/1.1\r\nHost: h\r\n\r\n".to_owned(), 204),
        ("OPTIONS /healthz HTTP/1.1\r\nHost: h\r\n\r\n".to_owned(), 204),
        ("GET /healthz HTTP/1.0\r\n\r\n".to_owned(), 200),
        ("GET /healthz HTTP/1.1\nHost: h\n\n".to_owned(), 200),
        ("\r\n\r\nGET /healthz HTTP/1.1\r\nHost: h\r\n\r\n".to_owned(), 200),
        ("GET /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 4\r\n\r\nbody".to_owned(), 200),
        ("GET /healthz HTTP/1.1\r\nHost: h\r\nTransfer-Encoding: chunked\r\n\r\n1\r\nx\r\n0\r\n\r\n".to_owned(), 200),
        ("GET /healthz HTTP/1.1\r\nHost: h\r\nContent-Length: 400000\r\n\r\nless".to_owned(), 200),
        ("GET /healthz HTTP/1.1\r\nHost: h\r\nConnection: Upgrade\r\nUpgrade: h2c\r\n\r\n".to_owned(), 200),
        ("GET /healthz HTTP/1.1\r\nHost: h\r\nExpect: something\r\n\r\n".to_owned(), 200),
    ] {
        let response = send_request(&server, &request).await;
        assert_eq!(response.status, status, "{request}{response:?}");
    }
    send_request(&server, "BREW /api/leads HTTP/1.1\r\nHost: h\r\n\r\n")
        .await
        .assert_problem(405, "method_not_allowed");
    send_request(&server, "TRACE /healthz HTTP/1.1\r\nHost: h\r\n\r\n").await.assert_problem(405, "method_not_allowed");

    let mut connection = Connection::open(&server).await;
    connection.send("GET /healthz HTTP/1.0\r\n\r\n").await;
    assert_eq!(connection.read_response().await.status, 200);
    connection.assert_closed().await;
}

#[tokio::test]
async fn head_returns_the_headers_of_get() {
    let server = Server::start().await;
    server.load_demo().await;
    let document = server.admin().get("/api/openapi.json").await.json();
    let paths = document["paths"].as_object().unwrap();
    let mut request_count = 0;
    for (path, _) in paths.iter().filter(|(_, operations)| operations["get"].is_object()) {
        let target = path.replace("{key}/{rest}", "limit/1;0").replace("{kind}", "leads");
        let target = target.split('/').map(|part| if part.starts_with('{') { "1" } else { part }).collect::<Vec<_>>();
        let target = target.join("/");
        let get_response = send_request(&server, get(&server, &target)).await;
        let mut connection = Connection::open(&server).await;
        connection.send(request(&server, "HEAD", &target) + "Connection: close\r\n\r\n").await;
        let head_response = connection.read_response_to("HEAD").await;
        assert_eq!(
            (head_response.status, head_response.header("content-type")),
            (get_response.status, get_response.header("content-type")),
            "{target}"
        );
        assert!(head_response.status < 500, "{target}");
        connection.assert_closed().await;
        request_count += 1;
    }
    assert!(request_count > 20, "{request_count} paths");
}
