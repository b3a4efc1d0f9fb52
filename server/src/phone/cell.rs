//! Extracts the numbers of a phone cell, each with the possible readings of its digits.
//!
//! A cell is split into runs of digits at words, list separators and `+` signs. A run that belongs to a remark, such as opening hours or an
//! extension, is ignored. Any other text that isn't part of a number makes the cell unreadable.

use super::candidate::{Candidate, candidates};
use super::text::{Piece, pieces};
use super::{NoNumber, moment, words};

/// Adjacent digits, with the signs before them in their run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub gap: String,
    pub digits: String,
}

/// Neighbour of a run of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// The beginning or end of the cell.
    Edge,
    /// A list separator, or the `+` of another number.
    Separator,
    /// A word.
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
    pub before: Border,
    pub after: Border,
    /// True if letters are adjacent to its digits and may replace digits: `3.02E9`, `030 2312xxxx`.
    has_letters: bool,
    is_remark: bool,
}

/// Minimum number of digits of a number with other digits next to it.
const CLEAR_LENGTH: usize = 7;
/// Minimum number of digits before an `x` without blanks that introduces an extension.
const EXTENDED_LENGTH: usize = 9;
/// Maximum number of digits of an extension.
const EXTENSION_LENGTH: usize = 7;

/// Returns the candidates of each number in a cell, in order.
///
/// # Errors
/// The cell has no digits, unexplained digits, words that invalidate its number, or several numbers with words that distinguish them.
pub fn numbers(cell: &str) -> Result<Vec<Vec<Candidate>>, NoNumber> {
    let pieces = pieces(cell).map_err(|_| NoNumber::Unreadable)?;
    if words::are_redacted(&pieces) {
        return Err(NoNumber::Unreadable);
    }
    if words::are_denied(&pieces) {
        return Err(NoNumber::Denied);
    }
    let mut runs = runs(&pieces)?;
    let mut is_first = true;
    runs.retain(|run| std::mem::take(&mut is_first) || !run.is_extension());
    let long: Vec<usize> = match runs.as_slice() {
        [] => return Err(NoNumber::NoDigits),
        [_] => vec![0],
        _ => (0..runs.len()).filter(|at| !runs[*at].is_short()).collect(),
    };
    if long.iter().any(|at| runs[*at].has_letters) {
        return Err(NoNumber::Unreadable);
    }
    let has_words = runs.iter().any(|run| run.is_remark || run.before.is_word() || run.after.is_word());
    if long.is_empty() && runs.iter().any(|run| run.has_letters) {
        return Err(NoNumber::Unreadable);
    }
    if long.is_empty() || long.len() > 1 && has_words {
        return Err(NoNumber::SeveralNumbers);
    }
    let (first, last) = (long[0], long[long.len() - 1]);
    if !are_explained(&runs, first, last) {
        return Err(NoNumber::Unreadable);
    }
    let mut numbers: Vec<_> = long.iter().map(|at| candidates(&runs[*at])).collect::<Result<_, _>>()?;
    if first > 0 {
        let digits = runs[..=first].iter().map(Run::digits).collect();
        numbers[0].push(Candidate::rival(runs[first].is_international, digits));
    }
    Ok(numbers)
}

/// Returns true if the short runs next to the numbers are parts of remarks or second endings.
fn are_explained(runs: &[Run], first: usize, last: usize) -> bool {
    let is_clear = runs.len() == 1 || runs[first].digits().len() >= CLEAR_LENGTH;
    let mut is_remark = false;
    let before =
        first == 0 || runs[..first].iter().any(|run| run.is_remark || run.before.is_word() || run.after.is_word());
    let behind = runs[last..].iter().skip(1).all(|run| {
        is_remark |= run.is_remark || run.before.is_word();
        is_remark || run.groups.len() == 1
    });
    is_clear && before && behind
}

impl Run {
    /// Returns all its digits.
    pub fn digits(&self) -> String {
        self.groups.iter().map(|group| group.digits.as_str()).collect()
    }

    fn is_extension(&self) -> bool {
        self.before == Border::ExtensionLabel
            && !self.is_international
            && matches!(self.groups.as_slice(), [group] if group.digits.len() <= EXTENSION_LENGTH)
    }

