//! Errors of requests. They are translated only when they are shown.

use std::time::Duration;

use leadscribe_engine::api::Problem;
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::host;
use serde::Deserialize;

use crate::i18n::texts::problems;
use crate::i18n::validation_errors::is_at;
use crate::i18n::{language, localized_detail};

/// Retry delay if the response has no `Retry-After`; same as the server's own.
const DEFAULT_RETRY_DELAY: Duration = Duration::from_secs(2);

#[derive(Clone, Debug, PartialEq)]
pub enum ApiError {
    /// The server can't be reached.
    Offline,
    /// The session has ended.
    Unauthorized,
    /// The server refused the request and returned a problem document.
    Problem(Box<ProblemDocument>),
    /// The server is overloaded or a rate limit is exceeded. The request may be retried after this number of seconds.
    RetryLater { problem: Box<ProblemDocument>, seconds: u64 },
    /// The response is not in the agreed format: a proxy answered, or the versions of panel and server differ.
    Unexpected { status: u16 },
}

/// Received problem document. Its message and diagnostics are parsed when they are shown: that needs the engine's
/// message catalog, which the login page doesn't load.
#[derive(Clone, Debug, PartialEq, Deserialize)]
pub struct ProblemDocument {
    pub status: u16,
    pub code: String,
    title: String,
    /// The message in English.
    detail: String,
    #[serde(default)]
    request_id: Option<String>,
    /// The whole document as JSON.
    #[serde(skip)]
    json: String,
}

impl ProblemDocument {
    /// Parses the body of a response.
    pub fn parse(json: &str) -> Option<Self> {
        serde_json::from_str(json).ok().map(|problem| Self { json: json.to_owned(), ..problem })
    }

    /// Returns the document with its message and diagnostics.
    fn problem(&self) -> Option<Problem> {
        serde_json::from_str(&self.json).ok()
    }
}

impl From<Problem> for ProblemDocument {
    fn from(problem: Problem) -> Self {
        let json = serde_json::to_string(&problem).unwrap_or_default();
        let Problem { status, code, title, message, request_id, .. } = problem;
        Self { status, code, title, detail: message.to_string(), request_id, json }
    }
}

impl ApiError {
    pub fn title(&self) -> String {
        match self {
            Self::Offline => problems::offline().to_owned(),
            Self::Unauthorized => problems::session_ended().to_owned(),
            Self::Problem(problem) | Self::RetryLater { problem, .. } => {
                problems::title(&problem.code).map_or_else(|| problem.title.clone(), str::to_owned)
            }
            Self::Unexpected { .. } => problems::unexpected().to_owned(),
        }
    }

    /// Explanation and next step for the user.
    pub fn advice(&self) -> String {
        let Some(Problem { errors, message, .. }) = self.problem() else { return self.short_advice() };
        match errors.as_slice() {
            [diagnostic] => to_sentence(&localized_detail(diagnostic)),
            _ if message.is_plain() => self.short_advice(),
            _ => to_sentence(&message.text(language())),
        }
    }

    /// Like [`Self::advice`], without the engine's message catalog. Messages of problem codes without a translation are
    /// in English.
    pub fn short_advice(&self) -> String {
        match self {
            Self::Offline => problems::offline_hint().to_owned(),
            Self::Unauthorized => problems::session_ended_hint().to_owned(),
            Self::RetryLater { problem, seconds } if problem.status == 429 => problems::too_many_hint(*seconds),
            Self::Problem(problem) | Self::RetryLater { problem, .. } => {
                problems::advice(&problem.code).map_or_else(|| to_sentence(&problem.detail), str::to_owned)
            }
            Self::Unexpected { status } => problems::unexpected_hint(status),
        }
    }

    /// The problem document with its message and diagnostics, unless only its retry delay matters.
    fn problem(&self) -> Option<Problem> {
        match self {
            Self::RetryLater { problem, .. } if problem.status == 429 => None,
            Self::Problem(problem) | Self::RetryLater { problem, .. } => problem.problem(),
            _ => None,
        }
    }

    /// Id of the request in the server's logs.
    pub fn request_id(&self) -> Option<&str> {
        match self {
            Self::Problem(problem) | Self::RetryLater { problem, .. } => problem.request_id.as_deref(),
            _ => None,
        }
    }

    /// Diagnostics of the input with their locations.
    pub fn diagnostics(&self) -> Vec<Diagnostic> {
        match self {
            Self::Problem(problem) => problem.problem().map(|problem| problem.errors).unwrap_or_default(),
            _ => Vec::new(),
        }
    }

    /// The error without the diagnostics that the inputs at the given locations show themselves. `None` if nothing else
    /// is left to show.
    pub fn excluding_fields(&self, field_pointers: &[&str]) -> Option<Self> {
        let Self::Problem(document) = self else { return Some(self.clone()) };
        let Some(mut problem) = document.problem().filter(|problem| !problem.errors.is_empty()) else {
            return Some(self.clone());
        };
        let is_shown = |diagnostic: &Diagnostic| field_pointers.iter().any(|pointer| is_at(diagnostic, pointer));
        problem.errors.retain(|diagnostic| !is_shown(diagnostic));
        (!problem.errors.is_empty()).then(|| problem.into())
    }

