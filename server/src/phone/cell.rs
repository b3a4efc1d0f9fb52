//! The numbers that a phone cell holds, each with the ways in which its digits can be read.
//!
//! A cell is cut into runs of digits wherever a word, a list separator or another `+` stands. A run that is a remark's, such
//! as opening hours or an extension, is left out; whatever else isn't part of a number makes the cell unreadable.

use super::NoNumber;
use super::candidate::{Candidate, candidates};
use super::text::{Piece, pieces};

/// Digits with nothing between them, and the signs before them within their run.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Group {
    pub gap: String,
    pub digits: String,
}

/// Neighbour of a run of digits.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Border {
    /// The end of the cell.
    Edge,
    /// A list separator, or the `+` of another number.
    Separator,
    /// A word.
    Word,
    /// A word that introduces an extension.
    ExtensionLabel,
    /// A bracket around words.
    Remark,
}

/// Digits and the punctuation of phone numbers, with no words between.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Run {
    pub is_international: bool,
    pub groups: Vec<Group>,
    pub before: Border,
    pub after: Border,
    /// Letters stand directly beside its digits, so that they may stand for digits: `3.02E9`, `030 2312xxxx`.
    has_letters: bool,
    is_remark: bool,
}

/// Minimum digits of a number that has other digits beside it.
const CLEAR_LENGTH: usize = 7;
/// Minimum digits before an `x` with no blank around it that introduces an extension.
const EXTENDED_LENGTH: usize = 9;
/// Maximum digits of an extension.
const EXTENSION_LENGTH: usize = 7;

