//! A form that asks for a name, with more fields below it where they are given.

use leptos::prelude::*;

use super::field::Field;
use super::submit_button::SubmitButton;
use crate::attempt::Attempt;
use crate::components::dialog::CancelButton;
use crate::components::error_notice::ErrorNotice;
use crate::texts::forms;

/// The form.
#[component]
pub fn NameForm(
    /// The dialog that it stands in.
    open: RwSignal<bool>,
    hint: &'static str,
    action: &'static str,
    attempt: Attempt,
    /// While what stands below can't be sent.
    #[prop(optional, into)]
    disabled: Signal<bool>,
    /// The name as it is.
    #[prop(optional)]
    initial: String,
    on_submit: Callback<String>,
    /// The members of the body, beside the name, whose faults are shown below.
    #[prop(default = &[])]
    more: &'static [&'static str],
    #[prop(optional)] children: Option<Children>,
) -> impl IntoView {
    let name = RwSignal::new(initial);
    let faults = attempt.faults_at("/name");
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        on_submit.run(name.get_untracked().trim().to_owned());
    };
    let shown = [&["/name"], more].concat();
    view! {
        <form class="dialog-form" on:input=move |_| attempt.clear() on:submit=submit>
            <div class="dialog-body">
                {move || attempt.refusal_beside(&shown).map(|error| view! { <ErrorNotice error /> })}
                <Field id="new-name" label=forms::name() hint=hint faults=faults>
                    <input
                        id="new-name"
                        class="input"
                        required
                        maxlength="100"
                        autofocus
                        autocomplete="off"
                        aria-describedby="new-name-note"
                        aria-invalid=move || (!faults.with(Vec::is_empty)).to_string()
                        data-test="new-name"
                        bind:value=name
                    />
                </Field>
                {children.map(|children| children())}
            </div>
            <footer class="dialog-foot">
                <CancelButton open busy=attempt.is_busy() />
                <SubmitButton busy=attempt.is_busy() disabled test="create">
                    {action}
                </SubmitButton>
            </footer>
        </form>
    }
}
