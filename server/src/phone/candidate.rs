//! Possible readings of a run of digits as one number.
//!
//! If a run can be read in several ways, all of them are tried, and the number is accepted only if they agree.

use super::PhoneError;
use super::cell::{Group, Run, RunBoundary};

/// Digits that may be a phone number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// True if they begin with a calling code.
    pub is_international: bool,
    pub digits: String,
    pub weight: Weight,
}

/// Weight of a candidate.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The number, unless another valid candidate differs.
    Full,
    /// [`Weight::Fallback`] for landlines of Germany and Austria, where digits after a dash are dialed. Otherwise [`Weight::Full`].
    Extension,
    /// [`Weight::Full`] if numbers exist both with and without a zero in brackets (Italy), otherwise [`Weight::Fallback`].
    TrunkZeroKept,
    /// The number if no other candidate is valid. Counts as [`Weight::Full`] if the accepted number or the candidate is a mobile number,
    /// because mobile numbers have no extensions.
    Fallback,
    /// Never the number. If it is valid, the cell is ambiguous.
    Conflicting,
}

impl Weight {
    /// All weights, in the order in which candidates are tried.
    pub const ALL: [Self; 5] = [Self::Full, Self::Extension, Self::TrunkZeroKept, Self::Fallback, Self::Conflicting];
}

/// Minimum number of digits, excluding the calling code, of a number that is complete without the digits after it.
const MIN_COMPLETE_DIGITS: usize = 7;

impl Candidate {
    /// Creates a candidate that makes a cell ambiguous.
    pub fn conflicting(is_international: bool, digits: String) -> Self {
        Self { is_international, digits, weight: Weight::Conflicting }
    }
}

/// Returns the candidates of a run.
///
/// # Errors
/// A trunk zero in brackets is at an impossible position, or the digits are a decimal fraction.
pub fn candidates(run: &Run) -> Result<Vec<Candidate>, PhoneError> {
    let mut candidates = CandidateBuilder { run, candidates: Vec::new() };
    let mut groups = run.groups.clone();
    if let Some(zero) = trunk_zero(&groups) {
        if join_digits(&groups[..zero]).len() > 5 {
            return Err(PhoneError::Unreadable);
        }
        candidates.add(&groups, Weight::TrunkZeroKept);
        groups.remove(zero);
    }
    candidates.strip_decimals(&mut groups);
    if is_fraction(&groups, run.is_international) {
        return Err(PhoneError::Unreadable);
    }
    candidates.add(&groups, Weight::Full);
    candidates.add_alternatives(&groups);
    candidates.add_label(&groups);
    Ok(candidates.candidates)
}

fn join_digits(groups: &[Group]) -> String {
    groups.iter().map(|group| group.digits.as_str()).collect()
}

/// Returns the index of `(0)` after other digits.
fn trunk_zero(groups: &[Group]) -> Option<usize> {
    (1..groups.len().saturating_sub(1)).find(|index| {
        let is_open = groups[*index].separator.contains('(') && groups[index + 1].separator.contains(')');
        is_open && groups[*index].digits == "0"
    })
}

struct CandidateBuilder<'a> {
    run: &'a Run,
    candidates: Vec<Candidate>,
}

