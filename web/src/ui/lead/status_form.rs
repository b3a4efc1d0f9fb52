//! Form for a new or existing status of campaign leads, and the choice of the status that leads get in a campaign.

use leadscribe_engine::api::LeadStatus;
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::record::DEFAULT_STATUS;
use leptos::prelude::*;

use crate::browser::focus;
use crate::i18n::text_normalization::normalize;
use crate::i18n::texts::{common, settings};
use crate::state::Mutation;
use crate::ui::dialog::DialogForm;
use crate::ui::filter_editor::Names;
use crate::ui::input::{Field, SelectField, TextField};
use crate::ui::lazy_view::lazy_view;

lazy_view!(dialogs: pub fn status_editor(StatusFormProps) = StatusForm);

/// The form, for an open dialog.
#[component]
pub fn StatusForm(
    /// The status to edit; `None` for a new one.
    status: Option<LeadStatus>,
    /// Names that are already in use.
    existing_names: Signal<Vec<String>>,
    mutation: Mutation,
    on_save: Callback<LeadStatus>,
    /// True while the surrounding dialog is open.
    open: RwSignal<bool>,
) -> impl IntoView {
    focus::focus_dialog_after_render();
    let is_new = status.is_none();
    let initial = status.unwrap_or(LeadStatus { name: String::new(), label: String::new(), dialable: true });
    let label = RwSignal::new(initial.label);
    let dialable = RwSignal::new(initial.dialable);
    // The name follows the label until the user edits it.
    let custom_name = RwSignal::new(Some(initial.name).filter(|_| !is_new));
    let name = Signal::derive(move || custom_name.get().unwrap_or_else(|| slugify(&label.get())));
    let is_taken =
        Signal::derive(move || is_new && existing_names.with(|existing_names| existing_names.contains(&name.get())));
    let on_submit = move |()| {
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
                label=common::name()
                hint=common::status_name_hint()
                diagnostics=mutation.diagnostics_at("name")
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
                    on:input:target=move |event| custom_name.set(Some(event.target().value()))
                />
            </Field>
            <p class="field-error" role="status" hidden=move || !is_taken.get()>
                {common::status_is_taken()}
            </p>
        }
    });
    view! {
        <DialogForm
            open
            is_busy=mutation.is_busy()
            error=move || mutation.form_error(&["/label", "name"])
            on_submit
            on_input=move |()| mutation.clear_error()
            disabled=is_taken
            label=if is_new { settings::create_status() } else { common::save() }
            test_id="save"
            has_required_fields=true
        >
            <TextField
                id="status-label"
                label=common::label()
                hint=common::label_hint()
                is_required=true
                max_length="100"
                autofocus=true
                value=label
                set=move |value| label.set(value)
                diagnostics=mutation.diagnostics_at("/label")
            />
            {name_field}
            <label class="check">
                <input class="checkbox" type="checkbox" data-test="status-dialable" bind:checked=dialable />
                <span>
                    <span class="strong">{common::may_be_called()}</span>
                    <span class="small secondary">{common::may_be_called_hint()}</span>
                </span>
            </label>
        </DialogForm>
    }
}

/// Derives a name from a label: `Call back later` becomes `call_back_later`.
fn slugify(label: &str) -> String {
    let mut name = String::new();
    for c in normalize(label.trim()).chars() {
        match c {
            c @ ('a'..='z' | '0'..='9') => name.push(c),
            _ if !name.is_empty() && !name.ends_with('_') => name.push('_'),
            _ => {}
        }
    }
    name.truncate(50);
    name.trim_end_matches('_').to_owned()
}

/// True if the initial status must be chosen explicitly, because the default status was deleted.
pub fn requires_initial_status(names: &Names) -> bool {
    !names.statuses.is_empty() && names.statuses.iter().all(|status| status.name != DEFAULT_STATUS)
}

/// Select for the status; initially empty.
#[component]
pub fn StatusChoice(
    id: &'static str,
    names: Signal<Names>,
    set: Callback<String>,
    diagnostics: Signal<Vec<Diagnostic>>,
) -> impl IntoView {
    let choices = Signal::derive(move || names.with(Names::status_choices));
    view! { <SelectField id label=common::status() empty_label=common::choose() is_required=true choices set diagnostics /> }
}

#[cfg(test)]
mod tests {
    use crate::ui::lead::status_form::slugify;

    #[test]
    fn derives_names_from_labels() {
        assert_eq!(slugify(" Call back, later! "), "call_back_later");
        assert_eq!(slugify("Später 2 Ça"), "spater_2_ca");
        assert_eq!(slugify("–"), "");
        // Vowel pairs such as "oe" are not umlauts here.
        assert_eq!(slugify("Does not answer"), "does_not_answer");
        assert_eq!(slugify("Neuer Termin"), "neuer_termin");
    }
}
