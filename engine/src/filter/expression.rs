//! Expressions: `"<value>;<operator>"`, or two of them joined by `|`.
//!
//! This module only splits the text. The meaning of the values depends on the field.

use crate::diagnostic::CharRange;

/// A split expression.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Expression<'a> {
    /// The whole expression.
    pub text: &'a str,
    /// Text before the last `;`, or the whole text.
    pub value: &'a str,
    /// Text after the last `;`, if there is one.
    pub symbol: Option<&'a str>,
    /// Position of its first character in the whole text.
    pub start_char: usize,
}

/// Returns true if a text contains expressions. Plain values of date and number fields contain neither character.
pub(super) fn is_expression(text: &str) -> bool {
    text.contains([';', '|'])
}

/// Splits a text into expressions, at least one.
pub(super) fn split_expressions(text: &str) -> Vec<Expression<'_>> {
    let mut start = 0;
    text.split('|')
        .map(|text| {
            let (value, symbol) = match text.rsplit_once(';') {
                Some((value, symbol)) => (value, Some(symbol)),
                None => (text, None),
            };
            let part = Expression { text, value, symbol, start_char: start };
            start += text.chars().count() + 1;
            part
        })
        .collect()
}

/// Returns the character range of `part`, which starts at the character `start` of a text.
pub(super) fn char_range(start: usize, part: &str) -> CharRange {
    CharRange { start, end: start + part.chars().count() }
}

impl Expression<'_> {
    /// Returns the character range of the whole expression.
    pub fn range(&self) -> CharRange {
        char_range(self.start_char, self.text)
    }

    /// Returns the character range of the value.
    pub fn value_range(&self) -> CharRange {
        char_range(self.start_char, self.value)
    }

    /// Returns the character range of the operator; of the `;` if no operator follows it.
    pub fn symbol_range(&self) -> CharRange {
        let value = self.value_range();
        match self.symbol {
            Some("") | None => CharRange { start: value.end, end: self.range().end },
            Some(symbol) => char_range(value.end + 1, symbol),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn splits_two_expressions() {
        let parts = split_expressions("ä;>|5;");
        assert_eq!((parts[0].value, parts[0].symbol, parts[0].start_char), ("ä", Some(">"), 0));
        assert_eq!((parts[1].value, parts[1].symbol, parts[1].start_char), ("5", Some(""), 4));
        assert_eq!(parts[0].symbol_range(), CharRange { start: 2, end: 3 });
        assert_eq!(parts[1].symbol_range(), CharRange { start: 5, end: 6 });
    }
}
