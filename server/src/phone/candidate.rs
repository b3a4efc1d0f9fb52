//! The ways in which a run of digits can be read as one number.
//!
//! Where a run can be read in several ways, all of them are tried, and the number counts only where they agree.

use super::NoNumber;
use super::cell::{Border, Group, Run};

/// Digits that may be a phone number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Candidate {
    /// They begin with a calling code.
    pub is_international: bool,
    pub digits: String,
    pub weight: Weight,
}

/// How much a candidate counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The number, unless another candidate is valid too.
    Full,
    /// As [`Weight::Fallback`] where digits behind a dash are dialled (Germany, Austria), else as [`Weight::Full`].
    DirectDial,
    /// As [`Weight::Full`] where there are numbers with and without a zero in brackets (Italy), else as [`Weight::Fallback`].
    KeptZero,
    /// The number where no other candidate is valid.
    Fallback,
    /// Never the number; the cell is ambiguous where it is valid.
    Rival,
}

impl Weight {
    /// All, in the order in which candidates are tried.
    pub const ALL: [Self; 5] = [Self::Full, Self::DirectDial, Self::KeptZero, Self::Fallback, Self::Rival];
}

/// Minimum digits of a number, without the calling code, that counts without the digits behind it.
const CLEAR_LENGTH: usize = 7;

impl Candidate {
    /// A candidate that makes a cell ambiguous.
    pub fn rival(is_international: bool, digits: String) -> Self {
        Self { is_international, digits, weight: Weight::Rival }
    }
}

/// The candidates of a run.
///
/// # Errors
/// A trunk zero in brackets stands where none can be.
pub fn candidates(run: &Run) -> Result<Vec<Candidate>, NoNumber> {
    let mut candidates = Candidates { run, candidates: Vec::new() };
    let mut groups = run.groups.clone();
    if let Some(zero) = trunk_zero(&groups) {
        if digits(&groups[..zero]).len() > 5 {
            return Err(NoNumber::Unreadable);
        }
        candidates.add(&groups, Weight::KeptZero);
        groups.remove(zero);
    }
    candidates.add_decimals(&mut groups);
    candidates.add(&groups, Weight::Full);
    candidates.add_endings(&groups);
    candidates.add_label(&groups);
    Ok(candidates.candidates)
}

fn digits(groups: &[Group]) -> String {
    groups.iter().map(|group| group.digits.as_str()).collect()
}

/// Position of `(0)` behind other digits.
fn trunk_zero(groups: &[Group]) -> Option<usize> {
    (1..groups.len().saturating_sub(1)).find(|at| {
        let is_open = groups[*at].gap.contains('(') && groups[at + 1].gap.contains(')');
        is_open && groups[*at].digits == "0"
    })
}

struct Candidates<'a> {
    run: &'a Run,
    candidates: Vec<Candidate>,
}

