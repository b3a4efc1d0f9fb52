//! The ways in which a run of digits can be read as one number.
//!
//! Where a run can be read in several ways, all of them are tried, and the number counts only where they agree.

use super::NoNumber;
use super::cell::{Border, Group, Run};

/// Digits that may be a phone number.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Reading {
    /// They begin with a calling code.
    pub is_international: bool,
    pub digits: String,
    pub weight: Weight,
}

/// How much a reading counts.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Weight {
    /// The number, unless another reading is valid too.
    Full,
    /// As [`Weight::Fallback`] where digits behind a dash are dialled (Germany, Austria), else as [`Weight::Full`].
    DirectDial,
    /// As [`Weight::Full`] where there are numbers with and without a zero in brackets (Italy), else as [`Weight::Fallback`].
    KeptZero,
    /// The number where no other reading is valid.
    Fallback,
    /// Never the number; the cell is ambiguous where it is valid.
    Rival,
}

impl Weight {
    /// All, in the order in which readings are tried.
    pub const ALL: [Self; 5] = [Self::Full, Self::DirectDial, Self::KeptZero, Self::Fallback, Self::Rival];
}

/// The fewest digits of a number, without the calling code, that may be cut off from what follows it.
const CLEAR_LENGTH: usize = 7;

impl Reading {
    /// A reading that makes a cell ambiguous.
    pub fn rival(is_international: bool, digits: String) -> Self {
        Self { is_international, digits, weight: Weight::Rival }
    }
}

/// The readings of a run.
///
/// # Errors
/// A trunk zero in brackets stands where none can be.
pub fn readings(run: &Run) -> Result<Vec<Reading>, NoNumber> {
    let mut readings = Readings { run, readings: Vec::new() };
    let mut groups = run.groups.clone();
    if let Some(zero) = trunk_zero(&groups) {
        if digits(&groups[..zero]).len() > 5 {
            return Err(NoNumber::Unreadable);
        }
        readings.add(&groups, Weight::KeptZero);
        groups.remove(zero);
    }
    readings.add_decimals(&mut groups);
    readings.add(&groups, Weight::Full);
    readings.add_endings(&groups);
    readings.add_neighbours(&groups);
    Ok(readings.readings)
}

fn digits(groups: &[Group]) -> String {
    groups.iter().map(|group| group.digits.as_str()).collect()
}

/// Where `(0)` stands behind other digits.
fn trunk_zero(groups: &[Group]) -> Option<usize> {
    (1..groups.len().saturating_sub(1)).find(|at| {
        let is_open = groups[*at].gap.contains('(') && groups[at + 1].gap.contains(')');
        is_open && groups[*at].digits == "0"
    })
}

struct Readings<'a> {
    run: &'a Run,
    readings: Vec<Reading>,
}

impl Readings<'_> {
    fn add(&mut self, groups: &[Group], weight: Weight) {
        let is_international = self.run.is_international;
        self.readings.push(Reading { is_international, digits: digits(groups), weight });
    }

    /// Whether groups are long enough to be a number by themselves.
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
            self.add(&rest.to_vec(), Weight::Full);
        }
    }

    /// Adds the numbers before a second number or a second ending: `030 23125123/24`, `030 23125123-25`,
    /// `030 23125123 / 0171 5678901`.
    fn add_endings(&mut self, groups: &[Group]) {
        for at in (1..groups.len()).filter(|at| groups[*at].gap.contains('/')) {
            let tail = digits(&groups[at..]);
            let is_number = tail.starts_with('0') && tail.len() >= CLEAR_LENGTH;
            if self.is_clear(&groups[..at]) && (is_number || tail.len() <= 3) {
                let weight = if tail == "0" { Weight::DirectDial } else { weight(groups, '/') };
                self.add(&groups[..at], weight);
            }
        }
        let Some((last, before)) = groups.split_last() else { return };
        if !self.is_clear(before) {
            return;
        }
        // A number in pairs ends in a pair.
        let is_odd = before.last().is_some_and(|group| group.digits.len() > last.digits.len().max(2));
        if last.gap.contains('-') && last.digits.len() <= 2 && is_odd {
            self.add(
                before,
                match weight(groups, '-') {
                    Weight::Full if !is_range(&digits(before), &last.digits) => Weight::DirectDial,
                    weight => weight,
                },
            );
        } else {
            let is_bracket = last.gap.contains('(') && last.digits.len() <= 3;
            let is_point = last.gap == "." && before.len() == 1 && last.digits.len() <= 2;
            let is_stray = last.gap == " " && last.digits.len() == 1 && is_odd;
            if is_bracket || is_point || is_stray {
                self.add(before, Weight::Full);
            }
        }
    }

    /// Adds the numbers that remain where the outermost digits belong to a word beside them: `Tel. 2 030 23125123`,
    /// `030 23125123 9-17 Uhr`.
    fn add_neighbours(&mut self, groups: &[Group]) {
        if self.run.after == Border::Word {
            let unit = (1..groups.len()).rev().find(|at| groups[*at].gap.contains(' ')).unwrap_or(0);
            let (before, tail) = groups.split_at(unit);
            let is_short = tail.iter().all(|group| group.digits.len() <= 2) && tail.len() <= 2;
            let is_odd = tail.len() == 2 || before.last().is_some_and(|group| group.digits.len() > 2);
            if is_short && is_odd && self.is_clear(before) {
                self.add(before, Weight::Full);
            }
        }
        let [first, next, ..] = groups else { return };
        let is_label = self.run.before == Border::Word && next.gap.contains(' ');
        let is_item = next.gap.starts_with([')', '.']) && next.gap.len() > 1 && !first.gap.contains('(');
        let is_short = first.digits.len() <= 2 && !first.digits.starts_with('0');
        if (is_label || is_item) && is_short && !self.run.is_international {
            self.add(&groups[1..], Weight::Rival);
        }
    }
}

/// The weight of the number before a `sign`, which ends no number where it separates all groups.
fn weight(groups: &[Group], sign: char) -> Weight {
    let signs = groups.iter().filter(|group| group.gap.contains(sign)).count();
    if signs < 3 { Weight::Full } else { Weight::Fallback }
}

/// Whether the end of a number and an ending behind a dash can be first and last of a few numbers: `…23-25`.
fn is_range(number: &str, ending: &str) -> bool {
    let first = number.get(number.len().saturating_sub(ending.len())..).and_then(|end| end.parse::<u32>().ok());
    let last = ending.parse::<u32>().ok();
    first.zip(last).is_some_and(|(first, last)| (first + 1..first + 10).contains(&last))
}
