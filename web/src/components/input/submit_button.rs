//! The button that sends a form.

use leptos::prelude::*;

/// The button; while what it sent is under way it turns and does nothing, but keeps the focus.
#[component]
pub fn SubmitButton(
    /// The id of its form, where it stands outside of it.
    #[prop(optional_no_strip)]
    form: Option<&'static str>,
    #[prop(optional, into)] busy: Signal<bool>,
    /// Whether it does nothing for now, though somebody may be at it still, as where all is saved.
    #[prop(optional, into)]
    held: Signal<bool>,
    #[prop(optional, into)] disabled: Signal<bool>,
    test: &'static str,
    children: Children,
) -> impl IntoView {
    let does_nothing = move || busy.get() || held.get();
    view! {
        <button
            type="submit"
            form=form
            class="button button-primary"
            data-test=test
            disabled=disabled
            aria-disabled=move || does_nothing().then_some("true")
            on:click=move |event| {
                // The second press of a double click was not meant for what the button has become by the first.
                if event.detail() > 1 || untrack(does_nothing) {
                    event.prevent_default();
                }
            }
        >
            {move || busy.get().then(|| view! { <span class="spinner" aria-hidden="true"></span> })}
            {children()}
        </button>
    }
}