    /// True if a retry may succeed: the server couldn't be reached, had too many requests, or failed.
    pub fn is_retryable(&self) -> bool {
        *self == Self::Offline || self.status().is_some_and(|status| status == 429 || status >= 500)
    }

    /// Delay before an automatic retry; `None` unless the server is unreachable or overloaded or limits the rate.
    pub fn retry_delay(&self) -> Option<Duration> {
        match self {
            Self::RetryLater { seconds, .. } => Some(Duration::from_secs(*seconds)),
            Self::Offline => Some(DEFAULT_RETRY_DELAY),
            _ => matches!(self.status(), Some(429 | 503)).then_some(DEFAULT_RETRY_DELAY),
        }
    }

    pub fn status(&self) -> Option<u16> {
        match self {
            Self::Problem(problem) | Self::RetryLater { problem, .. } => Some(problem.status),
            Self::Unexpected { status } => Some(*status),
            _ => None,
        }
    }
}

impl From<Problem> for ApiError {
    fn from(problem: Problem) -> Self {
        Self::Problem(Box::new(problem.into()))
    }
}

/// Formats a lower-case line of the engine as a sentence.
pub fn to_sentence(line: &str) -> String {
    let punctuation = if line.is_empty() || line.ends_with(['.', '!', '?']) { "" } else { "." };
    host::capitalize_first(line) + punctuation
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::diagnostic::{Location, Message, account, common, work};
    use serde_json::json;

    use crate::api::error::*;
    use crate::i18n::locale::{Language, set_language};

    #[test]
    fn translates_problems() {
        let problem = |code: &str, message: Message, errors: Vec<Diagnostic>| {
            let code = code.to_owned();
            let title = "Title from the server".to_owned();
            let kind = String::new();
            ApiError::from(Problem { kind, title, status: 400, code, message, request_id: None, errors })
        };
        let english = |detail: &str| serde_json::from_value(json!({ "detail": detail })).unwrap();
        let diagnostic = Diagnostic::new(Location::Pointer("/name".into()), "invalid_name", account::blank());
        let conflict = problem("conflict", account::blank(), vec![diagnostic.clone()]);
        let two_diagnostics =
            problem("invalid_request", english("2 errors were found"), vec![diagnostic.clone(), diagnostic]);
        let unknown_code = problem("newer", english("something else"), Vec::new());
        let title_and_advice = |error: &ApiError| (error.title(), error.advice());
        let pair = |title: &str, advice: &str| (title.to_owned(), advice.to_owned());
        assert_eq!(title_and_advice(&conflict), pair("Title from the server", "Must not be blank."));
        set_language(Language::German);
        assert_eq!(title_and_advice(&conflict), pair("Konflikt mit gespeicherten Daten", "Darf nicht leer sein."));
        assert_eq!(title_and_advice(&two_diagnostics), pair("Ungültige Eingabe", "Prüfen Sie die Eingaben."));
        assert_eq!(title_and_advice(&unknown_code), pair("Title from the server", "Something else."));
        let with_data = problem("too_many_requests", work::too_many_attempts(30), Vec::new());
        assert_eq!(
            title_and_advice(&with_data).1,
            "Zu viele Anmeldeversuche; versuchen Sie es in 30 Sek. noch einmal."
        );
    }

    #[test]
    fn omits_diagnostics_shown_at_inputs() {
        let diagnostics = ["/name", "/scopes"]
            .map(|pointer| Diagnostic::new(Location::Pointer(pointer.into()), "wrong", common::none()));
        let error = ApiError::from(Problem {
            kind: "urn:leadscribe:problem:invalid_body".into(),
            title: "The body breaks rules".into(),
            status: 400,
            code: "invalid_body".into(),
            message: common::none(),
            request_id: None,
            errors: diagnostics.to_vec(),
        });
        assert_eq!(error.excluding_fields(&["/name", "/scopes"]), None);
        assert_eq!(
            error.excluding_fields(&["/name"]).map(|remaining| remaining.diagnostics()),
            Some(diagnostics[1..].to_vec())
        );
        assert_eq!(ApiError::Offline.excluding_fields(&["/name"]), Some(ApiError::Offline));
    }

    #[test]
    fn returns_retry_delay_when_overloaded() {
        let problem = |status| {
            let problem = json!({ "type": "x", "title": "x", "status": status, "code": "x", "detail": "x" });
            Box::new(ProblemDocument::parse(&problem.to_string()).unwrap())
        };
        let delay_seconds = |error: ApiError| error.retry_delay().map(|delay| delay.as_secs());
        assert_eq!(delay_seconds(ApiError::RetryLater { problem: problem(503), seconds: 7 }), Some(7));
        assert_eq!(delay_seconds(ApiError::Offline), Some(2));
        for (status, expected) in [(503, Some(2)), (429, Some(2)), (500, None), (404, None), (409, None)] {
            assert_eq!(delay_seconds(ApiError::Problem(problem(status))), expected, "{status}");
            assert_eq!(delay_seconds(ApiError::Unexpected { status }), expected, "{status}");
            assert_eq!(ApiError::Unexpected { status }.is_retryable(), status == 429 || status >= 500, "{status}");
        }
        assert_eq!(delay_seconds(ApiError::Unauthorized), None);
    }
}
