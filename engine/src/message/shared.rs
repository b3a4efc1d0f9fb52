//! The faults that submissions, records, templates and filters share, so that the same mistake reads the same everywhere.

use super::texts::common;
use super::{Given, Message};
use crate::fault::{Fault, Place};
use crate::host;
use crate::json::{self, Value};
use crate::suggest::nearest;
use crate::time::TimeError;

/// Most characters of a value that a message repeats.
const LONGEST: usize = 40;

/// A fault whose place is yet to be given.
pub(crate) fn fault(code: &str, detail: impl Into<Message>) -> Fault {
    Fault::new(Place::default(), code, detail)
}

/// Something else was expected.
pub(crate) fn expected(code: &str, wanted: impl Into<Given>, found: impl Into<Given>) -> Fault {
    fault(code, common::expected(wanted, found))
}

/// Something of another kind was expected.
pub(crate) fn wrong_type(wanted: impl Into<Given>, found: impl Into<Given>) -> Fault {
    expected("wrong_type", wanted, found)
}

/// A whole number in plain digits was expected, and this text was found, `shown` so. One that is whole, but written otherwise
/// (`1.0`, `1e2`), isn't told that it is none.
pub(crate) fn not_whole(text: &str, shown: impl Into<Given>) -> Fault {
    let is_whole = host::float(text).is_some_and(|number| number.is_infinite() || number.fract() == 0.0);
    if is_whole { wrong_type(common::integer(), shown) } else { fault("wrong_type", common::not_whole(shown)) }
}

/// A number in plain digits was expected, and this text was found. One that is a number, but written otherwise (`+5`, `1e3`),
/// isn't told that it is none; one with a comma is told how it is written.
pub(crate) fn not_a_number(text: &str) -> Fault {
    if host::float(text).is_some() {
        return wrong_type(common::number(), shown(text));
    }
    let fault = fault("wrong_type", common::not_a_number(shown(text)));
    let with_point = text.replace(',', ".");
    if !is_plain(&with_point) {
        return fault;
    }
    match text.split_once(',') {
        Some((whole, rest)) if rest.len() == 3 => fault.hint(common::write_number(with_point, [whole, rest].concat())),
        _ => fault.hint(common::write(with_point)),
    }
}

/// A field that must be there is missing.
pub(crate) fn required(name: &str) -> Fault {
    fault("required", common::required(name))
}

/// A text in a message: quoted as in JSON, and shortened.
pub(crate) fn shown(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => json::quote(text),
        Some((end, _)) => json::quote(&format!("{}…", &text[..end])),
    }
}

/// A name in a message: in backquotes, shortened, and on one line.
pub(crate) fn name(text: &str) -> String {
    let quoted = shown(text);
    format!("`{}`", &quoted[1..quoted.len() - 1])
}

/// A number in a message: as it was written, and shortened.
pub(crate) fn number(written: &str) -> String {
    written.chars().take(LONGEST).collect()
}

/// A value in a message: strings, arrays and objects by their kind only, for they may be long or secret.
pub(crate) fn found(value: &Value) -> Message {
    match value {
        Value::Number(written) => number(written).into(),
        Value::Bool(value) => value.to_string().into(),
        other => other.kind(),
    }
}

/// `a, b or c`.
pub(crate) fn or_list<'a>(names: impl IntoIterator<Item = &'a str>) -> Message {
    let names: Vec<&str> = names.into_iter().collect();
    match names.split_last() {
        Some((last, first)) if !first.is_empty() => common::or(first.join(", "), *last),
        _ => names.concat().into(),
    }
}

/// The fault with the nearest permitted name as its hint, if one is near.
pub(crate) fn did_you_mean<'a>(fault: Fault, given: &str, permitted: impl IntoIterator<Item = &'a str>) -> Fault {
    match nearest(given, permitted) {
        Some(meant) => fault.hint(common::did_you_mean(meant)),
        None => fault,
    }
}

/// A text is none of those permitted.
pub(crate) fn not_permitted<'a>(text: &str, permitted: impl Iterator<Item = &'a str> + Clone) -> Fault {
    let fault = expected("not_permitted", or_list(permitted.clone()), shown(text));
    did_you_mean(fault, text, permitted.clone()).permitted(permitted)
}

/// There is a U+0000, at this character.
pub(crate) fn nul_character(at: usize) -> Fault {
    fault("nul_character", common::nul_character()).hint(common::without_nul()).within(at, at + 1)
}

/// A date or time is wrong, at these characters.
pub(crate) fn from_time(error: TimeError) -> Fault {
    fault(error.code, error.message).within(error.range.start, error.range.end)
}

/// The place one step below the root, as a JSON Pointer.
pub(crate) fn below(step: &str) -> Place {
    let mut pointer = String::new();
    json::push_pointer(&mut pointer, step);
    Place::Pointer(pointer)
}

/// Whether a text is an integer as JSON writes one: no `+`, no leading zeros, no fraction, no exponent.
pub(crate) fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && (digits.len() == 1 || !digits.starts_with('0'))
}

/// Whether a text is a number in plain digits: an integer, or one with a point and digits behind it.
pub(crate) fn is_plain(text: &str) -> bool {
    match text.split_once('.') {
        None => is_whole(text),
        Some((whole, fraction)) => {
            is_whole(whole) && !fraction.is_empty() && fraction.bytes().all(|b| b.is_ascii_digit())
        }
    }
}

/// Narrows the bytes of each fault that is about a part of a string to that part.
pub(crate) fn narrow(text: &str, faults: &mut [Fault]) {
    for fault in faults {
        if let Some(part) = fault.span {
            fault.at = json::narrow(text, fault.at, part);
        }
    }
}

/// The faults of a text and those of its values, in the order of the text. What is wrong with a value that the text
/// left broken says nothing new, and is left out.
pub(crate) fn merge(of_text: Vec<Fault>, mut of_values: Vec<Fault>) -> Vec<Fault> {
    of_values.retain(|value| {
        let broken = |text: &Fault| {
            value.at.start <= text.at.start && text.at.end <= value.at.end && text.at.start < value.at.end
        };
        !of_text.iter().any(broken)
    });
    of_values.extend(of_text);
    of_values.sort_by_key(|fault| fault.at.start);
    of_values
}
