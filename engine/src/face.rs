//! What the JavaScript face answers: plain data with positions in UTF-16, as JavaScript's strings count.
//!
//! Free of wasm-bindgen, so that the same corpus of inputs runs here natively and through the built module, and must
//! give the same answers. Ids are text: JavaScript's numbers lose digits of those over 2^53.

use serde::Serialize;

use crate::api::RecordingSide;
use crate::callback::{self, Template};
use crate::fault::{Fault, Place, Span};
use crate::filter::{self, Limits};
use crate::submission::{self, Rules, Submission, TokenRule};
use crate::wording::Language;
use crate::words::Search;
use crate::{language, time};

/// The answer of `checkSubmission`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SubmissionAnswer {
    /// Whether the submission is valid.
    pub ok: bool,
    /// The submission, if it is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub submission: Option<SubmissionView>,
    /// Every fault.
    pub errors: Vec<FaultView>,
}

/// A valid submission, without its token.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SubmissionView {
    /// The calls, each once, as text.
    pub call_ids: Vec<String>,
    /// Canonical BCP 47 codes, each once.
    pub languages: Vec<String>,
    /// Which side is transcribed.
    pub recording_side: RecordingSide,
    /// Shortest recording that is taken, in seconds.
    pub min_duration: u32,
    /// Only calls created at this moment or later, in RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub from: Option<String>,
    /// Only calls created at this moment or before, in RFC 3339.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub till: Option<String>,
}

/// The answer of `parseFilter`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FilterAnswer {
    /// Whether the filter is valid.
    pub ok: bool,
    /// The filter in its canonical spelling, if it is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub canonical: Option<String>,
    /// Which part of the matches is answered, if it is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub limit: Option<LimitView>,
    /// Every fault.
    pub errors: Vec<FaultView>,
}

/// Which part of the matches is answered.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct LimitView {
    /// At most so many leads.
    pub count: u32,
    /// After passing over so many.
    pub offset: u64,
}

/// The answer of `explainFilter`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct ExplanationAnswer {
    /// Whether the filter is valid.
    pub ok: bool,
    /// What it asks for in plain words, if it is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub text: Option<String>,
    /// Every fault.
    pub errors: Vec<FaultView>,
}

/// The answer of `checkTemplate`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct TemplateAnswer {
    /// Whether the template is valid.
    pub ok: bool,
    /// The body of a made-up call, as JSON text, if it is valid.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub preview: Option<String>,
    /// Every fault.
    pub errors: Vec<FaultView>,
}

/// The answer of `parseSearch`.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct SearchAnswer {
    /// Whether the search is valid.
    pub ok: bool,
    /// What is searched, if it is valid; all of it must be said.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub terms: Option<Vec<TermView>>,
    /// The fault, if there is one.
    pub errors: Vec<FaultView>,
}

/// Words that are said one after the other.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct TermView {
    /// The words, folded.
    pub words: Vec<String>,
    /// Whether the last one is only the beginning of a word.
    pub prefix: bool,
}

/// One fault of the text.
#[derive(Clone, Debug, PartialEq, Serialize)]
pub struct FaultView {
    /// JSON Pointer to the value it is about.
    pub pointer: String,
    /// The characters of the text that are wrong.
    pub at: TextRange,
    /// Stable name of the kind of fault.
    pub code: String,
    /// What was expected and what was found.
    pub detail: String,
    /// What would cure it, where that is known.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub hint: Option<String>,
    /// The permitted values, where they are a closed list.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub permitted: Vec<String>,
}

/// A half-open range of UTF-16 code units of the text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize)]
pub struct TextRange {
    /// First unit, counted from 0.
    pub start: usize,
    /// Unit after the last.
    pub end: usize,
}

