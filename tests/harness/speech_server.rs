//! Speech recognition server with the OpenAI-compatible API, over a real socket.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpListener;
use warp::Filter;

/// Server that returns the same response to every request. Stops when dropped.
pub struct SpeechServer {
    /// Value for the option `speech.url`.
    pub url: String,
    request_count: Arc<AtomicUsize>,
    task: tokio::task::JoinHandle<()>,
}

impl SpeechServer {
    /// Starts a server that returns `text` after the delay `delay`.
    pub async fn start(text: &str, delay: Duration) -> Self {
        Self::start_with(verbose_json(text), delay).await
    }

    /// Starts a server that returns this response after the delay `delay`.
    pub async fn start_with(response: Value, delay: Duration) -> Self {
        let request_count = Arc::new(AtomicUsize::new(0));
        let counter = request_count.clone();
        let route = warp::post().and(warp::path!("v1" / "audio" / "transcriptions")).and(warp::body::bytes()).then(
            move |_audio| {
                counter.fetch_add(1, Ordering::SeqCst);
                let response = response.clone();
                async move {
                    tokio::time::sleep(delay).await;
                    warp::reply::json(&response)
                }
            },
        );
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let task = tokio::spawn(warp::serve(route).incoming(listener).run());
        Self { url, request_count, task }
    }

    /// Returns the number of requests received.
    pub fn request_count(&self) -> usize {
        self.request_count.load(Ordering::SeqCst)
    }

    /// Returns the options that make the program use this server.
    pub fn options(&self) -> [(&str, &str); 2] {
        [("LEADSCRIBE_RECOGNIZER", "http"), ("LEADSCRIBE_SPEECH_URL", &self.url)]
    }
}

impl Drop for SpeechServer {
    fn drop(&mut self) {
        self.task.abort();
    }
}

/// Returns a `verbose_json` response with words of a third of a second each.
fn verbose_json(text: &str) -> Value {
    let words: Vec<Value> = text
        .split(' ')
        .zip(0_u32..)
        .map(|(word, index)| {
            let start = f64::from(index) / 3.0;
            json!({ "word": word, "start": start, "end": start + 0.3 })
        })
        .collect();
    let end = words.len() as f64 / 3.0;
    let segment = json!({
        "id": 0, "start": 0.0, "end": end, "text": text, "avg_logprob": -0.1, "no_speech_prob": 0.01,
        "compression_ratio": 1.0, "temperature": 0.0, "seek": 0, "tokens": [],
    });
    json!({ "task": "transcribe", "language": "english", "duration": end, "text": text, "segments": [segment], "words": words })
}
