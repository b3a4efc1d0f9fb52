//! A lead as somebody writes it anew: its fields as texts, and what of them is a change.

use leadscribe_engine::api::{CustomValue, Lead};
use leadscribe_engine::filter::fields::{FieldId, Kind};
use leadscribe_engine::json::push_quoted;
use leadscribe_engine::record::{custom_cell, lead_cell};
use leptos::prelude::*;

use crate::figures::{decimal, plain};

/// A field of the lead.
#[derive(Clone, Debug)]
pub struct Entry {
    pub id: FieldId,
    was: String,
    pub text: RwSignal<String>,
}

/// A custom field: one that the lead has, or one to be added.
#[derive(Clone, Debug)]
pub struct CustomEntry {
    pub name: String,
    was: Option<CustomValue>,
    pub text: RwSignal<String>,
}

/// The lead in the making; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct LeadDraft {
    entries: StoredValue<Vec<Entry>>,
    custom: RwSignal<Vec<CustomEntry>>,
}

impl LeadDraft {
    /// The lead as it is, with these of its fields.
    pub fn of(lead: &Lead, fields: impl Iterator<Item = FieldId>) -> Self {
        let entry = |id: FieldId| {
            let was = lead_cell(lead, id.field().name()).unwrap_or_default().into_owned();
            let was = if id.field().kind == Kind::Number { decimal(&was) } else { was };
            Entry { id, text: RwSignal::new(was.clone()), was }
        };
        let custom = lead.custom_fields.iter().map(|(name, value)| CustomEntry {
            name: name.clone(),
            text: RwSignal::new(custom_text(value)),
            was: Some(value.clone()),
        });
        Self { entries: StoredValue::new(fields.map(entry).collect()), custom: RwSignal::new(custom.collect()) }
    }

    /// A lead with none of these fields yet.
    pub fn empty(fields: impl Iterator<Item = FieldId>) -> Self {
        let entry = |id| Entry { id, text: RwSignal::new(String::new()), was: String::new() };
        Self { entries: StoredValue::new(fields.map(entry).collect()), custom: RwSignal::new(Vec::new()) }
    }

    /// One of its fields.
    pub fn entry(self, id: FieldId) -> Option<Entry> {
        self.entries.with_value(|entries| entries.iter().find(|entry| entry.id == id).cloned())
    }

    /// Its custom fields.
    pub fn custom(self) -> Vec<CustomEntry> {
        self.custom.get()
    }

    /// Adds a custom field without a value yet. False when there is one of this name.
    pub fn add_custom(self, name: &str) -> bool {
        let is_new = self.custom.with_untracked(|custom| custom.iter().all(|entry| entry.name != name));
        if is_new {
            let entry = CustomEntry { name: name.to_owned(), was: None, text: RwSignal::new(String::new()) };
            self.custom.update(|custom| custom.push(entry));
        }
        is_new
    }

    /// What is to change, as the body of a `PATCH`; none when all is as it was.
    pub fn change(self) -> Option<String> {
        let mut members = Vec::new();
        self.entries.with_value(|entries| {
            for entry in entries {
                let text = entry.text.get();
                if text != entry.was {
                    members.push(member(entry.id.field().name(), &value(entry.id.field().kind, &text)));
                }
            }
        });
        let custom: Vec<_> = self.custom.with(|custom| {
            let changed = custom.iter().filter_map(|entry| {
                let text = entry.text.get();
                let was = entry.was.as_ref().map(custom_text).unwrap_or_default();
                (text != was).then(|| member(&entry.name, &custom_value(entry.was.as_ref(), &text)))
            });
            changed.collect()
        });
        if !custom.is_empty() {
            members.push(member("custom_fields", &object(&custom)));
        }
        (!members.is_empty()).then(|| object(&members))
    }
}

/// A custom field as it is written.
fn custom_text(value: &CustomValue) -> String {
    match value {
        CustomValue::Number(_) => decimal(&custom_cell(value)),
        _ => custom_cell(value).into_owned(),
    }
}

fn object(members: &[String]) -> String {
    format!("{{{}}}", members.join(","))
}

fn member(name: &str, value: &str) -> String {
    let mut text = quoted(name);
    text.push(':');
    text.push_str(value);
    text
}

/// What was written into a field, as JSON. What is no number where one belongs stays text, so that the fault shows it as it
/// was written.
fn value(kind: Kind, text: &str) -> String {
    match kind {
        _ if text.trim().is_empty() => "null".to_owned(),
        Kind::Boolean => text.to_owned(),
        Kind::Number if is_number(&plain(text)) => plain(text),
        _ => quoted(text),
    }
}

/// The same for a custom field, which keeps the type that it had as long as what is written fits it.
fn custom_value(was: Option<&CustomValue>, text: &str) -> String {
    match was {
        _ if text.trim().is_empty() => "null".to_owned(),
        Some(CustomValue::Bool(_)) if matches!(text, "true" | "false") => text.to_owned(),
        Some(CustomValue::Integer(_) | CustomValue::Number(_)) if is_number(&plain(text)) => plain(text),
        _ => quoted(text),
    }
}

fn quoted(text: &str) -> String {
    let mut json = String::with_capacity(text.len() + 2);
    push_quoted(&mut json, text);
    json
}

/// Whether a text is a number of JSON, without an exponent.
fn is_number(text: &str) -> bool {
    let digits = |part: &str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_digit());
    let plain = text.strip_prefix('-').unwrap_or(text);
    let (whole, fraction) = plain.split_once('.').map_or((plain, None), |(whole, fraction)| (whole, Some(fraction)));
    digits(whole) && (whole == "0" || !whole.starts_with('0')) && fraction.is_none_or(digits)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::language::{Language, speak};

    #[test]
    fn texts_become_the_json_that_the_engine_reads() {
        for number in ["0", "-33.9", "10.50", "7"] {
            assert_eq!(value(Kind::Number, number), number);
        }
        for other in ["1,5", "007", "1.", ".5", "-", "1e5", "x"] {
            assert_eq!(value(Kind::Number, other), format!("\"{other}\""));
        }
        speak(Language::German);
        assert_eq!([value(Kind::Number, "1,5"), value(Kind::Number, "1.5")], ["1.5", "1.5"]);
        assert_eq!(custom_value(Some(&CustomValue::Integer(5)), "6,5"), "6.5");
        speak(Language::English);
        assert_eq!(value(Kind::Text, "O\"B"), r#""O\"B""#);
        assert_eq!([value(Kind::Date, " "), value(Kind::Boolean, "true")], ["null", "true"]);
        assert_eq!(custom_value(Some(&CustomValue::Integer(5)), "6"), "6");
        assert_eq!(custom_value(Some(&CustomValue::Integer(5)), "six"), "\"six\"");
        assert_eq!(custom_value(Some(&CustomValue::Bool(true)), "false"), "false");
        assert_eq!([custom_value(None, "5"), custom_value(None, "")], ["\"5\"", "null"]);
    }
}
