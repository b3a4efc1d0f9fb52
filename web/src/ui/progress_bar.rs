//! Progress bar of a long operation.

use leptos::prelude::*;

/// Completed share in percent, 0 to 100.
pub fn percent(completed: u64, total: u64) -> u64 {
    (completed * 100).checked_div(total).unwrap_or(100).min(100)
}

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
