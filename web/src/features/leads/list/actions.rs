//! Bulk actions on the selected leads, with a preview of the number of changes and undo.

use std::time::Duration;

use leadscribe_engine::api::{Assignee, CallableChange, Campaign, ChangeCounts, LeadActionOutcome};
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::filter::Limits;
use leadscribe_engine::record::LeadAction;
use leptos::prelude::*;
use serde_json::json;

use super::batch_runner::{BatchRunner, BulkActionRun, preview_all};
use crate::api::{use_api, use_session};
use crate::browser::scheduler::Debounce;
use crate::features::leads::action_draft::BATCH_SIZE;
use crate::features::leads::action_form::{
    LeadActionDraft, LeadActionForm, LeadActionKind, field_pointers, needs_initial_status,
};
use crate::i18n::texts::{common, leads};
use crate::i18n::validation_errors::is_at;
use crate::state::{ApiResource, Mutation, use_toasts};
use crate::ui::dialog::{Dialog, DialogForm, Dismissal};
use crate::ui::filter_editor::Names;
use crate::ui::input::FieldDiagnostics;
use crate::ui::lazy_view::lazy_view;
use crate::ui::list::LeadSelection;
use crate::ui::{Glyph, Icon};

/// Delay after the last key press before the preview is requested.
const PREVIEW_DELAY: Duration = Duration::from_millis(250);

#[derive(Clone, Copy)]
pub struct ActionDialogState {
    pub open: RwSignal<bool>,
    draft: RwSignal<LeadActionDraft>,
}

impl ActionDialogState {
    pub fn new() -> Self {
        Self { open: RwSignal::new(false), draft: RwSignal::new(LeadActionDraft::new(LeadActionKind::Status, "")) }
    }

    /// Opens the dialog. `filter` is the filter of the lead list.
    pub fn open_with(self, kind: LeadActionKind, filter: &str) {
        self.draft.set(LeadActionDraft::new(kind, filter));
        self.open.set(true);
    }
}

#[derive(Clone, Copy)]
pub struct ActionDialogProps {
    pub dialog_state: ActionDialogState,
    pub selection: LeadSelection,
    pub names: Signal<Names>,
    pub on_change: Callback<()>,
}

lazy_view!(dialogs: pub fn bulk_action_dialog(ActionDialogProps) = action_dialog);

fn action_dialog(props: ActionDialogProps) -> AnyView {
    let ActionDialogState { open, draft } = props.dialog_state;
    let title = Signal::derive(move || draft.with(|draft| draft.kind.info().title.to_owned()));
    // Kept while the dialog is closed.
    let staff = ApiResource::<Vec<Assignee>>::new();
    view! {
        <Dialog open title dismissal=Dismissal::ConfirmIfFilled test_id="lead-action">
            <ActionForm props staff />
        </Dialog>
    }
    .into_any()
}

