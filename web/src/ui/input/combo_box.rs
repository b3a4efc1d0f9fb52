//! Free-text input with suggestions from existing values.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use leadscribe_engine::api::FieldValue;
use leadscribe_engine::host;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::listbox::{EdgeBehavior, Listbox};
use crate::browser::scheduler::Debounce;
use crate::i18n::datetime::format_count;
use crate::i18n::texts::{common, filter};

/// Debounce delay before suggestions are requested.
const DEBOUNCE_DELAY: Duration = Duration::from_millis(120);

/// Counter for unique ids of suggestion lists.
static NEXT_LIST_ID: AtomicU32 = AtomicU32::new(0);

/// Request for suggestions with a prefix. The callback receives the prefix and the values.
pub type SuggestionRequest = Callback<(String, Callback<(String, Vec<FieldValue>)>)>;

/// Combobox as defined by the ARIA Authoring Practices, without inline completion: the typed text stays until a
/// suggestion is picked.
#[component]
pub fn ComboBox(
    label: &'static str,
    placeholder: &'static str,
    test_id: &'static str,
    /// Grows to fill a row of chips.
    #[prop(optional)]
    fills_row: bool,
    #[prop(into)] text: Signal<String>,
    on_input: Callback<String>,
    /// Called when a suggestion is picked.
    on_pick: Callback<String>,
    /// `None` disables suggestions.
    suggest: Option<SuggestionRequest>,
    /// Receives keys that don't operate the list.
    #[prop(optional)]
    on_key: Option<Callback<KeyboardEvent>>,
    #[prop(optional)] on_leave: Option<Callback<()>>,
) -> impl IntoView {
    let list_id = format!("suggestions-{}", NEXT_LIST_ID.fetch_add(1, Ordering::Relaxed));
    let suggestions = RwSignal::new(Vec::<FieldValue>::new());
    let requested_prefix = StoredValue::new(None::<String>);
    let should_show_list = RwSignal::new(false);
    let listbox =
        Listbox::new(list_id, Signal::derive(move || suggestions.with(Vec::len)), EdgeBehavior::ReturnToInput);
    let is_open = Memo::new(move |_| should_show_list.get() && suggestions.with(|items| !items.is_empty()));
    let debounce = Debounce::new();

    let request_suggestions = move || {
        let Some(suggest) = suggest else { return };
        let prefix = text.get_untracked();
        if requested_prefix.with_value(|requested_prefix| requested_prefix.as_ref() == Some(&prefix)) {
            return;
        }
        requested_prefix.set_value(Some(prefix.clone()));
        let on_response = Callback::new(move |(prefix, values): (String, Vec<FieldValue>)| {
            // Ignores responses to outdated input.
            if requested_prefix.try_with_value(|requested_prefix| requested_prefix.as_ref() == Some(&prefix))
                == Some(true)
            {
                listbox.select(None);
                suggestions.set(values);
            }
        });
        suggest.run((prefix, on_response));
    };
    let close = move || {
        debounce.cancel();
        should_show_list.set(false);
        listbox.select(None);
    };
    let accept = move |index: usize| {
        let value = suggestions.with_untracked(|items| items.get(index).map(|suggestion| suggestion.value.clone()));
        close();
        if let Some(value) = value {
            // No request was made for the picked value.
            requested_prefix.set_value(None);
            suggestions.set(Vec::new());
            on_pick.run(value);
        }
    };
    // The only suggestion that equals the text except for case.
    let case_match = move || {
        let typed = host::to_lower(&text.get_untracked());
        suggestions.with_untracked(|items| {
            let mut case_match =
                items.iter().enumerate().filter(|(_, suggestion)| host::to_lower(&suggestion.value) == typed);
            let first = case_match.next().map(|(index, _)| index);
            first.filter(|_| case_match.next().is_none())
        })
    };
    let handle_input = move |new: String| {
        on_input.run(new);
        should_show_list.set(true);
        listbox.select(None);
        debounce.schedule(DEBOUNCE_DELAY, request_suggestions);
    };
    let on_keydown = move |event: KeyboardEvent| {
        let is_plain = !event.ctrl_key() && !event.meta_key() && !event.is_composing();
        let selected = untrack(|| listbox.selected_index()).filter(|_| is_open.get_untracked());
        match (event.key().as_str(), selected) {
            ("ArrowDown" | "ArrowUp", _) if suggest.is_some() && !is_open.get_untracked() => {
                event.prevent_default();
                should_show_list.set(true);
                request_suggestions();
            }
            (key, _) if is_open.get_untracked() && listbox.handle_key(key) => event.prevent_default(),
            ("Enter", Some(index)) if is_plain => {
                event.prevent_default();
                accept(index);
            }
            ("Escape", _) if is_open.get_untracked() => {
                event.prevent_default();
                event.stop_propagation();
                close();
            }
            (key, _) => {
                if key == "Enter" && is_plain {
                    // Enter picks the suggestion that differs only in case: the stored spelling wins.
                    match case_match().filter(|_| is_open.get_untracked()) {
                        Some(index) => accept(index),
                        None => close(),
                    }
                }
                if let Some(on_key) = on_key {
                    on_key.run(event);
                }
            }
        }
    };
    let leave = move |_| {
        close();
        if let Some(on_leave) = on_leave {
            on_leave.run(());
        }
    };
    let options = move || {
        let option = |(index, FieldValue { value, leads }): (usize, FieldValue)| {
            let data_value = value.clone();
            view! {
                <div
                    id=listbox.option_id(index)
                    class="suggestion"
                    role="option"
                    aria-selected=move || listbox.aria_selected(index)
                    data-test="suggestion"
                    data-value=data_value
                    on:mousedown=|event| event.prevent_default()
                    on:click=move |_| accept(index)
                >
                    <span class="suggestion-value">{value}</span>
                    <span class="small secondary" title=common::leads(leads)>
                        <span aria-hidden="true">{format_count(leads)}</span>
                        <span class="visually-hidden">{common::leads(leads)}</span>
                    </span>
                </div>
            }
        };
        suggestions.get().into_iter().enumerate().map(option).collect_view()
    };
    let status_text = move || is_open.get().then(|| filter::suggestions(suggestions.with(Vec::len) as u64));
    let has_suggestions = suggest.is_some();
    view! {
        <div class="combo-box" class:value-select=fills_row>
            <input
                class="input"
                type="text"
                role=has_suggestions.then_some("combobox")
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                aria-label=label
                aria-autocomplete=has_suggestions.then_some("list")
                aria-expanded=move || has_suggestions.then(|| is_open.get().to_string())
                aria-controls=has_suggestions.then(|| listbox.id())
                aria-activedescendant=move || listbox.active_descendant().filter(|_| is_open.get())
                placeholder=placeholder
                data-test=test_id
                prop:value=text
                on:input:target=move |event| handle_input(event.target().value())
                on:keydown=on_keydown
                on:click=move |_| {
                    should_show_list.set(true);
                    request_suggestions();
                }
                on:blur=leave
            />
            {has_suggestions
                .then(|| {
                    view! {
                        <div
                            id=listbox.id()
                            class="suggestions"
                            role="listbox"
                            aria-label=filter::values_of_leads()
                            hidden=move || !is_open.get()
                        >
                            {options}
                        </div>
                        <span class="visually-hidden" role="status">
                            {status_text}
                        </span>
                    }
                })}
        </div>
    }
}
