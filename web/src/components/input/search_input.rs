//! Search input of a list, debounced while typing.

use std::time::Duration;

use leptos::prelude::*;

use crate::pause::Pause;

/// Debounce delay before the search starts.
const PAUSE: Duration = Duration::from_millis(300);

/// True if the text continues the same search. It then replaces the previous entry in the browser's history.
pub fn is_typed_on(before: &str, now: &str) -> bool {
    !before.is_empty() && !now.is_empty() && before != now
}

#[component]
pub fn SearchInput(
    label: &'static str,
    placeholder: &'static str,
    test: &'static str,
    /// Current search text.
    value: Signal<String>,
    set: Callback<String>,
) -> impl IntoView {
    let typed = RwSignal::new(value.get_untracked());
    let told = StoredValue::new(value.get_untracked());
    // Shows searches that come from elsewhere. A text reported by this input is skipped, because the user may have typed more since.
    Effect::new(move |_| {
        let value = value.get();
        if told.with_value(|told| *told != value) {
            told.set_value(value.clone());
            typed.set(value);
        }
    });
    let pause = Pause::new();
    let tell = move || {
        pause.end();
        if let Some(text) = typed.try_get_untracked().map(|typed| typed.trim().to_owned())
            && told.with_value(|told| *told != text)
        {
            told.set_value(text.clone());
            set.run(text);
        }
    };
    let on_input = move |text: String| {
        typed.set(text);
        pause.begin(PAUSE, tell);
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
            data-test=test
            prop:value=typed
            on:input:target=move |event| on_input(event.target().value())
            // Enter searches without delay.
            on:change=move |_| tell()
        />
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::is_typed_on;

    #[test]
    fn detects_continued_searches() {
        assert!(is_typed_on("be", "ber") && is_typed_on("ber", "be"));
        assert!(!is_typed_on("", "b") && !is_typed_on("b", "") && !is_typed_on("b", "b"));
    }
}
