//! Timestamps: short as text, exact on hover.

use leadscribe_engine::api::Timestamp;
use leptos::prelude::*;

use crate::i18n::datetime;

/// A timestamp in the browser's time zone, or relative to now with `relative`.
#[component]
pub fn LocalTime(at: Timestamp, #[prop(optional)] relative: bool) -> impl IntoView {
    let format_time = move |relative| if relative { datetime::format_relative(at) } else { datetime::format_local(at) };
    let text = Signal::derive(move || format_time(relative));
    let title = Signal::derive(move || format!("{} ({})", datetime::format_exact(at), format_time(!relative)));
    view! { <time datetime=at.to_rfc3339() title=title class="nowrap">{text}</time> }
}

/// A timestamp that may be missing.
#[component]
pub fn OptionalLocalTime(
    at: Option<Timestamp>,
    #[prop(optional)] relative: bool,
    #[prop(default = "–")] placeholder: &'static str,
) -> impl IntoView {
    match at {
        Some(at) => view! { <LocalTime at relative /> }.into_any(),
        None => view! { <span class="muted">{placeholder}</span> }.into_any(),
    }
}
