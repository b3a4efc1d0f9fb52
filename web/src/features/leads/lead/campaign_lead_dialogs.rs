//! Dialogs for the campaigns of a lead: add the lead, edit its status in a campaign, remove it.

use leadscribe_engine::api::{CallId, CampaignDetails, CampaignId, CampaignLead, CampaignLeadId, ExtendedLead};
use leptos::prelude::{Callable, Callback, *};
use leptos::task::spawn_local;
use serde_json::{Value, json};

use super::LeadPageData;
use super::add_to_campaign::AddToCampaignForm;
use crate::api::{Api, ApiError, ApiResult, CallQuery, use_session};
use crate::i18n::texts::{common, lead as texts};
use crate::state::{EditConflict, FormState, undo, use_toasts};
use crate::ui::campaign_lead::{CampaignLeadDraft, CampaignLeadForm, FIELD_POINTERS, describe_field, to_campaign_lead};
use crate::ui::dialog::{ConfirmDialog, Dialog, DialogForm, DialogState, Dismissal, PendingConfirmation, Question};
use crate::ui::input::Button;
use crate::ui::lazy_view::lazy_view;
use crate::ui::{EditConflictNotice, save_label};

#[derive(Clone, Copy, Default)]
pub struct EditDialog {
    pub open: RwSignal<bool>,
    edit: RwSignal<Option<CampaignLeadEdit>>,
}

/// An edit of a campaign lead. If the server refuses the edit, the dialog opens again with the refused values.
#[derive(Clone)]
struct CampaignLeadEdit {
    details: CampaignDetails,
    refused_draft: Option<CampaignLeadDraft>,
    edit_conflict: EditConflict<CampaignLead>,
    error: Option<ApiError>,
}

impl EditDialog {
    pub fn open_for(self, details: CampaignDetails) {
        let edit_conflict = EditConflict::none();
        self.open_with(CampaignLeadEdit { details, refused_draft: None, edit_conflict, error: None });
    }

    /// Opens the dialog. Returns false if the page was closed or another campaign is being edited.
    fn open_with(self, edit: CampaignLeadEdit) -> bool {
        let can_open = self.open.try_get_untracked() == Some(false);
        if can_open {
            self.edit.set(Some(edit));
            self.open.set(true);
        }
        can_open
    }
}

#[derive(Clone, Copy)]
pub struct CampaignLeadDialogProps {
    pub data: LeadPageData,
    /// Campaigns that the lead is in.
    pub campaign_ids: Memo<Vec<CampaignId>>,
    pub edit_dialog: EditDialog,
    /// True while the dialog that adds the lead to a campaign is open.
    pub is_add_dialog_open: RwSignal<bool>,
    pub on_change: Callback<()>,
}

lazy_view!(dialogs: pub fn campaign_dialogs(CampaignLeadDialogProps) = campaign_lead_dialogs);

/// The dialogs: one edits a lead in a campaign or removes it, one adds it to a campaign.
fn campaign_lead_dialogs(props: CampaignLeadDialogProps) -> AnyView {
    let CampaignLeadDialogProps { data, edit_dialog: EditDialog { open, edit }, on_change, .. } = props;
    let (api, toasts) = (data.api, use_toasts());
    let title = Signal::derive(move || {
        edit.with(|edit| edit.as_ref().map(|edit| edit.details.campaign_name.clone()).unwrap_or_default())
    });
    let confirmation = PendingConfirmation::<CampaignDetails>::new();
    let on_remove = Callback::new(move |details: CampaignDetails| {
        open.set(false);
        spawn_local(async move {
            match RemovedCampaignLead::remove(api, details.campaign_lead_id).await {
                Ok(Some(removed)) => {
                    let restore = move || removed.clone().restore(api, on_change);
                    undo::offer(toasts, texts::removed_from_campaign(&details.campaign_name), restore, on_change);
                    on_change.try_run(());
                }
                // An action that can't be undone needs confirmation.
                Ok(None) => confirmation.request(details),
                Err(error) => toasts.show_error(&error),
            }
        });
    });
    let remove_for_good = Callback::new(move |details: CampaignDetails| {
        confirmation.run(api.delete_campaign_lead(details.campaign_lead_id), move |()| {
            toasts.show_success(texts::removed_from_campaign(&details.campaign_name));
            on_change.run(());
        });
    });
    view! {
        <Dialog open title dismissal=Dismissal::ConfirmIfFilled test_id="edit-campaign-lead">
            {move || edit.get().map(|edit| view! { <EditCampaignLeadForm props edit on_remove /> })}
        </Dialog>
        <ConfirmDialog confirmation question=removal_question on_confirm=remove_for_good />
        <Dialog
            open=props.is_add_dialog_open
            title=texts::add_to_campaign()
            dismissal=Dismissal::ConfirmIfFilled
            test_id="add-to-campaign"
        >
            <AddToCampaignForm props />
        </Dialog>
    }
    .into_any()
}

