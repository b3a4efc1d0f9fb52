//! Formats of a transcript: JSON, WebVTT, SRT and plain text.

use http::{HeaderMap, HeaderValue, StatusCode, header};
use leadscribe_engine::api::{CallId, PendingTranscript, Transcript};
use leadscribe_engine::formats;

use crate::http::accept;
use crate::http::prelude::*;
use crate::service::speech::transcripts::TranscriptAvailability;

/// Value of `Retry-After` for a pending transcript, in seconds. A call of a few minutes takes about ten seconds to transcribe.
const RETRY_AFTER_SECONDS: u64 = 5;

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TranscriptFormat {
    Json,
    /// Plain text with a line for each segment.
    Text,
    /// WebVTT.
    Vtt,
    /// SubRip.
    Srt,
}

impl TranscriptFormat {
    /// All formats, the default first.
    const ALL: [Self; 4] = [Self::Json, Self::Text, Self::Vtt, Self::Srt];

    /// Returns the format with this name.
    pub fn from_name(name: &str) -> Option<Self> {
        Self::ALL.into_iter().find(|format| format.name() == name)
    }

    /// Names of all formats.
    pub fn names() -> impl Iterator<Item = &'static str> + Clone {
        Self::ALL.iter().map(|format| format.name())
    }

    /// Returns the format that `Accept` requests.
    ///
    /// # Errors
    /// 406, listing the media types of all formats.
    pub fn negotiate(headers: &HeaderMap) -> Result<Self, Problem> {
        let offered = Self::ALL.map(Self::media_type);
        let media_type = accept::negotiate(headers, &offered)?;
        Ok(Self::ALL.into_iter().find(|format| format.media_type() == media_type).unwrap_or(Self::Json))
    }

    fn name(self) -> &'static str {
        match self {
            Self::Json => "json",
            Self::Text => "text",
            Self::Vtt => "vtt",
            Self::Srt => "srt",
        }
    }

    fn media_type(self) -> &'static str {
        match self {
            Self::Json => "application/json",
            Self::Text => "text/plain",
            Self::Vtt => "text/vtt",
            Self::Srt => "application/x-subrip",
        }
    }

    /// Returns the file name of a download in this format.
    pub fn file_name(self, call: CallId) -> String {
        let extension = if self == Self::Text { "txt" } else { self.name() };
        format!("call-{call}.{extension}")
    }
}

/// Returns the transcript in a format, or 202 while it is pending.
pub fn to_response(availability: &TranscriptAvailability, format: TranscriptFormat) -> Response {
    match availability {
        TranscriptAvailability::Ready(transcript) => transcript_response(transcript, format),
        TranscriptAvailability::Pending(pending) => pending_response(pending),
    }
}

fn transcript_response(transcript: &Transcript, format: TranscriptFormat) -> Response {
    let mut response = match format {
        TranscriptFormat::Json => reply::json(transcript),
        TranscriptFormat::Text => reply::bytes("text/plain; charset=utf-8", formats::text(transcript)),
        TranscriptFormat::Vtt => reply::bytes("text/vtt; charset=utf-8", formats::vtt(transcript)),
        // The format itself doesn't declare an encoding.
        TranscriptFormat::Srt => reply::bytes("application/x-subrip; charset=utf-8", formats::srt(transcript)),
    };
    let headers = response.headers_mut();
    headers.insert(header::VARY, HeaderValue::from_static("Accept"));
    if let Some(language) = transcript.language.as_deref().and_then(|code| HeaderValue::from_str(code).ok()) {
        headers.insert(header::CONTENT_LANGUAGE, language);
    }
    response
}

fn pending_response(pending: &PendingTranscript) -> Response {
    let mut response = reply::with_status(StatusCode::ACCEPTED, reply::json(pending));
    response.headers_mut().insert(header::RETRY_AFTER, RETRY_AFTER_SECONDS.into());
    response
}
