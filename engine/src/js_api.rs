//! Results of the JavaScript API: plain data with positions in UTF-16, as in JavaScript strings.
//!
//! The module doesn't depend on wasm-bindgen, so that the same test corpus runs natively and through the built WebAssembly module, with
//! equal results. Ids are strings, because JavaScript numbers lose precision above 2^53.

use serde::Serialize;

use crate::api::{Callback, RecordingSide};
use crate::callback::{self, CallbackTarget, Template};
use crate::diagnostic::{Diagnostic, Location, MessageText, Span};
use crate::filter::{self, Limits};
use crate::submission::{self, Submission, SubmissionRules, TokenRule};
use crate::transcript_search::Search;
use crate::wording::Language;
use crate::{language, time};

/// Result of `checkSubmission`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SubmissionResult {
    /// True if the submission is valid.
    pub ok: bool,
    /// The submission, if it is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submission: Option<SubmissionView>,
    /// All errors.
    pub errors: Vec<DiagnosticView>,
}

/// A valid submission, without its token.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SubmissionView {
    /// IDs of the calls as strings, without duplicates.
    pub call_ids: Vec<String>,
    /// Canonical BCP 47 codes, without duplicates.
    pub languages: Vec<String>,
    /// The side to transcribe.
    pub recording_side: RecordingSide,
    /// Minimum length of a recording, in seconds.
    pub min_duration: u32,
    /// Only calls created at or after this time, in RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Only calls created at or before this time, in RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub till: Option<String>,
    /// Receives each accepted call when its transcription ends. The template is always given.
    #[serde(flatten)]
    pub callback: Option<Callback>,
}

/// Result of `parseFilter`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FilterResult {
    /// True if the filter is valid.
    pub ok: bool,
    /// The filter in canonical form, if it is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical: Option<String>,
    /// The `limit` control: the requested page, if the filter is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitView>,
    /// All errors.
    pub errors: Vec<DiagnosticView>,
}

/// The `limit` control: the requested page of the matches.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LimitView {
    /// Maximum number of leads.
    pub count: u32,
    /// Number of leads to skip.
    pub offset: u64,
}

/// Result of `explainFilter`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplanationResult {
    /// True if the filter is valid.
    pub ok: bool,
    /// Description of the filter in plain words, if it is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// All errors.
    pub errors: Vec<DiagnosticView>,
}

/// Result of `checkTemplate`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TemplateResult {
    /// True if the template is valid.
    pub ok: bool,
    /// The body for a sample call as JSON text, if the template is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// All errors.
    pub errors: Vec<DiagnosticView>,
}

/// Result of `parseSearch`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchResult {
    /// True if the search is valid.
    pub ok: bool,
    /// The search terms, if the search is valid. All of them must match.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<Vec<TermView>>,
    /// The error, if any.
    pub errors: Vec<DiagnosticView>,
}

/// Consecutive words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TermView {
    /// The words, folded.
    pub words: Vec<String>,
    /// True if the last word is a prefix.
    pub is_prefix: bool,
}

/// An error in the text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct DiagnosticView {
    /// JSON Pointer to the wrong value.
    pub pointer: String,
    /// The wrong characters of the text.
    pub range: TextRange,
    /// Stable code of the error.
    pub code: String,
    /// Message about the error.
    #[serde(flatten)]
    pub message: MessageText,
    /// Suggested correction, if known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub suggestion: Option<SuggestionView>,
    /// The permitted values, if they are a closed list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub permitted: Vec<String>,
}

/// A suggested correction.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SuggestionView {
    /// Description of the correction.
    #[serde(flatten)]
    pub message: MessageText,
    /// The name or value that replaces the wrong one, if the correction is a replacement.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub replacement: Option<String>,
}

/// A half-open range of UTF-16 code units of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TextRange {
    /// First unit, starting at 0.
    pub start: usize,
    /// Unit after the last one.
    pub end: usize,
}

