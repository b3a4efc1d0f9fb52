//! Assigns faults to inputs and renders them in the panel's language.

use leadscribe_engine::diagnostic::{Diagnostic, Place};
use leadscribe_engine::host;
use leptos::prelude::*;

use crate::figures::decimal;
use crate::language::language;
use crate::texts::refusals;

/// Returns the faults at `place` or inside it. `place` is a JSON Pointer into the body or the name of a parameter.
pub fn faults_at(faults: &[Diagnostic], place: &str) -> Vec<Diagnostic> {
    faults.iter().filter(|fault| stands_at(fault, place)).cloned().collect()
}

/// True if a fault is at `place` or inside it.
pub fn stands_at(fault: &Diagnostic, place: &str) -> bool {
    match &fault.place {
        Place::Pointer(pointer) => {
            pointer.strip_prefix(place).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
        Place::Parameter(name) | Place::Column(name) => name == place,
    }
}

/// Value of `aria-invalid` for an input with these faults.
pub fn invalid(faults: Signal<Vec<Diagnostic>>) -> impl Fn() -> String + Send + Clone + 'static {
    move || faults.with(|faults| !faults.is_empty()).to_string()
}

/// Message of a diagnostic in the panel's language. A message without a translation is translated by its code if the code is known;
/// otherwise it stays in English.
pub fn detail_of(fault: &Diagnostic) -> String {
    match by_code(fault) {
        Some(text) => text.to_owned(),
        None => fault.message.text(language()),
    }
}

/// Message of a diagnostic as shown at an input, with the decimal separator of the panel's language.
pub fn detail_at_input(fault: &Diagnostic) -> String {
    let figure = |word: &str| match host::float(word) {
        Some(_) => decimal(word),
        None => word.to_owned(),
    };
    detail_of(fault).split(' ').map(figure).collect::<Vec<_>>().join(" ")
}

/// Suggested correction. If the message was translated by its code, a suggestion without a translation is left out.
pub fn suggestion_of(fault: &Diagnostic) -> Option<String> {
    let message = &fault.suggestion.as_ref()?.message;
    (!message.is_plain() || by_code(fault).is_none()).then(|| message.text(language()))
}

fn by_code(fault: &Diagnostic) -> Option<&'static str> {
    fault.message.is_plain().then(|| refusals::fault(&fault.code)).flatten()
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::diagnostic::common;
    use serde_json::{Value, json};

    use super::*;
    use crate::language::{Language, speak};

    /// The diagnostic as the panel receives it.
    fn received(sent: Value) -> Diagnostic {
        serde_json::from_value(sent).unwrap()
    }

    #[test]
    fn translates_diagnostics() {
        let shown = |fault: &Diagnostic| (detail_of(fault), suggestion_of(fault));
        let with_data = received(json!({
            "pointer": "/ctiy",
            "code": "unknown_key",
            "detail": "a lead has no field `ctiy`",
            "message": { "id": "unknown_field", "args": { "thing": { "id": "lead" }, "field": "`ctiy`" } },
            "suggestion": {
                "detail": "did you mean `city`?",
                "message": { "id": "did_you_mean", "args": { "meant": "city" } },
                "replacement": "city",
            },
        }));
        let plain = |code: &str| {
            let suggestion = json!({ "detail": "choose another" });
            received(json!({ "pointer": "", "code": code, "detail": "as sent", "suggestion": suggestion }))
        };
        let as_sent = ("as sent".to_owned(), Some("choose another".to_owned()));
        assert_eq!(
            shown(&with_data),
            ("a lead has no field `ctiy`".to_owned(), Some("did you mean `city`?".to_owned()))
        );
        assert_eq!(shown(&plain("taken")), as_sent);
        speak(Language::German);
        assert_eq!(
            shown(&with_data),
            ("ein Lead hat kein Feld `ctiy`".to_owned(), Some("meinten Sie `city`?".to_owned()))
        );
        assert_eq!(shown(&plain("taken")), ("bereits vergeben".to_owned(), None));
        assert_eq!(shown(&plain("newer")), as_sent);
    }

    #[test]
    fn input_faults_use_the_decimal_separator_of_the_language() {
        let fault = |message| Diagnostic::new(Place::default(), "out_of_range", message);
        let far = fault(common::expected(common::number_within(-90, 90), 100.5));
        let whole = fault(common::not_whole(1.5));
        assert_eq!(detail_at_input(&far), "expected a number from -90 to 90, found 100.5");
        speak(Language::German);
        assert_eq!(detail_at_input(&far), "erwartet: eine Zahl von -90 bis 90, gefunden: 100,5");
        assert_eq!(detail_at_input(&whole), "1,5 ist keine ganze Zahl");
        assert_eq!(detail_of(&whole), "1.5 ist keine ganze Zahl");
        let address = Diagnostic::new(Place::default(), "new", "expected 10.0.0.1.");
        assert_eq!(detail_at_input(&address), "expected 10.0.0.1.");
    }

    #[test]
    fn finds_faults_at_a_member_and_inside_it() {
        let places =
            [Place::Pointer("/scopes/0".into()), Place::Pointer("/scopes_too".into()), Place::Parameter("from".into())];
        let faults = places.map(|place| Diagnostic::new(place, "wrong", "wrong"));
        assert_eq!(faults_at(&faults, "/scopes"), faults[..1]);
        assert_eq!(faults_at(&faults, "from"), faults[2..]);
    }
}
