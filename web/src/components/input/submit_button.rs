//! The button that sends a form.

use leptos::prelude::*;

/// The button; while what it sent is under way it turns and does nothing, but keeps the focus.
#[component]
pub fn SubmitButton(
    #[prop(optional, into)] busy: Signal<bool>,
    #[prop(optional, into)] disabled: Signal<bool>,
    test: &'static str,
    children: Children,
) -> impl IntoView {
    view! {
        <button
            type="submit"
            class="button button-primary"
            data-test=test
            disabled=disabled
            aria-disabled=move || busy.get().then_some("true")
            on:click=move |event| {
                if busy.get_untracked() {
                    event.prevent_default();
                }
            }
        >
            {move || busy.get().then(|| view! { <span class="spinner" aria-hidden="true"></span> })}
            {children()}
        </button>
    }
}