/// Checks the body of a submission. `languages` are those of the recognizer; `None` accepts any well-formed code. In this module,
/// `language` is the language of the messages.
pub fn check_submission(text: &str, languages: Option<&[String]>, language: Language) -> SubmissionResult {
    let languages: Option<Vec<String>> = languages
        .map(|codes| codes.iter().map(|code| language::canonicalize(code).unwrap_or_else(|| code.clone())).collect());
    let rules = SubmissionRules { token: TokenRule::Required, languages: languages.as_deref(), callback_url: None };
    match submission::parse(text, &rules) {
        Ok(submission) => {
            SubmissionResult { ok: true, submission: Some(submission_view(submission)), errors: Vec::new() }
        }
        Err(diagnostics) => {
            SubmissionResult { ok: false, submission: None, errors: diagnostic_views(text, diagnostics, language) }
        }
    }
}

/// Parses and checks a filter.
pub fn parse_filter(text: &str, language: Language) -> FilterResult {
    let diagnosis = filter::diagnose(text, &Limits::default());
    let limit = diagnosis.filter.map(|checked| LimitView { count: checked.limit.count, offset: checked.limit.offset });
    FilterResult {
        ok: limit.is_some(),
        canonical: limit.map(|_| filter::print(&diagnosis.tree)),
        limit,
        errors: diagnostic_views(text, diagnosis.diagnostics, language),
    }
}

/// Describes a filter in plain words. Campaigns are named by their ids.
pub fn explain_filter(text: &str, language: Language) -> ExplanationResult {
    match filter::parse_and_check(text, &Limits::default()) {
        Ok(checked) => {
            let text = filter::explain(&checked, &(), language);
            ExplanationResult { ok: true, text: Some(text), errors: Vec::new() }
        }
        Err(diagnostics) => {
            ExplanationResult { ok: false, text: None, errors: diagnostic_views(text, diagnostics, language) }
        }
    }
}

/// Checks the template of a callback's body, and fills it in for a sample call.
pub fn check_template(text: &str, language: Language) -> TemplateResult {
    match Template::parse_standalone(text) {
        Ok(template) => {
            let body = template.fill(&callback::sample());
            TemplateResult { ok: true, preview: Some(format!("{body:#}")), errors: Vec::new() }
        }
        Err(diagnostics) => {
            TemplateResult { ok: false, preview: None, errors: diagnostic_views(text, diagnostics, language) }
        }
    }
}

/// Parses a transcript search.
pub fn parse_search(text: &str, language: Language) -> SearchResult {
    match Search::parse(text, Location::default()) {
        Ok(search) => {
            let terms = search.terms.into_iter().map(|term| TermView { words: term.words, is_prefix: term.is_prefix });
            SearchResult { ok: true, terms: Some(terms.collect()), errors: Vec::new() }
        }
        Err(diagnostic) => {
            SearchResult { ok: false, terms: None, errors: diagnostic_views(text, vec![diagnostic], language) }
        }
    }
}

fn submission_view(submission: Submission) -> SubmissionView {
    SubmissionView {
        call_ids: submission.call_ids.iter().map(ToString::to_string).collect(),
        languages: submission.languages,
        recording_side: submission.recording_side,
        min_duration: submission.min_duration,
        from: submission.from.map(time::print),
        till: submission.till.map(time::print),
        callback: submission.callback.map(|CallbackTarget { url, method, template }| Callback {
            callback_url: url,
            callback_method: method,
            callback_data: Some(template.text().to_owned()),
        }),
    }
}

fn diagnostic_views(text: &str, diagnostics: Vec<Diagnostic>, language: Language) -> Vec<DiagnosticView> {
    let view = |diagnostic: Diagnostic| DiagnosticView {
        pointer: match diagnostic.location {
            Location::Pointer(name) | Location::Parameter(name) | Location::Column(name) => name,
        },
        range: to_utf16_range(text, diagnostic.byte_range),
        code: diagnostic.code,
        message: diagnostic.message.serialized(language),
        suggestion: diagnostic.suggestion.map(|suggestion| SuggestionView {
            message: suggestion.message.serialized(language),
            replacement: suggestion.replacement,
        }),
        permitted: diagnostic.permitted,
    };
    diagnostics.into_iter().map(view).collect()
}

/// Converts a byte range to UTF-16 code units. There are at most [`crate::json::MAX_DIAGNOSTICS`] diagnostics, so counting from the start
/// each time is cheap.
fn to_utf16_range(text: &str, span: Span) -> TextRange {
    let to_units = |bytes: usize| {
        let prefix = text.get(..bytes).unwrap_or(text);
        prefix.chars().map(char::len_utf16).sum()
    };
    TextRange { start: to_units(span.start), end: to_units(span.end) }
}