    /// Returns true if it is too short for a number: hours, days, floors, and years in brackets.
    fn is_short(&self) -> bool {
        let group = if self.is_remark { 4 } else { 2 };
        let is_short = self.groups.iter().all(|one| one.digits.len() <= group);
        !self.is_international && is_short && self.digits().len() <= 8
    }
}

impl Border {
    fn is_word(self) -> bool {
        matches!(self, Self::Word | Self::ExtensionLabel | Self::Remark)
    }
}

/// Splits a cell into its runs.
fn runs(pieces: &[Piece]) -> Result<Vec<Run>, NoNumber> {
    let mut cutter = Cutter::default();
    let mut at = 0;
    while at < pieces.len() {
        let moment = moment::length(pieces, at);
        if moment > 0 {
            cutter.cut(Border::Remark)?;
        } else {
            cutter.take(&pieces[at], &pieces[at + 1..])?;
        }
        at += moment.max(1);
    }
    // Trailing dashes, points and brackets stand for hidden digits.
    let end: String = cutter.gap.chars().filter(|sign| *sign != ' ').collect();
    if end.matches('-').count() > 1 || end.matches('.').count() > 1 || end.ends_with("()") {
        return Err(NoNumber::Unreadable);
    }
    cutter.cut(Border::Edge)?;
    Ok(cutter.runs)
}

struct Cutter {
    runs: Vec<Run>,
    run: Run,
    /// Signs since the last digits of the run.
    gap: String,
    /// True if the last piece was a word, so that a point or colon belongs to it.
    is_behind_word: bool,
    /// True if the last piece was a single letter that may stand for a digit, such as `O`.
    is_behind_letter: bool,
}

impl Default for Cutter {
    fn default() -> Self {
        let run = Run::new(Border::Edge, false);
        Self { runs: Vec::new(), run, gap: String::new(), is_behind_word: false, is_behind_letter: false }
    }
}

impl Cutter {
    fn take(&mut self, piece: &Piece, rest: &[Piece]) -> Result<(), NoNumber> {
        let is_behind_word = std::mem::take(&mut self.is_behind_word);
        let is_behind_letter = std::mem::take(&mut self.is_behind_letter);
        match piece {
            Piece::Digits(digits) => {
                // A negative number is the result of a spreadsheet formula.
                if self.run.groups.is_empty() && self.run.before == Border::Edge && self.gap == "-" {
                    return Err(NoNumber::Unreadable);
                }
                // Order numbers: `ORD-2026-004711`.
                let is_part_of_code = is_behind_letter && !digits.starts_with('0');
                self.run.has_letters |= is_behind_letter && self.gap.is_empty() || is_part_of_code;
                self.run.groups.push(Group { gap: std::mem::take(&mut self.gap), digits: digits.clone() });
            }
            Piece::Word(word) => {
                let is_label = words::is_extension_label(word) && words::followed_by_digits(rest);
                if !is_label && self.is_hidden_digit(word, rest) || self.is_behind_count(word, rest) {
                    return Err(NoNumber::Unreadable);
                }
                let is_attached = self.gap.is_empty() && !self.run.groups.is_empty();
                // A single `x` may stand for a hidden digit.
                let is_hidden = word == "x" && self.run.digits().len() < EXTENDED_LENGTH;
                let is_clear = is_label && !is_hidden || words::is_without_blanks(word.chars().next());
                self.run.has_letters |= is_attached && !is_clear;
                self.cut(if is_label { Border::ExtensionLabel } else { Border::Word })?;
                self.is_behind_word = true;
                self.is_behind_letter = !is_label && words::may_belong_to_digits(word);
            }
            Piece::Sign('.' | ':') if is_behind_word => self.is_behind_word = true,
            Piece::Sign('-') if is_behind_letter && self.gap.is_empty() => {
                self.is_behind_letter = true;
                self.gap.push('-');
            }
            Piece::Sign(sign @ (':' | ',')) if self.is_figure(*sign, rest) => return Err(NoNumber::Unreadable),
            Piece::Sign(';' | ':' | ',') => self.cut(Border::Separator)?,
            // After a pause, `#` ends the digits that are dialled after it.
            Piece::Sign('#') if self.runs.is_empty() && !(words::followed_by_digits(rest) && self.has_digits()) => {
                return Err(NoNumber::Unreadable);
            }
            Piece::Sign('#') => self.cut(Border::ExtensionLabel)?,
            Piece::Sign('+') => {
                self.cut(Border::Separator)?;
                self.run.is_international = true;
            }
            Piece::Sign('(') if has_words(rest) => {
                self.cut(Border::Remark)?;
                self.run.is_remark = true;
            }
            Piece::Sign(')') if self.run.is_remark => {
                self.cut(Border::Remark)?;
                self.run.is_remark = false;
            }
            Piece::Sign(sign) => self.gap.push(*sign),
        }
        Ok(())
    }

