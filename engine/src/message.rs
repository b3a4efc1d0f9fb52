//! The messages that submissions and records share, so that the same mistake reads the same everywhere.

use crate::fault::{Fault, Place};
use crate::json::{self, Value};
use crate::suggest::nearest;
use crate::time::TimeError;

/// Most characters of a value that a message repeats.
const LONGEST: usize = 40;

/// A fault whose place is yet to be given.
pub fn fault(code: &str, detail: impl Into<String>) -> Fault {
    Fault::new(Place::default(), code, detail)
}

/// Something of another kind was expected.
pub fn wrong_type(expected: &str, found: &str) -> Fault {
    fault("wrong_type", format!("expected {expected}, found {found}"))
}

/// A field that must be there is missing.
pub fn required(name: &str) -> Fault {
    fault("required", format!("`{name}` is required"))
}

/// A text in a message: quoted as in JSON, and shortened.
pub fn shown(text: &str) -> String {
    match text.char_indices().nth(LONGEST) {
        None => json::quote(text),
        Some((end, _)) => json::quote(&format!("{}…", &text[..end])),
    }
}

/// A name in a message: in backquotes, shortened, and on one line.
pub fn name(text: &str) -> String {
    let quoted = shown(text);
    format!("`{}`", &quoted[1..quoted.len() - 1])
}

/// A value in a message: strings, arrays and objects by their kind only, for they may be long or secret.
pub fn found(value: &Value) -> String {
    match value {
        Value::Number(number) => number.chars().take(LONGEST).collect(),
        Value::Bool(value) => value.to_string(),
        other => other.kind().to_owned(),
    }
}

/// The fault with the nearest permitted name as its hint, if one is near.
pub fn did_you_mean<'a>(fault: Fault, given: &str, permitted: impl IntoIterator<Item = &'a str>) -> Fault {
    match nearest(given, permitted) {
        Some(meant) => fault.hint(format!("did you mean `{meant}`?")),
        None => fault,
    }
}

/// A text is none of those permitted.
pub fn not_permitted<'a>(text: &str, permitted: impl Iterator<Item = &'a str> + Clone) -> Fault {
    let names: Vec<&str> = permitted.clone().collect();
    let list = match names.split_last() {
        Some((last, first)) if !first.is_empty() => format!("{} or {last}", first.join(", ")),
        _ => names.concat(),
    };
    let fault = fault("not_permitted", format!("expected {list}, found {}", shown(text)));
    did_you_mean(fault, text, permitted.clone()).permitted(permitted)
}

/// A date or time is wrong, at these characters.
pub fn from_time(error: TimeError) -> Fault {
    fault(error.code, error.message).within(error.range.start, error.range.end)
}

/// The place one step below the root, as a JSON Pointer.
pub fn below(step: &str) -> Place {
    let mut pointer = String::new();
    json::push_pointer(&mut pointer, step);
    Place::Pointer(pointer)
}

/// Whether a text is an integer as JSON writes one: no `+`, no leading zeros, no fraction, no exponent.
pub fn is_whole(text: &str) -> bool {
    let digits = text.strip_prefix('-').unwrap_or(text);
    !digits.is_empty() && digits.bytes().all(|b| b.is_ascii_digit()) && (digits.len() == 1 || !digits.starts_with('0'))
}

/// Narrows the bytes of each fault that is about a part of a string to that part.
pub fn narrow(text: &str, faults: &mut [Fault]) {
    for fault in faults {
        if let Some(part) = fault.span {
            fault.at = json::narrow(text, fault.at, part);
        }
    }
}

/// The faults of a text and those of its values, in the order of the text. What is wrong with a value that the text
/// left broken says nothing new, and is left out.
pub fn merge(of_text: Vec<Fault>, mut of_values: Vec<Fault>) -> Vec<Fault> {
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
