//! Speech recognition server with the OpenAI-compatible API, over a real socket.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::Duration;

use serde_json::{Value, json};
use tokio::net::TcpListener;
use warp::Filter;

/// Server that returns the same text for every request. Stops when dropped.
pub struct SpeechServer {
    /// Value for the option `speech.url`.
    pub url: String,
    asked: Arc<AtomicUsize>,
    serving: tokio::task::JoinHandle<()>,
}

impl SpeechServer {
    /// Starts a server that returns `text` after the delay `takes`.
    pub async fn saying(text: &str, takes: Duration) -> Self {
        let asked = Arc::new(AtomicUsize::new(0));
        let (answer, count) = (answer(text), asked.clone());
        let route = warp::post().and(warp::path!("v1" / "audio" / "transcriptions")).and(warp::body::bytes()).then(
            move |_audio| {
                count.fetch_add(1, Ordering::SeqCst);
                let answer = answer.clone();
                async move {
                    tokio::time::sleep(takes).await;
                    warp::reply::json(&answer)
                }
            },
        );
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let serving = tokio::spawn(warp::serve(route).incoming(listener).run());
        Self { url, asked, serving }
    }

    /// Returns the number of requests received.
    pub fn asked(&self) -> usize {
        self.asked.load(Ordering::SeqCst)
    }

    /// Returns the options that make the program use this server.
    pub fn options(&self) -> [(&str, &str); 2] {
        [("LEADSCRIBE_RECOGNIZER", "http"), ("LEADSCRIBE_SPEECH_URL", &self.url)]
    }
}

impl Drop for SpeechServer {
    fn drop(&mut self) {
        self.serving.abort();
    }
}

/// Returns a `verbose_json` response with words of a third of a second each.
fn answer(text: &str) -> Value {
    let words: Vec<Value> = text
        .split(' ')
        .zip(0_u32..)
        .map(|(word, at)| {
            let start = f64::from(at) / 3.0;
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
