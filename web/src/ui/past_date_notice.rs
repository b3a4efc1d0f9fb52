//! Note at a date field whose value is valid but in the past.

use leadscribe_engine::api::Timestamp;
use leptos::prelude::*;

use crate::i18n::datetime;
use crate::i18n::texts::forms as texts;
use crate::ui::{Glyph, Icon};

/// Shown if the time until which a lead isn't called has passed.
#[component]
pub fn PastDateNotice(
    /// The timestamp as RFC 3339. Text that can't be parsed has no note.
    #[prop(into)]
    timestamp: Signal<String>,
) -> impl IntoView {
    let is_past = Memo::new(move |_| timestamp.with(|text| text.parse::<Timestamp>().is_ok_and(datetime::is_past)));
    let notice = move || {
        view! {
            <p class="field-note" data-test="past-date-notice">
                <Icon glyph=Glyph::Info />
                <span>{texts::time_in_past()}</span>
            </p>
        }
    };
    (move || is_past.get().then(notice)).into_any()
}
