//! Free-text input with suggestions from existing values.

use std::sync::atomic::{AtomicU32, Ordering};
use std::time::Duration;

use leadscribe_engine::api::FieldValue;
use leadscribe_engine::host;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::listbox::{Beyond, Listbox};
use crate::pause::Pause;
use crate::texts::{common, filter};
use crate::when::count;

/// Debounce delay before suggestions are requested.
const PAUSE: Duration = Duration::from_millis(120);

/// Counter for unique ids of suggestion lists.
static LISTS: AtomicU32 = AtomicU32::new(0);

/// Request for suggestions with a prefix. The callback receives the prefix and the values.
pub type Ask = Callback<(String, Callback<(String, Vec<FieldValue>)>)>;

/// Combobox as defined by the ARIA Authoring Practices, without inline completion: the typed text stays until a suggestion is picked.
#[component]
pub fn ComboBox(
    label: &'static str,
    placeholder: &'static str,
    test: &'static str,
    /// Grows to fill a row of chips.
    #[prop(optional)]
    adds: bool,
    #[prop(into)] text: Signal<String>,
    on_input: Callback<String>,
    /// Called when a suggestion is picked.
    on_pick: Callback<String>,
    /// `None` disables suggestions.
    ask: Option<Ask>,
    /// Receives keys that don't operate the list.
    #[prop(optional)]
    on_key: Option<Callback<KeyboardEvent>>,
    #[prop(optional)] on_leave: Option<Callback<()>>,
) -> impl IntoView {
    let list_id = format!("suggestions-{}", LISTS.fetch_add(1, Ordering::Relaxed));
    let suggested = RwSignal::new(Vec::<FieldValue>::new());
    let asked = StoredValue::new(None::<String>);
    let wanted = RwSignal::new(false);
    let list = Listbox::new(list_id, Signal::derive(move || suggested.with(Vec::len)), Beyond::Typed);
    let is_open = Memo::new(move |_| wanted.get() && suggested.with(|all| !all.is_empty()));
    let pause = Pause::new();

    let look = move || {
        let Some(ask) = ask else { return };
        let start = text.get_untracked();
        if asked.with_value(|asked| asked.as_ref() == Some(&start)) {
            return;
        }
        asked.set_value(Some(start.clone()));
        let tell = Callback::new(move |(start, values): (String, Vec<FieldValue>)| {
            // Ignores responses to outdated input.
            if asked.try_with_value(|asked| asked.as_ref() == Some(&start)) == Some(true) {
                list.choose(None);
                suggested.set(values);
            }
        });
        ask.run((start, tell));
    };
    let close = move || {
        pause.end();
        wanted.set(false);
        list.choose(None);
    };
    let pick = move |place: usize| {
        let value = suggested.with_untracked(|all| all.get(place).map(|one| one.value.clone()));
        close();
        if let Some(value) = value {
            // No request was made for the picked value.
            asked.set_value(None);
            suggested.set(Vec::new());
            on_pick.run(value);
        }
    };
    // The only suggestion that equals the text except for case.
    let alike = move || {
        let typed = host::lower(&text.get_untracked());
        suggested.with_untracked(|all| {
            let mut alike = all.iter().enumerate().filter(|(_, one)| host::lower(&one.value) == typed);
            let first = alike.next().map(|(place, _)| place);
            first.filter(|_| alike.next().is_none())
        })
    };
    let typed = move |new: String| {
        on_input.run(new);
        wanted.set(true);
        list.choose(None);
        pause.begin(PAUSE, look);
    };
    let pressed = move |event: KeyboardEvent| {
        let plain = !event.ctrl_key() && !event.meta_key() && !event.is_composing();
        let chosen = untrack(|| list.chosen()).filter(|_| is_open.get_untracked());
        match (event.key().as_str(), chosen) {
            ("ArrowDown" | "ArrowUp", _) if ask.is_some() && !is_open.get_untracked() => {
                event.prevent_default();
                wanted.set(true);
                look();
            }
            (key, _) if is_open.get_untracked() && list.step(key) => event.prevent_default(),
            ("Enter", Some(place)) if plain => {
                event.prevent_default();
                pick(place);
            }
            ("Escape", _) if is_open.get_untracked() => {
                event.prevent_default();
                event.stop_propagation();
                close();
            }
            (key, _) => {
                if key == "Enter" && plain {
                    // Differences in case don't matter to the user, so Enter picks the suggestion that matches existing values.
                    match alike().filter(|_| is_open.get_untracked()) {
                        Some(place) => pick(place),
                        None => close(),
                    }
                }
                if let Some(on_key) = on_key {
                    on_key.run(event);
                }
            }
        }
    };
    let left = move |_| {
        close();
        if let Some(on_leave) = on_leave {
            on_leave.run(());
        }
    };
    let options = move || {
        let option = |(place, FieldValue { value, leads }): (usize, FieldValue)| {
            let data = value.clone();
            view! {
                <div
                    id=list.option_id(place)
                    class="suggestion"
                    role="option"
                    aria-selected=move || list.is_chosen(place)
                    data-test="suggestion"
                    data-value=data
                    on:mousedown=|event| event.prevent_default()
                    on:click=move |_| pick(place)
                >
                    <span class="suggestion-value">{value}</span>
                    <span class="small secondary" title=common::leads(leads)>
                        <span aria-hidden="true">{count(leads)}</span>
                        <span class="visually-hidden">{common::leads(leads)}</span>
                    </span>
                </div>
            }
        };
        suggested.get().into_iter().enumerate().map(option).collect_view()
    };
    let told = move || is_open.get().then(|| filter::suggestions(suggested.with(Vec::len) as u64));
    let suggests = ask.is_some();
    view! {
        <div class="combo-box" class:value-add=adds>
            <input
                class="input"
                type="text"
                role=suggests.then_some("combobox")
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                aria-label=label
                aria-autocomplete=suggests.then_some("list")
                aria-expanded=move || suggests.then(|| is_open.get().to_string())
                aria-controls=suggests.then(|| list.id())
                aria-activedescendant=move || list.active().filter(|_| is_open.get())
                placeholder=placeholder
                data-test=test
                prop:value=text
                on:input:target=move |event| typed(event.target().value())
                on:keydown=pressed
                on:click=move |_| {
                    wanted.set(true);
                    look();
                }
                on:blur=left
            />
            {suggests
                .then(|| {
                    view! {
                        <div
                            id=list.id()
                            class="suggestions"
                            role="listbox"
                            aria-label=filter::values_of_leads()
                            hidden=move || !is_open.get()
                        >
                            {options}
                        </div>
                        <span class="visually-hidden" role="status">
                            {told}
                        </span>
                    }
                })}
        </div>
    }
    .into_any()
}
