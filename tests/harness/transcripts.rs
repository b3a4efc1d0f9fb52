//! Acts as the worker: makes transcripts and deliveries without a recogniser or an endpoint.

use chrono::TimeDelta;
use leadscribe_engine::api::{DeliveryAttempt, RecordingSide, Segment, SpeechEngine, TranscribedSide, Word};
use leadscribe_server::storage::{AfterAttempt, ByClaim, ClaimedDelivery, ClaimedTranscription};
use leadscribe_server::transcript::NewTranscript;
use serde_json::{Value, json};

use super::{Server, body, wav};

/// Lease that these tests claim jobs with.
const LEASE: TimeDelta = TimeDelta::seconds(30);

impl Server {
    /// Creates a call with a recording of 6 seconds on two channels, and returns its id.
    pub async fn recorded_call(&self, others: Value) -> i64 {
        let mut new = json!({ "direction": "inbound", "status": "answered" });
        for (name, value) in others.as_object().unwrap() {
            new[name] = value.clone();
        }
        let call = self.admin().create("/api/calls", new).await;
        let audio = self.admin().with_header("content-type", "audio/wav");
        audio.put(&format!("/api/calls/{call}/recording"), wav(2, 6.0)).await.expect(200);
        call
    }

    /// Submits a call with a token's secret.
    pub async fn submit(&self, call: i64, token: &str) {
        let asked = json!({ "call_ids": [call], "token": token, "languages": ["en"], "recording_side": "both" });
        let answer = self.anonymous().post("/api/speech-recognition", body(asked)).await.expect(200);
        assert_eq!(answer["results"]["calls"][call.to_string()]["status"], "accepted", "{answer}");
    }

    /// Claims the transcription of a call, which must be the only one in the queue.
    pub async fn begin(&self, call: i64) -> ClaimedTranscription {
        let claimed = self.app().store.claim_transcription(LEASE, self.now()).await.unwrap().expect("one waits");
        assert_eq!(claimed.transcription.call_id.0, call);
        claimed
    }

    /// Creates a call with a transcript that a token owns, and returns its id.
    pub async fn transcribed_call(&self, token: &str, others: Value, said: &[(RecordingSide, &str)]) -> i64 {
        let call = self.recorded_call(others).await;
        self.submit(call, token).await;
        self.complete(call, said).await;
        call
    }

    /// Completes the transcription of a call.
    pub async fn complete(&self, call: i64, said: &[(RecordingSide, &str)]) {
        let work = self.begin(call).await;
        self.finish(&work, said).await;
    }

    /// Completes a claimed transcription.
    pub async fn finish(&self, work: &ClaimedTranscription, said: &[(RecordingSide, &str)]) {
        self.finish_with(work, &transcript(said)).await;
    }

    /// Completes a claimed transcription with this transcript.
    pub async fn finish_with(&self, work: &ClaimedTranscription, transcript: &NewTranscript) {
        let done = self.app().store.complete_transcription(work.claim, transcript, self.now()).await.unwrap();
        assert_eq!(done, ByClaim::Done);
    }

    /// Marks the transcription of a call as failed.
    pub async fn fail(&self, call: i64, error: &str) {
        let claim = self.begin(call).await.claim;
        let done = self.app().store.fail_transcription(claim, &error.into(), self.now()).await.unwrap();
        assert_eq!(done, ByClaim::Done);
    }

    /// Purges all transcripts.
    pub async fn purge_transcripts(&self) {
        let before = self.now() + TimeDelta::seconds(1);
        self.app().store.purge_transcripts(before, &self.origin()).await.unwrap();
    }

    /// Ends the oldest pending delivery with a response of this status, and returns it.
    pub async fn deliver(&self, status: u16, after: AfterAttempt) -> ClaimedDelivery {
        let claimed = self.app().store.claim_delivery(LEASE, self.now()).await.unwrap().expect("one waits");
        let error = (status >= 300).then(|| format!("the endpoint answered {status}").into());
        let attempt = DeliveryAttempt { number: 0, at: self.now(), duration_ms: 12, status: Some(status), error };
        let done = self.app().store.finish_attempt(claimed.claim, &attempt, after, self.now()).await.unwrap();
        assert_eq!(done, ByClaim::Done);
        claimed
    }
}

/// Returns a transcript of these lines: each takes a second, and the next begins half a second later.
fn transcript(said: &[(RecordingSide, &str)]) -> NewTranscript {
    let segments = said.iter().enumerate().map(|(index, (side, text))| {
        let start = index as f64 * 1.5;
        // A redacted card number counts as one word.
        let words: Vec<_> =
            text.replace("[card number]", "[card_number]").split(' ').map(|word| word.replace('_', " ")).collect();
        let step = 1.0 / words.len() as f64;
        let word = |(place, word): (usize, &String)| Word {
            word: word.clone(),
            start: start + place as f64 * step,
            end: start + (place + 1) as f64 * step,
            confidence: 0.9,
        };
        let words = words.iter().enumerate().map(word).collect();
        Segment { start, end: start + 1.0, side: *side, text: (*text).to_owned(), confidence: 0.9, words }
    });
    let side = |side| TranscribedSide {
        side,
        language: Some("en".to_owned()),
        language_confidence: Some(1.0),
        speech_seconds: said.len() as f64,
    };
    NewTranscript {
        language: Some("en".to_owned()),
        duration: 6.0,
        segments: segments.collect(),
        sides: vec![side(RecordingSide::Caller), side(RecordingSide::Callee)],
        dropped: Vec::new(),
        redactions: 0,
        engine: SpeechEngine { name: "test".to_owned(), model: "none".to_owned() },
    }
}
