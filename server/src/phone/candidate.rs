//! Possible readings of a run of digits as one number.
//!
//! If a run can be read in several ways, all of them are tried, and the number is accepted only if they agree.

use super::NoNumber;
use super::cell::{Border, Group, Run};

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
    /// The number, unless another candidate is valid as well.
    Full,
    /// [`Weight::Fallback`] for landlines of Germany and Austria, where digits after a dash are dialled. Otherwise [`Weight::Full`].
    DirectDial,
    /// [`Weight::Full`] if numbers exist both with and without a zero in brackets (Italy), otherwise [`Weight::Fallback`].
    KeptZero,
    /// The number if no other candidate is valid. Next to a mobile number, which has no direct dial, counts as [`Weight::Full`].
    Fallback,
    /// Never the number. If it is valid, the cell is ambiguous.
    Rival,
}

impl Weight {
    /// All weights, in the order in which candidates are tried.
    pub const ALL: [Self; 5] = [Self::Full, Self::DirectDial, Self::KeptZero, Self::Fallback, Self::Rival];
}

/// Minimum number of digits, excluding the calling code, of a number that is complete without the digits after it.
const CLEAR_LENGTH: usize = 7;

impl Candidate {
    /// Creates a candidate that makes a cell ambiguous.
    pub fn rival(is_international: bool, digits: String) -> Self {
        Self { is_international, digits, weight: Weight::Rival }
    }
}

/// Returns the candidates of a run.
///
/// # Errors
/// A trunk zero in brackets is at an impossible position, or the digits are a decimal fraction.
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
    if is_fraction(&groups, run.is_international) {
        return Err(NoNumber::Unreadable);
    }
    candidates.add(&groups, Weight::Full);
    candidates.add_endings(&groups);
    candidates.add_label(&groups);
    Ok(candidates.candidates)
}

fn digits(groups: &[Group]) -> String {
    groups.iter().map(|group| group.digits.as_str()).collect()
}

/// Returns the index of `(0)` after other digits.
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

    /// Returns true if groups are long enough for a complete number.
    fn is_clear(&self, groups: &[Group]) -> bool {
        let least = if self.run.is_international { CLEAR_LENGTH + 2 } else { CLEAR_LENGTH };
        digits(groups).len() >= least
    }

    fn add_if_clear(&mut self, groups: &[Group], weight: Weight) {
        if self.is_clear(groups) {
            self.add(groups, weight);
        }
    }

    /// Removes a point followed only by zeros, which a spreadsheet has added.
    fn add_decimals(&mut self, groups: &mut Vec<Group>) {
        let points = groups.iter().skip(1).filter(|group| group.gap.contains('.')).count();
        let Some((last, rest)) = groups.split_last() else { return };
        let is_zero = last.gap == "." && is_odd(rest) && last.digits.bytes().all(|byte| byte == b'0');
        if is_zero && points == 1 {
            groups.pop();
        } else if is_zero && points > 1 {
            // French and Swiss numbers can end in `.00` too.
            self.add(rest, Weight::Full);
        }
    }

    /// Adds the numbers before a second number or a second extension: `030 23125123/24`, `030 23125123 / 0171 5678901`.
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
        for at in (1..groups.len()).filter(|at| is_unusual(&groups[*at].gap)) {
            self.add_if_clear(&groups[..at], Weight::Full);
        }
    }

    /// Adds the number before a last group that may be an ending, an extension or a remark: `030 23125123-25`, `030 23125123 9-17`.
    fn add_tail(&mut self, groups: &[Group]) {
        let is_part = |group: &Group| group.gap.contains([' ', '\t', '(']) && !group.gap.contains(['-', '/']);
        let part = (1..groups.len()).rev().find(|at| is_part(&groups[*at]));
        let (before, behind) = groups.split_at(part.unwrap_or_default());
        let is_word_behind = self.run.after == Border::Word;
        let is_remark = match behind {
            [one] => is_word_behind && (is_odd(before) || one.digits.len() == 1),
            [first, ..] => is_word_behind || is_odd(before) || is_day(first),
            [] => false,
        };
        if is_remark && behind.iter().all(|group| group.digits.len() <= 2) {
            self.add_if_clear(before, Weight::Full);
            if behind.len() == 2 {
                self.add_if_clear(&groups[..groups.len() - 1], Weight::Rival);
            }
        }
        let Some((last, before)) = groups.split_last().filter(|(_, before)| is_odd(before)) else { return };
        match (last.gap.as_str(), last.digits.len()) {
            ("-", 1..=2) => {
                let weight = match weight(groups, '-') {
                    Weight::Full if !is_range(&digits(before), &last.digits) => Weight::DirectDial,
                    weight => weight,
                };
                self.add_if_clear(before, weight);
            }
            (".", 1..=2) => self.add_if_clear(before, Weight::Fallback),
            (" ", 1) => self.add_if_clear(before, Weight::Full),
            (gap, 1..=2) if gap.contains('-') => self.add_if_clear(before, weight(groups, '-')),
            _ => {}
        }
    }

    /// Adds the number after a first group that may belong to a label: `Tel. 2 030 23125123`, `1.) 030 23125123`.
    fn add_label(&mut self, groups: &[Group]) {
        let is_short = |group: &&Group| group.digits.len() <= 2;
        let length = groups.iter().take_while(is_short).count();
        let [first, next, ..] = groups else { return };
        let is_word_before = self.run.before == Border::Word && has_blank(&next.gap);
        let is_item = next.gap.starts_with([')', '.']) && next.gap.len() > 1;
        let is_number =
            |group: &Group| group.digits.starts_with('0') && (has_blank(&group.gap) || group.gap.contains(')'));
        let is_zero = first.digits.starts_with('0');
        if !is_short(&first) || is_zero && has_blank(&next.gap) || self.run.is_international {
            return;
        }
        if !is_zero && (is_word_before || is_item) {
            self.add(&groups[1..], Weight::Rival);
        }
        // Opening hours and dates have several groups: `9-17 0171 3920055`.
        for at in (1..groups.len().min(length + 1)).filter(|at| is_number(&groups[*at])) {
            self.add(&groups[at..], Weight::Rival);
        }
    }
}

