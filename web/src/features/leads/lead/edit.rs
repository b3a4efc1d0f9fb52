//! Form for the fields of a lead, and `/leads/new` for a new one. The engine checks the input while the user types; a
//! change is shown immediately when it is sent. The form of an existing lead is loaded on demand.

use leadscribe_engine::api::{ExtendedLead, Lead};
use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, FieldId, find};
use leadscribe_engine::record::{LeadRecord, WriteMode, lead_cell};
use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use super::lead_fields::EDIT_LINK_ID;
use crate::api::{ApiResult, use_api, use_session};
use crate::browser::focus::{focus_after_render, focused_element};
use crate::features::leads::draft::LeadDraft;
use crate::features::leads::form::{LeadForm, fields, form_error, input_id, lead_form_state};
use crate::i18n::field_label;
use crate::i18n::texts::{common, lead as texts};
use crate::state::{ApiResource, EditConflict, FormState, use_toasts};
use crate::ui::input::SubmitButton;
use crate::ui::lazy_view::lazy_view;
use crate::ui::lead::table::{custom_text, lead_text};
use crate::ui::{EditConflictNotice, EmptyState, ErrorNotice, Glyph, PageHeader, UnsavedChangesGuard, save_label};

/// An edit of a lead. It outlives the form: if the server refuses the change, the form opens again with the edit.
#[derive(Clone)]
pub struct LeadEdit {
    /// The lead when the form was opened.
    base: StoredValue<Lead>,
    draft: LeadDraft,
    form_state: FormState,
    edit_conflict: EditConflict<Lead>,
}

impl LeadEdit {
    pub fn new(lead: Lead) -> Self {
        let draft = LeadDraft::new(Some(&lead), fields());
        let form_state = lead_form_state(draft, WriteMode::Update);
        Self { base: StoredValue::new(lead), draft, form_state, edit_conflict: EditConflict::none() }
    }
}

fn describe_field(lead: &Lead, name: &str) -> String {
    let (label, value) = match find(name) {
        Some(field) => {
            let cell = lead_cell(lead, field.id);
            (field_label(field.id), cell.map(|cell| lead_text(field.id, cell.into_owned())))
        }
        None => {
            let name = name.strip_prefix(CUSTOM_PREFIX).unwrap_or(name);
            (name, lead.custom_fields.get(name).map(custom_text))
        }
    };
    common::field_is_now(label, value.as_deref().unwrap_or("–"))
}

lazy_view!(dialogs: pub fn lead_editor(LeadEditFormProps) = LeadEditForm);

/// The form. When the change is sent, it is shown immediately and the form is closed. If it is refused, the form is
/// opened again.
#[component]
pub fn LeadEditForm(
    lead: ApiResource<ExtendedLead>,
    lead_edit: LeadEdit,
    /// Called when the lead has changed on the server: by this edit, by its undo, or by another session.
    on_change: Callback<()>,
    on_close: Callback<()>,
    on_rejected: Callback<LeadEdit>,
) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let LeadEdit { draft, form_state, edit_conflict, .. } = lead_edit.clone();
    // The other session's version becomes the base, so the user's value counts as a change even if it is the original
    // one.
    if let Some(current) = edit_conflict.current() {
        draft.rebase(&current);
    }
    let is_conflict_shown = lead_edit.edit_conflict.is_unconfirmed();
    let conflicts = edit_conflict.lines(describe_field);
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let Some(change) = form_state.valid_body() else { return };
        let Ok(record) = LeadRecord::from_json(&change, WriteMode::Update) else { return };
        let (lead_edit, edit_conflict) = (lead_edit.clone(), edit_conflict.clone());
        let base = edit_conflict.current().unwrap_or_else(|| lead_edit.base.get_value());
        // The result is shown even if the page was closed.
        let save = async move {
            let saved = edit_conflict.save(api, base, change).await?;
            saved.offer_undo(api, toasts, texts::is_saved().to_owned(), on_change);
            Ok(saved.current)
        };
        let on_settled = move |outcome: ApiResult<()>| {
            let Err(error) = outcome else {
                on_change.try_run(());
                return;
            };
            // The form shows the conflict itself.
            if lead_edit.edit_conflict.is_unconfirmed() {
                on_change.try_run(());
            } else {
                form_state.mutation.set_error(error.clone());
            }
            // If the page was closed, there is no form to show the error in.
            if on_rejected.try_run(lead_edit).is_none() {
                toasts.show_error(&error);
            }
        };
        on_close.run(());
        let on_success = |lead: &mut ExtendedLead, saved| lead.lead = saved;
        let apply_record = move |lead: &mut ExtendedLead| {
            record.apply(&mut lead.lead);
            // The server derives the normalized number from the new one. Until then the old value would be wrong.
            if record.phone.is_some() && record.phone_normalized.is_none() {
                lead.lead.phone_normalized = None;
            }
            if record.phone2.is_some() && record.phone_normalized2.is_none() {
                lead.lead.phone_normalized2 = None;
            }
        };
        lead.update_optimistically(apply_record, save, on_success, on_settled);
    };
    let has_unsaved_changes = Signal::derive(move || form_state.is_edited());
    // Moves the focus into the form if the user hasn't moved it. A conflict notice takes the focus itself.
    if !is_conflict_shown && focused_element().is_none_or(|focused| focused.id() == EDIT_LINK_ID) {
        focus_after_render(input_id(FieldId::FirstName));
    }
    view! {
        <form class="lead-form" novalidate data-test="lead-form" on:submit=submit>
            <div class="card-body stack">
                <LeadForm draft diagnostics=form_state.diagnostics() />
            </div>
            <footer class="row lead-form-footer">
                <EditConflictNotice conflicts />
                {move || form_error(form_state.mutation).map(|error| view! { <ErrorNotice error /> })}
                <p class="small secondary" aria-live="polite">
                    {move || match (has_unsaved_changes.get(), form_state.is_invalid()) {
                        (false, _) => texts::no_changes_to_save(),
                        (true, false) => texts::not_saved(),
                        (true, true) => common::fix_highlighted_fields(),
                    }}
                </p>
                <button type="button" class="button" data-test="discard" on:click=move |_| on_close.run(())>
                    {move || if has_unsaved_changes.get() { common::discard() } else { common::cancel() }}
                </button>
                <SubmitButton
                    label=move || save_label(conflicts)
                    disabled=form_state.is_submit_disabled()
                    test_id="save-lead"
                />
            </footer>
        </form>
        <UnsavedChangesGuard has_unsaved_changes />
    }
}

