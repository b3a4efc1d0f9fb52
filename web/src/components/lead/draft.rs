//! A lead as somebody writes it anew: its fields as texts, and what of them is a change.

use leadscribe_engine::api::{CustomValue, Lead};
use leadscribe_engine::filter::fields::{FieldId, Kind};
use leadscribe_engine::json::push_quoted;
use leadscribe_engine::record::{custom_cell, lead_cell};
use leptos::prelude::*;

use crate::figures::{decimal, plain};
use crate::typed;

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

impl CustomEntry {
    /// Whether it is true or false.
    pub fn is_boolean(&self) -> bool {
        matches!(self.was, Some(CustomValue::Bool(_)))
    }
}

/// The lead in the making; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct LeadDraft {
    entries: RwSignal<Vec<Entry>>,
    custom: RwSignal<Vec<CustomEntry>>,
}

impl LeadDraft {
    /// The lead as it is, with these of its fields.
    pub fn of(lead: &Lead, fields: impl Iterator<Item = FieldId>) -> Self {
        let entry = |id: FieldId| {
            let was = field_text(lead, id);
            Entry { id, text: RwSignal::new(was.clone()), was }
        };
        let custom = lead.custom_fields.iter().map(|(name, value)| CustomEntry {
            name: name.clone(),
            text: RwSignal::new(custom_text(value)),
            was: Some(value.clone()),
        });
        Self { entries: RwSignal::new(fields.map(entry).collect()), custom: RwSignal::new(custom.collect()) }
    }

    /// A lead with none of these fields yet.
    pub fn empty(fields: impl Iterator<Item = FieldId>) -> Self {
        let entry = |id| Entry { id, text: RwSignal::new(String::new()), was: String::new() };
        Self { entries: RwSignal::new(fields.map(entry).collect()), custom: RwSignal::new(Vec::new()) }
    }

    /// Is about the lead as others made it: what was written stays, and is a change of that, all else becomes what it is there.
    pub fn rebase(self, onto: &Lead) {
        self.entries.update(|entries| {
            for entry in entries {
                let now = field_text(onto, entry.id);
                follow_in(entry.text, &entry.was, &now);
                entry.was = now;
            }
        });
        for name in onto.custom_fields.keys() {
            self.add_custom(name);
        }
        self.custom.update(|custom| {
            for entry in custom {
                let now = onto.custom_fields.get(&entry.name).cloned();
                follow_in(entry.text, &was_text(entry.was.as_ref()), &was_text(now.as_ref()));
                entry.was = now;
            }
        });
    }

    /// One of its fields.
    pub fn entry(self, id: FieldId) -> Option<Entry> {
        self.entries.with_untracked(|entries| entries.iter().find(|entry| entry.id == id).cloned())
    }

    /// Whether one of its fields isn't as it was.
    pub fn is_changed(self, id: FieldId) -> bool {
        self.entries.with(|entries| entries.iter().any(|entry| entry.id == id && entry.text.get() != entry.was))
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
        self.entries.with(|entries| {
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
                (text != was_text(entry.was.as_ref()))
                    .then(|| member(&entry.name, &custom_value(entry.was.as_ref(), &text)))
            });
            changed.collect()
        });
        if !custom.is_empty() {
            members.push(member("custom_fields", &object(&custom)));
        }
        (!members.is_empty()).then(|| object(&members))
    }
}

/// A field as it is written.
fn field_text(lead: &Lead, id: FieldId) -> String {
    let text = lead_cell(lead, id.field().name()).unwrap_or_default();
    if id.field().kind == Kind::Number { decimal(&text) } else { text.into_owned() }
}

/// What was written stays, all else follows.
fn follow_in(text: RwSignal<String>, was: &String, now: &String) {
    let mut own = text.get_untracked();
    typed::follow(&mut own, was, now);
    text.set(own);
}

fn was_text(value: Option<&CustomValue>) -> String {
    value.map(custom_text).unwrap_or_default()
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
    use leadscribe_engine::api::{LeadId, Timestamp};
    use leadscribe_engine::record::{Form, LeadRecord};

    use super::*;
    use crate::language::{Language, speak};

    #[test]
    fn what_is_written_is_a_change_of_what_others_made_of_the_lead() {
        let lead =
            |fields: &str| LeadRecord::from_json(fields, Form::Create).unwrap().create(LeadId(3), Timestamp::default());
        let fields = [FieldId::City, FieldId::Zip, FieldId::FirstName];
        let draft = LeadDraft::of(
            &lead(r#"{"city":"Bonn","first_name":"Ann","custom_fields":{"tier":"gold","points":5}}"#),
            fields.into_iter(),
        );
        let text = |id| draft.entry(id).unwrap().text;
        text(FieldId::City).set("Mainz".to_owned());
        text(FieldId::FirstName).set("Anne".to_owned());
        draft.rebase(&lead(
            r#"{"city":"Köln","zip":"50667","first_name":"Ann","custom_fields":{"points":6,"open":true}}"#,
        ));
        assert_eq!(draft.change().as_deref(), Some(r#"{"city":"Mainz","first_name":"Anne"}"#));
        assert_eq!(text(FieldId::Zip).get_untracked(), "50667");
        let custom: Vec<_> = draft.custom().into_iter().map(|one| (one.name, one.text.get_untracked())).collect();
        let custom: Vec<_> = custom.iter().map(|(name, text)| (name.as_str(), text.as_str())).collect();
        assert_eq!(custom, [("points", "6"), ("tier", ""), ("open", "true")]);
        // As it was at first is another than it is by now, and what is like theirs is none.
        text(FieldId::FirstName).set("Ann".to_owned());
        text(FieldId::City).set("Bonn".to_owned());
        assert_eq!(draft.change().as_deref(), Some(r#"{"city":"Bonn"}"#));
        text(FieldId::City).set("Köln".to_owned());
        assert_eq!(draft.change(), None);
    }

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