impl Candidates<'_> {
    fn add(&mut self, groups: &[Group], weight: Weight) {
        let is_international = self.run.is_international;
        self.candidates.push(Candidate { is_international, digits: digits(groups), weight });
    }

    /// Returns whether groups are long enough to be a number by themselves.
    fn is_clear(&self, groups: &[Group]) -> bool {
        let least = if self.run.is_international { CLEAR_LENGTH + 2 } else { CLEAR_LENGTH };
        digits(groups).len() >= least
    }

    /// Takes off a point with only zeros behind it, which a spreadsheet has added.
    fn add_decimals(&mut self, groups: &mut Vec<Group>) {
        let points = groups.iter().skip(1).filter(|group| group.gap.contains('.')).count();
        let Some((last, rest)) = groups.split_last() else { return };
        let is_zero = last.gap == "." && last.digits.bytes().all(|byte| byte == b'0');
        if is_zero && points == 1 {
            groups.pop();
        } else if is_zero && points > 1 {
            // French and Swiss numbers end in `.00` too.
            self.add(rest, Weight::Full);
        }
    }

    /// Adds the numbers before a second number or a second ending: `030 23125123/24`, `030 23125123 / 0171 5678901`.
    fn add_endings(&mut self, groups: &[Group]) {
        for at in (1..groups.len()).filter(|at| groups[*at].gap.contains('/')) {
            let (before, behind) = groups.split_at(at);
            let tail = digits(behind);
            let is_second =
                tail.len() >= CLEAR_LENGTH && (tail.starts_with('0') || digits(before).len() > CLEAR_LENGTH + 1);
            let is_ending = behind.iter().all(|group| group.digits.len() <= 3);
            if self.is_clear(before) && (is_second || is_ending) {
                self.add(before, if tail == "0" { Weight::DirectDial } else { weight(groups, '/') });
                self.add_tail(before);
            }
        }
        self.add_tail(groups);
    }

    /// Adds the number before a last group that may be an ending, an extension or a remark: `030 23125123-25`,
    /// `030 23125123 9-17`.
    fn add_tail(&mut self, groups: &[Group]) {
        let part = (1..groups.len()).rev().find(|at| groups[*at].gap.contains(' ') && !groups[*at].gap.contains('-'));
        let (before, behind) = groups.split_at(part.unwrap_or_default());
        let is_word_behind = self.run.after == Border::Word;
        let is_remark = match behind {
            [_] => is_word_behind && is_odd(before),
            [_, _] => is_word_behind || is_odd(before),
            _ => false,
        };
        if is_remark && behind.iter().all(|group| group.digits.len() <= 2) && self.is_clear(before) {
            self.add(before, Weight::Full);
            if behind.len() == 2 {
                self.add(&groups[..groups.len() - 1], Weight::Full);
            }
        }
        let Some((last, before)) = groups.split_last().filter(|(_, before)| self.is_clear(before)) else { return };
        let length = last.digits.len();
        let points = groups.iter().filter(|group| group.gap.contains('.')).count();
        match last.gap.as_str() {
            "-" if length <= 2 && is_odd(before) => self.add(
                before,
                match weight(groups, '-') {
                    Weight::Full if !is_range(&digits(before), &last.digits) => Weight::DirectDial,
                    weight => weight,
                },
            ),
            " " if length == 1 && is_odd(before) => self.add(before, Weight::Full),
            "." if length <= 2 && is_odd(before) && points == 1 => self.add(before, Weight::Full),
            gap if gap.contains('-') && length <= 2 && is_odd(before) => self.add(before, weight(groups, '-')),
            gap if gap.contains('(') && length <= 3 => self.add(before, Weight::Full),
            _ => {}
        }
    }

    /// Adds the number behind a first group that may be a label's: `Tel. 2 030 23125123`, `1.) 030 23125123`.
    fn add_label(&mut self, groups: &[Group]) {
        let [first, next, ..] = groups else { return };
        let is_word_before = self.run.before == Border::Word && next.gap.contains(' ');
        let is_item = next.gap.starts_with([')', '.']) && next.gap.len() > 1;
        let is_label = is_word_before || is_item || next.digits.starts_with('0') && next.gap.contains([' ', ')']);
        let is_short = first.digits.len() <= 2 && !first.digits.starts_with('0');
        if is_label && is_short && !self.run.is_international {
            self.add(&groups[1..], Weight::Rival);
        }
    }
}

/// Returns whether a group of one or two digits is an odd one behind these: a number in pairs ends in a pair.
fn is_odd(before: &[Group]) -> bool {
    before.last().is_some_and(|group| group.digits.len() > 2)
}

/// The weight of the number before a `sign`, which ends no number where it separates all groups.
fn weight(groups: &[Group], sign: char) -> Weight {
    let signs = groups.iter().filter(|group| group.gap.contains(sign)).count();
    if signs < 3 { Weight::Full } else { Weight::Fallback }
}

/// Returns whether the end of a number and an ending behind a dash can be first and last of a few numbers: `…23-25`.
fn is_range(number: &str, ending: &str) -> bool {
    let first = number.get(number.len().saturating_sub(ending.len())..).and_then(|end| end.parse::<u32>().ok());
    let last = ending.parse::<u32>().ok();
    first.zip(last).is_some_and(|(first, last)| (first + 1..first + 10).contains(&last))
}
