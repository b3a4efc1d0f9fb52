//! Bulk actions on the selected leads, with a preview of the number of changes and undo.

use std::time::Duration;

use leadscribe_engine::api::{Assignee, CallableChange, LeadActionOutcome};
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::filter::Limits;
use leadscribe_engine::record::LeadAction;
use leptos::prelude::*;

use super::batch_runner::{BatchRunner, BulkActionRun, preview_all};
use crate::api::session::use_session;
use crate::api::use_api;
use crate::features::leads::action_draft::BATCH_SIZE;
use crate::features::leads::action_form::{
    LeadActionDraft, LeadActionForm, LeadActionKind, field_pointers, needs_initial_status,
};
use crate::i18n::texts::{lead, leads};
use crate::i18n::validation_errors::is_at;
use crate::state::mutation::Mutation;
use crate::state::resource::ApiResource;
use crate::state::toasts::use_toasts;
use crate::ui::dialog::{CancelButton, Dialog, Dismissal};
use crate::ui::error_notice::ErrorNotice;
use crate::ui::filter_editor::Names;
use crate::ui::icon::{Glyph, Icon};
use crate::ui::input::field::FieldDiagnostics;
use crate::ui::input::submit_button::SubmitButton;
use crate::ui::lazy_view::lazy_view;
use crate::ui::lead::selection::LeadSelection;

/// Delay after the last key press before the preview is requested.
const PREVIEW_DELAY: Duration = Duration::from_millis(250);

/// State of the action dialog.
#[derive(Clone, Copy)]
pub struct ActionDialogState {
    open: RwSignal<bool>,
    draft: RwSignal<LeadActionDraft>,
}

impl ActionDialogState {
    /// Creates the state without an action.
    pub fn new() -> Self {
        Self { open: RwSignal::new(false), draft: RwSignal::new(LeadActionDraft::new(LeadActionKind::Status, "")) }
    }

    pub fn is_open(self) -> bool {
        self.open.get()
    }

    /// Opens the dialog. `filter` is the filter of the lead list.
    pub fn open_with(self, kind: LeadActionKind, filter: &str) {
        self.draft.set(LeadActionDraft::new(kind, filter));
        self.open.set(true);
    }
}

/// Properties of the action dialog.
pub struct ActionDialogProps {
    pub dialog_state: ActionDialogState,
    pub selection: LeadSelection,
    pub names: Signal<Names>,
    /// Loads the leads again.
    pub on_change: Callback<()>,
}

lazy_view!(
    /// The dialog, loaded on demand.
    dialogs: pub fn bulk_action_dialog(ActionDialogProps) = action_dialog
);

/// Dialog of a bulk action.
fn action_dialog(props: ActionDialogProps) -> AnyView {
    let ActionDialogProps { dialog_state: ActionDialogState { open, draft }, selection, names, on_change } = props;
    let title = Signal::derive(move || draft.with(|draft| draft.kind.title().to_owned()));
    let staff = ApiResource::<Vec<Assignee>>::new();
    view! {
        <Dialog open title dismissal=Dismissal::ConfirmIfFilled test_id="lead-action">
            <ActionForm open draft selection names staff on_change />
        </Dialog>
    }
    .into_any()
}

