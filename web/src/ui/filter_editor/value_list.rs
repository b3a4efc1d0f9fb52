//! Typed values of a condition: one, or several as chips.

use leadscribe_engine::api::FieldValue;
use leadscribe_engine::filter::fields::Kind;
use leadscribe_engine::filter::form::input_text;
use leadscribe_engine::time;
use leptos::ev::KeyboardEvent;
use leptos::html::Div;
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::ValueSource;
use crate::browser::focus;
use crate::i18n::texts::filter;
use crate::i18n::{Language, datetime, language, number_format};
use crate::ui::Glyph;
use crate::ui::input::{Chips, ComboBox, IconButton, SuggestionRequest, exact_time_title};

/// Input of one value with a button to add more, or chips with an input that adds one.
#[component]
fn ValueList(
    values: Signal<Vec<String>>,
    set: Callback<Vec<String>>,
    /// True to start as a list.
    multiple: bool,
    label: impl Fn(&str) -> String + Copy + Send + Sync + 'static,
    #[prop(into)] single_input: ViewFn,
    #[prop(into)] add_input: ViewFn,
) -> impl IntoView {
    let is_list_requested = RwSignal::new(multiple);
    // Stays a list after values are removed down to one.
    let is_list = Memo::new(move |previous: Option<&bool>| {
        previous == Some(&true) || is_list_requested.get() || values.with(|values| values.len() > 1)
    });
    let container = NodeRef::<Div>::new();
    let start_list = move |()| {
        is_list_requested.set(true);
        focus::focus_first_after_render(container, "input");
    };
    let content = move || match is_list.get() {
        true => view! {
            <Chips values set label />
            {add_input.run()}
        }
        .into_any(),
        false => view! {
            {single_input.run()}
            <IconButton
                glyph=Glyph::Plus
                label=filter::add_value()
                title=filter::add_value()
                class=""
                on_press=start_list
            />
        }
        .into_any(),
    };
    view! {
        <div class="row value-list" node_ref=container>
            {content}
        </div>
    }
}

/// Values of the list with these added.
fn appended(values: Signal<Vec<String>>, new: impl IntoIterator<Item = String>) -> Vec<String> {
    values.get_untracked().into_iter().filter(|value| !value.is_empty()).chain(new).collect()
}

/// True for Enter, unless it runs the filter.
fn is_plain_enter(event: &KeyboardEvent) -> bool {
    event.key() == "Enter" && !event.ctrl_key() && !event.meta_key()
}

/// Input of one timestamp: entered and shown in local time, stored in UTC. The UTC value is shown on hover.
#[component]
pub fn DateTimeValueInput(value: Signal<String>, set: Callback<String>) -> impl IntoView {
    view! { <div class="line value-datetime">{datetime_input(value, set, filter::value())}</div> }
}

/// Input of several timestamps. Enter or leaving the input adds one.
#[component]
pub fn DateTimeListInput(values: Signal<Vec<String>>, set: Callback<Vec<String>>, multiple: bool) -> impl IntoView {
    let draft = RwSignal::new(String::new());
    let commit = move || {
        let new = draft.get_untracked();
        if !new.is_empty() {
            set.run(appended(values, [new]));
            draft.set(String::new());
        }
    };
    let on_key = move |event: KeyboardEvent| {
        if is_plain_enter(&event) {
            event.prevent_default();
            commit();
        }
    };
    let label = |value: &str| time::parse(value).map_or_else(|_| value.to_owned(), datetime::describe_local);
    let value = Signal::derive(move || values.with(|values| values.first().cloned().unwrap_or_default()));
    let set_one = Callback::new(move |value| set.run(vec![value]));
    let single_input = move || view! { <DateTimeValueInput value set=set_one /> };
    let add_input = move || {
        let set_draft = Callback::new(move |value| draft.set(value));
        view! {
            <div on:keydown=on_key on:focusout=move |_| commit()>
                {datetime_input(draft.into(), set_draft, filter::add_value_by_enter())}
            </div>
        }
    };
    view! { <ValueList values set multiple label single_input add_input /> }
}

fn datetime_input(value: Signal<String>, set: Callback<String>, label: &'static str) -> AnyView {
    view! {
        <input
            class="input"
            type="datetime-local"
            step="1"
            aria-label=label
            title=move || exact_time_title(&value.get())
            data-test="value"
            prop:value=move || datetime::filter_to_input(&value.get())
            on:input:target=move |event| set.run(datetime::filter_from_input(&event.target().value()))
        />
    }
    .into_any()
}

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
            set.run(appended(values, new));
        }
        draft.set(String::new());
    };
    let on_key = Callback::new(move |event: KeyboardEvent| match event.key().as_str() {
        key if is_plain_enter(&event) || key == "," && is_separator(',') => {
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
        set.run(appended(values, [typed_value(value)]));
        draft.set(String::new());
    });
    let placeholder = match kind {
        Kind::Date => "2026-05-01",
        Kind::Custom => filter::custom_value_placeholder(),
        _ => filter::value_placeholder(),
    };
    let single_input = move || {
        let text = move || values.with(|values| values.first().map(|value| display_value(value)).unwrap_or_default());
        view! {
            <ComboBox
                label=filter::value()
                placeholder
                test_id="value"
                text=Signal::derive(text)
                on_input=Callback::new(move |text: String| set.run(vec![parse_value(&text)]))
                on_pick=Callback::new(move |value| set.run(vec![typed_value(value)]))
                suggest
            />
        }
    };
    let add_input = move || {
        view! {
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
        }
    };
    view! { <ValueList values set multiple label=display_value single_input add_input /> }
}

/// Suggestion source for the field of this key: existing values for text fields.
fn suggestion_source(key: Signal<String>, kind: Kind) -> Option<SuggestionRequest> {
    let ValueSource(api) = use_context().filter(|_| matches!(kind, Kind::Text | Kind::Custom))?;
    Some(Callback::new(move |(typed, respond): (String, Callback<(String, Vec<FieldValue>)>)| {
        let key = key.get_untracked();
        spawn_local(async move {
            // In the input of a custom field, the text may start with a quote that isn't part of the value.
            let prefix = if kind == Kind::Custom { typed.strip_prefix('"').unwrap_or(&typed) } else { &typed };
            // Without suggestions the user can still type.
            let Ok(mut response) = api.field_values(&key, prefix).await else { return };
            // An empty text equals an untouched input, so it can't be picked.
            response.values.retain(|suggestion| !suggestion.value.is_empty());
            respond.try_run((typed, response.values));
        });
    }))
}
