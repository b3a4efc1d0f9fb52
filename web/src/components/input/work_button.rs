//! Button for an action that takes time.

use leptos::prelude::*;

/// The button. While `held`, for example by its own action, it does nothing but keeps the focus, which a disabled button would lose.
#[component]
pub fn WorkButton(
    #[prop(default = "button")] class: &'static str,
    /// True if the button does nothing for now but keeps the focus.
    #[prop(into)]
    held: Signal<bool>,
    /// True if the action isn't available.
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
