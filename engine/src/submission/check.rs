//! The rules of a submission.

use std::collections::BTreeSet;

use super::fields::{integer, min_duration, moment, recording_side, string, token};
use super::{MAX_CALL_IDS, MAX_LANGUAGES, Submission};
use crate::api::{CallId, RecordingSide, Timestamp};
use crate::diagnostic::{
    self, Diagnostic, Place, Span, below,
    catalog::{common, submission as texts},
    expected, fault, found, name, required, shown, wrong_type,
};
use crate::json::{self, MAX_DIAGNOSTICS, Member, Node, Value};
use crate::language;

/// The fields in documented order. True for required ones.
const FIELDS: [(&str, bool); 7] = [
    ("call_ids", true),
    (TOKEN, true),
    ("languages", true),
    ("recording_side", true),
    ("min_duration", false),
    ("from", false),
    ("till", false),
];

const TOKEN: &str = "token";

/// Determines whether the body contains the token.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenRule {
    /// For integrators: the field `token` is required.
    Required,
    /// For staff, who select the token outside the body: the field is unknown.
    Absent,
}

/// Context of the rules.
#[derive(Clone, Copy, Debug)]
pub struct Rules<'a> {
    /// Determines whether the body contains the token.
    pub token: TokenRule,
    /// Canonical languages of the recogniser; `None` accepts any well-formed code. A code is also accepted if its primary language is in
    /// the list: `en-GB` is accepted for `en`, but `en` isn't accepted for `en-GB`.
    pub languages: Option<&'a [String]>,
}

/// Reads a submission from JSON text.
///
/// Duplicate call ids and equal languages (`en-us` and `en-US`) are merged, but the limits apply to the input. Values are never coerced:
/// `"101"`, `101.0` and null aren't integers.
///
/// # Errors
/// All faults, in the order of the text, with missing fields last. Each [`Diagnostic::at`] is the exact range of the wrong bytes. No fault
/// contains the token, unless broken quotes made it a key.
pub fn read(text: &str, rules: &Rules<'_>) -> Result<Submission, Vec<Diagnostic>> {
    let document = json::read(text);
    let mut checker = Checker { rules, faults: Vec::new(), draft: Draft::default() };
    let mut missing = Vec::new();
    match &document.root {
        Some(Node { value: Value::Object(members), span }) => {
            checker.object(members);
            missing = checker.missing(members, *span);
        }
        Some(node) => checker.faults.push(wrong_type(common::object(), node.value.kind()).at(node.span)),
        None if document.faults.is_empty() => {
            checker.faults.push(expected("empty_body", common::json_object(), common::empty_body()));
        }
        None => {}
    }
    let Checker { faults, draft, .. } = checker;
    let of_text = document.faults.into_iter().map(|fault| conceal(text, fault)).collect();
    let mut faults = diagnostic::merge(of_text, faults);
    faults.append(&mut missing);
    match draft.finish() {
        Some(submission) if faults.is_empty() => Ok(submission),
        _ => {
            faults.truncate(MAX_DIAGNOSTICS);
            diagnostic::narrow(text, &mut faults);
            Err(faults)
        }
    }
}

/// Removes quoted text from a fault: if quotes are missing, that text may be the token.
fn conceal(text: &str, fault: Diagnostic) -> Diagnostic {
    /// Shorter words aren't secrets, and messages such as ``found `True` `` need them.
    const SECRET: usize = 6;
    let written = text.get(fault.at.start..fault.at.end).unwrap_or_default().trim_matches(['"', '\'']);
    let start: String = written.chars().take(SECRET).collect();
    let known = FIELDS.iter().any(|(field, _)| *field == written);
    if fault.code != "invalid_json" || known || start.chars().count() < SECRET {
        return fault;
    }
    let suggestion = fault.suggestion.map(|suggestion| match suggestion.to_string().contains(&start) {
        true => texts::in_quotes().into(),
        false => suggestion,
    });
    Diagnostic { message: fault.message.conceal(&start, &texts::concealed()), suggestion, ..fault }
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
}

impl Draft {
    /// Returns the submission, if no required field is missing.
    fn finish(self) -> Option<Submission> {
        Some(Submission {
            call_ids: self.call_ids?,
            token: self.token?,
            languages: self.languages?,
            recording_side: self.recording_side?,
            min_duration: self.min_duration.unwrap_or(1),
            from: self.from,
            till: self.till,
        })
    }
}

struct Checker<'a> {
    rules: &'a Rules<'a>,
    faults: Vec<Diagnostic>,
    draft: Draft,
}

