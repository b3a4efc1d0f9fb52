//! Records from JSON bodies.

use super::WriteMode;
use super::rule::{Access, Record};
use super::value::FieldInput;
use crate::diagnostic::{
    self, Diagnostic, Location, Span,
    catalog::{common, record as texts},
    expected, format_name, member_location, new_diagnostic, required, wrong_type,
};
use crate::json::{self, MAX_DIAGNOSTICS, Member, Node, Value};

/// Parses a record from a JSON object.
pub fn parse<R: Record>(text: &str, mode: WriteMode) -> Result<R, Vec<Diagnostic>> {
    let document = json::parse(text);
    let Some(root) = &document.root else { return Err(missing_root(document.diagnostics)) };
    let mut result = parse_object(root, mode, document.diagnostics);
    if let Err(diagnostics) = &mut result {
        diagnostic::narrow_spans(text, diagnostics);
    }
    result
}

/// Parses the records of a JSON array, for creation. Pointers begin with the index of the record.
pub fn parse_array<R: Record>(text: &str, max_count: usize) -> Result<Vec<R>, Vec<Diagnostic>> {
    let document = json::parse(text);
    let Some(root) = &document.root else { return Err(missing_root(document.diagnostics)) };
    let Value::Array(items) = &root.value else {
        let error = wrong_type(common::array(), root.value.kind()).at(root.span);
        return Err(diagnostic::merge(document.diagnostics, vec![error]));
    };
    let (mut records, mut diagnostics) = (Vec::new(), document.diagnostics);
    if !(1..=max_count).contains(&items.len()) {
        diagnostics.push(expected("out_of_range", texts::record_count(max_count), items.len()).at(root.span));
    }
    for (index, item) in items.iter().enumerate().filter(|(_, item)| item.value != Value::Invalid) {
        if diagnostics.len() >= MAX_DIAGNOSTICS {
            break;
        }
        match parse_object(item, WriteMode::Create, Vec::new()) {
            Ok(record) => records.push(record),
            Err(errors) => diagnostics.extend(errors.into_iter().map(|error| error.in_item(index))),
        }
    }
    if diagnostics.is_empty() {
        return Ok(records);
    }
    diagnostics.truncate(MAX_DIAGNOSTICS);
    diagnostic::narrow_spans(text, &mut diagnostics);
    Err(diagnostics)
}

/// Diagnostics of a text without any value.
fn missing_root(syntax_errors: Vec<Diagnostic>) -> Vec<Diagnostic> {
    if syntax_errors.is_empty() {
        return vec![expected("empty_body", common::json_object(), common::empty_body())];
    }
    syntax_errors
}

/// Parses a record from an object in a text that has these syntax errors.
fn parse_object<R: Record>(root: &Node, mode: WriteMode, syntax_errors: Vec<Diagnostic>) -> Result<R, Vec<Diagnostic>> {
    let Value::Object(members) = &root.value else {
        let error = wrong_type(common::object(), root.value.kind()).at(root.span);
        return Err(diagnostic::merge(syntax_errors, vec![error]));
    };

    let mut record = R::default();
    let mut diagnostics = Vec::new();
    for member in members {
        if diagnostics.len() >= MAX_DIAGNOSTICS {
            break;
        }
        parse_member(&mut record, member, mode, &mut diagnostics);
    }
    let mut diagnostics = diagnostic::merge(syntax_errors, diagnostics);
    if mode == WriteMode::Create {
        for name in R::REQUIRED.iter().filter(|name| !members.iter().any(|member| member.key == **name)) {
            diagnostics.push(Diagnostic {
                location: member_location(name),
                byte_range: Span::new(root.span.start, root.span.start + 1),
                ..required(name)
            });
        }
    }
    if members.is_empty() && diagnostics.is_empty() {
        diagnostics.push(new_diagnostic("empty_body", texts::no_field()));
    }
    if diagnostics.is_empty() {
        record.check(Some(mode), &mut diagnostics);
        for diagnostic in &mut diagnostics {
            // Diagnostics that concern several fields name one of them. Their byte range is its value.
            if let Location::Pointer(pointer) = &diagnostic.location
                && let Some(member) = members.iter().find(|member| pointer.strip_prefix('/') == Some(&member.key))
            {
                diagnostic.byte_range = member.value.span;
            }
        }
    }
    if diagnostics.is_empty() {
        return Ok(record);
    }
    diagnostics.truncate(MAX_DIAGNOSTICS);
    Err(diagnostics)
}

fn parse_member<R: Record>(record: &mut R, member: &Member, mode: WriteMode, diagnostics: &mut Vec<Diagnostic>) {
    let Some(rule) = R::RULES.iter().find(|rule| rule.name == member.key) else {
        diagnostics.push(unknown_key::<R>(member, mode));
        return;
    };
    if !rule.is_writable(mode) {
        let name = format_name(rule.name);
        let detail = match rule.access {
            Access::CsvOnly => texts::only_in_csv(name),
            Access::CreateOnly => texts::immutable_field(name),
            Access::Writable | Access::ServerManaged => texts::read_only_field(name),
        };
        diagnostics.push(Diagnostic {
            location: member_location(&member.key),
            byte_range: member.key_span,
            ..new_diagnostic("read_only", detail)
        });
        return;
    }
    if member.value.value == Value::Invalid {
        // The diagnostic was already reported.
        return;
    }
    let diagnostic_count = diagnostics.len();
    (rule.read)(record, &FieldInput::Json(&member.value), diagnostics);
    for diagnostic in &mut diagnostics[diagnostic_count..] {
        if let (Location::Pointer(inner_pointer), Location::Pointer(outer_pointer)) =
            (&diagnostic.location, member_location(&member.key))
        {
            diagnostic.location = Location::Pointer(outer_pointer + inner_pointer);
        }
        if diagnostic.byte_range == Span::default() {
            diagnostic.byte_range = member.value.span;
        }
    }
}

fn unknown_key<R: Record>(member: &Member, mode: WriteMode) -> Diagnostic {
    let permitted_names = || R::RULES.iter().filter(|rule| rule.is_writable(mode)).map(|rule| rule.name);
    let diagnostic = new_diagnostic("unknown_key", texts::unknown_field((R::NOUN)(), format_name(&member.key)));
    let diagnostic = Diagnostic { location: member_location(&member.key), byte_range: member.key_span, ..diagnostic }
        .permitted(permitted_names());
    let diagnostic = diagnostic.suggest_nearest(&member.key, permitted_names());
    if R::HAS_CUSTOM_FIELDS && diagnostic.suggestion.is_none() {
        return diagnostic.suggest(texts::use_custom_fields());
    }
    diagnostic
}
