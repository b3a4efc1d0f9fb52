//! Inputs of list filters. Changes apply immediately, except for searches, which start after a pause in typing.

use std::time::Duration;

use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::time;
use leptos::prelude::*;

use super::chip_picker::Choice;
use super::field::FieldDiagnostics;
use crate::api::ListQuery;
use crate::browser::scheduler::Debounce;
use crate::i18n::texts::filter;
use crate::i18n::{aria_invalid, datetime};
use crate::ui::{Glyph, Icon};

/// Values of a closed list as choices.
pub fn enum_choices<T: Copy>(values: &[T], name: fn(T) -> &'static str, label: fn(T) -> &'static str) -> Vec<Choice> {
    values.iter().map(|value| (name(*value).to_owned(), label(*value).to_owned())).collect()
}

/// Accessor for a member of a list's query.
pub type FieldAccessor<Q> = fn(&mut Q) -> &mut String;

/// Current value of a query member, and a callback that shows the list with a new value, from the first page.
pub fn query_field<Q: ListQuery>(
    query: Memo<Q>,
    on_change: Callback<Q>,
    accessor: FieldAccessor<Q>,
) -> (Signal<String>, Callback<String>) {
    let value = Signal::derive(move || accessor(&mut query.get()).clone());
    let set = Callback::new(move |value| {
        let mut query = query.get_untracked().first_page();
        *accessor(&mut query) = value;
        on_change.run(query);
    });
    (value, set)
}

/// Choice of one value from a list, or any.
#[component]
pub fn Select(
    label: &'static str,
    /// Label of the option for any value.
    empty_label: &'static str,
    /// Hides that option: a value has to be chosen.
    #[prop(optional)]
    is_required: bool,
    choices: Signal<Vec<Choice>>,
    #[prop(into)] value: Signal<String>,
    set: Callback<String>,
    /// Id, if a surrounding [`Field`](super::field::Field) has the label.
    #[prop(optional)]
    id: Option<&'static str>,
    /// Test id; the id by default.
    #[prop(optional)]
    test_id: Option<&'static str>,
    /// Diagnostics that the field shows.
    #[prop(optional)]
    diagnostics: Signal<Vec<Diagnostic>>,
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
            autofocus=is_required && id.is_some()
            aria-describedby=id.map(|id| format!("{id}-note"))
            aria-invalid=id.map(|_| aria_invalid(diagnostics))
            data-test=test_id.or(id)
            on:change:target=move |event| set.run(event.target().value())
        >
            <option value="" hidden=is_required selected=move || value.with(String::is_empty)>
                {empty_label}
            </option>
            {options}
        </select>
    }
    .into_any()
}

/// Timestamp input in local time, with the browser's own picker; the value is in UTC. Rejects implausible values with a
/// message below the input.
#[component]
pub fn DateTimeInput(
    label: &'static str,
    test_id: &'static str,
    diagnostics: Signal<Vec<Diagnostic>>,
    value: Signal<String>,
    set: Callback<String>,
) -> impl IntoView {
    view! {
        <label class="filter-datetime" title=move || exact_time_title(&value.get())>
            <span class="small secondary">{label}</span>
            // Typing a year passes through the years 2, 20 and 202, which must not trigger a search.
            <input
                class="input"
                type="datetime-local"
                min="1970-01-01T00:00"
                max="9999-12-31T23:59"
                step="any"
                data-test=test_id
                prop:value=move || datetime::filter_to_input(&value.get())
                on:change:target=move |event| {
                    let input = event.target();
                    if input.check_validity() {
                        set.run(datetime::filter_from_input(&input.value()));
                    }
                }
            />
            <p class="field-error invalid-value-note">{filter::invalid_date()}</p>
            <FieldDiagnostics diagnostics />
        </label>
    }
    .into_any()
}

/// Exact value of a filter timestamp, and the time zone it is entered in.
pub fn exact_time_title(text: &str) -> String {
    let zone = datetime::time_zone();
    match time::parse(text.trim()) {
        Ok(time) => filter::time_in_zone_with_exact(zone, datetime::format_exact(time)),
        Err(_) => filter::time_in_zone(zone),
    }
}

/// Additional filters next to the search. On a small screen they are behind a button that shows the number of active
/// filters.
#[component]
pub fn MoreFilters(id: &'static str, #[prop(into)] active_count: Signal<usize>, children: Children) -> impl IntoView {
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
            {move || match active_count.get() {
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

/// Number input. Rejects other text with a message below the input.
#[component]
pub fn NumberInput(
    label: &'static str,
    test_id: &'static str,
    /// Smallest accepted number.
    #[prop(default = "1")]
    min: &'static str,
    diagnostics: Signal<Vec<Diagnostic>>,
    value: Signal<String>,
    set: Callback<String>,
) -> impl IntoView {
    view! {
        <label class="filter-datetime">
            <span class="small secondary">{label}</span>
            <input
                class="input"
                type="number"
                min=min
                inputmode="numeric"
                placeholder=filter::any()
                data-test=test_id
                prop:value=value
                on:change:target=move |event| {
                    let input = event.target();
                    if input.check_validity() {
                        set.run(input.value());
                    }
                }
            />
            <p class="field-error invalid-value-note">{filter::invalid_number(min)}</p>
            <FieldDiagnostics diagnostics />
        </label>
    }
    .into_any()
}

/// Debounce delay before the search starts.
const DEBOUNCE_DELAY: Duration = Duration::from_millis(300);

/// True if the text continues the same search. It then replaces the previous entry in the browser's history.
pub fn continues_search(previous: &str, current: &str) -> bool {
    !previous.is_empty() && !current.is_empty() && previous != current
}

#[component]
pub fn SearchInput(
    label: &'static str,
    placeholder: &'static str,
    test_id: &'static str,
    /// Current search text.
    value: Signal<String>,
    set: Callback<String>,
) -> impl IntoView {
    let input = RwSignal::new(value.get_untracked());
    let reported = StoredValue::new(value.get_untracked());
    // Shows searches that come from elsewhere. A text reported by this input is skipped, because the user may have
    // typed more since.
    Effect::new(move |_| {
        let value = value.get();
        if reported.with_value(|reported| *reported != value) {
            reported.set_value(value.clone());
            input.set(value);
        }
    });
    let debounce = Debounce::new();
    let report = move || {
        debounce.cancel();
        if let Some(text) = input.try_get_untracked().map(|input| input.trim().to_owned())
            && reported.with_value(|reported| *reported != text)
        {
            reported.set_value(text.clone());
            set.run(text);
        }
    };
    let on_input = move |text: String| {
        input.set(text);
        debounce.schedule(DEBOUNCE_DELAY, report);
    };
    view! {
        <input
            class="input"
            type="search"
            autocapitalize="off"
            autocomplete="off"
            spellcheck="false"
            aria-label=label
            placeholder=placeholder
            data-test=test_id
            prop:value=input
            on:input:target=move |event| on_input(event.target().value())
            // Enter searches without delay.
            on:change=move |_| report()
        />
    }
}
