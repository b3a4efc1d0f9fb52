//! Combobox that chooses the field of a condition.

use std::time::Duration;

use leadscribe_engine::filter::fields::find;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::KnownFields;
use super::field_list::{Pick, Section, found};
use crate::components::input::listbox::{Beyond, Listbox};
use crate::focus::next_soon;
use crate::language::language;
use crate::texts::filter;

/// Element id of the field picker of a condition.
pub fn field_id(number: usize) -> String {
    format!("condition-{number}-field")
}

/// Inputs that take the focus after the field is chosen: the name of a custom field, or the value.
const NEXT: &str = ".condition-field .input, .condition-value :is(input, select)";

/// Combobox as defined by the ARIA Authoring Practices: a list that narrows down while typing. Leaving it without a choice changes nothing.
#[component]
pub fn FieldPicker(number: usize, key: Memo<String>, pick: Callback<String>) -> impl IntoView {
    let id = field_id(number);
    let known = use_context::<KnownFields>();
    let open = RwSignal::new(false);
    let typed = RwSignal::new(None::<String>);
    let listed = Memo::new(move |_| {
        if !open.get() {
            return (Vec::new(), None);
        }
        let custom = known.map(|known| known.0.get()).unwrap_or_default();
        typed.with(|typed| found(typed.as_deref().unwrap_or_default(), &custom))
    });
    let picks =
        move || listed.with_untracked(|(all, _)| all.iter().flat_map(|one| one.picks.clone()).collect::<Vec<_>>());
    let count = Memo::new(move |_| listed.with(|(all, _)| all.iter().map(|one| one.picks.len()).sum::<usize>()));
    let list = Listbox::new(format!("{id}s"), count.into(), Beyond::OtherEnd);
    let label = move || key.with(|key| find(key).map_or_else(filter::custom_field, |field| field.label(language())));

    let show = move || {
        if !open.get_untracked() {
            list.choose(None);
            open.set(true);
        }
    };
    let close = move || {
        open.set(false);
        typed.set(None);
        list.choose(None);
    };
    let take = move |place: usize| {
        let one = picks().into_iter().nth(place);
        close();
        if let Some(one) = one {
            pick.run(one.key);
        }
    };
    let to_next = StoredValue::new(id.clone());
    let go_on = move || next_soon(to_next.get_value(), ".condition", NEXT);
    let pressed = move |event: KeyboardEvent| {
        let plain = !event.ctrl_key() && !event.meta_key() && !event.is_composing();
        let is_open = open.get_untracked();
        match (event.key().as_str(), untrack(|| list.chosen())) {
            ("ArrowDown" | "ArrowUp", _) if !is_open => {
                event.prevent_default();
                show();
            }
            (key, _) if is_open && list.step(key) => event.prevent_default(),
            ("Enter", Some(place)) if plain && is_open => {
                event.prevent_default();
                take(place);
                go_on();
            }
            ("Enter", None) if plain => {
                event.prevent_default();
                show();
            }
            // Tab after typing accepts the best match.
            ("Tab", Some(place)) if is_open && typed.with_untracked(Option::is_some) => take(place),
            ("Escape", _) if is_open => {
                event.prevent_default();
                event.stop_propagation();
                close();
            }
            _ => {}
        }
    };
    let type_in = move |text: String| {
        open.set(true);
        typed.set(Some(text));
        list.choose(listed.with_untracked(|(_, best)| *best));
    };
    let option = move |(place, Pick { key: one, label }): (usize, Pick)| {
        let (name, own) = (one.clone(), one.clone());
        view! {
            <div
                id=list.option_id(place)
                class="suggestion"
                class:is-current=move || key.with(|key| *key == own)
                role="option"
                aria-selected=move || list.is_chosen(place)
                data-test="field-option"
                data-key=one
                on:mousedown=|event| event.prevent_default()
                on:click=move |_| {
                    take(place);
                    go_on();
                }
            >
                <span class="suggestion-value">{label}</span>
                <code class="field-key">{name}</code>
            </div>
        }
    };
    let sections = move || {
        let mut place = 0;
        let section = |Section { name, picks }: Section| {
            let options = picks.into_iter().map(|pick| {
                place += 1;
                option((place - 1, pick))
            });
            let options = options.collect_view();
            view! {
                <div role="group" aria-label=name>
                    <div class="suggestions-head" aria-hidden="true">
                        {name}
                    </div>
                    {options}
                </div>
            }
        };
        listed.get().0.into_iter().map(section).collect_view()
    };
    view! {
        <div class="combo-box">
            <input
                id=id
                class="select field-pick"
                type="text"
                role="combobox"
                autocomplete="off"
                autocapitalize="off"
                spellcheck="false"
                aria-label=filter::field()
                aria-autocomplete="list"
                aria-expanded=move || open.get().to_string()
                aria-controls=list.id()
                aria-activedescendant=move || list.active().filter(|_| open.get())
                placeholder=filter::find_field()
                data-test="field"
                data-key=move || key.get()
                prop:value=move || typed.get().unwrap_or_else(|| label().to_owned())
                on:input:target=move |event| type_in(event.target().value())
                on:keydown=pressed
                on:focus:target=|event| event.target().select()
                on:click:target=move |event| {
                    show();
                    if typed.with_untracked(Option::is_none) {
                        // If all text was already selected, the browser places the caret only after this event.
                        let input = event.target();
                        set_timeout(move || input.select(), Duration::ZERO);
                    }
                }
                on:blur=move |_| close()
            />
            <div
                id=list.id()
                class="suggestions fields"
                role="listbox"
                aria-label=filter::fields()
                hidden=move || !open.get()
            >
                {sections}
            </div>
            <span class="visually-hidden" role="status">
                {move || open.get().then(|| filter::fields_found(count.get() as u64))}
            </span>
        </div>
    }
    .into_any()
}
