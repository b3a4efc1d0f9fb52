//! Rule for names and labels: one line of text that isn't blank.

use leadscribe_engine::diagnostic::{Message, account};

/// Returns the error of a text that is blank, too long or contains control characters.
pub fn check(text: &str, max_chars: usize) -> Option<Message> {
    let length = text.chars().count();
    if text.trim().is_empty() {
        Some(account::blank())
    } else if text.chars().any(char::is_control) {
        Some(account::printable_characters())
    } else {
        (length > max_chars).then(|| account::too_many_characters(max_chars, length))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_the_violated_rule() {
        let error = |text: &str| check(text, 4).map(|message| message.to_string());
        assert_eq!(error("Büro"), None);
        for blank in ["", " \u{a0}"] {
            assert_eq!(error(blank).as_deref(), Some("must not be blank"), "{blank:?}");
        }
        assert_eq!(error("a\nb").as_deref(), Some("expected printable characters, found a control character"));
        assert_eq!(error("Busy!").as_deref(), Some("must have at most 4 characters, but has 5"));
    }
}
