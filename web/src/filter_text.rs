//! Text of a lead filter as used in the address, the editor and requests. Text that can't be parsed stays unchanged.

use std::collections::BTreeSet;

use leadscribe_engine::api::LeadId;
use leadscribe_engine::diagnostic::Span;
use leadscribe_engine::filter;
use leadscribe_engine::filter::ast::{Branch, Condition, Filter, Group, Junction, Name};
use leadscribe_engine::filter::fields::FieldId;

use crate::components::filter_editor::{with_dates, without_dates};
use crate::components::list::pager::Window;
use crate::query::query_string;
use crate::relative::{self, Anchor, Choice};

/// Filter before the user sets one: all leads.
pub const ALL_LEADS: &str = r#"{"limit":"50;0"}"#;

/// Address of the lead list for a filter.
pub fn list_of(filter: &str) -> String {
    address(filter::parse(filter).tree)
}

/// Like [`list_of`], with the leads changed last first.
pub fn latest_of(filter: &str) -> String {
    let mut tree = filter::parse(filter).tree;
    tree.controls.order = Some(vec![Name::from("-updated_at")].into());
    address(tree)
}

/// Address of the first page of a filter's leads.
fn address(mut tree: Filter) -> String {
    tree.controls.limit = Some("50;0".to_owned().into());
    format!("/leads{}", query_string(&[("filter", &filter::print(&tree))]))
}

/// Returns the filter in the engine's canonical form.
pub fn canonical(text: &str) -> String {
    let parsed = filter::parse(text);
    if parsed.faults.is_empty() { filter::print(&parsed.tree) } else { text.to_owned() }
}

/// Returns the filter pretty-printed over several lines.
pub fn pretty(text: &str) -> String {
    let parsed = filter::parse(text);
    if parsed.faults.is_empty() { filter::print_pretty(&parsed.tree) } else { text.to_owned() }
}

/// Returns the conditions of the filter, without order, cursor and selected fields.
pub fn conditions(text: &str) -> String {
    let mut parsed = filter::parse(text);
    if !parsed.faults.is_empty() {
        return text.to_owned();
    }
    let controls = &mut parsed.tree.controls;
    (controls.order, controls.cursor, controls.fields) = (None, None, None);
    // A filter must have at least one key.
    controls.limit = Some("1;0".to_owned().into());
    filter::print(&parsed.tree)
}

/// Returns the filter `text` with these leads excluded.
pub fn but_for(text: &str, leads: &BTreeSet<LeadId>) -> String {
    if leads.is_empty() {
        return text.to_owned();
    }
    let ids: Vec<_> = leads.iter().map(ToString::to_string).collect();
    let others = filter::parse(&format!(r#"{{"id":{{"not":[{}]}}}}"#, ids.join(","))).tree.conditions;
    let mut tree = filter::parse(text).tree;
    let own = std::mem::take(&mut tree.conditions);
    let branches = [own, others].into_iter().filter(|conditions| !conditions.is_empty()).enumerate();
    let branches = branches.map(|(index, conditions)| Branch { index, conditions, span: Span::default() }).collect();
    let (key_span, span) = (Span::default(), Span::default());
    tree.conditions = vec![Condition::Group(Group { junction: Junction::All, key_span, branches, span })];
    filter::print(&tree)
}

/// Returns the filter to send to the server. The table needs all fields and uses page numbers, so `fields` and `cursor` are
/// removed.
pub fn request(text: &str) -> String {
    let mut parsed = filter::parse(text);
    if !parsed.faults.is_empty() {
        return text.to_owned();
    }
    parsed.tree.controls.fields = None;
    parsed.tree.controls.cursor = None;
    if parsed.tree.controls.limit.is_none() {
        parsed.tree.controls.limit = Some(window_of(&parsed.tree).limit().into());
    }
    filter::print(&parsed.tree)
}

/// Page that the filter selects; the API's default page if it has no limit.
pub fn window_of(tree: &Filter) -> Window {
    let limit = tree.controls.limit.as_ref();
    limit.and_then(|limit| Window::from_limit(&limit.value)).unwrap_or(Window { size: 200, offset: 0 })
}

/// First key of the sort order, and whether it is descending.
pub fn order_of(tree: &Filter) -> Option<(FieldId, bool)> {
    let first = &tree.controls.order.as_ref()?.value.first()?.text;
    let (name, descending) = match first.strip_prefix('-') {
        Some(name) => (name, true),
        None => (first.as_str(), false),
    };
    Some((filter::fields::find(name)?.id, descending))
}

/// Cycles the sort order of a field: ascending, descending, default order. Returns to the first page.
pub fn sort(tree: &mut Filter, field: FieldId) {
    let name = field.field().name();
    let next = match order_of(tree) {
        Some((by, false)) if by == field => Some(format!("-{name}")),
        Some((by, true)) if by == field => None,
        _ => Some(name.to_owned()),
    };
    tree.controls.order = next.map(|name| vec![Name::from(name.as_str())].into());
    let window = Window { offset: 0, ..window_of(tree) };
    tree.controls.limit = Some(window.limit().into());
}

/// Returns the filter with its relative dates resolved at this moment.
pub fn together(filter: &str, choices: &[Choice], anchor: &Anchor) -> String {
    let parsed = filter::parse(filter);
    if choices.is_empty() || !parsed.faults.is_empty() {
        return filter.to_owned();
    }
    filter::print(&with_dates(&parsed.tree, choices, anchor))
}

/// Returns the filter with its relative dates resolved at a fixed moment, to compare filters that were run at different times.
pub fn at_rest(filter: &str, dates: &str) -> String {
    canonical(&together(filter, &relative::from_text(dates), &Anchor::fixed()))
}

/// Splits the editor's text into the filter for the address and the relative dates in it.
pub fn apart(text: &str, choices: &[Choice], anchor: &Anchor) -> (String, Vec<Choice>) {
    let parsed = filter::parse(text);
    if choices.is_empty() || !parsed.faults.is_empty() {
        return (canonical(text), Vec::new());
    }
    let (rest, found) = without_dates(&parsed.tree, choices, anchor);
    (filter::print(&rest), found)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn excludes_leads_from_a_filter() {
        let taken = BTreeSet::from([LeadId(7), LeadId(3)]);
        for (text, rest) in [
            (r#"{"limit":"1;0"}"#, r#"{"_and":[{"id":{"not":[3,7]}}],"limit":"1;0"}"#),
            (
                r#"{"id":[3,5],"status":"new","limit":"1;0"}"#,
                r#"{"_and":[{"id":[3,5],"status":"new"},{"id":{"not":[3,7]}}],"limit":"1;0"}"#,
            ),
        ] {
            assert_eq!(but_for(text, &taken), rest);
            assert!(filter::read(rest, &filter::Limits::default()).is_ok());
            assert_eq!(but_for(text, &BTreeSet::new()), text);
        }
    }
}
