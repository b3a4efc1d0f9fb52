//! Typed values of a condition: one, or several as chips.

use leadscribe_engine::api::FieldValue;
use leadscribe_engine::filter::fields::Kind;
use leadscribe_engine::filter::form::typed_for;
use leptos::html::Div;
use leptos::prelude::*;

use super::Suggest;
use crate::components::icon::{Glyph, Icon};
use crate::components::input::chip_picker::Chips;
use crate::components::input::combo_box::{Ask, ComboBox};
use crate::figures;
use crate::focus;
use crate::language::{Language, language};
use crate::texts::filter;

/// Input of several values. Enter, a comma or leaving the input adds one.
#[component]
pub fn TypeMany(
    key: Signal<String>,
    values: Signal<Vec<String>>,
    set: Callback<Vec<String>>,
    kind: Kind,
    many: bool,
) -> impl IntoView {
    let ask = suggestions(key, kind);
    let wanted = RwSignal::new(many);
    // Stays a list after values are removed down to one.
    let several = Memo::new(move |before: Option<&bool>| {
        before == Some(&true) || wanted.get() || values.with(|values| values.len() > 1)
    });
    let draft = RwSignal::new(String::new());
    // A comma doesn't end a number in languages with a decimal comma.
    let ends = move |c: char| c == ',' && !(kind == Kind::Number && language() == Language::German);
    let read = move |text: &str| if kind == Kind::Number { figures::plain_text(text) } else { text.to_owned() };
    let shown = move |value: &str| if kind == Kind::Number { figures::decimal(value) } else { value.to_owned() };
    let take = move || {
        let text = draft.get_untracked();
        let new: Vec<String> = text.split(ends).map(|part| read(part.trim())).filter(|part| !part.is_empty()).collect();
        if !new.is_empty() {
            set.run(values.get_untracked().into_iter().filter(|value| !value.is_empty()).chain(new).collect());
        }
        draft.set(String::new());
    };
    let on_key = Callback::new(move |event: web_sys::KeyboardEvent| match event.key().as_str() {
        "Enter" if !event.ctrl_key() && !event.meta_key() => {
            event.prevent_default();
            take();
        }
        "," if ends(',') => {
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
    });
    let picked = move |value: String| key.with_untracked(|key| typed_for(key, &value));
    let add = Callback::new(move |value: String| {
        let new = picked(value);
        set.run(values.get_untracked().into_iter().filter(|value| !value.is_empty()).chain([new]).collect());
        draft.set(String::new());
    });
    let placeholder = match kind {
        Kind::Date => "2026-05-01",
        Kind::Custom => filter::a_custom_value(),
        _ => filter::a_value(),
    };
    let list = NodeRef::<Div>::new();
    let more = move |_| {
        wanted.set(true);
        focus::first_soon(list, "input");
    };
    view! {
        <div class="value-list" node_ref=list>
            <Show
                when=move || several.get()
                fallback=move || {
                    view! {
                        <ComboBox
                            label=filter::value()
                            placeholder
                            test="value"
                            text=Signal::derive(move || values.with(|values| values.first().map(|value| shown(value)).unwrap_or_default()))
                            on_input=Callback::new(move |text: String| set.run(vec![read(&text)]))
                            on_pick=Callback::new(move |value| set.run(vec![picked(value)]))
                            ask
                        />
                        <button
                            type="button"
                            class="button button-plain button-icon"
                            aria-label=filter::more_values()
                            title=filter::more_values()
                            on:click=more
                        >
                            <Icon glyph=Glyph::Plus />
                        </button>
                    }
                }
            >
                <Chips values set label=shown />
                <ComboBox
                    label=filter::add_value_by_enter()
                    placeholder=filter::add_then_enter()
                    test="value"
                    adds=true
                    text=draft
                    on_input=Callback::new(move |text| draft.set(text))
                    on_pick=add
                    ask
                    on_key
                    on_leave=Callback::new(move |()| take())
                />
            </Show>
        </div>
    }
}

/// Suggestion source for the field of this key: existing values for text fields.
fn suggestions(key: Signal<String>, kind: Kind) -> Option<Ask> {
    let Suggest(ask) = use_context().filter(|_| matches!(kind, Kind::Text | Kind::Custom))?;
    Some(Callback::new(move |(start, tell): (String, Callback<(String, Vec<FieldValue>)>)| {
        // In the input of a custom field, the text may start with a quote that isn't part of the value.
        let prefix = if kind == Kind::Custom { start.strip_prefix('"').unwrap_or(&start) } else { &start }.to_owned();
        let told = Callback::new(move |mut values: Vec<FieldValue>| {
            // An empty text equals an untouched input, so it can't be picked.
            values.retain(|one| !one.value.is_empty());
            tell.try_run((start.clone(), values));
        });
        ask.run((key.get_untracked(), prefix, told));
    }))
}