/// Checks the body of a submission. `languages` are those the recogniser has; none means any well-formed code is taken.
/// Here as below, `language` is that of what people are told.
pub fn check_submission(text: &str, languages: Option<&[String]>, language: Language) -> SubmissionAnswer {
    let languages: Option<Vec<String>> = languages
        .map(|codes| codes.iter().map(|code| language::canonical(code).unwrap_or_else(|| code.clone())).collect());
    let rules = Rules { token: TokenRule::Required, languages: languages.as_deref() };
    match submission::read(text, &rules) {
        Ok(submission) => SubmissionAnswer { ok: true, submission: Some(view(submission)), errors: Vec::new() },
        Err(faults) => SubmissionAnswer { ok: false, submission: None, errors: views(text, faults, language) },
    }
}

/// Parses and checks a filter.
pub fn parse_filter(text: &str, language: Language) -> FilterAnswer {
    let diagnosis = filter::diagnose(text, &Limits::default());
    let limit = diagnosis.checked.map(|checked| LimitView { count: checked.limit.count, offset: checked.limit.offset });
    FilterAnswer {
        ok: limit.is_some(),
        canonical: limit.map(|_| filter::print(&diagnosis.tree)),
        limit,
        errors: views(text, diagnosis.faults, language),
    }
}

/// Says in plain words what a filter asks for. Campaigns are named by their ids.
pub fn explain_filter(text: &str, language: Language) -> ExplanationAnswer {
    match filter::read(text, &Limits::default()) {
        Ok(checked) => {
            let text = filter::explain(&checked, &(), language);
            ExplanationAnswer { ok: true, text: Some(text), errors: Vec::new() }
        }
        Err(faults) => ExplanationAnswer { ok: false, text: None, errors: views(text, faults, language) },
    }
}

/// Checks the template of a callback's body, and fills it in for a made-up call.
pub fn check_template(text: &str, language: Language) -> TemplateAnswer {
    match Template::check(text) {
        Ok(template) => {
            let body = template.fill(&callback::sample());
            TemplateAnswer { ok: true, preview: Some(format!("{body:#}")), errors: Vec::new() }
        }
        Err(faults) => TemplateAnswer { ok: false, preview: None, errors: views(text, faults, language) },
    }
}

/// Reads what is searched in transcripts.
pub fn parse_search(text: &str, language: Language) -> SearchAnswer {
    match Search::parse(text, Place::default()) {
        Ok(search) => {
            let terms = search.terms.into_iter().map(|term| TermView { words: term.words, prefix: term.prefix });
            SearchAnswer { ok: true, terms: Some(terms.collect()), errors: Vec::new() }
        }
        Err(fault) => SearchAnswer { ok: false, terms: None, errors: views(text, vec![fault], language) },
    }
}

fn view(submission: Submission) -> SubmissionView {
    SubmissionView {
        call_ids: submission.call_ids.iter().map(ToString::to_string).collect(),
        languages: submission.languages,
        recording_side: submission.recording_side,
        min_duration: submission.min_duration,
        from: submission.from.map(time::print),
        till: submission.till.map(time::print),
    }
}

fn views(text: &str, faults: Vec<Fault>, language: Language) -> Vec<FaultView> {
    let view = |fault: Fault| FaultView {
        pointer: match fault.place {
            Place::Pointer(place) | Place::Parameter(place) | Place::Column(place) => place,
        },
        at: utf16(text, fault.at),
        code: fault.code,
        detail: fault.detail.words(language),
        hint: fault.hint.map(|hint| hint.words(language)),
        permitted: fault.permitted,
    };
    faults.into_iter().map(view).collect()
}

/// Bytes of a text as UTF-16 code units. There are at most [`crate::json::MAX_FAULTS`] faults, so counting from the
/// start each time costs little.
fn utf16(text: &str, span: Span) -> TextRange {
    let units = |bytes: usize| {
        let before = text.get(..bytes).unwrap_or(text);
        before.chars().map(char::len_utf16).sum()
    };
    TextRange { start: units(span.start), end: units(span.end) }
}