#[component]
fn ActionForm(
    open: RwSignal<bool>,
    draft: RwSignal<LeadActionDraft>,
    selection: LeadSelection,
    names: Signal<Names>,
    /// Loaded once.
    staff: ApiResource<Vec<Assignee>>,
    on_change: Callback<()>,
) -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let kind = draft.with_untracked(|draft| draft.kind);
    if kind == LeadActionKind::Assign {
        staff.load(api.assignees());
    }
    let body = Memo::new(move |_| draft.with(|draft| draft.body(&selection.get())));
    let is_filled = Memo::new(move |_| {
        let lacks_status = names.with(|names| needs_initial_status(kind, names));
        draft.with(|draft| draft.is_filled() && !(lacks_status && draft.status.is_empty()))
    });
    let engine_diagnostics = Memo::new(move |_| {
        let diagnostics = LeadAction::from_json(&body.get(), &Limits::default()).err().unwrap_or_default();
        // Missing input is not reported as a diagnostic.
        if is_filled.get() { diagnostics } else { Vec::new() }
    });
    let is_valid = Memo::new(move |_| is_filled.get() && engine_diagnostics.with(Vec::is_empty));

    // The previewed action and its result.
    let preview = ApiResource::<(String, LeadActionOutcome)>::new();
    preview.clear();
    let preview_number = StoredValue::new(0_u64);
    let request_preview = Callback::new(move |()| {
        let (previewed_body, outcome_request) =
            (body.get_untracked(), preview_all(api, draft.get_untracked(), selection.get_untracked()));
        preview.load(async move { Ok((previewed_body, outcome_request.await?)) });
    });
    Effect::new(move |_| {
        body.track();
        preview_number.update_value(|preview_number| *preview_number += 1);
        let own_number = preview_number.get_value();
        if !is_valid.get() {
            preview.clear();
            return;
        }
        let run_if_latest = move || {
            if preview_number.try_get_value() == Some(own_number) {
                request_preview.run(());
            }
        };
        set_timeout(run_if_latest, PREVIEW_DELAY);
    });

    let mutation = Mutation::new();
    Effect::new(move |_| {
        body.track();
        mutation.clear_error();
    });
    let request_error = move || mutation.error().or_else(|| preview.error());
    let diagnostics = Signal::derive(move || {
        let mut diagnostics: Vec<Diagnostic> = engine_diagnostics.get();
        diagnostics.extend(request_error().iter().flat_map(|error| error.diagnostics()));
        diagnostics
    });
    let field_pointers = Memo::new(move |_| names.with(|names| field_pointers(kind, names)));
    let other_diagnostics = Signal::derive(move || {
        let is_shown = |diagnostic: &Diagnostic| {
            field_pointers.with(|field_pointers| field_pointers.iter().any(|pointer| is_at(diagnostic, pointer)))
        };
        engine_diagnostics.get().into_iter().filter(|diagnostic| !is_shown(diagnostic)).collect::<Vec<_>>()
    });
    let form_error = move || {
        request_error().and_then(|error| field_pointers.with(|field_pointers| error.excluding_fields(field_pointers)))
    };
    let last_outcome = move || {
        let (_, outcome) = preview.get().filter(|_| is_valid.get() && preview.error().is_none())?;
        Some(outcome)
    };
    // Only the previewed action may be run.
    let is_for_other_body = move || {
        preview.with(|previewed| previewed.is_some_and(|(previewed_body, _)| body.with(|body| body != previewed_body)))
    };
    let is_outdated = move || preview.is_loading() || is_for_other_body();
    let current_outcome = move || last_outcome().filter(|_| !is_outdated());
    let is_ready = move || current_outcome().is_some_and(|outcome| outcome.leads.changed > 0);
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if !untrack(is_ready) {
            return;
        }
        let (draft, selected_leads) = (draft.get_untracked(), selection.get_untracked());
        let Some(preview_outcome) = untrack(current_outcome) else { return };
        mutation.start(
            api.run_lead_action(draft.batch_body(&selected_leads, None, BATCH_SIZE)),
            move |first_outcome| {
                open.set(false);
                selection.clear();
                BatchRunner { api, toasts, on_change }.continue_after(
                    BulkActionRun { draft, selection, selected_leads, preview_outcome },
                    &first_outcome,
                );
                on_change.run(());
            },
        );
    };
    let adds_to_campaign = kind == LeadActionKind::Campaign;
    let label = move || match last_outcome().map(|outcome| outcome.leads.changed).filter(|changed| *changed > 0) {
        Some(changed) if adds_to_campaign => leads::add_leads(changed),
        Some(changed) => leads::change_leads(changed),
        None if adds_to_campaign => lead::add().to_owned(),
        None => leads::change().to_owned(),
    };
    view! {
        <form class="dialog-form" novalidate on:submit=submit>
            <div class="dialog-body">
                <FieldDiagnostics diagnostics=other_diagnostics />
                {move || form_error().map(|error| view! { <ErrorNotice error /> })}
                <LeadActionForm
                    draft
                    names
                    current_user=Signal::derive(move || session.user())
                    staff=Signal::derive(move || staff.get().unwrap_or_default())
                    diagnostics
                />
                <div class="action-preview" aria-live="polite" class:is-stale=is_outdated>
                    {move || match last_outcome() {
                        Some(outcome) => view! { <Preview outcome draft names /> }.into_any(),
                        None => {
                            view! { <p class="secondary">{leads::selected_lead_count(selection.len())}</p> }.into_any()
                        }
                    }}
                </div>
            </div>
            <footer class="dialog-footer">
                <CancelButton open busy=mutation.is_busy() />
                <SubmitButton is_busy=mutation.is_busy() disabled=Signal::derive(move || !is_ready()) test_id="action-submit">
                    {label}
                </SubmitButton>
            </footer>
        </form>
    }
    .into_any()
}