fn removal_question(details: &CampaignDetails) -> Question {
    Question::new(
        texts::remove_from_campaign_title(&details.campaign_name),
        texts::remove_from_campaign_text(),
        common::remove(),
    )
}

#[component]
fn EditCampaignLeadForm(
    props: CampaignLeadDialogProps,
    edit: CampaignLeadEdit,
    on_remove: Callback<CampaignDetails>,
) -> impl IntoView {
    let CampaignLeadDialogProps { data, edit_dialog, on_change, .. } = props;
    let LeadPageData { api, id: lead_id, lead, names, staff, .. } = data;
    let CampaignLeadEdit { details, refused_draft, edit_conflict, error } = edit;
    let (session, toasts) = (use_session(), use_toasts());
    let (id, open) = (details.campaign_lead_id, edit_dialog.open);
    if refused_draft.is_some() {
        expect_context::<DialogState>().mark_filled();
    }
    // The other session's version becomes the base, so the user's value counts as a change even if it is the original
    // one.
    let base = edit_conflict.current().unwrap_or_else(|| to_campaign_lead(lead_id, details.clone()));
    let saved = CampaignLeadDraft::from(&base);
    let draft = RwSignal::new(refused_draft.unwrap_or(saved.clone()));
    let conflicts =
        edit_conflict.lines(move |campaign_lead, name| describe_field(campaign_lead, name, &names.get(), &staff.get()));
    let saved_draft = saved.clone();
    let change = Memo::new(move |_| draft.with(|draft| draft.changes(&saved_draft)));
    let engine_diagnostics = Memo::new(move |_| {
        change.with(|change| change.as_deref().map(CampaignLeadDraft::diagnostics)).unwrap_or_default()
    });
    let form_state = FormState::new(change, engine_diagnostics);
    if let Some(error) = error {
        form_state.mutation.set_error(error);
    }
    let removed_details = details.clone();
    let on_submit = move |()| {
        let Some(change) = form_state.valid_body() else { return };
        let apply_draft = move |lead: &mut ExtendedLead, draft: &CampaignLeadDraft| {
            let details = lead.campaigns.iter_mut().filter(|details| details.campaign_lead_id == id);
            details.for_each(|details| draft.apply_to(details));
        };
        // The result is shown even if the page was closed.
        let (edited, base, saved, details) = (draft.get_untracked(), base.clone(), saved.clone(), details.clone());
        let (mut refused_draft, campaign) = (edited.clone(), details.campaign_name.clone());
        let (edit_conflict, shown_conflict) = (edit_conflict.clone(), edit_conflict.clone());
        let save = async move {
            let saved = edit_conflict.save(api, base, change).await?;
            saved.offer_undo(api, toasts, texts::changed_in(&campaign), on_change);
            Ok(saved.current)
        };
        let on_settled = move |outcome: ApiResult<()>| {
            let Err(error) = outcome else {
                on_change.try_run(());
                return;
            };
            let conflict = shown_conflict.current().filter(|_| shown_conflict.is_unconfirmed());
            if let Some(current) = &conflict {
                refused_draft.rebase(&saved, &CampaignLeadDraft::from(current));
                on_change.try_run(());
            }
            let shown_error = conflict.is_none().then(|| error.clone());
            let (refused_draft, edit_conflict) = (Some(refused_draft), shown_conflict);
            // If the page was closed, there is no dialog to show the error in.
            if !edit_dialog.open_with(CampaignLeadEdit { details, refused_draft, edit_conflict, error: shown_error }) {
                toasts.show_error(&error);
            }
        };
        open.set(false);
        let on_success =
            move |lead: &mut ExtendedLead, saved: CampaignLead| apply_draft(lead, &CampaignLeadDraft::from(&saved));
        lead.update_optimistically(move |lead| apply_draft(lead, &edited), save, on_success, on_settled);
    };
    let other_actions = view! {
        <Button
            class="button-plain footer-start"
            label=texts::remove_from_campaign()
            test_id="remove-from-campaign"
            on_press=move |()| on_remove.run(removed_details.clone())
        />
    }
    .into_any();
    let label = move || save_label(conflicts).to_owned();
    view! {
        <DialogForm
            open
            error=move || form_state.mutation.form_error(&FIELD_POINTERS)
            on_submit
            disabled=form_state.is_submit_disabled()
            label
            test_id="save-campaign-lead"
            other_actions
        >
            <EditConflictNotice conflicts />
            <CampaignLeadForm
                draft
                names
                current_user=Signal::derive(move || session.user())
                staff
                diagnostics=form_state.diagnostics()
            />
        </DialogForm>
    }
}

