//! What is to be known of a moment that is written, though nothing is wrong with it.

use leadscribe_engine::api::Timestamp;
use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::texts::forms as texts;
use crate::when;

/// The remark of the field of a moment until which a lead isn't called, where that is past.
#[component]
pub fn PastRemark(
    /// The moment, as RFC 3339 has it; what is none has no remark.
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
