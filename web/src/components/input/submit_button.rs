//! Submit button of a form.

use leptos::prelude::*;

/// The button. While the request is running it shows a spinner and does nothing, but keeps the focus.
#[component]
pub fn SubmitButton(
    /// Id of its form, if the button is outside of it.
    #[prop(optional_no_strip)]
    form: Option<&'static str>,
    #[prop(optional, into)] busy: Signal<bool>,
    /// True if the button does nothing for now but keeps the focus, for example when all is saved.
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
                // Ignores the second click of a double click: it was not meant for the button's new action.
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
