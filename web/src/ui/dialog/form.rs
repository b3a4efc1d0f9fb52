//! Forms in a dialog, with buttons to cancel and submit: a general form, and a form for a name and optional further
//! fields.

use leptos::prelude::*;
use web_sys::SubmitEvent;

use super::CancelButton;
use crate::api::ApiError;
use crate::i18n::texts::common;
use crate::state::Mutation;
use crate::ui::ErrorNotice;
use crate::ui::input::{SubmitButton, TextField};

/// The form; the children are its fields.
#[component]
pub fn DialogForm(
    /// True while the surrounding dialog is open.
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
    /// Label of the submit button.
    #[prop(into)]
    label: Signal<String>,
    /// Test id of the submit button.
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

#[component]
pub fn NameForm(
    /// True while the surrounding dialog is open.
    open: RwSignal<bool>,
    hint: &'static str,
    action: &'static str,
    mutation: Mutation,
    /// True while the further fields can't be submitted.
    #[prop(optional, into)]
    disabled: Signal<bool>,
    /// Current name.
    #[prop(optional)]
    initial: String,
    on_submit: Callback<String>,
    /// JSON pointers of the members whose diagnostics `children` show, in addition to `/name`.
    #[prop(default = &[])]
    extra_pointers: &'static [&'static str],
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let name = RwSignal::new(initial);
    mutation.clear_error();
    let pointers = [&["/name"], extra_pointers].concat();
    view! {
        <DialogForm
            open
            is_busy=mutation.is_busy()
            error=Signal::derive(move || mutation.form_error(&pointers))
            on_submit=move |()| on_submit.run(name.get_untracked().trim().to_owned())
            on_input=move |()| mutation.clear_error()
            disabled
            label=action
            test_id="create"
            has_required_fields=true
        >
            <TextField
                id="new-name"
                label=common::name()
                hint
                is_required=true
                max_length="100"
                autofocus=true
                value=name
                set=move |value| name.set(value)
                diagnostics=mutation.diagnostics_at("/name")
            />
            {children.map(|children| children())}
        </DialogForm>
    }
}
