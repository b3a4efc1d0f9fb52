//! The rules of a submission.

use std::collections::BTreeSet;

use super::fields::{
    parse_callback_method, parse_integer, parse_min_duration, parse_optional_string, parse_recording_side,
    parse_string, parse_time, parse_token,
};
use super::{MAX_CALL_IDS, MAX_LANGUAGES, Submission};
use crate::api::{CallId, CallbackMethod, RecordingSide, Timestamp};
use crate::callback::{CallbackTarget, Template};
use crate::diagnostic::{
    self, Diagnostic, Location, Span,
    catalog::{common, request, submission as texts},
    describe_json, expected, format_name, format_text, member_location, new_diagnostic, required, wrong_type,
};
use crate::json::{self, MAX_DIAGNOSTICS, Member, Node, Value};
use crate::language;

/// The fields in documented order. True for required ones.
const FIELDS: [(&str, bool); 10] = [
    ("call_ids", true),
    (TOKEN, true),
    ("languages", true),
    ("recording_side", true),
    ("min_duration", false),
    ("from", false),
    ("till", false),
    (CALLBACK_URL, false),
    (CALLBACK_METHOD, false),
    (CALLBACK_DATA, false),
];

const TOKEN: &str = "token";
const CALLBACK_URL: &str = "callback_url";
const CALLBACK_METHOD: &str = "callback_method";
const CALLBACK_DATA: &str = "callback_data";

/// Determines whether the body contains the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenRule {
    /// For integrators: the field `token` is required.
    Required,
    /// For staff, who select the token outside the body: the field is unknown.
    Absent,
}

/// Check of a callback's URL. Returns all errors; their location is ignored.
pub type UrlCheck<'a> = &'a dyn Fn(&str) -> Vec<Diagnostic>;

/// Rules that depend on the caller.
#[derive(Clone, Copy)]
pub struct SubmissionRules<'a> {
    /// Determines whether the body contains the token.
    pub token: TokenRule,
    /// Canonical languages of the recognizer; `None` accepts any well-formed code. A code is also accepted if its primary language is in
    /// the list: `en-GB` is accepted for `en`, but `en` isn't accepted for `en-GB`.
    pub languages: Option<&'a [String]>,
    /// Check of the callback's URL; `None` accepts any text. Only the server knows which addresses are permitted.
    pub callback_url: Option<UrlCheck<'a>>,
}

/// Parses a submission from JSON text.
///
/// Duplicate call ids and equal languages (`en-us` and `en-US`) are merged, but the limits apply to the input. Values are never coerced:
/// `"101"`, `101.0` and null aren't integers.
///
/// # Errors
/// All errors, in the order of the text, with missing fields last. Each [`Diagnostic::byte_range`] is the exact range of the wrong bytes.
/// No message contains the token, unless missing quotes turned the token into a key.
pub fn parse(text: &str, rules: &SubmissionRules<'_>) -> Result<Submission, Vec<Diagnostic>> {
    let document = json::parse(text);
    let mut checker = Checker { rules, diagnostics: Vec::new(), draft: Draft::default() };
    let mut missing = Vec::new();
    match &document.root {
        Some(Node { value: Value::Object(members), span }) => {
            checker.check_object(members);
            missing = checker.missing_field_errors(members, *span);
        }
        Some(node) => checker.diagnostics.push(wrong_type(common::object(), node.value.kind()).at(node.span)),
        None if document.diagnostics.is_empty() => {
            checker.diagnostics.push(expected("empty_body", common::json_object(), common::empty_body()));
        }
        None => {}
    }
    let Checker { diagnostics, draft, .. } = checker;
    let json_diagnostics = document.diagnostics.into_iter().map(|diagnostic| conceal(text, diagnostic)).collect();
    let mut diagnostics = diagnostic::merge(json_diagnostics, diagnostics);
    diagnostics.append(&mut missing);
    match draft.finish() {
        Some(submission) if diagnostics.is_empty() => Ok(submission),
        _ => {
            diagnostics.truncate(MAX_DIAGNOSTICS);
            diagnostic::narrow_spans(text, &mut diagnostics);
            Err(diagnostics)
        }
    }
}

/// Removes quoted text from a diagnostic: if quotes are missing, that text may be the token.
fn conceal(text: &str, diagnostic: Diagnostic) -> Diagnostic {
    /// Shorter words aren't secrets, and messages such as ``found `True` `` need them.
    const MIN_SECRET_CHARS: usize = 6;
    let source =
        text.get(diagnostic.byte_range.start..diagnostic.byte_range.end).unwrap_or_default().trim_matches(['"', '\'']);
    let secret_prefix: String = source.chars().take(MIN_SECRET_CHARS).collect();
    let is_field_name = FIELDS.iter().any(|(field, _)| *field == source);
    if diagnostic.code != "invalid_json" || is_field_name || secret_prefix.chars().count() < MIN_SECRET_CHARS {
        return diagnostic;
    }
    let suggestion = diagnostic.suggestion.map(|suggestion| match suggestion.to_string().contains(&secret_prefix) {
        true => texts::in_quotes().into(),
        false => suggestion,
    });
    Diagnostic {
        message: diagnostic.message.conceal(&secret_prefix, &texts::unquoted_word()),
        suggestion,
        ..diagnostic
    }
}

