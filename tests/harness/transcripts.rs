//! Acts as the worker: makes transcripts and deliveries without a recognizer or an endpoint.

use chrono::TimeDelta;
use leadscribe_engine::api::{DeliveryAttempt, RecordingSide, Segment, SpeechEngine, TranscribedSide, Word};
use leadscribe_engine::diagnostic::Message;
use leadscribe_server::storage::{AttemptResult, ClaimedDelivery, ClaimedTranscription, FencedWrite};
use leadscribe_server::transcript::NewTranscript;
use serde_json::{Value, json};

use super::{Server, body, eventually, wav};

/// Lease duration of claimed jobs.
const LEASE_DURATION: TimeDelta = TimeDelta::seconds(30);

impl Server {
    /// Creates a call with a recording of 6 seconds on two channels, and returns its id.
    pub async fn create_recorded_call(&self, fields: Value) -> i64 {
        let mut request = json!({ "direction": "inbound", "status": "answered" });
        for (name, value) in fields.as_object().unwrap() {
            request[name] = value.clone();
        }
        let call = self.admin().create("/api/calls", request).await;
        self.admin().upload_recording(call, wav(2, 6.0)).await;
        call
    }

    /// Submits a call with a token's secret.
    pub async fn submit_call(&self, call: i64, token: &str) {
        let request = json!({ "call_ids": [call], "token": token, "languages": ["en"], "recording_side": "both" });
        let response = self.anonymous().post("/api/speech-recognition", body(request)).await.expect(200);
        assert_eq!(response["results"]["calls"][call.to_string()]["status"], "accepted", "{response}");
    }

    /// Claims the transcription of a call, which must be the only one in the queue.
    pub async fn claim_transcription(&self, call: i64) -> ClaimedTranscription {
        let claimed =
            self.app().store.claim_transcription(LEASE_DURATION, self.now()).await.unwrap().expect("a job is queued");
        assert_eq!(claimed.transcription.call_id.0, call);
        claimed
    }

    /// Creates a call with a transcript that a token owns, and returns its id.
    pub async fn create_transcribed_call(&self, token: &str, fields: Value, lines: &[(RecordingSide, &str)]) -> i64 {
        let call = self.create_recorded_call(fields).await;
        self.submit_call(call, token).await;
        self.complete_transcription(call, lines).await;
        call
    }

    pub async fn complete_transcription(&self, call: i64, lines: &[(RecordingSide, &str)]) {
        let claimed = self.claim_transcription(call).await;
        self.finish_transcription(&claimed, lines).await;
    }

    /// Completes a claimed transcription.
    pub async fn finish_transcription(&self, claimed: &ClaimedTranscription, lines: &[(RecordingSide, &str)]) {
        self.store_transcript(claimed, &transcript(lines)).await;
    }

    /// Completes a claimed transcription with this transcript.
    pub async fn store_transcript(&self, claimed: &ClaimedTranscription, transcript: &NewTranscript) {
        let result = self.app().store.complete_transcription(claimed.claim, transcript, self.now()).await.unwrap();
        assert_eq!(result, FencedWrite::Done);
    }

    /// Marks the transcription of a call as failed.
    pub async fn fail_transcription(&self, call: i64, error: Message) {
        let claim = self.claim_transcription(call).await.claim;
        let result = self.app().store.fail_transcription(claim, &error, self.now()).await.unwrap();
        assert_eq!(result, FencedWrite::Done);
    }

    pub async fn purge_transcripts(&self) {
        let before = self.now() + TimeDelta::seconds(1);
        self.app().store.purge_transcripts(before, &self.origin()).await.unwrap();
    }

    /// Queues events until `webhook` has `count` deliveries. On PostgreSQL, changes wait for all transactions of the server, also those of
    /// other tests.
    pub async fn queue_events(&self, webhook: &str, count: u64) {
        let queued = async || {
            let max_pending = self.app().config.callbacks.max_pending_deliveries;
            self.app().store.queue_events(max_pending, self.now()).await.unwrap();
            let deliveries = self.admin().get(&format!("{webhook}/deliveries?limit=0")).await.expect(200);
            deliveries["total"] == count
        };
        eventually("the events are queued", queued).await;
    }

    /// Ends the oldest pending delivery with a response of this status, and returns it.
    pub async fn finish_delivery(&self, status: u16, next_state: AttemptResult) -> ClaimedDelivery {
        let claimed =
            self.app().store.claim_delivery(LEASE_DURATION, self.now()).await.unwrap().expect("a job is queued");
        let error =
            (status >= 300).then(|| Message::from_stored(format!("the endpoint responded with status {status}")));
        let attempt =
            DeliveryAttempt { number: 0, started_at: self.now(), duration_ms: 12, status: Some(status), error };
        let result = self.app().store.finish_attempt(claimed.claim, &attempt, next_state, self.now()).await.unwrap();
        assert_eq!(result, FencedWrite::Done);
        claimed
    }
}

/// Returns a transcript of these lines: each takes a second, and the next begins half a second later.
fn transcript(lines: &[(RecordingSide, &str)]) -> NewTranscript {
    let segments = lines.iter().enumerate().map(|(index, (side, text))| {
        let start = index as f64 * 1.5;
        // A redacted card number counts as one word.
        let words: Vec<_> =
            text.replace("[card number]", "[card_number]").split(' ').map(|word| word.replace('_', " ")).collect();
        let word_duration = 1.0 / words.len() as f64;
        let word = |(position, word): (usize, &String)| Word {
            word: word.clone(),
            start: start + position as f64 * word_duration,
            end: start + (position + 1) as f64 * word_duration,
            confidence: 0.9,
        };
        let words = words.iter().enumerate().map(word).collect();
        Segment { start, end: start + 1.0, side: *side, text: (*text).to_owned(), confidence: 0.9, words }
    });
    let transcribed_side = |side| TranscribedSide {
        side,
        language: Some("en".to_owned()),
        language_confidence: Some(1.0),
        speech_seconds: lines.len() as f64,
    };
    NewTranscript {
        language: Some("en".to_owned()),
        duration: 6.0,
        segments: segments.collect(),
        sides: vec![transcribed_side(RecordingSide::Caller), transcribed_side(RecordingSide::Callee)],
        dropped: Vec::new(),
        redactions: 0,
        engine: SpeechEngine { name: "test".to_owned(), model: "none".to_owned() },
    }
}
