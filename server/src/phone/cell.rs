//! Extracts the numbers of a phone cell, each with the possible readings of its digits.
//!
//! A cell is split into runs of digits at words, list separators and `+` signs. A run that belongs to a remark, such as opening hours or an
//! extension, is ignored. Any other text that isn't part of a number makes the cell unreadable.

use super::candidate::{Candidate, candidates};
use super::tokenizer::{Token, tokenize};
use super::{PhoneError, date_time, words};

/// Adjacent digits, with the symbols that separate them from the previous group.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub separator: String,
    pub digits: String,
}

/// Neighbor of a run of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RunBoundary {
    /// The beginning or end of the cell.
    Edge,
    /// A list separator, or the `+` of another number.
    Separator,
    Word,
    /// A word that introduces an extension.
    ExtensionLabel,
    /// A bracket around words, opening hours or a date.
    Remark,
}

/// Digits and phone number punctuation without words in between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub is_international: bool,
    pub groups: Vec<Group>,
    pub before: RunBoundary,
    pub after: RunBoundary,
    /// True if letters are adjacent to its digits and may replace digits: `3.02E9`, `030 2312xxxx`.
    has_letters: bool,
    is_remark: bool,
}

/// Minimum number of digits of a number that has other digits next to it in the cell.
const MIN_COMPLETE_DIGITS: usize = 7;
/// Minimum number of digits before an `x` without spaces that introduces an extension.
const MIN_DIGITS_BEFORE_EXTENSION: usize = 9;
/// Maximum number of digits of an extension.
const MAX_EXTENSION_DIGITS: usize = 7;

/// Returns the candidates of each number in a cell, in order.
///
/// # Errors
/// The cell has no digits, or it has unexplained digits, words that invalidate its number, or several numbers with words that distinguish
/// them.
pub fn parse_numbers(cell: &str) -> Result<Vec<Vec<Candidate>>, PhoneError> {
    let tokens = tokenize(cell).map_err(|_| PhoneError::Unreadable)?;
    if words::has_redaction(&tokens) {
        return Err(PhoneError::Unreadable);
    }
    if words::has_denial(&tokens) {
        return Err(PhoneError::Denied);
    }
    let mut runs = split_runs(&tokens)?;
    let mut is_first = true;
    runs.retain(|run| std::mem::take(&mut is_first) || !run.is_extension());
    let number_runs: Vec<usize> = match runs.as_slice() {
        [] => return Err(PhoneError::NoDigits),
        [_] => vec![0],
        _ => (0..runs.len()).filter(|index| !runs[*index].is_short()).collect(),
    };
    if number_runs.iter().any(|index| runs[*index].has_letters) {
        return Err(PhoneError::Unreadable);
    }
    let has_words = runs.iter().any(|run| run.is_remark || run.before.is_word() || run.after.is_word());
    if number_runs.is_empty() && runs.iter().any(|run| run.has_letters) {
        return Err(PhoneError::Unreadable);
    }
    if number_runs.is_empty() || number_runs.len() > 1 && has_words {
        return Err(PhoneError::SeveralNumbers);
    }
    let (first, last) = (number_runs[0], number_runs[number_runs.len() - 1]);
    if !are_short_runs_explained(&runs, first, last) {
        return Err(PhoneError::Unreadable);
    }
    let mut numbers: Vec<_> = number_runs.iter().map(|index| candidates(&runs[*index])).collect::<Result<_, _>>()?;
    if first > 0 {
        let digits = runs[..=first].iter().map(Run::digits).collect();
        numbers[0].push(Candidate::conflicting(runs[first].is_international, digits));
    }
    Ok(numbers)
}

/// Returns true if every short run next to the numbers is part of a remark, or alternate last digits of the last number.
fn are_short_runs_explained(runs: &[Run], first: usize, last: usize) -> bool {
    let is_clear = runs.len() == 1 || runs[first].digits().len() >= MIN_COMPLETE_DIGITS;
    let mut is_remark = false;
    let is_before_explained =
        first == 0 || runs[..first].iter().any(|run| run.is_remark || run.before.is_word() || run.after.is_word());
    let is_after_explained = runs[last..].iter().skip(1).all(|run| {
        is_remark |= run.is_remark || run.before.is_word();
        is_remark || run.groups.len() == 1
    });
    is_clear && is_before_explained && is_after_explained
}

impl Run {
    pub fn digits(&self) -> String {
        self.groups.iter().map(|group| group.digits.as_str()).collect()
    }

