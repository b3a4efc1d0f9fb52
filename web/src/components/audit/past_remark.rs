//! Remark at a date field whose value is valid but in the past.

use leadscribe_engine::api::Timestamp;
use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::texts::forms as texts;
use crate::when;

/// Shown if the time until which a lead isn't called has passed.
#[component]
pub fn PastRemark(
    /// The timestamp as RFC 3339. Text that can't be parsed has no remark.
    #[prop(into)]
    moment: Signal<String>,
) -> impl IntoView {
    let is_past = Memo::new(move |_| moment.with(|text| text.parse::<Timestamp>().is_ok_and(when::is_past)));
    let remark = move || {
        view! {
            <p class="field-remark" data-test="remark">
                <Icon glyph=Glyph::Info />
                <span>{texts::time_is_past()}</span>
            </p>
        }
    };
    (move || is_past.get().then(remark)).into_any()
}
