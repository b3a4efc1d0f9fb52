//! Expressions: `"<value>;<operator>"`, and two of them joined by `|`.
//!
//! This only takes the text apart; what the values mean depends on the field.

use crate::fault::CharRange;

/// One expression, taken apart.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) struct Part<'a> {
    /// All of it.
    pub text: &'a str,
    /// What stands before the last `;`, or everything.
    pub value: &'a str,
    /// What stands after it, if there is one.
    pub symbol: Option<&'a str>,
    /// Its first character, counted in the whole text.
    pub start: usize,
}

/// Whether a text is meant as expressions. No plain value of a date or number field has either character.
pub(super) fn is_expression(text: &str) -> bool {
    text.contains([';', '|'])
}

/// The expressions of a text, at least one.
pub(super) fn parts(text: &str) -> Vec<Part<'_>> {
    let mut start = 0;
    text.split('|')
        .map(|text| {
            let (value, symbol) = match text.rsplit_once(';') {
                Some((value, symbol)) => (value, Some(symbol)),
                None => (text, None),
            };
            let part = Part { text, value, symbol, start };
            start += text.chars().count() + 1;
            part
        })
        .collect()
}

/// The characters of `part`, which starts at the character `start` of a text.
pub(super) fn range(start: usize, part: &str) -> CharRange {
    CharRange { start, end: start + part.chars().count() }
}

impl Part<'_> {
    /// The characters of the whole expression.
    pub fn at(&self) -> CharRange {
        range(self.start, self.text)
    }

    /// The characters of the value.
    pub fn value_at(&self) -> CharRange {
        range(self.start, self.value)
    }

    /// The characters of the operator, with its `;` when there is nothing after it.
    pub fn symbol_at(&self) -> CharRange {
        let value = self.value_at();
        match self.symbol {
            Some("") | None => CharRange { start: value.end, end: self.at().end },
            Some(symbol) => range(value.end + 1, symbol),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn takes_two_expressions_apart() {
        let parts = parts("ä;>|5;");
        assert_eq!((parts[0].value, parts[0].symbol, parts[0].start), ("ä", Some(">"), 0));
        assert_eq!((parts[1].value, parts[1].symbol, parts[1].start), ("5", Some(""), 4));
        assert_eq!(parts[0].symbol_at(), CharRange { start: 2, end: 3 });
        assert_eq!(parts[1].symbol_at(), CharRange { start: 5, end: 6 });
    }
}