impl Checker<'_> {
    /// Returns true if the maximum number of faults is reached.
    fn is_full(&self) -> bool {
        self.faults.len() >= MAX_DIAGNOSTICS
    }

    fn add(&mut self, place: Place, at: Span, fault: Diagnostic) {
        if !self.is_full() {
            self.faults.push(Diagnostic { place, at, ..fault });
        }
    }

    /// Adds a fault of a field's value.
    fn add_to(&mut self, field: &str, node: &Node, fault: Diagnostic) {
        self.add(below(field), node.span, fault);
    }

    /// Returns the value of a field, or adds its fault.
    fn keep<T>(&mut self, field: &str, node: &Node, read: Result<T, Diagnostic>) -> Option<T> {
        read.map_err(|fault| self.add_to(field, node, fault)).ok()
    }

    fn takes_token(&self) -> bool {
        self.rules.token == TokenRule::Required
    }

    fn object(&mut self, members: &[Member]) {
        for Member { key, key_span, value } in members {
            if self.is_full() {
                break;
            }
            if value.value == Value::Invalid {
                // The fault was already reported.
                continue;
            }
            match key.as_str() {
                "call_ids" => self.draft.call_ids = self.call_ids(value),
                TOKEN if self.takes_token() => self.draft.token = self.keep(key, value, token(value)),
                "languages" => self.draft.languages = self.languages(value),
                "recording_side" => self.draft.recording_side = self.keep(key, value, recording_side(value)),
                "min_duration" => self.draft.min_duration = self.keep(key, value, min_duration(value)),
                "from" => self.draft.from = self.keep(key, value, moment(value)),
                "till" => self.draft.till = self.keep(key, value, moment(value)),
                _ => self.unknown_key(key, *key_span),
            }
        }
        if let (Some(from), Some(till)) = (self.draft.from, self.draft.till)
            && till < from
            && let Some(member) = members.iter().rfind(|member| member.key == "till")
        {
            let wrong = fault("out_of_order", texts::till_before_from());
            self.add_to("till", &member.value, wrong);
        }
        if !self.takes_token() {
            self.draft.token = Some(String::new());
        }
    }

    /// Returns faults for missing required fields, at the opening brace.
    fn missing(&self, members: &[Member], object: Span) -> Vec<Diagnostic> {
        let opening = Span::new(object.start, object.start + 1);
        FIELDS
            .iter()
            .filter(|(field, needed)| *needed && (*field != TOKEN || self.takes_token()))
            .filter(|(field, _)| !members.iter().any(|member| member.key == *field))
            .map(|(field, _)| Diagnostic { place: below(field), at: opening, ..required(field) })
            .collect()
    }

    fn unknown_key(&mut self, key: &str, at: Span) {
        let unknown = fault("unknown_key", texts::unknown_submission_field(name(key)));
        let takes_token = self.takes_token();
        let permitted = || FIELDS.iter().map(|(field, _)| *field).filter(move |field| *field != TOKEN || takes_token);
        let unknown = if key == TOKEN {
            unknown.suggest(texts::token_of_address())
        } else {
            unknown.suggest_nearest(key, permitted())
        };
        self.add(below(key), at, unknown.permitted(permitted()));
    }

    /// Reads the calls and removes duplicates; `None` if any of them is invalid.
    fn call_ids(&mut self, node: &Node) -> Option<Vec<CallId>> {
        let Value::Array(items) = &node.value else {
            self.add_to("call_ids", node, wrong_type(common::integers(), found(&node.value)));
            return None;
        };
        if !(1..=MAX_CALL_IDS).contains(&items.len()) {
            let code = if items.is_empty() { "too_few" } else { "too_many" };
            self.add_to("call_ids", node, expected(code, texts::call_ids(MAX_CALL_IDS), items.len()));
        }
        let before = self.faults.len();
        let mut seen = BTreeSet::new();
        let mut ids = Vec::with_capacity(items.len().min(MAX_CALL_IDS));
        for (index, item) in items.iter().enumerate() {
            match integer(item, 1, i64::MAX) {
                Ok(id) if seen.insert(id) => ids.push(CallId(id)),
                Ok(_) => {}
                Err(_) if self.is_full() => break,
                Err(fault) => self.add_item("call_ids", index, item, fault),
            }
        }
        (self.faults.len() == before && !ids.is_empty()).then_some(ids)
    }

    /// Reads the languages as canonical codes without duplicates. Invalid ones are omitted.
    fn languages(&mut self, node: &Node) -> Option<Vec<String>> {
        let Value::Array(items) = &node.value else {
            self.add_to("languages", node, wrong_type(texts::language_codes(), found(&node.value)));
            return None;
        };
        if !(1..=MAX_LANGUAGES).contains(&items.len()) {
            let code = if items.is_empty() { "too_few" } else { "too_many" };
            self.add_to("languages", node, expected(code, texts::languages(MAX_LANGUAGES), items.len()));
        }
        let mut languages = Vec::new();
        for (index, item) in items.iter().enumerate() {
            match self.language(item) {
                Ok(language) if languages.contains(&language) => {}
                Ok(language) => languages.push(language),
                Err(_) if self.is_full() => break,
                Err(fault) => self.add_item("languages", index, item, fault),
            }
        }
        // Any fault rejects the whole submission.
        Some(languages)
    }

    fn language(&self, node: &Node) -> Result<String, Diagnostic> {
        let text = string(node, texts::language_code)?;
        let code = language::canonical(text).ok_or_else(|| {
            let wrong = expected("invalid_language", texts::language_form(), shown(text));
            match language::canonical(&text.trim().replace('_', "-")) {
                Some(code) => wrong.did_you_mean(&code),
                None => wrong,
            }
        })?;
        let Some(available) = self.rules.languages else { return Ok(code) };
        let bare = language::primary(&code);
        if available.iter().any(|one| *one == code || one == bare) {
            return Ok(code);
        }
        let available = || available.iter().map(String::as_str);
        let unsupported = texts::unsupported_language(code.as_str());
        let wrong = fault("unsupported_language", unsupported).permitted(available());
        // Suggests the same language with another region. A code that only looks similar is a different language.
        Err(match available().find(|one| language::primary(one) == bare) {
            Some(near) => wrong.did_you_mean(near),
            None => wrong,
        })
    }

    fn add_item(&mut self, field: &str, index: usize, item: &Node, fault: Diagnostic) {
        if item.value != Value::Invalid {
            self.add(Place::Pointer(format!("/{field}/{index}")), item.span, fault);
        }
    }
}
