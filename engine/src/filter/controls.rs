//! Controls: the page, order and members of the response.

use std::collections::BTreeSet;

use super::ast::{Control, Controls, Name};
use super::error;
use super::expression::char_range;
use super::fields::{FIELDS, Field, FieldId, Owner, find};
use super::predicate::{CampaignSelection, CheckedFilter, Cursor, Limit, OrderKey, Predicate};
use super::report::DiagnosticCollector;
use super::{Limits, MAX_OFFSET, MAX_ORDER_KEYS, cursor};

/// Members of a lead in responses that aren't fields of the table.
const OTHER_MEMBERS: [&str; 3] = ["custom_fields", "campaigns", "not_callable_reasons"];

/// Returns the members of a lead in responses, as accepted by `_fields`.
pub fn member_names() -> impl Iterator<Item = &'static str> {
    let fields = FIELDS.iter().filter(|field| field.owner == Owner::Lead).map(|field| field.property);
    fields.chain(OTHER_MEMBERS)
}

/// Builds the filter from the controls. An invalid control is reported and replaced by its default.
pub(super) fn check(
    controls: &Controls,
    limits: &Limits,
    predicate: Predicate,
    report: &mut DiagnosticCollector,
) -> CheckedFilter {
    let limit = report.within("limit", |report| {
        let limit = parse_limit(controls.limit.as_ref()?, limits, report)?;
        if controls.cursor.is_some() && limit.offset > 0 {
            report.add(controls.limit.as_ref()?.span, error::cursor_with_offset());
        }
        Some(limit)
    });
    let order = report.within("_order", |report| parse_order(controls.order.as_ref(), report));
    let cursor = report.within("_cursor", |report| parse_cursor(controls.cursor.as_ref()?, order.as_deref(), report));
    let fields = report.within("_fields", |report| Some(parse_fields(controls.fields.as_ref()?, report)));
    let campaigns = report.within("_campaigns", |report| parse_campaigns(controls.campaigns.as_ref()?, report));
    let default = Limit::default();
    CheckedFilter {
        predicate,
        limit: limit.unwrap_or(Limit { count: default.count.min(limits.max_count), ..default }),
        order: order.unwrap_or_else(default_order),
        cursor,
        fields,
        campaigns: campaigns.unwrap_or_default(),
    }
}

fn default_order() -> Vec<OrderKey> {
    vec![OrderKey { field: FieldId::Id, descending: false }]
}

fn parse_limit(control: &Control<String>, limits: &Limits, report: &mut DiagnosticCollector) -> Option<Limit> {
    let text = &control.value;
    let parts: Vec<&str> = text.split(';').collect();
    // Without an offset, the page is the first.
    let (count_text, offset_text) = match *parts.as_slice() {
        [count] => (count, "0"),
        [count, offset] => (count, offset),
        _ => {
            report.add(control.span, error::invalid_limit(text));
            return None;
        }
    };
    let count_range = char_range(0, count_text);
    let offset_range = char_range(count_range.end + 1, offset_text);
    let is_digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut count = None;
    let mut offset = None;
    if !is_digits(count_text) {
        report.add(control.span, error::invalid_count(count_text, count_range));
    } else {
        count = count_text.parse().ok().filter(|count| *count <= limits.max_count);
        if count.is_none() {
            report.add(control.span, error::count_out_of_range(limits.max_count, count_text, count_range));
        }
    }
    if !is_digits(offset_text) {
        report.add(control.span, error::invalid_offset(offset_text, offset_range));
    } else {
        offset = offset_text.parse().ok().filter(|offset| *offset <= MAX_OFFSET);
        if offset.is_none() {
            report.add(control.span, error::offset_out_of_range(offset_text, offset_range));
        }
    }
    Some(Limit { count: count?, offset: offset? })
}

/// Returns the order; `None` if it is invalid.
fn parse_order(control: Option<&Control<Vec<Name>>>, report: &mut DiagnosticCollector) -> Option<Vec<OrderKey>> {
    let Some(control) = control else {
        return Some(default_order());
    };
    if control.value.len() > MAX_ORDER_KEYS {
        report.add(control.span, error::too_many_order_keys(control.value.len()));
        return None;
    }
    let mut order: Vec<OrderKey> = Vec::with_capacity(control.value.len() + 1);
    let mut is_complete = true;
    for (index, name) in control.value.iter().enumerate() {
        // A single string counts as an array of one. Its location is the control itself.
        let is_single = control.value.len() == 1 && name.span == control.span;
        let (descending, key) = match name.text.strip_prefix('-') {
            Some(key) => (true, key),
            None => (false, name.text.as_str()),
        };
        let key_range = char_range(usize::from(descending), key);
        let diagnostic = match find(key) {
            None => Some(error::unknown_order_field(key, key_range)),
            Some(field) if !field.is_orderable() => Some(error::not_orderable(field, key_range)),
            Some(field) if order.iter().any(|previous| previous.field == field.id) => {
                Some(error::repeated_order_field(key))
            }
            Some(Field { id, .. }) => {
                order.push(OrderKey { field: *id, descending });
                None
            }
        };
        if let Some(diagnostic) = diagnostic {
            is_complete = false;
            match is_single {
                true => report.add(name.span, diagnostic),
                false => report.within(&index.to_string(), |report| report.add(name.span, diagnostic)),
            }
        }
    }
    if !order.iter().any(|key| key.field == FieldId::Id) {
        order.extend(default_order());
    }
    // Keys after the id have no effect.
    let end = order.iter().position(|key| key.field == FieldId::Id).map_or(order.len(), |id| id + 1);
    order.truncate(end);
    is_complete.then_some(order)
}

/// Returns the start of the page. A cursor isn't checked if the order is invalid.
fn parse_cursor(
    control: &Control<String>,
    order: Option<&[OrderKey]>,
    report: &mut DiagnosticCollector,
) -> Option<Cursor> {
    if control.value.is_empty() {
        return Some(Cursor::Start);
    }
    match cursor::decode(order?, &control.value) {
        Ok(values) => Some(Cursor::After(values)),
        Err(cursor_error) => {
            report.add(control.span, error::invalid_cursor(cursor_error));
            None
        }
    }
}

fn parse_fields(control: &Control<Vec<Name>>, report: &mut DiagnosticCollector) -> BTreeSet<String> {
    let mut fields = BTreeSet::from(["id".to_owned()]);
    for (index, name) in control.value.iter().enumerate() {
        if member_names().any(|member| member == name.text) {
            fields.insert(name.text.clone());
        } else {
            let diagnostic = error::unknown_member(&name.text, member_names());
            report.within(&index.to_string(), |report| report.add(name.span, diagnostic));
        }
    }
    fields
}

fn parse_campaigns(control: &Control<String>, report: &mut DiagnosticCollector) -> Option<CampaignSelection> {
    match control.value.as_str() {
        "matching" => Some(CampaignSelection::Matching),
        "all" => Some(CampaignSelection::All),
        other => {
            report.add(control.span, error::not_permitted(other, &["matching", "all"]));
            None
        }
    }
}
