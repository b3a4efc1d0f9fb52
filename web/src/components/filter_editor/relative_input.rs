//! Value input of a condition with a relative date.

use leadscribe_engine::filter::fields::Kind;
use leptos::prelude::*;

use crate::relative::{MOST, Relative};
use crate::texts::filter;

/// Choice of the relative date, and its number if it has one.
#[component]
pub fn RelativeInput(kind: Kind, relative: Memo<Option<Relative>>, choose: Callback<Relative>) -> impl IntoView {
    let shape = Memo::new(move |_| relative.get().map(Relative::shape));
    let count = Memo::new(move |_| relative.get().and_then(Relative::count));
    let has_count = Memo::new(move |_| count.get().is_some());
    let pick = move |shape: String| {
        let Some(new) = Relative::ALL.into_iter().find(|one| one.shape() == shape) else { return };
        // The number is kept when the unit stays days.
        let kept =
            relative.get_untracked().and_then(Relative::count).filter(|_| !matches!(new, Relative::LastHours(_)));
        choose.run(kept.map_or(new, |count| new.with_count(count)));
    };
    let number = move |input: web_sys::HtmlInputElement| {
        let count = input.value().parse::<u64>().ok().filter(|count| *count > 0);
        let count = count.map(|count| u32::try_from(count).unwrap_or(MOST).min(MOST));
        if let Some((relative, count)) = relative.get_untracked().zip(count) {
            choose.run(relative.with_count(count));
            // A number above the maximum is replaced by the maximum.
            if count == MOST {
                input.set_value(&count.to_string());
            }
        }
    };
    let options = Relative::ALL.into_iter().filter(|one| one.fits(kind)).map(|one| {
        view! {
            <option value=one.shape() selected=move || shape.get() == Some(one.shape())>
                {one.label()}
            </option>
        }
    });
    view! {
        <div class="value-moment">
            <select
                class="select"
                aria-label=filter::relative_date()
                data-test="relative"
                on:change:target=move |event| pick(event.target().value())
            >
                {options.collect_view()}
            </select>
            <Show when=move || has_count.get()>
                <input
                    class="input relative-count"
                    type="number"
                    inputmode="numeric"
                    min="1"
                    max=MOST
                    required
                    aria-label=filter::how_many()
                    data-test="relative-count"
                    prop:value=move || count.get().map(|count| count.to_string())
                    on:input:target=move |event| number(event.target())
                    // Invalid input is reset to the current number.
                    on:change:target=move |event| {
                        let held = count.get_untracked().map(|count| count.to_string()).unwrap_or_default();
                        event.target().set_value(&held);
                    }
                />
            </Show>
        </div>
    }
}