/// Number of leads that would change, and of those that are in that state already.
#[component]
fn Preview(outcome: LeadActionOutcome, draft: RwSignal<LeadActionDraft>, names: Signal<Names>) -> impl IntoView {
    let (changed, campaign_leads_changed) = (outcome.leads.changed, outcome.campaign_leads.changed);
    let (kind, campaign_id) = draft.with_untracked(|draft| (draft.kind, draft.target_campaign.clone()));
    let (changed_text, unchanged_text): (String, fn(u64) -> String) = match kind {
        LeadActionKind::Campaign => (leads::will_be_added(changed), leads::already_in_campaign),
        _ if kind.changes_campaign_leads() && campaign_leads_changed != changed => (
            leads::will_change_in_campaigns(changed, leads::campaign_leads(campaign_leads_changed)),
            leads::already_up_to_date,
        ),
        _ => (leads::will_change(changed), leads::already_up_to_date),
    };
    let is_campaign_off = names.with_untracked(|names| {
        names.campaigns.iter().any(|campaign| !campaign.active && campaign.id.to_string() == campaign_id)
    });
    let unchanged = (outcome.leads.unchanged > 0).then(|| {
        view! {
            <p class="secondary" data-test="preview-unchanged">
                {unchanged_text(outcome.leads.unchanged)}
            </p>
        }
    });
    let missing =
        (outcome.missing > 0).then(|| view! { <p class="secondary">{leads::were_deleted(outcome.missing)}</p> });
    view! {
        <p data-test="preview" data-changed=changed.to_string()>
            <strong>{changed_text}</strong>
        </p>
        {unchanged}
        {missing}
        {is_campaign_off.then(|| view! { <p class="secondary" data-test="preview-inactive-campaign">{leads::campaign_is_off()}</p> })}
        {callable_effects(outcome.callable.unwrap_or_default())}
    }
    .into_any()
}

/// Effect on which leads can be called.
fn callable_effects(change: CallableChange) -> AnyView {
    let CallableChange { gained, lost, unblocked: released } = change;
    let line = |leads: u64, test: &'static str, text_for: fn(u64) -> String| {
        (leads > 0).then(|| view! { <p data-test=test>{text_for(leads)}</p> })
    };
    let gained_line = line(gained, "preview-newly-callable", leads::newly_callable);
    let lost_line = line(lost, "preview-no-longer-callable", leads::no_longer_callable);
    match line(released, "preview-callable-again", leads::callable_again) {
        Some(released) => view! {
            <div class="notice tone-warning">
                <Icon glyph=Glyph::Alert />
                <div class="notice-body">{released} {gained_line} {lost_line}</div>
            </div>
        }
        .into_any(),
        None => view! { <div class="secondary">{gained_line} {lost_line}</div> }.into_any(),
    }
}
