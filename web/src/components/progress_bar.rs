//! How much of a long work is done.

use leptos::prelude::*;

#[component]
pub fn ProgressBar(
    label: &'static str,
    /// 0 to 100.
    percent: u64,
) -> impl IntoView {
    view! {
        <div
            class="progress"
            role="progressbar"
            aria-label=label
            aria-valuemin="0"
            aria-valuemax="100"
            aria-valuenow=percent.to_string()
        >
            <div class="progress-bar" style:width=format!("{percent}%")></div>
        </div>
    }
}