/// Returns true if a group of one or two digits doesn't fit the previous groups: a number in pairs ends in a pair.
fn is_odd(before: &[Group]) -> bool {
    before.last().is_some_and(|group| group.digits.len() > 2)
}

/// Returns true if a group may be a day or an hour.
fn is_day(group: &Group) -> bool {
    group.digits.parse().is_ok_and(|day: u8| day <= 31)
}

fn has_blank(gap: &str) -> bool {
    gap.contains([' ', '\t'])
}

/// Returns true if the signs between groups of digits are unusual in a number: `030 231251. 12`, `030 231251) 12`, a tab.
fn is_unusual(gap: &str) -> bool {
    let signs = gap.chars().filter(|sign| matches!(sign, '-' | '.' | '/')).count();
    gap.contains(['\t', '(', ')']) || signs > 1 || gap.contains('.') && gap != "."
}

/// Returns true if digits are a decimal fraction: `912345678.9`, `912345.6789`.
fn is_fraction(groups: &[Group], is_international: bool) -> bool {
    let points = groups.iter().skip(1).filter(|group| group.gap.contains('.')).count();
    let Some((last, before)) = groups.split_last().filter(|(last, _)| points == 1 && last.gap == ".") else {
        return false;
    };
    let is_whole = |group: &Group| group.digits.len() >= 6 && !group.digits.starts_with('0') && !is_international;
    last.digits.len() <= 2 && is_odd(before) || matches!(before, [group] if is_whole(group))
}

/// Returns the weight of the number before a `sign` that may also separate all groups of one number.
fn weight(groups: &[Group], sign: char) -> Weight {
    let signs = groups.iter().filter(|group| group.gap.contains(sign)).count();
    if signs < 3 { Weight::Full } else { Weight::Fallback }
}

/// Returns true if the end of a number and the ending after a dash can form a range of a few numbers: `…23-25`.
fn is_range(number: &str, ending: &str) -> bool {
    let first = number.get(number.len().saturating_sub(ending.len())..).and_then(|end| end.parse::<u32>().ok());
    let last = ending.parse::<u32>().ok();
    first.zip(last).is_some_and(|(first, last)| (first + 1..first + 10).contains(&last))
}
