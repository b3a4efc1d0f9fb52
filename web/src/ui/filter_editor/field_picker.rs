//! Combobox that chooses the field of a condition.

use std::time::Duration;

use leadscribe_engine::filter::fields::find;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::KnownCustomFields;
use super::field_list::{Section, search_fields};
use super::line_tree::field_picker_id;
use crate::browser::focus::focus_within_ancestor_after_render;
use crate::i18n::language;
use crate::i18n::texts::{common, filter};
use crate::ui::input::{Choice, EdgeBehavior, Listbox};

/// Inputs that take the focus after the field is chosen: the name of a custom field, or the value.
const NEXT_INPUT_SELECTOR: &str = ".condition-field .input, .condition-value :is(input, select)";

/// Combobox as defined by the ARIA Authoring Practices: typing filters the list. Leaving it without a choice keeps the
/// field.
#[component]
pub fn FieldPicker(number: usize, key: Memo<String>, on_pick: Callback<String>) -> impl IntoView {
    let id = field_picker_id(number);
    let known_fields = use_context::<KnownCustomFields>();
    let open = RwSignal::new(false);
    let typed = RwSignal::new(None::<String>);
    let results = Memo::new(move |_| {
        if !open.get() {
            return (Vec::new(), None);
        }
        let custom = known_fields.map(|known_fields| known_fields.0.get()).unwrap_or_default();
        typed.with(|typed| search_fields(typed.as_deref().unwrap_or_default(), &custom))
    });
    let options = move || {
        results.with_untracked(|(groups, _)| groups.iter().flat_map(|(_, options)| options.clone()).collect::<Vec<_>>())
    };
    let count =
        Memo::new(move |_| results.with(|(groups, _)| groups.iter().map(|(_, options)| options.len()).sum::<usize>()));
    let listbox = Listbox::new(format!("{id}s"), count.into(), EdgeBehavior::Wrap);
    let label = move || key.with(|key| find(key).map_or_else(filter::custom_field, |field| field.label(language())));

    let open_list = move || {
        if !open.get_untracked() {
            listbox.select(None);
            open.set(true);
        }
    };
    let close_list = move || {
        open.set(false);
        typed.set(None);
        listbox.select(None);
    };
    let accept = move |index: usize| {
        let item = options().into_iter().nth(index);
        close_list();
        if let Some((key, _)) = item {
            on_pick.run(key);
        }
    };
    let picker_id = StoredValue::new(id.clone());
    let focus_next =
        move || focus_within_ancestor_after_render(picker_id.get_value(), ".condition", NEXT_INPUT_SELECTOR);
    let on_keydown = move |event: KeyboardEvent| {
        let is_plain = !event.ctrl_key() && !event.meta_key() && !event.is_composing();
        let is_open = open.get_untracked();
        match (event.key().as_str(), untrack(|| listbox.selected_index())) {
            ("ArrowDown" | "ArrowUp", _) if !is_open => {
                event.prevent_default();
                open_list();
            }
            (key, _) if is_open && listbox.handle_key(key) => event.prevent_default(),
            ("Enter", Some(index)) if is_plain && is_open => {
                event.prevent_default();
                accept(index);
                focus_next();
            }
            ("Enter", None) if is_plain => {
                event.prevent_default();
                open_list();
            }
            // Tab after typing accepts the best match.
            ("Tab", Some(index)) if is_open && typed.with_untracked(Option::is_some) => accept(index),
            ("Escape", _) if is_open => {
                event.prevent_default();
                event.stop_propagation();
                close_list();
            }
            _ => {}
        }
    };
    let on_input = move |text: String| {
        open.set(true);
        typed.set(Some(text));
        listbox.select(results.with_untracked(|(_, best)| *best));
    };
    let option = move |index: usize, (item, label): Choice| {
        let (name, option_key) = (item.clone(), item.clone());
        view! {
            <div
                id=listbox.option_id(index)
                class="suggestion"
                class:is-current=move || key.with(|key| *key == option_key)
                role="option"
                aria-selected=move || listbox.aria_selected(index)
                data-test="field-option"
                data-key=item
                on:mousedown=|event| event.prevent_default()
                on:click=move |_| {
                    accept(index);
                    focus_next();
                }
            >
                <span class="suggestion-value">{label}</span>
                <code class="field-key">{name}</code>
            </div>
        }
    };
    let sections = move || {
        let mut index = 0;
        let section = |(name, options): Section| {
            let options = options.into_iter().map(|field_option| {
                index += 1;
                option(index - 1, field_option)
            });
            let options = options.collect_view();
            view! {
                <div role="group" aria-label=name>
                    <div class="suggestions-header" aria-hidden="true">
                        {name}
                    </div>
                    {options}
                </div>
            }
        };
        results.get().0.into_iter().map(section).collect_view()
    };
    view! {
        <div class="combo-box">
            <input
                id=id
                class="select field-select"
                type="text"
                role="combobox"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                aria-label=common::field()
                aria-autocomplete="list"
                aria-expanded=move || open.get().to_string()
                aria-controls=listbox.id()
                aria-activedescendant=move || listbox.active_descendant().filter(|_| open.get())
                placeholder=filter::find_field()
                data-test="field"
                data-key=move || key.get()
                prop:value=move || typed.get().unwrap_or_else(|| label().to_owned())
                on:input:target=move |event| on_input(event.target().value())
                on:keydown=on_keydown
                on:focus:target=|event| event.target().select()
                on:click:target=move |event| {
                    open_list();
                    if typed.with_untracked(Option::is_none) {
                        // If all text was already selected, the browser places the caret only after this event.
                        let input = event.target();
                        set_timeout(move || input.select(), Duration::ZERO);
                    }
                }
                on:blur=move |_| close_list()
            />
            <div
                id=listbox.id()
                class="suggestions fields"
                role="listbox"
                aria-label=common::fields()
                hidden=move || !open.get()
            >
                {sections}
            </div>
            <span class="visually-hidden" role="status">
                {move || open.get().then(|| filter::fields_found(count.get() as u64))}
            </span>
        </div>
    }
}
