//! Operations of the API by group: a searchable sidebar with arrow-key navigation, and a drop-down on narrow screens.

use std::sync::Arc;

use leadscribe_engine::host;
use leptos::ev::KeyboardEvent;
use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::HtmlElement;

use crate::components::badge::humanize;
use crate::components::icon::{Glyph, Icon};
use crate::openapi::{Document, OperationGroup, OperationSummary};
use crate::query::query_string;
use crate::texts::api_page as texts;

/// Label of a group: `api-keys` becomes `API keys`.
pub fn group_label(name: &str) -> String {
    humanize(name).replace("Api", "API")
}

/// URL of an operation.
pub fn operation_href(id: &str) -> String {
    format!("/api-reference{}", query_string(&[("operation", id)]))
}

/// Method of an operation, in its color.
#[component]
pub fn Method(name: String) -> impl IntoView {
    let class = format!("method method-{}", name.to_ascii_lowercase());
    view! { <span class=class>{name}</span> }
}

#[component]
pub fn OperationList(
    document: Arc<Document>,
    /// Id of the current operation.
    current: Memo<String>,
    on_open: Callback<String>,
) -> impl IntoView {
    let node = NodeRef::<html::Nav>::new();
    let search = RwSignal::new(String::new());
    let full_document = document.clone();
    let matching_groups = Memo::new(move |_| matching_groups(full_document.groups(), &search.get()));
    let groups = move || match matching_groups.get() {
        groups if groups.is_empty() => {
            view! { <p class="muted small operation-none" data-test="no-operation">{texts::none_found()}</p> }
                .into_any()
        }
        groups => groups.into_iter().map(|group| view! { <GroupLinks group current /> }).collect_view().into_any(),
    };
    let on_key = move |event: KeyboardEvent| {
        let step = match event.key().as_str() {
            "ArrowDown" => 1,
            "ArrowUp" => -1,
            _ => return,
        };
        event.prevent_default();
        if let Some(nav) = node.get_untracked() {
            move_focus(&nav, step);
        }
    };
    let on_search_key = move |event: KeyboardEvent| {
        let first_id =
            matching_groups.with_untracked(|groups| groups.first().map(|group| group.operations[0].id.clone()));
        if let Some(first_id) = first_id.filter(|_| event.key() == "Enter") {
            event.prevent_default();
            on_open.run(first_id);
        }
    };
    view! {
        <nav node_ref=node class="operations card" aria-label=texts::list() on:keydown=on_key>
            <div class="search">
                <Icon glyph=Glyph::Search />
                <input
                    class="input"
                    type="search"
                    aria-label=texts::search()
                    placeholder=texts::search()
                    autocapitalize="off"
                    spellcheck="false"
                    data-test="operation-search"
                    bind:value=search
                    on:keydown=on_search_key
                />
            </div>
            <div class="operation-groups">{groups}</div>
        </nav>
        <OperationSelect document current on_open />
    }
    .into_any()
}

/// Groups with the operations that contain all words. A group whose name matches keeps all its operations.
fn matching_groups(groups: &[OperationGroup], input: &str) -> Vec<OperationGroup> {
    let words = host::to_lower(input.trim());
    let is_group_match =
        |group: &OperationGroup| !words.is_empty() && host::to_lower(&group_label(&group.name)).starts_with(&words);
    let groups_with_matches = groups.iter().map(|group| {
        let entries = group.operations.iter().filter(|entry| is_group_match(group) || entry.matches(&words));
        OperationGroup { operations: entries.cloned().collect(), ..group.clone() }
    });
    groups_with_matches.filter(|group| !group.operations.is_empty()).collect()
}

#[component]
fn GroupLinks(group: OperationGroup, current: Memo<String>) -> impl IntoView {
    let heading_id = format!("operations-{}", group.name);
    let labeled_by = heading_id.clone();
    let links = group.operations.into_iter().map(|entry| {
        let OperationSummary { id, method, path, summary } = entry;
        let href = operation_href(&id);
        let operation_id = id.clone();
        view! {
            <li>
                <a
                    href=href
                    title=path
                    aria-current=move || current.with(|current| *current == operation_id).then_some("page")
                    data-test="operation"
                    data-id=id
                >
                    <Method name=method />
                    <span>{summary}</span>
                </a>
            </li>
        }
    });
    view! {
        <section aria-labelledby=labeled_by>
            <h2 id=heading_id class="operation-group" title=group.description>
                {group_label(&group.name)}
            </h2>
            <ul>{links.collect_view()}</ul>
        </section>
    }
    .into_any()
}

#[component]
fn OperationSelect(document: Arc<Document>, current: Memo<String>, on_open: Callback<String>) -> impl IntoView {
    let groups = document.groups().iter().map(|group| {
        let options = group.operations.iter().map(|entry| {
            let (id, operation_id) = (entry.id.clone(), entry.id.clone());
            view! {
                <option value=id selected=move || current.with(|current| *current == operation_id)>
                    {format!("{} {}", entry.method, entry.summary)}
                </option>
            }
        });
        view! { <optgroup label=group_label(&group.name)>{options.collect_view()}</optgroup> }
    });
    view! {
        <div class="operation-select">
            <select
                class="select"
                aria-label=texts::operation()
                data-test="operation-select"
                on:change:target=move |event| on_open.run(event.target().value())
            >
                <option value="" selected=move || current.with(String::is_empty)>
                    {texts::choose()}
                </option>
                {groups.collect_view()}
            </select>
        </div>
    }
    .into_any()
}

/// Moves the focus between the search input and the links. Stops at both ends.
fn move_focus(nav: &HtmlElement, step: i64) {
    let Ok(focusable) = nav.query_selector_all("input, a") else { return };
    let focusable: Vec<_> =
        (0..focusable.length()).filter_map(|index| focusable.item(index)?.dyn_into::<HtmlElement>().ok()).collect();
    let active = document().active_element();
    let index =
        focusable.iter().position(|element| active.as_ref().is_some_and(|active| element.is_same_node(Some(active))));
    let next = index.and_then(|index| index.checked_add_signed(step as isize)).and_then(|index| focusable.get(index));
    if let Some(next) = next {
        // An element that can't be focused leaves the focus unchanged.
        let _ = next.focus();
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn finds_groups_by_name_and_operations_by_words() {
        let entry = |path: &str, summary: &str| OperationSummary {
            id: path.into(),
            method: "GET".into(),
            path: path.into(),
            summary: summary.into(),
        };
        let group =
            |name: &str, entries| OperationGroup { name: name.into(), description: String::new(), operations: entries };
        let groups = [
            group("campaign-leads", vec![entry("/a", "Read one"), entry("/b", "Change one")]),
            group("calls", vec![entry("/c", "Read a call")]),
        ];
        let count = |typed: &str| {
            matching_groups(&groups, typed).iter().map(|group| group.operations.len()).collect::<Vec<_>>()
        };
        assert_eq!(count(""), [2, 1]);
        assert_eq!(count(" Campaign leads"), [2]);
        assert_eq!(count("read"), [1, 1]);
        assert_eq!(count("nothing"), [0; 0]);
    }
}
