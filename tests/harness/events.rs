//! A stream of server-sent events, over a real socket.

use serde_json::Value;

/// The events of one connection.
#[derive(Debug)]
pub struct Events {
    response: reqwest::Response,
    unread: String,
}

impl Events {
    /// Those of an answer that has begun.
    pub fn of(response: reqwest::Response) -> Self {
        assert_eq!(response.status(), 200);
        assert_eq!(response.headers()["content-type"], "text/event-stream");
        Self { response, unread: String::new() }
    }

    /// The value of a header of the answer.
    pub fn header(&self, name: &str) -> Option<&str> {
        self.response.headers().get(name).map(|value| value.to_str().unwrap())
    }

    /// The lines up to the next empty one; none when the stream has ended.
    pub async fn next(&mut self) -> Option<String> {
        loop {
            if let Some((block, rest)) = self.unread.split_once("\n\n") {
                let (block, rest) = (block.to_owned(), rest.to_owned());
                self.unread = rest;
                return Some(block);
            }
            let chunk = self.response.chunk().await.expect("a stream that ends properly")?;
            self.unread.push_str(std::str::from_utf8(&chunk).unwrap());
        }
    }

    /// The data of the next event; heartbeats are passed over.
    pub async fn data(&mut self) -> Value {
        loop {
            let block = self.next().await.expect("a stream that goes on");
            if let Some(data) = block.lines().find_map(|line| line.strip_prefix("data: ")) {
                return serde_json::from_str(data).unwrap();
            }
        }
    }
}