    fn has_digits(&self) -> bool {
        !self.run.groups.is_empty()
    }

    /// Returns true if a word stands for hidden digits. A single letter may also be an initial or a label.
    fn is_hidden_digit(&self, word: &str, rest: &[Piece]) -> bool {
        let is_behind_number = self.run.digits().len() > 2;
        let is_initial = self.gap.ends_with(' ') && matches!(rest, [Piece::Sign('.' | ' '), ..]);
        let is_hidden = match word {
            "n" => is_behind_number && !(is_initial && rest.iter().any(|piece| matches!(piece, Piece::Word(_)))),
            "o" | "y" | "z" => false,
            _ => is_behind_number || word.chars().count() > 1,
        };
        is_hidden && words::is_mask(word)
    }

    /// Returns true if the last digits of the run are an hour, a day or a floor.
    fn is_behind_count(&self, word: &str, rest: &[Piece]) -> bool {
        let is_count = |group: &Group| group.digits.parse().is_ok_and(|count: u8| count <= 31);
        let is_last = self.gap.chars().all(|sign| matches!(sign, ' ' | '.'));
        let is_initial = word.len() == 1 && matches!(rest, [Piece::Sign('.'), Piece::Sign(' '), Piece::Word(_), ..]);
        let is_unit = words::is_unit(word) && !is_initial;
        self.run.groups.len() > 1 && is_last && is_unit && self.run.groups.last().is_some_and(is_count)
    }

    /// Returns true if the last digits of the run, a sign and the next digits are one figure: `17:00`, `12,50`, `912345678,9`.
    fn is_figure(&self, sign: char, rest: &[Piece]) -> bool {
        let next = match rest {
            [Piece::Sign(' '), next @ ..] if sign == ':' => next,
            next => next,
        };
        let [Piece::Digits(next), behind @ ..] = next else { return false };
        let Some((last, before)) = self.run.groups.split_last() else { return false };
        let is_short = last.digits.len() <= 2 && !before.is_empty();
        let is_zero = next.bytes().all(|digit| digit == b'0');
        let is_whole = !self.run.is_international && self.run.groups.iter().skip(1).all(|group| group.gap == ".");
        let is_fraction = sign == ',' && is_whole && !is_zero;
        next.len() <= 2 && (is_short || is_fraction) && !words::followed_by_digits(behind)
    }

    /// Ends the run at `border` and begins the next one.
    fn cut(&mut self, border: Border) -> Result<(), NoNumber> {
        self.gap.clear();
        if !self.run.groups.is_empty() {
            let next = Run::new(border, self.run.is_remark);
            let run = std::mem::replace(&mut self.run, next);
            self.runs.push(Run { after: border, ..run });
        } else if self.run.is_international {
            return Err(NoNumber::Unreadable);
        } else if border != Border::Separator {
            self.run.before = border;
        }
        Ok(())
    }
}

impl Run {
    fn new(before: Border, is_remark: bool) -> Self {
        let groups = Vec::new();
        Self { is_international: false, groups, before, after: Border::Edge, has_letters: false, is_remark }
    }
}

/// Returns true if a word occurs before the closing bracket.
fn has_words(rest: &[Piece]) -> bool {
    let inside = rest.iter().take_while(|piece| **piece != Piece::Sign(')'));
    inside.into_iter().any(|piece| matches!(piece, Piece::Word(_)))
}
