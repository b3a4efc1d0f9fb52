//! In which field a condition is chosen: what is typed finds it.

use leadscribe_engine::filter::fields::find;
use leptos::ev::KeyboardEvent;
use leptos::prelude::*;

use super::KnownFields;
use super::field_list::{Pick, Section, found};
use crate::components::combo_box::bring_into_view;
use crate::language::language;
use crate::texts::filter;

/// The element in which the field of a condition is chosen.
pub fn field_id(number: usize) -> String {
    format!("condition-{number}-field")
}

/// A combobox as the ARIA Authoring Practices have it: a list to choose from, which what is typed narrows down. What is left
/// without having been chosen changes nothing.
#[component]
pub fn FieldPicker(number: usize, key: Memo<String>, pick: Callback<String>) -> impl IntoView {
    let id = field_id(number);
    let list_id = format!("{id}s");
    let option_id = {
        let id = StoredValue::new(id.clone());
        move |place: usize| id.with_value(|id| format!("{id}-{place}"))
    };
    let known = use_context::<KnownFields>();
    let open = RwSignal::new(false);
    let typed = RwSignal::new(None::<String>);
    let chosen = RwSignal::new(None::<usize>);
    let listed = Memo::new(move |_| {
        if !open.get() {
            return (Vec::new(), None);
        }
        let custom = known.map(|known| known.0.get()).unwrap_or_default();
        typed.with(|typed| found(typed.as_deref().unwrap_or_default(), &custom))
    });
    let picks =
        move || listed.with_untracked(|(all, _)| all.iter().flat_map(|one| one.picks.clone()).collect::<Vec<_>>());
    let label = move || key.with(|key| find(key).map_or_else(filter::custom_field, |field| field.label(language())));

    let show = move || {
        if !open.get_untracked() {
            chosen.set(None);
            open.set(true);
        }
    };
    let close = move || {
        open.set(false);
        typed.set(None);
        chosen.set(None);
    };
    let take = move |place: usize| {
        let one = picks().into_iter().nth(place);
        close();
        if let Some(one) = one {
            pick.run(one.key);
        }
    };
    let step = move |down: bool| {
        if !open.get_untracked() {
            return show();
        }
        let last = picks().len().saturating_sub(1);
        let next = match (chosen.get_untracked(), down) {
            (None, true) => 0,
            (None, false) => last,
            (Some(place), true) => (place + 1).min(last),
            (Some(place), false) => place.saturating_sub(1),
        };
        chosen.set(Some(next));
        bring_into_view(&option_id(next));
    };
    let pressed = move |event: KeyboardEvent| {
        let plain = !event.ctrl_key() && !event.meta_key() && !event.is_composing();
        let is_open = open.get_untracked();
        match (event.key().as_str(), chosen.get_untracked()) {
            ("ArrowDown" | "ArrowUp", _) => {
                event.prevent_default();
                step(event.key() == "ArrowDown");
            }
            ("Enter", Some(place)) if plain && is_open => {
                event.prevent_default();
                take(place);
            }
            ("Enter", None) if plain => {
                event.prevent_default();
                show();
            }
            // Who types a name and goes on means the field of that name.
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
        chosen.set(listed.with_untracked(|(_, best)| *best));
        // The list is drawn first.
        request_animation_frame(move || {
            if let Some(place) = chosen.try_get_untracked().flatten() {
                bring_into_view(&option_id(place));
            }
        });
    };
    let option = move |(place, Pick { key: one, label }): (usize, Pick)| {
        let (name, own) = (one.clone(), one.clone());
        view! {
            <div
                id=option_id(place)
                class="suggestion"
                class:is-current=move || key.with(|key| *key == own)
                role="option"
                aria-selected=move || (chosen.get() == Some(place)).to_string()
                data-test="field-option"
                data-key=one
                on:mousedown=|event| event.prevent_default()
                on:click=move |_| take(place)
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
    let count = move || listed.with(|(all, _)| all.iter().map(|one| one.picks.len()).sum::<usize>()) as u64;
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
                aria-controls=list_id.clone()
                aria-activedescendant=move || chosen.get().filter(|_| open.get()).map(option_id)
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
                        event.target().select();
                    }
                }
                on:blur=move |_| close()
            />
            <div
                id=list_id
                class="suggestions fields"
                role="listbox"
                aria-label=filter::fields()
                hidden=move || !open.get()
            >
                {sections}
            </div>
            <span class="visually-hidden" role="status">
                {move || open.get().then(|| filter::fields_found(count()))}
            </span>
        </div>
    }
    .into_any()
}
