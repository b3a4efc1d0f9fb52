//! State of a form that the engine checks while the user types.

use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::host;
use leptos::prelude::*;
use serde_json::{Map, Value, json};

use crate::i18n::number_format;
use crate::state::Mutation;

/// Request body and diagnostics of a form. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct FormState {
    /// The request. Its error is cleared by the next edit.
    pub mutation: Mutation,
    /// Request body; `None` while nothing is changed.
    pub body: Memo<Option<String>>,
    /// Diagnostics that the engine finds.
    client_diagnostics: Memo<Vec<Diagnostic>>,
}

impl FormState {
    /// Creates the state before the first edit.
    pub fn new(body: Memo<Option<String>>, client_diagnostics: Memo<Vec<Diagnostic>>) -> Self {
        let mutation = Mutation::new();
        Effect::new(move |previous: Option<()>| {
            body.track();
            if previous.is_some() {
                mutation.clear_error();
            }
        });
        Self { mutation, body, client_diagnostics }
    }

    /// True if the user has changed something.
    pub fn is_edited(self) -> bool {
        self.body.with(Option::is_some)
    }

    /// True if the form has errors.
    pub fn is_invalid(self) -> bool {
        !self.client_diagnostics.with(Vec::is_empty)
    }

    /// True if nothing has changed or the form has errors.
    pub fn is_submit_disabled(self) -> Signal<bool> {
        Signal::derive(move || !self.is_edited() || self.is_invalid())
    }

    /// Request body, if it can be sent. Doesn't subscribe to changes.
    pub fn valid_body(self) -> Option<String> {
        self.body.get_untracked().filter(|_| self.client_diagnostics.with_untracked(Vec::is_empty))
    }

    /// Diagnostics of the server if it refused the last request, otherwise of the engine.
    pub fn diagnostics(self) -> Signal<Vec<Diagnostic>> {
        Signal::derive(move || {
            let server_diagnostics = self.mutation.error().map(|error| error.diagnostics());
            server_diagnostics.unwrap_or_else(|| self.client_diagnostics.get())
        })
    }
}

/// Returns a whole number, or null for empty input. Fractions stay fractions, and other text stays a string, so that
/// the engine reports the error.
pub fn number_value(text: &str) -> Value {
    match text.trim() {
        "" => Value::Null,
        text => {
            match (text.parse::<i64>(), number_format::parse_number(text).and_then(|number| host::parse_float(&number)))
            {
                (Ok(number), _) => json!(number),
                (Err(_), Some(number)) if number.fract() != 0.0 => json!(number),
                _ => json!(text),
            }
        }
    }
}

/// Returns a string, or null for empty input.
pub fn text_value(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { json!(text) }
}

/// Updates an input to the new value `new_base`, unless the user changed it from `base`.
pub fn rebase_input<T: Clone + PartialEq>(value: &mut T, base: &T, new_base: &T) {
    if value == base {
        value.clone_from(new_base);
    }
}

/// Returns the request body with the members that changed; `None` if none did.
pub fn changed_members_body<const N: usize>(
    members: [(&'static str, Value); N],
    previous: [(&'static str, Value); N],
) -> Option<String> {
    let changed =
        members.into_iter().zip(previous).filter(|(current, previous)| current != previous).map(|(current, _)| current);
    let mut changed = changed.peekable();
    changed.peek().is_some().then(|| to_body(changed))
}

/// Returns the request body with these members.
pub fn to_body(members: impl IntoIterator<Item = (&'static str, Value)>) -> String {
    let members: Map<_, _> = members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Value::Object(members).to_string()
}

#[cfg(test)]
mod tests {
    use crate::i18n::locale::{Language, set_language};
    use crate::state::form_state::*;

    #[test]
    fn parses_numbers_and_keeps_other_text() {
        assert_eq!([" 7 ", "-5", ""].map(number_value), [json!(7), json!(-5), Value::Null]);
        assert_eq!(["many", "1,5", "99999999999999999999"].map(number_value), ["many", "1,5", "99999999999999999999"]);
        assert_eq!(number_value("1.5"), json!(1.5));
        set_language(Language::German);
        assert_eq!(["1,5", "1.500"].map(number_value), [json!(1.5), json!("1.500")]);
    }

    #[test]
    fn change_contains_only_differences() {
        let members = |name: &str, weight: &str| [("name", text_value(name)), ("weight", number_value(weight))];
        assert_eq!(changed_members_body(members("a", "1"), members("a", " 1")), None);
        assert_eq!(changed_members_body(members("", "1"), members("a", "1")).as_deref(), Some(r#"{"name":null}"#));
        assert_eq!(to_body(members("a", "2")), r#"{"name":"a","weight":2}"#);
    }
}