/// The candidates of each number of a cell, in order.
///
/// # Errors
/// The cell has no digits, digits that can't be explained, or several numbers with words that say which is which.
pub fn numbers(cell: &str) -> Result<Vec<Vec<Candidate>>, NoNumber> {
    let mut runs = runs(&pieces(cell).map_err(|_| NoNumber::Unreadable)?)?;
    let mut is_first = true;
    runs.retain(|run| std::mem::take(&mut is_first) || !run.is_extension());
    let long: Vec<usize> = match runs.as_slice() {
        [] => return Err(NoNumber::NoDigits),
        [_] => vec![0],
        _ => (0..runs.len()).filter(|at| !runs[*at].is_short()).collect(),
    };
    if long.iter().any(|at| runs[*at].has_letters || runs[*at].is_date()) {
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

/// Returns whether the short runs beside the numbers are parts of remarks, or second endings.
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
    /// All its digits.
    pub fn digits(&self) -> String {
        self.groups.iter().map(|group| group.digits.as_str()).collect()
    }

    fn is_extension(&self) -> bool {
        self.before == Border::ExtensionLabel
            && !self.is_international
            && matches!(self.groups.as_slice(), [group] if group.digits.len() <= EXTENSION_LENGTH)
    }

    /// Returns whether it is too short for a number: hours, days, floors, and years in brackets.
    fn is_short(&self) -> bool {
        let group = if self.is_remark { 4 } else { 2 };
        let is_short = self.groups.iter().all(|one| one.digits.len() <= group);
        !self.is_international && is_short && self.digits().len() <= 8
    }

    /// Returns whether it begins with a date: `2026-05-01`, `1.5.2026`, `5/1/2026`.
    fn is_date(&self) -> bool {
        let [first, second, third, ..] = self.groups.as_slice() else { return false };
        let is_even = ["-", ".", "/"].contains(&second.gap.as_str()) && second.gap == third.gap;
        let is_year = |group: &Group| group.digits.len() == 4 && group.digits.starts_with(['1', '2']);
        let is_day = |group: &Group| group.digits.parse().is_ok_and(|day| (1..=31).contains(&day));
        let is_day_of = |year, day| is_year(year) && is_day(second) && is_day(day);
        is_even && !self.is_international && (is_day_of(first, third) || is_day_of(third, first))
    }
}

impl Border {
    fn is_word(self) -> bool {
        matches!(self, Self::Word | Self::ExtensionLabel | Self::Remark)
    }
}

/// Cuts a cell into its runs.
fn runs(pieces: &[Piece]) -> Result<Vec<Run>, NoNumber> {
    let mut cutter = Cutter::default();
    for (at, piece) in pieces.iter().enumerate() {
        cutter.take(piece, &pieces[at + 1..])?;
    }
    cutter.cut(Border::Edge)?;
    Ok(cutter.runs)
}

struct Cutter {
    runs: Vec<Run>,
    run: Run,
    /// The signs since the last digits of the run.
    gap: String,
    /// The last piece was a word, so that a point or colon is its own.
    is_behind_word: bool,
    /// The last piece was a single letter that may stand for a digit, such as `O`.
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
                // A negative number is the result of a formula.
                if self.run.groups.is_empty() && self.run.before == Border::Edge && self.gap == "-" {
                    return Err(NoNumber::Unreadable);
                }
                self.run.has_letters |= is_behind_letter;
                self.run.groups.push(Group { gap: std::mem::take(&mut self.gap), digits: digits.clone() });
            }
            Piece::Word(word) => {
                let is_label = is_extension_label(word) && followed_by_digits(rest);
                let is_attached = self.gap.is_empty() && !self.run.groups.is_empty();
                // A lone `x` may stand for a hidden digit.
                let is_hidden = word == "x" && self.run.digits().len() < EXTENDED_LENGTH;
                let is_clear = is_label && !is_hidden || is_without_blanks(word.chars().next());
                self.run.has_letters |= is_attached && !is_clear;
                self.cut(if is_label { Border::ExtensionLabel } else { Border::Word })?;
                self.is_behind_word = true;
                self.is_behind_letter = !is_label && may_belong_to_digits(word);
            }
            Piece::Sign('.' | ':') if is_behind_word => self.is_behind_word = true,
            Piece::Sign(';' | ':' | ',') => self.cut(Border::Separator)?,
            Piece::Sign('#') if self.runs.is_empty() && self.run.groups.is_empty() => return Err(NoNumber::Unreadable),
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

    /// Ends the run at `border`, and begins the next one.
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

/// Returns whether a word stands before the bracket is closed.
fn has_words(rest: &[Piece]) -> bool {
    let inside = rest.iter().take_while(|piece| **piece != Piece::Sign(')'));
    inside.into_iter().any(|piece| matches!(piece, Piece::Word(_)))
}

fn followed_by_digits(rest: &[Piece]) -> bool {
    let next = rest.iter().find(|piece| !matches!(piece, Piece::Sign('.' | ':' | '-' | ' ')));
    matches!(next, Some(Piece::Digits(_)))
}

/// Returns whether a letter is of a script that is written without blanks, so that it may stand beside digits.
fn is_without_blanks(letter: Option<char>) -> bool {
    letter.is_some_and(|letter| letter >= '\u{2E80}' || ('\u{E00}'..='\u{EFF}').contains(&letter))
}

/// Returns whether letters directly before digits may be part of an identifier or of the number: `ATU12345678`, `O30 23125123`.
fn may_belong_to_digits(word: &str) -> bool {
    const LABELS: [&str; 28] = [
        "c",
        "d",
        "f",
        "h",
        "m",
        "n",
        "p",
        "t",
        "w",
        "cell",
        "cel",
        "fax",
        "festnetz",
        "handy",
        "mob",
        "mobil",
        "mobile",
        "ph",
        "phone",
        "tel",
        "telefon",
        "telefono",
        "teléfono",
        "telephone",
        "tlf",
        "tél",
        "wa",
        "whatsapp",
    ];
    !LABELS.contains(&word) && !is_without_blanks(word.chars().next())
}

fn is_extension_label(word: &str) -> bool {
    const LABELS: [&str; 45] = [
        "anexo",
        "ankn",
        "anknytning",
        "app",
        "apparat",
        "dahili",
        "doorkiesnummer",
        "durchwahl",
        "dw",
        "ext",
        "exten",
        "extension",
        "extensión",
        "extensão",
        "extn",
        "int",
        "interne",
        "interno",
        "klappe",
        "kl",
        "linka",
        "lokal",
        "lokalnummer",
        "mellék",
        "nebenstelle",
        "nst",
        "poste",
        "ramal",
        "toestel",
        "tst",
        "wew",
        "wewn",
        "wewnętrzny",
        "x",
        "вн",
        "внутр",
        "доб",
        "добавочный",
        "داخلي",
        "تحويلة",
        "내선",
        "内線",
        "分機",
        "分机",
        "转",
    ];
    LABELS.contains(&word)
}