    fn is_extension(&self) -> bool {
        self.before == RunBoundary::ExtensionLabel
            && !self.is_international
            && matches!(self.groups.as_slice(), [group] if group.digits.len() <= MAX_EXTENSION_DIGITS)
    }

    /// Returns true if the run is too short for a number: hours, days, floors, and years in brackets.
    fn is_short(&self) -> bool {
        let max_digits = if self.is_remark { 4 } else { 2 };
        let is_short = self.groups.iter().all(|digit_group| digit_group.digits.len() <= max_digits);
        !self.is_international && is_short && self.digits().len() <= 8
    }
}

impl RunBoundary {
    fn is_word(self) -> bool {
        matches!(self, Self::Word | Self::ExtensionLabel | Self::Remark)
    }
}

/// Splits a cell into its runs.
fn split_runs(tokens: &[Token]) -> Result<Vec<Run>, PhoneError> {
    let mut splitter = RunSplitter::default();
    let mut index = 0;
    while index < tokens.len() {
        let date_time_length = date_time::date_time_length(tokens, index);
        if date_time_length > 0 {
            splitter.end_run(RunBoundary::Remark)?;
        } else {
            splitter.push(&tokens[index], &tokens[index + 1..])?;
        }
        index += date_time_length.max(1);
    }
    // Trailing dashes, points and brackets stand for hidden digits.
    let end: String = splitter.separator.chars().filter(|symbol| *symbol != ' ').collect();
    if end.matches('-').count() > 1 || end.matches('.').count() > 1 || end.ends_with("()") {
        return Err(PhoneError::Unreadable);
    }
    splitter.end_run(RunBoundary::Edge)?;
    Ok(splitter.runs)
}

struct RunSplitter {
    runs: Vec<Run>,
    run: Run,
    /// Symbols since the last digits of the run.
    separator: String,
    /// True if the last token was a word, so that a point or colon belongs to it.
    is_after_word: bool,
    /// True if the last token was a single letter that may stand for a digit, such as `O`.
    is_after_letter: bool,
}

impl Default for RunSplitter {
    fn default() -> Self {
        let run = Run::new(RunBoundary::Edge, false);
        Self { runs: Vec::new(), run, separator: String::new(), is_after_word: false, is_after_letter: false }
    }
}

impl RunSplitter {
    fn push(&mut self, token: &Token, rest: &[Token]) -> Result<(), PhoneError> {
        let is_after_word = std::mem::take(&mut self.is_after_word);
        let is_after_letter = std::mem::take(&mut self.is_after_letter);
        match token {
            Token::Digits(digits) => {
                // A negative number is the result of a spreadsheet formula.
                if self.run.groups.is_empty() && self.run.before == RunBoundary::Edge && self.separator == "-" {
                    return Err(PhoneError::Unreadable);
                }
                // Order numbers: `ORD-2026-004711`.
                let is_in_code = is_after_letter && !digits.starts_with('0');
                self.run.has_letters |= is_after_letter && self.separator.is_empty() || is_in_code;
                self.run.groups.push(Group { separator: std::mem::take(&mut self.separator), digits: digits.clone() });
            }
            Token::Word(word) => {
                let is_label = words::is_extension_label(word) && words::is_followed_by_digits(rest);
                if !is_label && self.is_hidden_digit(word, rest) || self.is_unit_of_count(word, rest) {
                    return Err(PhoneError::Unreadable);
                }
                let is_attached = self.separator.is_empty() && !self.run.groups.is_empty();
                // A single `x` may stand for a hidden digit.
                let is_hidden = word == "x" && self.run.digits().len() < MIN_DIGITS_BEFORE_EXTENSION;
                let is_clear = is_label && !is_hidden || words::is_unspaced_script(word.chars().next());
                self.run.has_letters |= is_attached && !is_clear;
                self.end_run(if is_label { RunBoundary::ExtensionLabel } else { RunBoundary::Word })?;
                self.is_after_word = true;
                self.is_after_letter = !is_label && words::may_belong_to_digits(word);
            }
            Token::Punctuation('.' | ':') if is_after_word => self.is_after_word = true,
            Token::Punctuation('-') if is_after_letter && self.separator.is_empty() => {
                self.is_after_letter = true;
                self.separator.push('-');
            }
            Token::Punctuation(symbol @ (':' | ',')) if self.is_time_or_decimal(*symbol, rest) => {
                return Err(PhoneError::Unreadable);
            }
            Token::Punctuation(';' | ':' | ',') => self.end_run(RunBoundary::Separator)?,
            // After a pause, `#` ends the digits that are dialed after it.
            Token::Punctuation('#')
                if self.runs.is_empty() && !(words::is_followed_by_digits(rest) && self.has_digits()) =>
            {
                return Err(PhoneError::Unreadable);
            }
            Token::Punctuation('#') => self.end_run(RunBoundary::ExtensionLabel)?,
            Token::Punctuation('+') => {
                self.end_run(RunBoundary::Separator)?;
                self.run.is_international = true;
            }
            Token::Punctuation('(') if has_words_in_brackets(rest) => {
                self.end_run(RunBoundary::Remark)?;
                self.run.is_remark = true;
            }
            Token::Punctuation(')') if self.run.is_remark => {
                self.end_run(RunBoundary::Remark)?;
                self.run.is_remark = false;
            }
            Token::Punctuation(symbol) => self.separator.push(*symbol),
        }
        Ok(())
    }

