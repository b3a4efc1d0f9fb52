//! What filters of lists are made of. What is changed shows at once.

use leadscribe_engine::fault::Fault;
use leadscribe_engine::time;
use leptos::prelude::*;

use super::chip_picker::Choice;
use super::field::FieldFaults;
use crate::api::ListQuery;
use crate::components::icon::{Glyph, Icon};
use crate::texts::filter;
use crate::when;

/// Names of a closed list, as choices.
pub fn named<T: Copy>(all: &[T], name: fn(T) -> &'static str, label: fn(T) -> &'static str) -> Vec<Choice> {
    all.iter().map(|one| (name(*one).to_owned(), label(*one).to_owned())).collect()
}

/// Where a member of the query of a list is written.
pub type Member<Q> = fn(&mut Q) -> &mut String;

/// What stands in a member of the query, and what shows the list with another value in it, from its first part.
pub fn input_of<Q: ListQuery>(
    wanted: Memo<Q>,
    on_change: Callback<Q>,
    member: Member<Q>,
) -> (Signal<String>, Callback<String>) {
    let value = Signal::derive(move || member(&mut wanted.get()).clone());
    let set = Callback::new(move |value| {
        let mut query = wanted.get_untracked().first_part();
        *member(&mut query) = value;
        on_change.run(query);
    });
    (value, set)
}

/// One value out of a list, or any.
#[component]
pub fn Pick(
    label: &'static str,
    /// How it reads when any value is taken.
    none: &'static str,
    choices: Signal<Vec<Choice>>,
    #[prop(into)] value: Signal<String>,
    set: Callback<String>,
    /// The id, where a [`Field`](super::field::Field) outside has the label.
    #[prop(optional)]
    id: Option<&'static str>,
) -> impl IntoView {
    let value = Memo::new(move |_| value.get());
    let options = move || {
        let options = choices.get().into_iter().map(|(name, text)| {
            let is_selected = {
                let name = name.clone();
                move || value.with(|value| *value == name)
            };
            view! {
                <option value=name selected=is_selected>
                    {text}
                </option>
            }
        });
        options.collect_view()
    };
    view! {
        <select
            id=id
            class="select"
            aria-label=id.is_none().then_some(label)
            aria-describedby=id.map(|id| format!("{id}-note"))
            data-test=id
            class:is-set=move || !value.with(String::is_empty)
            on:change:target=move |event| set.run(event.target().value())
        >
            <option value="" selected=move || value.with(String::is_empty)>
                {none}
            </option>
            {options}
        </select>
    }
    .into_any()
}

/// A moment, typed by the clock of who sits there in the browser's own picker, and told in UTC. One that can't be meant is not
/// taken, which is told below it.
#[component]
pub fn MomentInput(
    label: &'static str,
    test: &'static str,
    faults: Signal<Vec<Fault>>,
    value: Signal<String>,
    set: Callback<String>,
) -> impl IntoView {
    view! {
        <label class="filter-moment" title=move || exact_moment(&value.get())>
            <span class="small secondary">{label}</span>
            // Whoever types a year passes the years 2, 20 and 202: too early to be looked for.
            <input
                class="input"
                type="datetime-local"
                min="1970-01-01T00:00"
                max="9999-12-31T23:59"
                step="any"
                data-test=test
                prop:value=move || when::filter_to_input(&value.get())
                on:change:target=move |event| {
                    let input = event.target();
                    if input.check_validity() {
                        set.run(when::filter_from_input(&input.value()));
                    }
                }
            />
            <p class="field-fault not-taken">{filter::not_a_moment()}</p>
            <FieldFaults faults />
        </label>
    }
    .into_any()
}

/// What a moment of a filter is exactly, and by which clock it is typed.
pub fn exact_moment(text: &str) -> String {
    let zone = when::time_zone();
    match time::parse(text.trim()) {
        Ok(at) => filter::in_zone_and_exactly(zone, when::exact(at)),
        Err(_) => filter::by_clock_of(zone),
    }
}

/// What narrows a list beside a search; on a small screen behind a button that says how many conditions are set.
#[component]
pub fn MoreFilters(id: &'static str, #[prop(into)] set: Signal<usize>, children: Children) -> impl IntoView {
    let is_open = RwSignal::new(false);
    view! {
        <button
            type="button"
            class="button button-small more-filters"
            aria-expanded=move || is_open.get().to_string()
            aria-controls=id
            data-test="more-filters"
            on:click=move |_| is_open.update(|open| *open = !*open)
        >
            <Icon glyph=Glyph::Filter />
            {move || match set.get() {
                0 => filter::filters().to_owned(),
                count => filter::filters_set(count),
            }}
        </button>
        <div id=id class="call-filter" class:is-open=is_open>
            {children()}
        </div>
    }
    .into_any()
}

/// A number; what is none is not taken, which is told below it.
#[component]
pub fn NumberInput(
    label: &'static str,
    test: &'static str,
    /// The least that is taken.
    #[prop(default = "1")]
    min: &'static str,
    faults: Signal<Vec<Fault>>,
    value: Signal<String>,
    set: Callback<String>,
) -> impl IntoView {
    view! {
        <label class="filter-moment">
            <span class="small secondary">{label}</span>
            <input
                class="input"
                type="number"
                min=min
                inputmode="numeric"
                placeholder=filter::any()
                data-test=test
                prop:value=value
                on:change:target=move |event| {
                    let input = event.target();
                    if input.check_validity() {
                        set.run(input.value());
                    }
                }
            />
            <p class="field-fault not-taken">{filter::not_a_number_from(min)}</p>
            <FieldFaults faults />
        </label>
    }
    .into_any()
}
