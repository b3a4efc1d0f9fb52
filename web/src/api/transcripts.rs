//! Transcripts: of one call, and found among all.

use leadscribe_engine::api::{CallId, Page, PendingTranscript, Transcript, TranscriptHit, Transcription};

use super::{Answer, Api, read};
use crate::query::query_string;

/// What there is to be read of a call that was sent to speech recognition.
#[derive(Clone, Debug, PartialEq)]
pub enum Reading {
    /// The text.
    Ready(Box<Transcript>),
    /// Not yet.
    Pending(PendingTranscript),
}

/// Which transcripts; an empty text means any. The members are those of the query string.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct TranscriptQuery {
    pub words: String,
    pub language: String,
    pub from: String,
    pub till: String,
    pub campaign_id: String,
    pub lead_id: String,
    pub min_duration: String,
    pub max_duration: String,
    pub token_id: String,
    /// `count;offset`.
    pub limit: String,
}

impl Api {
    /// The transcript of a call.
    pub async fn transcript(self, call: CallId) -> Answer<Reading> {
        let text = self.exchange(gloo_net::http::Method::GET, &format!("/api/calls/{call}/transcript"), None).await?;
        match serde_json::from_str(&text) {
            Ok(transcript) => Ok(Reading::Ready(Box::new(transcript))),
            Err(_) => read(&text).map(Reading::Pending),
        }
    }

    /// The work on a call, the latest first.
    pub async fn transcriptions(self, call: CallId) -> Answer<Vec<Transcription>> {
        self.get(&format!("/api/calls/{call}/transcriptions")).await
    }

    /// A page of transcripts.
    pub async fn transcripts(self, wanted: TranscriptQuery) -> Answer<Page<TranscriptHit>> {
        self.get(&format!("/api/transcripts{}", wanted.query_string())).await
    }
}

impl TranscriptQuery {
    /// The query with its members found by name, as in the panel's own address.
    pub fn from_pairs(value: impl Fn(&str) -> Option<String>) -> Self {
        let value = |name| value(name).unwrap_or_default();
        Self {
            words: value("words"),
            language: value("language"),
            from: value("from"),
            till: value("till"),
            campaign_id: value("campaign_id"),
            lead_id: value("lead_id"),
            min_duration: value("min_duration"),
            max_duration: value("max_duration"),
            token_id: value("token_id"),
            limit: value("limit"),
        }
    }

    /// The query string, with the `?` before it.
    pub fn query_string(&self) -> String {
        query_string(&[
            ("words", &self.words),
            ("language", &self.language),
            ("from", &self.from),
            ("till", &self.till),
            ("campaign_id", &self.campaign_id),
            ("lead_id", &self.lead_id),
            ("min_duration", &self.min_duration),
            ("max_duration", &self.max_duration),
            ("token_id", &self.token_id),
            ("limit", &self.limit),
        ])
    }

    /// Whether anything narrows the list.
    pub fn is_narrow(&self) -> bool {
        Self { limit: String::new(), ..self.clone() } != Self::default()
    }
}

/// Where a call's transcript is saved from as a file; `format` is `vtt`, `srt`, `text` or `json`.
pub fn transcript_url(call: CallId, format: &str) -> String {
    format!("/api/calls/{call}/transcript?format={format}")
}