    fn has_digits(&self) -> bool {
        !self.run.groups.is_empty()
    }

    /// Returns true if a word stands for hidden digits. A single letter may also be an initial or a label.
    fn is_hidden_digit(&self, word: &str, rest: &[Token]) -> bool {
        let is_after_number = self.run.digits().len() > 2;
        let is_initial = self.separator.ends_with(' ') && matches!(rest, [Token::Punctuation('.' | ' '), ..]);
        let is_hiding = match word {
            "n" => is_after_number && !(is_initial && rest.iter().any(|token| matches!(token, Token::Word(_)))),
            "o" | "y" | "z" => false,
            _ => is_after_number || word.chars().count() > 1,
        };
        is_hiding && words::is_mask(word)
    }

    /// Returns true if a word is the unit of the digits before it, which are then an hour, a day or a floor.
    fn is_unit_of_count(&self, word: &str, rest: &[Token]) -> bool {
        let is_small = |group: &Group| group.digits.parse().is_ok_and(|count: u8| count <= 31);
        let is_adjacent = self.separator.chars().all(|symbol| matches!(symbol, ' ' | '.'));
        let is_initial =
            word.len() == 1 && matches!(rest, [Token::Punctuation('.'), Token::Punctuation(' '), Token::Word(_), ..]);
        let is_unit = words::is_unit(word) && !is_initial;
        self.run.groups.len() > 1 && is_adjacent && is_unit && self.run.groups.last().is_some_and(is_small)
    }

    /// Returns true if the last digits of the run, a symbol and the next digits are one value: `17:00`, `12,50`, `912345678,9`.
    fn is_time_or_decimal(&self, symbol: char, rest: &[Token]) -> bool {
        let next = match rest {
            [Token::Punctuation(' '), next @ ..] if symbol == ':' => next,
            next => next,
        };
        let [Token::Digits(next), rest_after @ ..] = next else { return false };
        let Some((last, before)) = self.run.groups.split_last() else { return false };
        let is_short = last.digits.len() <= 2 && !before.is_empty();
        let is_zero = next.bytes().all(|digit| digit == b'0');
        let is_whole = !self.run.is_international && self.run.groups.iter().skip(1).all(|group| group.separator == ".");
        let is_fraction = symbol == ',' && is_whole && !is_zero;
        next.len() <= 2 && (is_short || is_fraction) && !words::is_followed_by_digits(rest_after)
    }

    /// Ends the run at `boundary` and begins the next one.
    fn end_run(&mut self, boundary: RunBoundary) -> Result<(), PhoneError> {
        self.separator.clear();
        if !self.run.groups.is_empty() {
            let next = Run::new(boundary, self.run.is_remark);
            let run = std::mem::replace(&mut self.run, next);
            self.runs.push(Run { after: boundary, ..run });
        } else if self.run.is_international {
            return Err(PhoneError::Unreadable);
        } else if boundary != RunBoundary::Separator {
            self.run.before = boundary;
        }
        Ok(())
    }
}

impl Run {
    fn new(before: RunBoundary, is_remark: bool) -> Self {
        let groups = Vec::new();
        Self { is_international: false, groups, before, after: RunBoundary::Edge, has_letters: false, is_remark }
    }
}

/// Returns true if a word occurs before the closing bracket.
fn has_words_in_brackets(rest: &[Token]) -> bool {
    let inside = rest.iter().take_while(|token| **token != Token::Punctuation(')'));
    inside.into_iter().any(|token| matches!(token, Token::Word(_)))
}
