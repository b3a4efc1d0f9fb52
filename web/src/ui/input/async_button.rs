//! Button for an action that takes time.

use leptos::prelude::*;

/// The button. While `is_blocked`, for example by its own action, it does nothing but keeps the focus, which a disabled button would lose.
#[component]
pub fn AsyncButton(
    #[prop(default = "button")] class: &'static str,
    /// True if the button does nothing for now but keeps the focus.
    #[prop(into)]
    is_blocked: Signal<bool>,
    /// True if the action isn't available.
    #[prop(optional, into)]
    disabled: Signal<bool>,
    test_id: &'static str,
    on_press: Callback<()>,
    children: Children,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class=class
            data-test=test_id
            disabled=disabled
            aria-disabled=move || is_blocked.get().then_some("true")
            on:click=move |_| {
                if !is_blocked.get_untracked() {
                    on_press.run(());
                }
            }
        >
            {children()}
        </button>
    }
}
