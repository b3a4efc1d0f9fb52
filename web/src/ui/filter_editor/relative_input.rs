//! Value input of a condition with a relative date.

use leadscribe_engine::filter::fields::Kind;
use leptos::prelude::*;

use crate::i18n::relative_date::{MAX_COUNT, RelativeDate};
use crate::i18n::texts::filter;

/// Choice of the relative date, and its number if it has one.
#[component]
pub fn RelativeInput(
    kind: Kind,
    relative: Memo<Option<RelativeDate>>,
    on_choose: Callback<RelativeDate>,
) -> impl IntoView {
    let shape = Memo::new(move |_| relative.get().map(RelativeDate::pattern));
    let count = Memo::new(move |_| relative.get().and_then(RelativeDate::count));
    let has_count = Memo::new(move |_| count.get().is_some());
    let select_shape = move |shape: String| {
        let Some(new) = RelativeDate::ALL.into_iter().find(|candidate| candidate.pattern() == shape) else { return };
        // The number is kept when the unit stays days.
        let kept_count = relative
            .get_untracked()
            .and_then(RelativeDate::count)
            .filter(|_| !matches!(new, RelativeDate::LastHours(_)));
        on_choose.run(kept_count.map_or(new, |count| new.with_count(count)));
    };
    let set_count = move |input: web_sys::HtmlInputElement| {
        let count = input.value().parse::<u64>().ok().filter(|count| *count > 0);
        let count = count.map(|count| u32::try_from(count).unwrap_or(MAX_COUNT).min(MAX_COUNT));
        if let Some((relative, count)) = relative.get_untracked().zip(count) {
            on_choose.run(relative.with_count(count));
            // A number above the maximum is replaced by the maximum.
            if count == MAX_COUNT {
                input.set_value(&count.to_string());
            }
        }
    };
    let options = RelativeDate::ALL.into_iter().filter(|candidate| candidate.can_compare(kind)).map(|candidate| {
        view! {
            <option value=candidate.pattern() selected=move || shape.get() == Some(candidate.pattern())>
                {candidate.label()}
            </option>
        }
    });
    view! {
        <div class="line value-datetime">
            <select
                class="select"
                aria-label=filter::relative_date()
                data-test="relative"
                on:change:target=move |event| select_shape(event.target().value())
            >
                {options.collect_view()}
            </select>
            <Show when=move || has_count.get()>
                <input
                    class="input relative-count"
                    type="number"
                    inputmode="numeric"
                    min="1"
                    max=MAX_COUNT
                    required
                    aria-label=filter::how_many()
                    data-test="relative-count"
                    prop:value=move || count.get().map(|count| count.to_string())
                    on:input:target=move |event| set_count(event.target())
                    // Invalid input is reset to the current number.
                    on:change:target=move |event| {
                        let current = count.get_untracked().map(|count| count.to_string()).unwrap_or_default();
                        event.target().set_value(&current);
                    }
                />
            </Show>
        </div>
    }
}