/// Maximum number of calls to link again, one request each.
const MAX_RELINKED_CALLS: u64 = 100;

const SERVER_MAINTAINED_MEMBERS: [&str; 2] = ["created_at", "updated_at"];

#[derive(Clone)]
struct RemovedCampaignLead {
    id: CampaignLeadId,
    /// Request body that creates the campaign lead again, as JSON text.
    fields: String,
    /// Calls that were linked to it.
    calls: Vec<CallId>,
}

impl RemovedCampaignLead {
    /// Removes a lead from a campaign. Returns `None` and removes nothing if the removal couldn't be undone.
    pub async fn remove(api: Api, id: CampaignLeadId) -> ApiResult<Option<Self>> {
        let campaign_lead = api.campaign_lead(id).await?;
        let lead_calls_query = CallQuery {
            lead_id: campaign_lead.lead_id.to_string(),
            limit: format!("{MAX_RELINKED_CALLS};0"),
            ..Default::default()
        };
        let calls = api.page(lead_calls_query).await?;
        if calls.total > MAX_RELINKED_CALLS {
            return Ok(None);
        }
        let linked_calls =
            calls.items.iter().filter(|call| call.campaign_lead_id == Some(id)).map(|call| call.id).collect();
        let mut fields = json!(campaign_lead);
        if let Value::Object(fields) = &mut fields {
            fields.retain(|name, value| !SERVER_MAINTAINED_MEMBERS.contains(&name.as_str()) && !value.is_null());
        }
        api.delete_campaign_lead(id).await?;
        Ok(Some(Self { id, fields: fields.to_string(), calls: linked_calls }))
    }

    /// Restores the campaign lead, or continues an interrupted attempt. Calls `on_incomplete`, if its owner still
    /// exists, when the lead was restored without all of its calls.
    pub async fn restore(self, api: Api, on_incomplete: Callback<()>) -> ApiResult<()> {
        // If it exists, an earlier attempt has created it.
        if let Err(create_error) = api.create_campaign_lead(self.fields).await
            && (create_error.is_retryable() || api.campaign_lead(self.id).await.is_err())
        {
            return Err(create_error);
        }
        for call in self.calls {
            match api.update_call(call, json!({ "campaign_lead_id": self.id }).to_string()).await {
                // A call that was deleted since is skipped.
                Err(error) if error.status() != Some(404) => {
                    on_incomplete.try_run(());
                    return Err(error);
                }
                _ => {}
            }
        }
        Ok(())
    }
}
