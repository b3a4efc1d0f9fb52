//! Controls: the page, order and members of the response.

use std::collections::BTreeSet;

use super::ast::{Control, Controls, Name};
use super::error;
use super::expression::range;
use super::fields::{FIELDS, Field, FieldId, Owner, find};
use super::predicate::{CampaignsShown, CheckedFilter, Cursor, Limit, OrderKey, Predicate};
use super::report::Report;
use super::{Limits, MAX_OFFSET, MAX_ORDER, cursor};

/// Members of a lead in responses that aren't fields of the table.
const OTHER_MEMBERS: [&str; 3] = ["custom_fields", "campaigns", "not_callable_reasons"];

/// Returns the members of a lead in responses, as accepted by `_fields`.
pub fn members() -> impl Iterator<Item = &'static str> {
    let fields = FIELDS.iter().filter(|field| field.owner == Owner::Lead).map(|field| field.property);
    fields.chain(OTHER_MEMBERS)
}

/// Builds the filter from the controls. An invalid control is reported and replaced by its default.
pub(super) fn check(controls: &Controls, limits: &Limits, predicate: Predicate, report: &mut Report) -> CheckedFilter {
    let limit = report.inside("limit", |report| {
        let limit = limit(controls.limit.as_ref()?, limits, report)?;
        if controls.cursor.is_some() && limit.offset > 0 {
            report.add(controls.limit.as_ref()?.span, error::cursor_with_offset());
        }
        Some(limit)
    });
    let order = report.inside("_order", |report| order(controls.order.as_ref(), report));
    let cursor = report.inside("_cursor", |report| start(controls.cursor.as_ref()?, order.as_deref(), report));
    let fields = report.inside("_fields", |report| Some(fields(controls.fields.as_ref()?, report)));
    let campaigns = report.inside("_campaigns", |report| campaigns(controls.campaigns.as_ref()?, report));
    let default = Limit::default();
    CheckedFilter {
        predicate,
        limit: limit.unwrap_or(Limit { count: default.count.min(limits.max_count), ..default }),
        order: order.unwrap_or_else(by_id),
        cursor,
        fields,
        campaigns: campaigns.unwrap_or_default(),
    }
}

fn by_id() -> Vec<OrderKey> {
    vec![OrderKey { field: FieldId::Id, descending: false }]
}

fn limit(control: &Control<String>, limits: &Limits, report: &mut Report) -> Option<Limit> {
    let text = &control.value;
    let parts: Vec<&str> = text.split(';').collect();
    let &[count_text, offset_text] = parts.as_slice() else {
        report.add(control.span, error::limit_form(text));
        return None;
    };
    let count_at = range(0, count_text);
    let offset_at = range(count_at.end + 1, offset_text);
    let digits = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let mut count = None;
    let mut offset = None;
    if !digits(count_text) {
        report.add(control.span, error::count_digits(count_text, count_at));
    } else {
        count = count_text.parse().ok().filter(|count| *count <= limits.max_count);
        if count.is_none() {
            report.add(control.span, error::count_out_of_range(limits.max_count, count_text, count_at));
        }
    }
    if !digits(offset_text) {
        report.add(control.span, error::offset_digits(offset_text, offset_at));
    } else {
        offset = offset_text.parse().ok().filter(|offset| *offset <= MAX_OFFSET);
        if offset.is_none() {
            report.add(control.span, error::offset_out_of_range(offset_text, offset_at));
        }
    }
    Some(Limit { count: count?, offset: offset? })
}

/// Returns the order; `None` if it has a fault.
fn order(control: Option<&Control<Vec<Name>>>, report: &mut Report) -> Option<Vec<OrderKey>> {
    let Some(control) = control else {
        return Some(by_id());
    };
    if control.value.len() > MAX_ORDER {
        report.add(control.span, error::too_many_order_keys(control.value.len()));
        return None;
    }
    let mut order: Vec<OrderKey> = Vec::with_capacity(control.value.len() + 1);
    let mut complete = true;
    for (index, name) in control.value.iter().enumerate() {
        // A single string counts as an array of one, and has its own place.
        let single = control.value.len() == 1 && name.span == control.span;
        let (descending, key) = match name.text.strip_prefix('-') {
            Some(key) => (true, key),
            None => (false, name.text.as_str()),
        };
        let at = range(usize::from(descending), key);
        let fault = match find(key) {
            None => Some(error::unknown_order(key, at)),
            Some(field) if !field.orderable() => Some(error::not_orderable(field, at)),
            Some(field) if order.iter().any(|earlier| earlier.field == field.id) => Some(error::repeated_order(key)),
            Some(Field { id, .. }) => {
                order.push(OrderKey { field: *id, descending });
                None
            }
        };
        if let Some(fault) = fault {
            complete = false;
            match single {
                true => report.add(name.span, fault),
                false => report.inside(&index.to_string(), |report| report.add(name.span, fault)),
            }
        }
    }
    if !order.iter().any(|key| key.field == FieldId::Id) {
        order.extend(by_id());
    }
    // Keys after the id have no effect.
    let end = order.iter().position(|key| key.field == FieldId::Id).map_or(order.len(), |id| id + 1);
    order.truncate(end);
    complete.then_some(order)
}

/// Returns the start of the page. A cursor isn't checked if the order has a fault.
fn start(control: &Control<String>, order: Option<&[OrderKey]>, report: &mut Report) -> Option<Cursor> {
    if control.value.is_empty() {
        return Some(Cursor::Start);
    }
    match cursor::decode(order?, &control.value) {
        Ok(values) => Some(Cursor::After(values)),
        Err(wrong) => {
            report.add(control.span, error::invalid_cursor(wrong));
            None
        }
    }
}

fn fields(control: &Control<Vec<Name>>, report: &mut Report) -> BTreeSet<String> {
    let mut fields = BTreeSet::from(["id".to_owned()]);
    for (index, name) in control.value.iter().enumerate() {
        if members().any(|member| member == name.text) {
            fields.insert(name.text.clone());
        } else {
            let fault = error::unknown_member(&name.text, members());
            report.inside(&index.to_string(), |report| report.add(name.span, fault));
        }
    }
    fields
}

fn campaigns(control: &Control<String>, report: &mut Report) -> Option<CampaignsShown> {
    match control.value.as_str() {
        "matching" => Some(CampaignsShown::Matching),
        "all" => Some(CampaignsShown::All),
        other => {
            report.add(control.span, error::not_permitted(other, &["matching", "all"]));
            None
        }
    }
}
