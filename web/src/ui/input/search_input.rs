//! Search input of a list, debounced while typing.

use std::time::Duration;

use leptos::prelude::*;

use crate::browser::debounce::Debounce;

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
    // Shows searches that come from elsewhere. A text reported by this input is skipped, because the user may have typed more since.
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
