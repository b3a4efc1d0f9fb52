//! Timestamp values: entered and shown in local time, stored in UTC. The UTC value is shown on hover.

use leadscribe_engine::time;
use leptos::prelude::*;

use crate::i18n::datetime;
use crate::i18n::texts::filter;
use crate::ui::icon::{Glyph, Icon};
use crate::ui::input::chip_picker::Chips;
use crate::ui::input::filter_inputs::exact_time_title;

/// Input of one timestamp.
#[component]
pub fn DateTimeValueInput(values: Signal<Vec<String>>, set: Callback<Vec<String>>) -> impl IntoView {
    let value = Signal::derive(move || values.with(|values| values.first().cloned().unwrap_or_default()));
    let set = Callback::new(move |value| set.run(vec![value]));
    view! { <div class="value-datetime">{input(value, set, filter::value())}</div> }.into_any()
}

/// Input of several timestamps, shown as chips. Enter or leaving the input adds one.
#[component]
pub fn DateTimeListInput(values: Signal<Vec<String>>, set: Callback<Vec<String>>, multiple: bool) -> impl IntoView {
    let is_list_requested = RwSignal::new(multiple);
    let is_list = Memo::new(move |previous: Option<&bool>| {
        previous == Some(&true) || is_list_requested.get() || values.with(|values| values.len() > 1)
    });
    let draft = RwSignal::new(String::new());
    let commit = move || {
        let new = draft.get_untracked();
        if !new.is_empty() {
            set.run(values.get_untracked().into_iter().filter(|value| !value.is_empty()).chain([new]).collect());
            draft.set(String::new());
        }
    };
    let on_key = move |event: web_sys::KeyboardEvent| {
        if event.key() == "Enter" && !event.ctrl_key() && !event.meta_key() {
            event.prevent_default();
            commit();
        }
    };
    let label = |value: &str| time::parse(value).map_or_else(|_| value.to_owned(), datetime::describe_local);
    let content = move || {
        if !is_list.get() {
            return view! {
                <DateTimeValueInput values set />
                <button
                    type="button"
                    class="button button-plain button-icon"
                    aria-label=filter::add_value()
                    title=filter::add_value()
                    on:click=move |_| is_list_requested.set(true)
                >
                    <Icon glyph=Glyph::Plus />
                </button>
            }
            .into_any();
        }
        let add = input(draft.into(), Callback::new(move |value| draft.set(value)), filter::add_value_by_enter());
        view! {
            <Chips values set label />
            <div on:keydown=on_key on:focusout=move |_| commit()>
                {add}
            </div>
        }
        .into_any()
    };
    view! { <div class="value-list">{content}</div> }.into_any()
}

fn input(value: Signal<String>, set: Callback<String>, label: &'static str) -> AnyView {
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