#[component]
fn ActionForm(props: ActionDialogProps, staff: ApiResource<Vec<Assignee>>) -> impl IntoView {
    let ActionDialogProps { dialog_state: ActionDialogState { open, draft }, selection, names, on_change } = props;
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let kind = draft.with_untracked(|draft| draft.kind);
    if kind == LeadActionKind::Assign {
        staff.load(api.assignees());
    }
    let body = Memo::new(move |_| draft.with(|draft| draft.body(&selection.get())));
    let is_filled = Memo::new(move |_| {
        let lacks_status = names.with(|names| needs_initial_status(kind, names));
        draft.with(|draft| draft.value.is_some() && !(lacks_status && draft.initial_status.is_empty()))
    });
    // Missing input is not reported as a diagnostic.
    let engine_diagnostics = Memo::new(move |_| match is_filled.get() {
        true => LeadAction::from_json(&body.get(), &Limits::default()).err().unwrap_or_default(),
        false => Vec::new(),
    });
    let is_valid = Memo::new(move |_| is_filled.get() && engine_diagnostics.with(Vec::is_empty));

    // The previewed action and its result.
    let preview = ApiResource::<(String, LeadActionOutcome)>::new();
    preview.clear();
    let (mutation, debounce) = (Mutation::new(), Debounce::new());
    let request_preview = move || {
        let outcome = preview_all(api, draft.get_untracked(), selection.get_untracked());
        let previewed_body = body.get_untracked();
        preview.load(async move { Ok((previewed_body, outcome.await?)) });
    };
    Effect::new(move |_| {
        body.track();
        mutation.clear_error();
        match is_valid.get() {
            true => debounce.schedule(PREVIEW_DELAY, request_preview),
            false => {
                debounce.cancel();
                preview.clear();
            }
        }
    });
    let request_error = move || mutation.error().or_else(|| preview.error.get());
    let diagnostics = Signal::derive(move || {
        let mut diagnostics: Vec<Diagnostic> = engine_diagnostics.get();
        diagnostics.extend(request_error().iter().flat_map(|error| error.diagnostics()));
        diagnostics
    });
    let field_pointers = Memo::new(move |_| names.with(|names| field_pointers(kind, names)));
    let other_diagnostics = Signal::derive(move || {
        let is_at_field = |diagnostic: &Diagnostic| {
            field_pointers.with(|field_pointers| field_pointers.iter().any(|pointer| is_at(diagnostic, pointer)))
        };
        engine_diagnostics.get().into_iter().filter(|diagnostic| !is_at_field(diagnostic)).collect::<Vec<_>>()
    });
    let form_error = move || field_pointers.with(|field_pointers| request_error()?.excluding_fields(field_pointers));
    let last_outcome = move || {
        let (_, outcome) = preview.get().filter(|_| is_valid.get() && preview.error.get().is_none())?;
        Some(outcome)
    };
    // Only the previewed action may be run.
    let is_outdated = move || {
        let is_for_other_body =
            preview.with(|preview| preview.is_some_and(|(previewed_body, _)| body.with(|body| body != previewed_body)));
        preview.is_loading.get() || is_for_other_body
    };
    let runnable_outcome = move || last_outcome().filter(|outcome| !is_outdated() && outcome.leads.changed > 0);
    let (is_busy, disabled) = (mutation.is_busy(), move || runnable_outcome().is_none());
    let on_submit = move |()| {
        let Some(preview_outcome) = untrack(runnable_outcome) else { return };
        let (draft, selected_leads) = (draft.get_untracked(), selection.get_untracked());
        let first_batch = api.run_lead_action(draft.batch_body(&selected_leads, None, BATCH_SIZE));
        mutation.start(first_batch, move |first_outcome| {
            open.set(false);
            selection.clear();
            BatchRunner { api, toasts, on_change }
                .continue_after(BulkActionRun { draft, selection, selected_leads, preview_outcome }, first_outcome);
            on_change.run(());
        });
    };
    let current_user = Signal::derive(move || session.user());
    let staff = Signal::derive(move || staff.get().unwrap_or_default());
    let adds_to_campaign = kind == LeadActionKind::Campaign;
    let label = move || match last_outcome().map(|outcome| outcome.leads.changed).filter(|changed| *changed > 0) {
        Some(changed) if adds_to_campaign => leads::add_leads(changed),
        Some(changed) => leads::change_leads(changed),
        None if adds_to_campaign => common::add().to_owned(),
        None => leads::change().to_owned(),
    };
    view! {
        <DialogForm open is_busy error=form_error on_submit disabled label test_id="action-submit">
            <FieldDiagnostics diagnostics=other_diagnostics />
            <LeadActionForm draft names current_user staff diagnostics />
            <div class="action-preview" aria-live="polite" class:is-stale=is_outdated>
                {move || match last_outcome() {
                    Some(outcome) => view! { <Preview outcome draft names /> }.into_any(),
                    None => view! { <p class="secondary">{leads::selected_lead_count(selection.len())}</p> }.into_any(),
                }}
            </div>
        </DialogForm>
    }
}

/// Number of leads that would change, and number of leads that have the new value already.
#[component]
fn Preview(outcome: LeadActionOutcome, draft: RwSignal<LeadActionDraft>, names: Signal<Names>) -> impl IntoView {
    let ChangeCounts { changed, unchanged } = outcome.leads;
    let campaign_leads_changed = outcome.campaign_leads.changed;
    let LeadActionDraft { kind, value, .. } = draft.get_untracked();
    let (changed_text, unchanged_text): (String, fn(u64) -> String) = match kind {
        LeadActionKind::Campaign => (leads::will_be_added(changed), leads::already_in_campaign),
        _ if kind.changes_campaign_leads() && campaign_leads_changed != changed => (
            leads::will_change_in_campaigns(changed, leads::campaign_leads(campaign_leads_changed)),
            leads::already_up_to_date,
        ),
        _ => (leads::will_change(changed), leads::already_up_to_date),
    };
    let is_campaign_inactive = names.with_untracked(|names| {
        let is_target = |campaign: &Campaign| kind == LeadActionKind::Campaign && value == Some(json!(campaign.id));
        names.campaigns.iter().any(|campaign| !campaign.active && is_target(campaign))
    });
    view! {
        <p data-test="preview" data-changed=changed.to_string()>
            <strong>{changed_text}</strong>
        </p>
        <Show when=move || unchanged != 0>
            <p class="secondary" data-test="preview-unchanged">
                {unchanged_text(unchanged)}
            </p>
        </Show>
        <Show when=move || outcome.missing != 0>
            <p class="secondary">{leads::were_deleted(outcome.missing)}</p>
        </Show>
        {is_campaign_inactive.then(|| view! { <p class="secondary" data-test="preview-inactive-campaign">{leads::campaign_is_inactive()}</p> })}
        {callable_effects(outcome.callable.unwrap_or_default())}
    }
}

/// Number of leads that become callable, and of leads that no longer are.
fn callable_effects(change: CallableChange) -> AnyView {
    let CallableChange { gained, lost, unblocked } = change;
    let line = |leads: u64, test: &'static str, text_for: fn(u64) -> String| {
        (leads > 0).then(|| view! { <p data-test=test>{text_for(leads)}</p> })
    };
    let gained_line = line(gained, "preview-newly-callable", leads::newly_callable);
    let lost_line = line(lost, "preview-no-longer-callable", leads::no_longer_callable);
    match line(unblocked, "preview-callable-again", leads::callable_again) {
        Some(unblocked_line) => view! {
            <div class="notice tone-warning">
                <Icon glyph=Glyph::Alert />
                <div class="notice-body">{unblocked_line} {gained_line} {lost_line}</div>
            </div>
        }
        .into_any(),
        None => view! { <div class="secondary">{gained_line} {lost_line}</div> }.into_any(),
    }
}
