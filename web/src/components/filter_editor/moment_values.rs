//! Timestamp values: entered and shown in local time, stored in UTC. The UTC value is shown on hover.

use leadscribe_engine::time;
use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::components::input::chip_picker::Chips;
use crate::components::input::filter_inputs::exact_moment;
use crate::texts::filter;
use crate::when;

/// Input of one timestamp.
#[component]
pub fn MomentInput(values: Signal<Vec<String>>, set: Callback<Vec<String>>) -> impl IntoView {
    let value = Signal::derive(move || values.with(|values| values.first().cloned().unwrap_or_default()));
    let set = Callback::new(move |value| set.run(vec![value]));
    view! { <div class="value-moment">{input(value, set, filter::value())}</div> }.into_any()
}

/// Input of several timestamps, shown as chips. Enter or leaving the input adds one.
#[component]
pub fn MomentList(values: Signal<Vec<String>>, set: Callback<Vec<String>>, many: bool) -> impl IntoView {
    let wanted = RwSignal::new(many);
    let several = Memo::new(move |before: Option<&bool>| {
        before == Some(&true) || wanted.get() || values.with(|values| values.len() > 1)
    });
    let draft = RwSignal::new(String::new());
    let take = move || {
        let new = draft.get_untracked();
        if !new.is_empty() {
            set.run(values.get_untracked().into_iter().filter(|value| !value.is_empty()).chain([new]).collect());
            draft.set(String::new());
        }
    };
    let on_key = move |event: web_sys::KeyboardEvent| {
        if event.key() == "Enter" && !event.ctrl_key() && !event.meta_key() {
            event.prevent_default();
            take();
        }
    };
    let label = |value: &str| time::parse(value).map_or_else(|_| value.to_owned(), when::local_in_words);
    let shown = move || {
        if !several.get() {
            return view! {
                <MomentInput values set />
                <button
                    type="button"
                    class="button button-plain button-icon"
                    aria-label=filter::more_values()
                    title=filter::more_values()
                    on:click=move |_| wanted.set(true)
                >
                    <Icon glyph=Glyph::Plus />
                </button>
            }
            .into_any();
        }
        let add = input(draft.into(), Callback::new(move |value| draft.set(value)), filter::add_value_by_enter());
        view! {
            <Chips values set label />
            <div on:keydown=on_key on:focusout=move |_| take()>
                {add}
            </div>
        }
        .into_any()
    };
    view! { <div class="value-list">{shown}</div> }.into_any()
}

fn input(value: Signal<String>, set: Callback<String>, label: &'static str) -> AnyView {
    view! {
        <input
            class="input"
            type="datetime-local"
            step="1"
            aria-label=label
            title=move || exact_moment(&value.get())
            data-test="value"
            prop:value=move || when::filter_to_input(&value.get())
            on:input:target=move |event| set.run(when::filter_from_input(&event.target().value()))
        />
    }
    .into_any()
}
