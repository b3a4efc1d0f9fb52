//! Text of a lead filter as used in the URL, the editor and requests. Text that can't be parsed stays unchanged.

use std::collections::BTreeSet;

use leadscribe_engine::api::LeadId;
use leadscribe_engine::diagnostic::Span;
use leadscribe_engine::filter;
use leadscribe_engine::filter::ast::{Branch, Condition, Group, Junction, Name, SyntaxTree};
use leptos::prelude::*;

use crate::browser::query::query_string;
use crate::i18n::relative_date;
use crate::i18n::relative_date::{Anchor, RelativeCondition};
use crate::ui::filter_editor::{extract_relative_dates, resolve_relative_dates};
use crate::ui::list::column_headers::field_name;
use crate::ui::list::{LEADS_LIST, ListOrder, PageWindow, stored_first_page};

/// Filter before the user sets one: all leads.
pub const ALL_LEADS: &str = r#"{"limit":"50;0"}"#;

/// Filter that shows a page of all leads.
pub fn all_leads(window: PageWindow) -> String {
    format!(r#"{{"limit":"{}"}}"#, window.limit())
}

/// URL of the lead list for a filter.
pub fn list_url(filter: &str) -> String {
    first_page_url(filter::parse(filter).tree)
}

/// Like [`list_url`], sorted by most recent update.
pub fn latest_list_url(filter: &str) -> String {
    let mut tree = filter::parse(filter).tree;
    tree.controls.order = Some(vec![Name::from("-updated_at")].into());
    first_page_url(tree)
}

/// URL of the first page of a filter's leads, in the current user's page size.
fn first_page_url(mut tree: SyntaxTree) -> String {
    tree.controls.limit = Some(stored_first_page(LEADS_LIST).limit().into());
    format!("/leads{}", query_string(&[("filter", &filter::print(&tree))]))
}

/// Returns the filter in the engine's canonical form.
pub fn canonicalize(text: &str) -> String {
    with_changes(text, |_| {})
}

fn with_changes(text: &str, change: impl FnOnce(&mut SyntaxTree)) -> String {
    let mut parsed = filter::parse(text);
    if !parsed.diagnostics.is_empty() {
        return text.to_owned();
    }
    change(&mut parsed.tree);
    filter::print(&parsed.tree)
}

/// Returns the filter pretty-printed over several lines.
pub fn pretty_print(text: &str) -> String {
    let parsed = filter::parse(text);
    if parsed.diagnostics.is_empty() { filter::print_pretty(&parsed.tree) } else { text.to_owned() }
}

/// Returns the conditions of the filter, without order, cursor and selected fields.
pub fn only_conditions(text: &str) -> String {
    with_changes(text, |SyntaxTree { controls, .. }| {
        (controls.order, controls.cursor, controls.fields) = (None, None, None);
        // A filter must have at least one key.
        controls.limit = Some("1;0".to_owned().into());
    })
}

/// Returns the filter `text` with these leads excluded.
pub fn exclude_leads(text: &str, leads: &BTreeSet<LeadId>) -> String {
    if leads.is_empty() {
        return text.to_owned();
    }
    let ids: Vec<_> = leads.iter().map(ToString::to_string).collect();
    let exclusions = filter::parse(&format!(r#"{{"id":{{"not":[{}]}}}}"#, ids.join(","))).tree.conditions;
    let mut tree = filter::parse(text).tree;
    let own_conditions = std::mem::take(&mut tree.conditions);
    let branches = [own_conditions, exclusions].into_iter().filter(|conditions| !conditions.is_empty()).enumerate();
    let branches = branches.map(|(index, conditions)| Branch { index, conditions, span: Span::default() }).collect();
    let (key_span, span) = (Span::default(), Span::default());
    tree.conditions = vec![Condition::Group(Group { junction: Junction::All, key_span, branches, span })];
    filter::print(&tree)
}

/// Returns the filter to send to the server. The table needs all fields and uses page numbers, so `fields` and `cursor`
/// are removed.
pub fn request_filter(text: &str) -> String {
    with_changes(text, |tree| {
        (tree.controls.fields, tree.controls.cursor) = (None, None);
        if tree.controls.limit.is_none() {
            tree.controls.limit = Some(page_window(tree).limit().into());
        }
    })
}

/// Page that the filter selects; the API's default page if it has no limit.
pub fn page_window(tree: &SyntaxTree) -> PageWindow {
    let limit = tree.controls.limit.as_ref();
    limit.and_then(|limit| PageWindow::from_limit(&limit.value)).unwrap_or(PageWindow { size: 200, offset: 0 })
}

/// Order of a list of leads, by the first sort key of its filter. `on_change` receives the new order for
/// [`set_sort_order`].
pub fn lead_order(
    filter: impl Fn() -> String + Send + Sync + 'static,
    on_change: impl Fn(String) + Send + Sync + 'static,
) -> ListOrder {
    let order = move || {
        let controls = filter::parse(&filter()).tree.controls;
        let sort_key = &controls.order.as_ref()?.value.first()?.text;
        let sign = if sort_key.starts_with('-') { "-" } else { "" };
        Some(format!("{sign}{}", filter::fields::find(field_name(sort_key))?.name()))
    };
    let order = Memo::new(move |_| order().unwrap_or_default()).into();
    ListOrder { order, default_order: "", on_change: Callback::new(on_change) }
}

/// Sets the sort order, or the default order if the text is empty. Returns to the first page.
pub fn set_sort_order(tree: &mut SyntaxTree, order: &str) {
    tree.controls.order = (!order.is_empty()).then(|| vec![Name::from(order)].into());
    let window = PageWindow { offset: 0, ..page_window(tree) };
    tree.controls.limit = Some(window.limit().into());
}

/// Returns the filter with its relative dates resolved for `anchor`.
pub fn resolve_dates(filter: &str, relative_dates: &[RelativeCondition], anchor: &Anchor) -> String {
    if relative_dates.is_empty() {
        return filter.to_owned();
    }
    with_changes(filter, |tree| *tree = resolve_relative_dates(tree, relative_dates, anchor))
}

/// Returns the filter with its relative dates resolved for a fixed time, to compare filters that were run at different
/// times.
pub fn resolve_dates_at_fixed_time(filter: &str, dates: &str) -> String {
    canonicalize(&resolve_dates(filter, &relative_date::decode(dates), &Anchor::fixed()))
}

/// Splits the editor's text into the filter for the URL and the relative dates in it.
pub fn split_relative_dates(
    text: &str,
    relative_dates: &[RelativeCondition],
    anchor: &Anchor,
) -> (String, Vec<RelativeCondition>) {
    let parsed = filter::parse(text);
    if relative_dates.is_empty() || !parsed.diagnostics.is_empty() {
        return (canonicalize(text), Vec::new());
    }
    let (rest, found_dates) = extract_relative_dates(&parsed.tree, relative_dates, anchor);
    (filter::print(&rest), found_dates)
}

#[cfg(test)]
mod tests {
    use crate::ui::filter_editor::filter_text::*;

    #[test]
    fn excludes_leads_from_a_filter() {
        let excluded = BTreeSet::from([LeadId(7), LeadId(3)]);
        for (text, expected) in [
            (r#"{"limit":"1;0"}"#, r#"{"_and":[{"id":{"not":[3,7]}}],"limit":"1;0"}"#),
            (
                r#"{"id":[3,5],"status":"new","limit":"1;0"}"#,
                r#"{"_and":[{"id":[3,5],"status":"new"},{"id":{"not":[3,7]}}],"limit":"1;0"}"#,
            ),
        ] {
            assert_eq!(exclude_leads(text, &excluded), expected);
            assert!(filter::parse_and_check(expected, &filter::Limits::default()).is_ok());
            assert_eq!(exclude_leads(text, &BTreeSet::new()), text);
        }
    }
}
