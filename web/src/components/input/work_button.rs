//! A button whose work takes a while.

use leptos::prelude::*;

/// The button. While it is held, as by its own work, it does nothing but keeps the focus, which one that is turned off would lose.
#[component]
pub fn WorkButton(
    #[prop(default = "button")] class: &'static str,
    /// Whether it does nothing for now, though somebody may be at it.
    #[prop(into)]
    held: Signal<bool>,
    /// Whether it can't do anything before something else is done.
    #[prop(optional, into)]
    disabled: Signal<bool>,
    test: &'static str,
    on_press: Callback<()>,
    children: Children,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class=class
            data-test=test
            disabled=disabled
            aria-disabled=move || held.get().then_some("true")
            on:click=move |_| {
                if !held.get_untracked() {
                    on_press.run(());
                }
            }
        >
            {children()}
        </button>
    }
    .into_any()
}
