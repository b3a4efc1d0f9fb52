//! Converts form input to the JSON of a request.

use leadscribe_engine::host;
use serde_json::{Map, Value, json};

use crate::figures;

/// Returns a whole number, or null for empty input. Fractions stay fractions, and other text stays a string, so that the engine
/// reports the error.
pub fn number(text: &str) -> Value {
    match text.trim() {
        "" => Value::Null,
        text => match (text.parse::<i64>(), figures::plain(text).and_then(|number| host::float(&number))) {
            (Ok(number), _) => json!(number),
            (Err(_), Some(number)) if number.fract() != 0.0 => json!(number),
            _ => json!(text),
        },
    }
}

/// Returns a string, or null for empty input.
pub fn text(text: &str) -> Value {
    if text.is_empty() { Value::Null } else { json!(text) }
}

/// Updates an input to the new value `onto`, unless the user changed it from `base`.
pub fn follow<T: Clone + PartialEq>(own: &mut T, base: &T, onto: &T) {
    if own == base {
        own.clone_from(onto);
    }
}

/// Returns the request body with these members.
pub fn body<const N: usize>(members: [(&'static str, Value); N]) -> String {
    object(members)
}

/// Returns the request body with the members that changed; `None` if none did.
pub fn changes<const N: usize>(
    members: [(&'static str, Value); N],
    before: [(&'static str, Value); N],
) -> Option<String> {
    let changed = members.into_iter().zip(before).filter(|(now, before)| now != before).map(|(now, _)| now);
    let mut changed = changed.peekable();
    changed.peek().is_some().then(|| object(changed))
}

fn object(members: impl IntoIterator<Item = (&'static str, Value)>) -> String {
    let members: Map<_, _> = members.into_iter().map(|(name, value)| (name.to_owned(), value)).collect();
    Value::Object(members).to_string()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Language, speak};

    #[test]
    fn parses_numbers_and_keeps_other_text() {
        assert_eq!([" 7 ", "-5", ""].map(number), [json!(7), json!(-5), Value::Null]);
        assert_eq!(["many", "1,5", "99999999999999999999"].map(number), ["many", "1,5", "99999999999999999999"]);
        assert_eq!(number("1.5"), json!(1.5));
        speak(Language::German);
        assert_eq!(["1,5", "1.500"].map(number), [json!(1.5), json!("1.500")]);
    }

    #[test]
    fn change_contains_only_differences() {
        let members = |name: &str, weight: &str| [("name", text(name)), ("weight", number(weight))];
        assert_eq!(changes(members("a", "1"), members("a", " 1")), None);
        assert_eq!(changes(members("", "1"), members("a", "1")).as_deref(), Some(r#"{"name":null}"#));
        assert_eq!(body(members("a", "2")), r#"{"name":"a","weight":2}"#);
    }
}
