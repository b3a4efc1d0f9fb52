//! Form with a name and optional further fields.

use leptos::prelude::*;

use super::field::Field;
use super::submit_button::SubmitButton;
use crate::i18n::texts::common;
use crate::state::Mutation;
use crate::ui::ErrorNotice;
use crate::ui::dialog::CancelButton;

/// The form.
#[component]
pub fn NameForm(
    /// The surrounding dialog.
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
    let diagnostics = mutation.diagnostics_at("/name");
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        on_submit.run(name.get_untracked().trim().to_owned());
    };
    let pointers = [&["/name"], extra_pointers].concat();
    view! {
        <form class="dialog-form" on:input=move |_| mutation.clear_error() on:submit=submit>
            <div class="dialog-body">
                {move || mutation.form_error(&pointers).map(|error| view! { <ErrorNotice error /> })}
                <Field id="new-name" label=common::name() hint diagnostics>
                    <input
                        id="new-name"
                        class="input"
                        required
                        maxlength="100"
                        autofocus
                        autocomplete="off"
                        aria-describedby="new-name-note"
                        aria-invalid=move || (!diagnostics.with(Vec::is_empty)).to_string()
                        data-test="new-name"
                        bind:value=name
                    />
                </Field>
                {children.map(|children| children())}
            </div>
            <footer class="dialog-footer">
                <CancelButton open busy=mutation.is_busy() />
                <SubmitButton is_busy=mutation.is_busy() disabled test_id="create">
                    {action}
                </SubmitButton>
            </footer>
        </form>
    }
}