impl CandidateBuilder<'_> {
    fn add(&mut self, groups: &[Group], weight: Weight) {
        let is_international = self.run.is_international;
        self.candidates.push(Candidate { is_international, digits: join_digits(groups), weight });
    }

    /// Returns true if groups are long enough for a complete number.
    fn is_complete(&self, groups: &[Group]) -> bool {
        let min_digits = if self.run.is_international { MIN_COMPLETE_DIGITS + 2 } else { MIN_COMPLETE_DIGITS };
        join_digits(groups).len() >= min_digits
    }

    fn add_if_complete(&mut self, groups: &[Group], weight: Weight) {
        if self.is_complete(groups) {
            self.add(groups, weight);
        }
    }

    /// Removes a point followed only by zeros, which a spreadsheet has added.
    fn strip_decimals(&mut self, groups: &mut Vec<Group>) {
        let points = groups.iter().skip(1).filter(|group| group.separator.contains('.')).count();
        let Some((last, rest)) = groups.split_last() else { return };
        let is_zero =
            last.separator == "." && ends_with_long_group(rest) && last.digits.bytes().all(|byte| byte == b'0');
        if is_zero && points == 1 {
            groups.pop();
        } else if is_zero && points > 1 {
            // French and Swiss numbers can end in `.00` too.
            self.add(rest, Weight::Full);
        }
    }

    /// Adds the numbers before a second number or before alternate last digits: `030 23125123/24`, `030 23125123 / 0171 5678901`.
    fn add_alternatives(&mut self, groups: &[Group]) {
        for index in (1..groups.len()).filter(|index| groups[*index].separator.contains('/')) {
            let (before, after) = groups.split_at(index);
            let tail = join_digits(after);
            let is_second = tail.len() >= MIN_COMPLETE_DIGITS
                && (tail.starts_with('0') || join_digits(before).len() > MIN_COMPLETE_DIGITS + 1);
            let are_last_digits = after.iter().all(|group| group.digits.len() <= 3);
            if self.is_complete(before) && (is_second || are_last_digits) {
                self.add(before, if tail == "0" { Weight::Extension } else { weight_before(groups, '/') });
                self.add_tail(before);
            }
        }
        self.add_tail(groups);
        for index in (1..groups.len()).filter(|index| is_unusual(&groups[*index].separator)) {
            self.add_if_complete(&groups[..index], Weight::Full);
        }
    }

    /// Adds the number before a last group that may be alternate last digits, an extension or a remark: `030 23125123-25`, `030 23125123 9-17`.
    fn add_tail(&mut self, groups: &[Group]) {
        let is_separate =
            |group: &Group| group.separator.contains([' ', '\t', '(']) && !group.separator.contains(['-', '/']);
        let split_index = (1..groups.len()).rev().find(|at| is_separate(&groups[*at]));
        let (before, after) = groups.split_at(split_index.unwrap_or_default());
        let is_word_after = self.run.after == RunBoundary::Word;
        let is_remark = match after {
            [single] => is_word_after && (ends_with_long_group(before) || single.digits.len() == 1),
            [first, ..] => is_word_after || ends_with_long_group(before) || is_day(first),
            [] => false,
        };
        if is_remark && after.iter().all(|group| group.digits.len() <= 2) {
            self.add_if_complete(before, Weight::Full);
            if after.len() == 2 {
                self.add_if_complete(&groups[..groups.len() - 1], Weight::Conflicting);
            }
        }
        let Some((last, before)) = groups.split_last().filter(|(_, before)| ends_with_long_group(before)) else {
            return;
        };
        match (last.separator.as_str(), last.digits.len()) {
            ("-", 1..=2) => {
                let weight = match weight_before(groups, '-') {
                    Weight::Full if !is_range(&join_digits(before), &last.digits) => Weight::Extension,
                    weight => weight,
                };
                self.add_if_complete(before, weight);
            }
            (".", 1..=2) => self.add_if_complete(before, Weight::Fallback),
            (" ", 1) => self.add_if_complete(before, Weight::Full),
            (separator, 1..=2) if separator.contains('-') => self.add_if_complete(before, weight_before(groups, '-')),
            _ => {}
        }
    }

    /// Adds the number after a first group that may belong to a label: `Tel. 2 030 23125123`, `1.) 030 23125123`.
    fn add_label(&mut self, groups: &[Group]) {
        let is_short = |group: &&Group| group.digits.len() <= 2;
        let length = groups.iter().take_while(is_short).count();
        let [first, next, ..] = groups else { return };
        let is_word_before = self.run.before == RunBoundary::Word && has_space(&next.separator);
        let is_list_item = next.separator.starts_with([')', '.']) && next.separator.len() > 1;
        let is_number = |group: &Group| {
            group.digits.starts_with('0') && (has_space(&group.separator) || group.separator.contains(')'))
        };
        let is_zero = first.digits.starts_with('0');
        if !is_short(&first) || is_zero && has_space(&next.separator) || self.run.is_international {
            return;
        }
        if !is_zero && (is_word_before || is_list_item) {
            self.add(&groups[1..], Weight::Conflicting);
        }
        // Opening hours and dates have several groups: `9-17 0171 3920055`.
        for index in (1..groups.len().min(length + 1)).filter(|index| is_number(&groups[*index])) {
            self.add(&groups[index..], Weight::Conflicting);
        }
    }
}

/// Returns true if the last group has more than two digits. Then a group of one or two digits after it doesn't belong to the number: only
/// numbers written in pairs end in a pair.
fn ends_with_long_group(preceding: &[Group]) -> bool {
    preceding.last().is_some_and(|group| group.digits.len() > 2)
}

/// Returns true if a group may be a day or an hour.
fn is_day(group: &Group) -> bool {
    group.digits.parse().is_ok_and(|day: u8| day <= 31)
}

fn has_space(separator: &str) -> bool {
    separator.contains([' ', '\t'])
}

/// Returns true if the symbols between groups of digits are unusual in a number: `030 231251. 12`, `030 231251) 12`, a tab.
fn is_unusual(separator: &str) -> bool {
    let symbols = separator.chars().filter(|symbol| matches!(symbol, '-' | '.' | '/')).count();
    separator.contains(['\t', '(', ')']) || symbols > 1 || separator.contains('.') && separator != "."
}

/// Returns true if digits are a decimal fraction: `912345678.9`, `912345.6789`.
fn is_fraction(groups: &[Group], is_international: bool) -> bool {
    let points = groups.iter().skip(1).filter(|group| group.separator.contains('.')).count();
    let Some((last, before)) = groups.split_last().filter(|(last, _)| points == 1 && last.separator == ".") else {
        return false;
    };
    let is_whole = |group: &Group| group.digits.len() >= 6 && !group.digits.starts_with('0') && !is_international;
    last.digits.len() <= 2 && ends_with_long_group(before) || matches!(before, [group] if is_whole(group))
}

/// Returns the weight of the number before a `symbol` that may also separate all groups of one number.
fn weight_before(groups: &[Group], symbol: char) -> Weight {
    let symbols = groups.iter().filter(|group| group.separator.contains(symbol)).count();
    if symbols < 3 { Weight::Full } else { Weight::Fallback }
}

/// Returns true if the end of a number and the digits after a dash can form a range of a few numbers: `…23-25`.
fn is_range(digits_before: &str, digits_after: &str) -> bool {
    let first = digits_before
        .get(digits_before.len().saturating_sub(digits_after.len())..)
        .and_then(|end| end.parse::<u32>().ok());
    let last = digits_after.parse::<u32>().ok();
    first.zip(last).is_some_and(|(first, last)| (first + 1..first + 10).contains(&last))
}
