//! The values of a condition where they are typed: one, or several as chips.

use leadscribe_engine::filter::fields::Kind;
use leptos::prelude::*;

use crate::components::chip_picker::Chips;
use crate::components::icon::{Glyph, Icon};

/// Several values, typed; Enter, a comma or leaving the input ends one.
#[component]
pub fn TypeMany(values: Signal<Vec<String>>, set: Callback<Vec<String>>, kind: Kind, many: bool) -> impl IntoView {
    let several = RwSignal::new(many || values.with_untracked(|values| values.len() > 1));
    let draft = RwSignal::new(String::new());
    let take = move || {
        let text = draft.get_untracked();
        let new: Vec<String> =
            text.split(',').map(|part| part.trim().to_owned()).filter(|part| !part.is_empty()).collect();
        if !new.is_empty() {
            set.run(values.get_untracked().into_iter().filter(|value| !value.is_empty()).chain(new).collect());
        }
        draft.set(String::new());
    };
    let on_key = move |event: web_sys::KeyboardEvent| match event.key().as_str() {
        "Enter" if !event.ctrl_key() && !event.meta_key() => {
            event.prevent_default();
            take();
        }
        "," => {
            event.prevent_default();
            take();
        }
        "Backspace" if draft.with_untracked(String::is_empty) => {
            let mut all = values.get_untracked();
            if all.pop().is_some() {
                set.run(all);
            }
        }
        _ => {}
    };
    let placeholder = match kind {
        Kind::DateTime => "2026-05-01 09:30:00",
        Kind::Date => "2026-05-01",
        Kind::Custom => "value; in quotes for a text of digits",
        _ => "value",
    };
    let more = move |_| several.set(true);
    view! {
        <div class="value-list">
            <Show
                when=move || several.get()
                fallback=move || {
                    view! {
                        <input
                            class="input"
                            aria-label="Value"
                            placeholder=placeholder
                            data-test="value"
                            prop:value=move || values.with(|values| values.first().cloned().unwrap_or_default())
                            on:input:target=move |event| set.run(vec![event.target().value()])
                        />
                        <button
                            type="button"
                            class="button button-plain button-icon"
                            aria-label="Permit more values"
                            title="Permit more values"
                            on:click=more
                        >
                            <Icon glyph=Glyph::Plus />
                        </button>
                    }
                }
            >
                <Chips values set label=str::to_owned />
                <input
                    class="input value-add"
                    aria-label="Add a value, then press Enter"
                    placeholder="add, then Enter"
                    data-test="value"
                    prop:value=draft
                    on:input:target=move |event| draft.set(event.target().value())
                    on:keydown=on_key
                    on:blur=move |_| take()
                />
            </Show>
        </div>
    }
}