/// The fields read so far.
#[derive(Default)]
struct Draft {
    call_ids: Option<Vec<CallId>>,
    token: Option<String>,
    languages: Option<Vec<String>>,
    recording_side: Option<RecordingSide>,
    min_duration: Option<u32>,
    from: Option<Timestamp>,
    till: Option<Timestamp>,
    callback_url: Option<String>,
    callback_method: Option<CallbackMethod>,
    callback_template: Option<Template>,
}

impl Draft {
    /// Returns the submission, if no required field is missing.
    fn finish(self) -> Option<Submission> {
        let (method, template) = (self.callback_method, self.callback_template);
        let callback = self.callback_url.map(|url| CallbackTarget {
            url,
            method: method.unwrap_or(CallbackMethod::Post),
            template: template.unwrap_or_else(Template::submission_default),
        });
        Some(Submission {
            call_ids: self.call_ids?,
            token: self.token?,
            languages: self.languages?,
            recording_side: self.recording_side?,
            min_duration: self.min_duration.unwrap_or(1),
            from: self.from,
            till: self.till,
            callback,
        })
    }
}

struct Checker<'a> {
    rules: &'a SubmissionRules<'a>,
    diagnostics: Vec<Diagnostic>,
    draft: Draft,
}

impl Checker<'_> {
    /// Returns true if the maximum number of diagnostics is reached.
    fn is_full(&self) -> bool {
        self.diagnostics.len() >= MAX_DIAGNOSTICS
    }

    fn add(&mut self, location: Location, span: Span, diagnostic: Diagnostic) {
        if !self.is_full() {
            self.diagnostics.push(Diagnostic { location, byte_range: span, ..diagnostic });
        }
    }

    /// Adds a diagnostic for a field's value.
    fn add_field_error(&mut self, field: &str, node: &Node, diagnostic: Diagnostic) {
        self.add(member_location(field), node.span, diagnostic);
    }

    /// Returns the value of a field, or adds its diagnostic.
    fn value_or_report<T>(&mut self, field: &str, node: &Node, result: Result<T, Diagnostic>) -> Option<T> {
        result.map_err(|diagnostic| self.add_field_error(field, node, diagnostic)).ok()
    }

    fn expects_token(&self) -> bool {
        self.rules.token == TokenRule::Required
    }

    fn check_object(&mut self, members: &[Member]) {
        for Member { key, key_span, value } in members {
            if self.is_full() {
                break;
            }
            if value.value == Value::Invalid {
                // The diagnostic was already reported.
                continue;
            }
            match key.as_str() {
                "call_ids" => self.draft.call_ids = self.check_call_ids(value),
                TOKEN if self.expects_token() => {
                    self.draft.token = self.value_or_report(key, value, parse_token(value))
                }
                "languages" => self.draft.languages = self.check_languages(value),
                "recording_side" => {
                    self.draft.recording_side = self.value_or_report(key, value, parse_recording_side(value))
                }
                "min_duration" => self.draft.min_duration = self.value_or_report(key, value, parse_min_duration(value)),
                "from" => self.draft.from = self.value_or_report(key, value, parse_time(value)),
                "till" => self.draft.till = self.value_or_report(key, value, parse_time(value)),
                CALLBACK_URL => self.draft.callback_url = self.check_callback_url(value),
                CALLBACK_METHOD => {
                    self.draft.callback_method = self.value_or_report(key, value, parse_callback_method(value));
                }
                CALLBACK_DATA => self.draft.callback_template = self.check_template(value),
                _ => self.unknown_key(key, *key_span),
            }
        }
        if let (Some(from), Some(till)) = (self.draft.from, self.draft.till)
            && till < from
            && let Some(member) = members.iter().rfind(|member| member.key == "till")
        {
            let error = new_diagnostic("out_of_order", texts::till_before_from());
            self.add_field_error("till", &member.value, error);
        }
        if !members.iter().any(|member| member.key == CALLBACK_URL) {
            for Member { key, value, .. } in members {
                if [CALLBACK_METHOD, CALLBACK_DATA].contains(&key.as_str()) {
                    self.add_field_error(key, value, new_diagnostic("missing_value", request::requires(CALLBACK_URL)));
                }
            }
        }
        if !self.expects_token() {
            self.draft.token = Some(String::new());
        }
    }

    /// Returns the diagnostics for missing required fields, at the opening brace.
    fn missing_field_errors(&self, members: &[Member], object: Span) -> Vec<Diagnostic> {
        let opening_brace = Span::new(object.start, object.start + 1);
        FIELDS
            .iter()
            .filter(|(field, is_required)| *is_required && (*field != TOKEN || self.expects_token()))
            .filter(|(field, _)| !members.iter().any(|member| member.key == *field))
            .map(|(field, _)| Diagnostic {
                location: member_location(field),
                byte_range: opening_brace,
                ..required(field)
            })
            .collect()
    }

    fn unknown_key(&mut self, key: &str, span: Span) {
        let diagnostic = new_diagnostic("unknown_key", texts::unknown_submission_field(format_name(key)));
        let takes_token = self.expects_token();
        let permitted = || FIELDS.iter().map(|(field, _)| *field).filter(move |field| *field != TOKEN || takes_token);
        let diagnostic = if key == TOKEN {
            diagnostic.suggest(texts::token_in_path())
        } else {
            diagnostic.suggest_nearest(key, permitted())
        };
        self.add(member_location(key), span, diagnostic.permitted(permitted()));
    }

    /// Parses the calls and removes duplicates; `None` if any of them is invalid.
    fn check_call_ids(&mut self, node: &Node) -> Option<Vec<CallId>> {
        let Value::Array(items) = &node.value else {
            self.add_field_error("call_ids", node, wrong_type(common::integers(), describe_json(&node.value)));
            return None;
        };
        if !(1..=MAX_CALL_IDS).contains(&items.len()) {
            let code = if items.is_empty() { "too_few" } else { "too_many" };
            self.add_field_error("call_ids", node, expected(code, texts::call_ids(MAX_CALL_IDS), items.len()));
        }
        let diagnostic_count = self.diagnostics.len();
        let mut seen = BTreeSet::new();
        let mut ids = Vec::with_capacity(items.len().min(MAX_CALL_IDS));
        for (index, item) in items.iter().enumerate() {
            match parse_integer(item, 1, i64::MAX) {
                Ok(id) if seen.insert(id) => ids.push(CallId(id)),
                Ok(_) => {}
                Err(_) if self.is_full() => break,
                Err(diagnostic) => self.add_item("call_ids", index, item, diagnostic),
            }
        }
        (self.diagnostics.len() == diagnostic_count && !ids.is_empty()).then_some(ids)
    }

    /// Parses the languages as canonical codes without duplicates. Invalid ones are omitted.
    fn check_languages(&mut self, node: &Node) -> Option<Vec<String>> {
        let Value::Array(items) = &node.value else {
            self.add_field_error("languages", node, wrong_type(texts::language_codes(), describe_json(&node.value)));
            return None;
        };
        if !(1..=MAX_LANGUAGES).contains(&items.len()) {
            let code = if items.is_empty() { "too_few" } else { "too_many" };
            self.add_field_error("languages", node, expected(code, texts::languages(MAX_LANGUAGES), items.len()));
        }
        let mut languages = Vec::new();
        for (index, item) in items.iter().enumerate() {
            match self.check_language(item) {
                Ok(language) if languages.contains(&language) => {}
                Ok(language) => languages.push(language),
                Err(_) if self.is_full() => break,
                Err(diagnostic) => self.add_item("languages", index, item, diagnostic),
            }
        }
        // Any error rejects the whole submission.
        Some(languages)
    }

    fn check_language(&self, node: &Node) -> Result<String, Diagnostic> {
        let text = parse_string(node, texts::language_code)?;
        let code = language::canonicalize(text).ok_or_else(|| {
            let error = expected("invalid_language", texts::language_form(), format_text(text));
            match language::canonicalize(&text.trim().replace('_', "-")) {
                Some(code) => error.did_you_mean(&code),
                None => error,
            }
        })?;
        let Some(available) = self.rules.languages else { return Ok(code) };
        let primary = language::primary_subtag(&code);
        if available.iter().any(|available_code| *available_code == code || available_code == primary) {
            return Ok(code);
        }
        let available = || available.iter().map(String::as_str);
        let unsupported = texts::unsupported_language(code.as_str());
        let error = new_diagnostic("unsupported_language", unsupported).permitted(available());
        // Suggests the same language with another region. A code that only looks similar is a different language.
        Err(match available().find(|available_code| language::primary_subtag(available_code) == primary) {
            Some(suggestion) => error.did_you_mean(suggestion),
            None => error,
        })
    }

    fn check_callback_url(&mut self, node: &Node) -> Option<String> {
        let url = self.value_or_report(CALLBACK_URL, node, parse_optional_string(node, common::string))?;
        for diagnostic in self.rules.callback_url.map(|check| check(url)).unwrap_or_default() {
            self.add_field_error(CALLBACK_URL, node, diagnostic);
        }
        // Any error rejects the whole submission.
        Some(url.to_owned())
    }

    fn check_template(&mut self, node: &Node) -> Option<Template> {
        let text = self.value_or_report(CALLBACK_DATA, node, parse_optional_string(node, texts::template_in_string))?;
        let result = Template::parse(text, member_location(CALLBACK_DATA));
        let add_all = |diagnostics: Vec<Diagnostic>| {
            for diagnostic in diagnostics {
                self.add_field_error(CALLBACK_DATA, node, diagnostic);
            }
        };
        result.map_err(add_all).ok()
    }

    fn add_item(&mut self, field: &str, index: usize, item: &Node, diagnostic: Diagnostic) {
        if item.value != Value::Invalid {
            self.add(Location::Pointer(format!("/{field}/{index}")), item.span, diagnostic);
        }
    }
}
