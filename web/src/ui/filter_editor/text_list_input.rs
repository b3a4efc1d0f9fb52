//! Typed values of a condition: one, or several as chips.

use leadscribe_engine::api::FieldValue;
use leadscribe_engine::filter::fields::Kind;
use leadscribe_engine::filter::form::input_text;
use leptos::html::Div;
use leptos::prelude::*;

use super::SuggestValues;
use crate::browser::focus;
use crate::i18n::locale::{Language, language};
use crate::i18n::number_format;
use crate::i18n::texts::filter;
use crate::ui::icon::{Glyph, Icon};
use crate::ui::input::chip_picker::Chips;
use crate::ui::input::combo_box::{ComboBox, SuggestionRequest};

/// Input of several values. Enter, a comma or leaving the input adds one.
#[component]
pub fn TextListInput(
    key: Signal<String>,
    values: Signal<Vec<String>>,
    set: Callback<Vec<String>>,
    kind: Kind,
    multiple: bool,
) -> impl IntoView {
    let suggest = suggestion_source(key, kind);
    let is_list_requested = RwSignal::new(multiple);
    // Stays a list after values are removed down to one.
    let is_list = Memo::new(move |previous: Option<&bool>| {
        previous == Some(&true) || is_list_requested.get() || values.with(|values| values.len() > 1)
    });
    let draft = RwSignal::new(String::new());
    // A comma doesn't end a number in languages with a decimal comma.
    let is_separator = move |c: char| c == ',' && !(kind == Kind::Number && language() == Language::German);
    let parse_value =
        move |text: &str| if kind == Kind::Number { number_format::number_or_text(text) } else { text.to_owned() };
    let display_value =
        move |value: &str| if kind == Kind::Number { number_format::localize_decimal(value) } else { value.to_owned() };
    let commit = move || {
        let text = draft.get_untracked();
        let new: Vec<String> =
            text.split(is_separator).map(|part| parse_value(part.trim())).filter(|part| !part.is_empty()).collect();
        if !new.is_empty() {
            set.run(values.get_untracked().into_iter().filter(|value| !value.is_empty()).chain(new).collect());
        }
        draft.set(String::new());
    };
    let on_key = Callback::new(move |event: web_sys::KeyboardEvent| match event.key().as_str() {
        "Enter" if !event.ctrl_key() && !event.meta_key() => {
            event.prevent_default();
            commit();
        }
        "," if is_separator(',') => {
            event.prevent_default();
            commit();
        }
        "Backspace" if draft.with_untracked(String::is_empty) => {
            let mut remaining = values.get_untracked();
            if remaining.pop().is_some() {
                set.run(remaining);
            }
        }
        _ => {}
    });
    let typed_value = move |value: String| key.with_untracked(|key| input_text(key, &value));
    let add = Callback::new(move |value: String| {
        let new = typed_value(value);
        set.run(values.get_untracked().into_iter().filter(|value| !value.is_empty()).chain([new]).collect());
        draft.set(String::new());
    });
    let placeholder = match kind {
        Kind::Date => "2026-05-01",
        Kind::Custom => filter::custom_value_placeholder(),
        _ => filter::value_placeholder(),
    };
    let container = NodeRef::<Div>::new();
    let start_list = move |_| {
        is_list_requested.set(true);
        focus::focus_first_after_render(container, "input");
    };
    view! {
        <div class="value-list" node_ref=container>
            <Show
                when=move || is_list.get()
                fallback=move || {
                    view! {
                        <ComboBox
                            label=filter::value()
                            placeholder
                            test_id="value"
                            text=Signal::derive(move || values.with(|values| values.first().map(|value| display_value(value)).unwrap_or_default()))
                            on_input=Callback::new(move |text: String| set.run(vec![parse_value(&text)]))
                            on_pick=Callback::new(move |value| set.run(vec![typed_value(value)]))
                            suggest
                        />
                        <button
                            type="button"
                            class="button button-plain button-icon"
                            aria-label=filter::add_value()
                            title=filter::add_value()
                            on:click=start_list
                        >
                            <Icon glyph=Glyph::Plus />
                        </button>
                    }
                }
            >
                <Chips values set label=display_value />
                <ComboBox
                    label=filter::add_value_by_enter()
                    placeholder=filter::add_then_enter()
                    test_id="value"
                    fills_row=true
                    text=draft
                    on_input=Callback::new(move |text| draft.set(text))
                    on_pick=add
                    suggest
                    on_key
                    on_leave=Callback::new(move |()| commit())
                />
            </Show>
        </div>
    }
}

/// Suggestion source for the field of this key: existing values for text fields.
fn suggestion_source(key: Signal<String>, kind: Kind) -> Option<SuggestionRequest> {
    let SuggestValues(request) = use_context().filter(|_| matches!(kind, Kind::Text | Kind::Custom))?;
    Some(Callback::new(move |(typed, respond): (String, Callback<(String, Vec<FieldValue>)>)| {
        // In the input of a custom field, the text may start with a quote that isn't part of the value.
        let prefix = if kind == Kind::Custom { typed.strip_prefix('"').unwrap_or(&typed) } else { &typed }.to_owned();
        let on_values = Callback::new(move |mut values: Vec<FieldValue>| {
            // An empty text equals an untouched input, so it can't be picked.
            values.retain(|suggestion| !suggestion.value.is_empty());
            respond.try_run((typed.clone(), values));
        });
        request.run((key.get_untracked(), prefix, on_values));
    }))
}
