//! Records from JSON bodies.

use super::Form;
use super::rule::{Access, Record, Rule};
use super::value::Given;
use crate::diagnostic::{
    self, Diagnostic, Place, Span, below,
    catalog::{common, record as texts},
    expected, fault, name, required, wrong_type,
};
use crate::json::{self, MAX_DIAGNOSTICS, Member, Value};

/// Reads a record from a JSON object.
pub fn read<R: Record>(text: &str, form: Form) -> Result<R, Vec<Diagnostic>> {
    let document = json::read(text);
    let members = match &document.root {
        Some(root) => match &root.value {
            Value::Object(members) => members.as_slice(),
            other => {
                let wrong = wrong_type(common::object(), other.kind()).at(root.span);
                return Err(diagnostic::merge(document.faults, vec![wrong]));
            }
        },
        None if document.faults.is_empty() => {
            return Err(vec![expected("empty_body", common::json_object(), common::empty_body())]);
        }
        None => return Err(document.faults),
    };

    let mut record = R::default();
    let mut faults = Vec::new();
    for member in members {
        if faults.len() >= MAX_DIAGNOSTICS {
            break;
        }
        read_member(&mut record, member, form, &mut faults);
    }
    let mut faults = diagnostic::merge(document.faults, faults);
    if form == Form::Create {
        let object = document.root.as_ref().map_or(Span::default(), |root| root.span);
        for name in R::REQUIRED.iter().filter(|name| !members.iter().any(|member| member.key == **name)) {
            faults.push(Diagnostic {
                place: below(name),
                at: Span::new(object.start, object.start + 1),
                ..required(name)
            });
        }
    }
    if members.is_empty() && faults.is_empty() {
        faults.push(fault("empty_body", texts::no_field()));
    }
    if faults.is_empty() {
        record.check(Some(form), &mut faults);
        for fault in &mut faults {
            // Faults that concern several fields name a field. Their byte range is its value.
            if let Place::Pointer(pointer) = &fault.place
                && let Some(member) = members.iter().find(|member| pointer.strip_prefix('/') == Some(&member.key))
            {
                fault.at = member.value.span;
            }
        }
    }
    if faults.is_empty() {
        return Ok(record);
    }
    faults.truncate(MAX_DIAGNOSTICS);
    diagnostic::narrow(text, &mut faults);
    Err(faults)
}

fn read_member<R: Record>(record: &mut R, member: &Member, form: Form, faults: &mut Vec<Diagnostic>) {
    let Some(rule) = R::RULES.iter().find(|rule| rule.name == member.key) else {
        faults.push(unknown::<R>(member, form));
        return;
    };
    if !is_open(rule, form) {
        let name = name(rule.name);
        let detail = match rule.access {
            Access::Csv => texts::only_in_csv(name),
            Access::Fixed => texts::fixed(name),
            Access::Open | Access::Kept => texts::kept(name),
        };
        faults.push(Diagnostic { place: below(&member.key), at: member.key_span, ..fault("read_only", detail) });
        return;
    }
    if member.value.value == Value::Invalid {
        // The fault was already reported.
        return;
    }
    let before = faults.len();
    (rule.read)(record, &Given::Json(&member.value), faults);
    for fault in &mut faults[before..] {
        if let (Place::Pointer(inner), Place::Pointer(outer)) = (&fault.place, below(&member.key)) {
            fault.place = Place::Pointer(outer + inner);
        }
        if fault.at == Span::default() {
            fault.at = member.value.span;
        }
    }
}

/// Returns true if a body of this form may contain the field.
pub(super) fn is_open<R>(rule: &Rule<R>, form: Form) -> bool {
    rule.access == Access::Open || (rule.access == Access::Fixed && form == Form::Create)
}

fn unknown<R: Record>(member: &Member, form: Form) -> Diagnostic {
    let permitted = || R::RULES.iter().filter(|rule| is_open(rule, form)).map(|rule| rule.name);
    let unknown = fault("unknown_key", texts::unknown_field((R::THING)(), name(&member.key)));
    let unknown = Diagnostic { place: below(&member.key), at: member.key_span, ..unknown }.permitted(permitted());
    let unknown = unknown.suggest_nearest(&member.key, permitted());
    if R::HAS_CUSTOM_FIELDS && unknown.suggestion.is_none() {
        return unknown.suggest(texts::own_fields());
    }
    unknown
}