#[component]
pub fn NewLeadPage() -> impl IntoView {
    let session = use_session();
    let body = move || {
        if session.can_write() {
            view! { <NewLead /> }.into_any()
        } else {
            view! { <EmptyState glyph=Glyph::Leads title=texts::role_cannot_create() text=common::ask_for_access() /> }
                .into_any()
        }
    };
    view! {
        <PageHeader title=common::new_lead() back=("/leads", common::all_leads()) />
        {body}
    }
}

#[component]
fn NewLead() -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let draft = LeadDraft::new(None, fields());
    let form_state = lead_form_state(draft, WriteMode::Create);
    let is_created = RwSignal::new(false);
    focus_after_render(input_id(FieldId::FirstName));
    let navigate = use_navigate();
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let Some(fields) = form_state.valid_body() else { return };
        let navigate = navigate.clone();
        form_state.mutation.start(api.create_lead(fields), move |lead: Lead| {
            is_created.set(true);
            toasts.show_success(texts::lead_created());
            navigate(&format!("/leads/{}", lead.id), Default::default());
        });
    };
    let has_unsaved_changes = Signal::derive(move || form_state.is_edited() && !is_created.get());
    view! {
        <form class="card lead-form lead-new" novalidate data-test="lead-form" on:submit=submit>
            <div class="card-body stack">
                <LeadForm draft diagnostics=form_state.diagnostics() />
            </div>
            <footer class="row lead-form-footer">
                {move || form_error(form_state.mutation).map(|error| view! { <ErrorNotice error /> })}
                <p class="small secondary" aria-live="polite">
                    {move || if form_state.is_invalid() { common::fix_highlighted_fields() } else { texts::new_lead_hint() }}
                </p>
                <SubmitButton
                    label=common::create_lead()
                    is_busy=form_state.mutation.is_busy()
                    disabled=form_state.is_submit_disabled()
                    test_id="save-lead"
                />
            </footer>
        </form>
        <UnsavedChangesGuard has_unsaved_changes />
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{LeadId, Timestamp};

    use crate::features::leads::lead::edit::*;

    #[test]
    fn conflict_shows_lead_values_as_in_the_form() {
        let fields = r#"{"do_not_call":true,"custom_fields":{"custom.tier":"gold"}}"#;
        let record = LeadRecord::from_json(fields, WriteMode::Create).unwrap();
        let lead = record.create(LeadId(3), Timestamp::default());
        let lines = ["zip", "do_not_call", "custom.custom.tier"].map(|name| describe_field(&lead, name));
        assert_eq!(lines, ["ZIP code: now –", "Do not call: now Yes", "custom.tier: now gold"]);
    }
}
