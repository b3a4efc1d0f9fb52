//! Form with a name and optional further fields.

use leptos::prelude::*;

use super::field::TextField;
use crate::i18n::texts::common;
use crate::state::Mutation;
use crate::ui::dialog::DialogForm;

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
