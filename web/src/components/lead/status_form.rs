//! Form for a new or existing status of campaign leads.

use leadscribe_engine::api::LeadStatus;
use leptos::prelude::*;

use crate::attempt::Attempt;
use crate::components::dialog::CancelButton;
use crate::components::error_notice::ErrorNotice;
use crate::components::input::field::Field;
use crate::components::input::submit_button::SubmitButton;
use crate::focus;
use crate::spelling::plain;
use crate::texts::{common, forms};

/// Props of the form.
pub struct EditedStatus {
    /// The status to edit; `None` for a new one.
    pub status: Option<LeadStatus>,
    /// Names that are already in use.
    pub taken: Signal<Vec<String>>,
    pub attempt: Attempt,
    pub on_save: Callback<LeadStatus>,
    /// The surrounding dialog.
    pub open: RwSignal<bool>,
}

/// The form, for an open dialog.
pub fn status_form(EditedStatus { status, taken, attempt, on_save, open }: EditedStatus) -> AnyView {
    focus::into_dialog_soon();
    let is_new = status.is_none();
    let known = status.unwrap_or(LeadStatus { name: String::new(), label: String::new(), dialable: true });
    let label = RwSignal::new(known.label);
    let dialable = RwSignal::new(known.dialable);
    // The name follows the label until the user edits it.
    let typed_name = RwSignal::new(Some(known.name).filter(|_| !is_new));
    let name = Signal::derive(move || typed_name.get().unwrap_or_else(|| name_of(&label.get())));
    let is_taken = Signal::derive(move || is_new && taken.with(|taken| taken.contains(&name.get())));
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        on_save.run(LeadStatus {
            name: name.get_untracked(),
            label: label.get_untracked().trim().to_owned(),
            dialable: dialable.get_untracked(),
        });
    };
    let name_field = is_new.then(|| {
        view! {
            <Field
                id="status-name"
                label=forms::name()
                hint=forms::status_name_hint()
                faults=attempt.faults_at("name")
            >
                <input
                    id="status-name"
                    class="input mono"
                    required
                    maxlength="50"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby="status-name-note"
                    aria-invalid=move || is_taken.get().to_string()
                    data-test="status-name"
                    prop:value=name
                    on:input:target=move |event| typed_name.set(Some(event.target().value()))
                />
            </Field>
            <p class="field-fault" role="status" hidden=move || !is_taken.get()>
                {forms::status_is_taken()}
            </p>
        }
    });
    view! {
        <form class="dialog-form" on:input=move |_| attempt.clear() on:submit=submit>
            <div class="dialog-body">
                {move || attempt.refusal_beside(&["/label", "name"]).map(|error| view! { <ErrorNotice error /> })}
                <Field id="status-label" label=forms::label() hint=forms::label_hint() faults=attempt.faults_at("/label")>
                    <input
                        id="status-label"
                        class="input"
                        required
                        maxlength="100"
                        autofocus
                        autocomplete="off"
                        aria-describedby="status-label-note"
                        data-test="status-label"
                        bind:value=label
                    />
                </Field>
                {name_field}
                <label class="check">
                    <input class="checkbox" type="checkbox" data-test="status-dialable" bind:checked=dialable />
                    <span>
                        <span class="strong">{forms::may_be_called()}</span>
                        <span class="small secondary">{forms::may_be_called_hint()}</span>
                    </span>
                </label>
            </div>
            <footer class="dialog-foot">
                <CancelButton open busy=attempt.is_busy() />
                <SubmitButton busy=attempt.is_busy() disabled=is_taken test="save">
                    {common::save()}
                </SubmitButton>
            </footer>
        </form>
    }
    .into_any()
}

/// Derives a name from a label: `Call back later` becomes `call_back_later`.
fn name_of(label: &str) -> String {
    let mut name = String::new();
    for letter in plain(label.trim()).chars() {
        match letter {
            letter @ ('a'..='z' | '0'..='9') => name.push(letter),
            _ if !name.is_empty() && !name.ends_with('_') => name.push('_'),
            _ => {}
        }
    }
    name.truncate(50);
    name.trim_end_matches('_').to_owned()
}

#[cfg(test)]
mod tests {
    use super::name_of;

    #[test]
    fn derives_names_from_labels() {
        assert_eq!(name_of(" Call back, later! "), "call_back_later");
        assert_eq!(name_of("Später 2 Ça"), "spater_2_ca");
        assert_eq!(name_of("–"), "");
        // Vowel pairs such as "oe" are not umlauts here.
        assert_eq!(name_of("Does not answer"), "does_not_answer");
        assert_eq!(name_of("Neuer Termin"), "neuer_termin");
    }
}
