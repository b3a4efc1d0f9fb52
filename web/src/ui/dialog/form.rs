//! Form in a dialog, with a button to cancel and one to submit.

use leptos::prelude::*;
use web_sys::SubmitEvent;

use super::CancelButton;
use crate::api::ApiError;
use crate::ui::ErrorNotice;
use crate::ui::input::SubmitButton;

/// The form; the children are its fields.
#[component]
pub fn DialogForm(
    /// The surrounding dialog.
    open: RwSignal<bool>,
    #[prop(optional)] is_busy: Signal<bool>,
    /// Error without the diagnostics that the inputs show themselves.
    #[prop(into)]
    error: Signal<Option<ApiError>>,
    #[prop(into)] on_submit: Callback<()>,
    /// Called when the user edits a field.
    #[prop(optional, into)]
    on_input: Option<Callback<()>>,
    #[prop(optional, into)] disabled: Signal<bool>,
    /// Label of the submit button, and its name in tests.
    #[prop(into)]
    label: Signal<String>,
    test_id: &'static str,
    /// True if the browser asks for missing fields.
    #[prop(optional)]
    has_required_fields: bool,
    /// Other actions, at the start of the footer.
    #[prop(optional)]
    other_actions: Option<AnyView>,
    children: Children,
) -> impl IntoView {
    let submit = move |event: SubmitEvent| {
        event.prevent_default();
        on_submit.run(());
    };
    let input = move |_| on_input.into_iter().for_each(|on_input| on_input.run(()));
    view! {
        <form class="dialog-form" novalidate=!has_required_fields on:input=input on:submit=submit>
            <div class="dialog-body">
                {move || error.get().map(|error| view! { <ErrorNotice error /> })}
                {children()}
            </div>
            <footer class="dialog-footer">
                {other_actions}
                <CancelButton open busy=is_busy />
                <SubmitButton label is_busy disabled test_id />
            </footer>
        </form>
    }
}
