//! Button for an action.

use leptos::prelude::*;

use crate::ui::{Glyph, Icon};

/// The button. While `is_busy` or `is_blocked`, it does nothing but keeps the focus, which a disabled button would lose.
#[component]
pub fn Button(
    /// Additional CSS classes.
    #[prop(optional)]
    class: &'static str,
    #[prop(optional)] glyph: Option<Glyph>,
    #[prop(into)] label: Signal<String>,
    #[prop(optional, into)] test_id: Option<String>,
    /// True while the button's own action is running; shows a spinner.
    #[prop(optional, into)]
    is_busy: Signal<bool>,
    #[prop(optional, into)] is_blocked: Signal<bool>,
    /// True if the action isn't available.
    #[prop(optional, into)]
    disabled: Signal<bool>,
    #[prop(into)] on_press: Callback<()>,
) -> impl IntoView {
    let is_inert = move || is_busy.get() || is_blocked.get();
    view! {
        <button
            type="button"
            class=format!("button {class}")
            data-test=test_id
            disabled=disabled
            aria-disabled=move || is_inert().then_some("true")
            on:click=move |_| {
                if !untrack(is_inert) {
                    on_press.run(());
                }
            }
        >
            {move || is_busy.get().then(|| view! { <span class="spinner" aria-hidden="true"></span> })}
            {glyph.map(|glyph| view! { <Icon glyph /> })}
            {label}
        </button>
    }
    .into_any()
}
