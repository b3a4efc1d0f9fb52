//! Assigns diagnostics to inputs and renders them in the panel's language.

use leadscribe_engine::diagnostic::{Diagnostic, Location};
use leadscribe_engine::host;
use leptos::prelude::*;

use crate::i18n::language;
use crate::i18n::number_format::localize_decimal;

/// Returns the diagnostics at `location` or inside it. `location` is a JSON Pointer into the body or the name of a
/// parameter.
pub fn diagnostics_at(diagnostics: &[Diagnostic], location: &str) -> Vec<Diagnostic> {
    diagnostics.iter().filter(|diagnostic| is_at(diagnostic, location)).cloned().collect()
}

/// Like [`diagnostics_at`], as a signal.
pub fn diagnostics_signal(diagnostics: Signal<Vec<Diagnostic>>, location: &'static str) -> Signal<Vec<Diagnostic>> {
    Signal::derive(move || diagnostics.with(|diagnostics| diagnostics_at(diagnostics, location)))
}

/// True if a diagnostic is at `location` or inside it.
pub fn is_at(diagnostic: &Diagnostic, location: &str) -> bool {
    match &diagnostic.location {
        Location::Pointer(pointer) => {
            pointer.strip_prefix(location).is_some_and(|rest| rest.is_empty() || rest.starts_with('/'))
        }
        Location::Parameter(name) | Location::Column(name) => name == location,
    }
}

/// Value of `aria-invalid` for an input with these diagnostics.
pub fn aria_invalid(diagnostics: Signal<Vec<Diagnostic>>) -> impl Fn() -> String + Send + Clone + 'static {
    move || diagnostics.with(|diagnostics| !diagnostics.is_empty()).to_string()
}

/// Message of a diagnostic in the panel's language.
pub fn localized_detail(diagnostic: &Diagnostic) -> String {
    diagnostic.message.text(language())
}

/// Message of a diagnostic as shown at an input, with the decimal separator of the panel's language.
pub fn localized_input_detail(diagnostic: &Diagnostic) -> String {
    let localize_number = |word: &str| match host::parse_float(word) {
        // A German ordinal such as `30.` is no decimal number.
        Some(_) if !word.ends_with('.') => localize_decimal(word),
        _ => word.to_owned(),
    };
    localized_detail(diagnostic).split(' ').map(localize_number).collect::<Vec<_>>().join(" ")
}

/// Suggested correction.
pub fn suggestion_of(diagnostic: &Diagnostic) -> Option<String> {
    diagnostic.suggestion.as_ref().map(|suggestion| suggestion.message.text(language()))
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::diagnostic::common;
    use serde_json::{Value, json};

    use crate::i18n::locale::{Language, set_language};
    use crate::i18n::validation_errors::*;

    /// The diagnostic as the panel receives it.
    fn received(sent: Value) -> Diagnostic {
        serde_json::from_value(sent).unwrap()
    }

    #[test]
    fn translates_diagnostics() {
        let localized = |diagnostic: &Diagnostic| (localized_detail(diagnostic), suggestion_of(diagnostic));
        let with_data = received(json!({
            "pointer": "/ctiy",
            "code": "unknown_key",
            "detail": "a lead has no field `ctiy`",
            "message": { "id": "unknown_field", "args": { "thing": { "id": "lead" }, "field": "`ctiy`" } },
            "suggestion": {
                "detail": "did you mean `city`?",
                "message": { "id": "did_you_mean", "args": { "name": "city" } },
                "replacement": "city",
            },
        }));
        let suggestion = json!({ "detail": "choose another" });
        let unknown =
            received(json!({ "pointer": "", "code": "newer", "detail": "as sent", "suggestion": suggestion }));
        let as_sent = ("as sent".to_owned(), Some("choose another".to_owned()));
        assert_eq!(
            localized(&with_data),
            ("a lead has no field `ctiy`".to_owned(), Some("did you mean `city`?".to_owned()))
        );
        set_language(Language::German);
        assert_eq!(
            localized(&with_data),
            ("ein Lead hat kein Feld `ctiy`".to_owned(), Some("meinten Sie `city`?".to_owned()))
        );
        assert_eq!(localized(&unknown), as_sent);
    }

    #[test]
    fn messages_use_the_decimal_separator_of_the_language() {
        let diagnostic = |message| Diagnostic::new(Location::default(), "out_of_range", message);
        let out_of_range = diagnostic(common::expected(common::number_within(-90, 90), 100.5));
        let not_whole = diagnostic(common::not_an_integer(1.5));
        assert_eq!(localized_input_detail(&out_of_range), "expected a number from -90 to 90, found 100.5");
        set_language(Language::German);
        assert_eq!(localized_input_detail(&out_of_range), "erwartet: eine Zahl von -90 bis 90, gefunden: 100,5");
        assert_eq!(localized_input_detail(&not_whole), "1,5 ist keine ganze Zahl");
        assert_eq!(localized_detail(&not_whole), "1.5 ist keine ganze Zahl");
        let address = diagnostic(common::expected("10.0.0.1", "30."));
        assert_eq!(localized_input_detail(&address), "erwartet: 10.0.0.1, gefunden: 30.");
    }

    #[test]
    fn finds_diagnostics_at_a_member_and_inside_it() {
        let locations = [
            Location::Pointer("/scopes/0".into()),
            Location::Pointer("/scopes_too".into()),
            Location::Parameter("from".into()),
        ];
        let diagnostics = locations.map(|location| Diagnostic::new(location, "wrong", common::not_an_integer(1.5)));
        assert_eq!(diagnostics_at(&diagnostics, "/scopes"), diagnostics[..1]);
        assert_eq!(diagnostics_at(&diagnostics, "from"), diagnostics[2..]);
    }
}
