//! Timestamps: short as text, exact on hover.

use leadscribe_engine::api::Timestamp;
use leptos::prelude::*;

use crate::when;

/// A timestamp in the browser's time zone, or relative to now with `relative`.
#[component]
pub fn Moment(at: Timestamp, #[prop(optional)] relative: bool) -> impl IntoView {
    let told = move |relative| if relative { when::relative(at) } else { when::local(at) };
    let text = Signal::derive(move || told(relative));
    let title = Signal::derive(move || format!("{} ({})", when::exact(at), told(!relative)));
    view! { <time datetime=at.to_rfc3339() title=title class="nowrap">{text}</time> }
}

/// A timestamp that may be missing.
#[component]
pub fn MaybeMoment(
    at: Option<Timestamp>,
    #[prop(optional)] relative: bool,
    #[prop(default = "–")] none: &'static str,
) -> impl IntoView {
    match at {
        Some(at) => view! { <Moment at relative /> }.into_any(),
        None => view! { <span class="muted">{none}</span> }.into_any(),
    }
}
