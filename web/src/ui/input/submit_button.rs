//! Submit button of a form.

use leptos::prelude::*;

/// The button. While the request is running it shows a spinner and does nothing, but keeps the focus.
#[component]
pub fn SubmitButton(
    /// Id of its form, if the button is outside of it.
    #[prop(optional_no_strip)]
    form: Option<&'static str>,
    #[prop(optional, into)] is_busy: Signal<bool>,
    /// True if the button does nothing for now but keeps the focus, for example when all is saved.
    #[prop(optional, into)]
    is_blocked: Signal<bool>,
    #[prop(optional, into)] disabled: Signal<bool>,
    #[prop(into)] label: Signal<String>,
    test_id: &'static str,
) -> impl IntoView {
    let is_inert = move || is_busy.get() || is_blocked.get();
    view! {
        <button
            type="submit"
            form=form
            class="button button-primary"
            data-test=test_id
            disabled=disabled
            aria-disabled=move || is_inert().then_some("true")
            on:click=move |event| {
                // Ignores the second click of a double click: it was not meant for the button's new action.
                if event.detail() > 1 || untrack(is_inert) {
                    event.prevent_default();
                }
            }
        >
            {move || is_busy.get().then(|| view! { <span class="spinner" aria-hidden="true"></span> })}
            {label}
        </button>
    }
}
