//! The button that sends a form.

use leptos::prelude::*;

/// The button; while what it sent is under way it turns and can't be pressed.
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
            disabled=move || busy.get() || disabled.get()
        >
            {move || busy.get().then(|| view! { <span class="spinner" aria-hidden="true"></span> })}
            {children()}
        </button>
    }
}
