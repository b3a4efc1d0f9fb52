//! Server-sent event stream, over a real socket.

use serde_json::Value;

/// Events of one connection.
#[derive(Debug)]
pub struct EventStream {
    response: reqwest::Response,
    buffer: String,
}

impl EventStream {
    /// Wraps a response whose headers have arrived.
    pub fn from_response(response: reqwest::Response) -> Self {
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { response, buffer: String::new() }
    }

    /// Returns the value of a response header.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name).map(|value| value.to_str().unwrap())
    }

    /// Returns the lines up to the next empty line, or `None` at the end of the stream.
    pub async fn next_block(&mut self) -> Option<String> {
        loop {
            if let Some((block, remaining)) = self.buffer.split_once("\n\n") {
                let (block, remaining) = (block.to_owned(), remaining.to_owned());
                self.buffer = remaining;
                return Some(block);
            }
            let chunk = self.response.chunk().await.expect("the stream ends without an error")?;
            self.buffer.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// Returns the data of the next event; skips heartbeats.
    pub async fn next_data(&mut self) -> Value {
        loop {
            let block = self.next_block().await.expect("the stream hasn't ended");
            if let Some(data) = block.lines().find_map(|line| line.strip_prefix("data: ")) {
                return serde_json::from_str(data).unwrap();
            }
        }
    }
}
