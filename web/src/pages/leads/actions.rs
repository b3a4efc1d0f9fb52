//! Changing the selected leads: how many it would be is asked of the server before, and it can be undone after.

use std::time::Duration;

use leadscribe_engine::api::{LeadActionId, LeadActionOutcome, LeadActionUndo, User};
use leadscribe_engine::fault::Fault;
use leadscribe_engine::filter::Limits;
use leadscribe_engine::record::LeadAction;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::{Api, ApiError, use_api};
use crate::attempt::Attempt;
use crate::components::dialog::Dialog;
use crate::components::error_notice::ErrorNotice;
use crate::components::field::FieldFaults;
use crate::components::filter_editor::Names;
use crate::components::lead_action_form::{Deed, LeadActionDraft, LeadActionForm, SHOWN};
use crate::components::lead_selection::LeadSelection;
use crate::components::submit_button::SubmitButton;
use crate::components::toast::{Toasts, use_toasts};
use crate::faults::stands_at;
use crate::remote::Remote;
use crate::session::use_session;
use crate::when::counted;

/// How long after the last key it is asked how many leads would change.
const PAUSE: Duration = Duration::from_millis(250);

/// What is to be done, while it is asked.
#[derive(Clone, Copy)]
pub struct Asked {
    open: RwSignal<bool>,
    draft: RwSignal<LeadActionDraft>,
}

impl Asked {
    /// Nothing yet.
    pub fn new() -> Self {
        Self { open: RwSignal::new(false), draft: RwSignal::new(LeadActionDraft::new(Deed::Status, "")) }
    }

    /// Opens the dialog; `filter` is the one by which leads were found.
    pub fn ask(self, deed: Deed, filter: &str) {
        self.draft.set(LeadActionDraft::new(deed, filter));
        self.open.set(true);
    }
}

/// The dialog of an action.
#[component]
pub fn ActionDialog(
    asked: Asked,
    selection: LeadSelection,
    names: Signal<Names>,
    /// Shows the leads anew.
    on_change: Callback<()>,
) -> impl IntoView {
    let Asked { open, draft } = asked;
    let title = Signal::derive(move || draft.with(|draft| draft.deed.title().to_owned()));
    let staff = Remote::<Vec<User>>::new();
    view! {
        <Dialog open title test="lead-action">
            <Action open draft selection names staff on_change />
        </Dialog>
    }
    .into_any()
}

#[component]
fn Action(
    open: RwSignal<bool>,
    draft: RwSignal<LeadActionDraft>,
    selection: LeadSelection,
    names: Signal<Names>,
    /// Asked for once.
    staff: Remote<Vec<User>>,
    on_change: Callback<()>,
) -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    if session.is_admin() && draft.with_untracked(|draft| draft.deed == Deed::Assign) {
        staff.load(api.users());
    }
    let body = Memo::new(move |_| draft.with(|draft| draft.body(&selection.get())));
    let found = Memo::new(move |_| {
        let is_filled = draft.with(LeadActionDraft::is_filled);
        let faults = LeadAction::from_json(&body.get(), &Limits::default()).err().unwrap_or_default();
        // What isn't filled in yet is no mistake.
        if is_filled { faults } else { Vec::new() }
    });
    let is_good = Memo::new(move |_| draft.with(LeadActionDraft::is_filled) && found.with(Vec::is_empty));

    let preview = Remote::<LeadActionOutcome>::new();
    preview.clear();
    let number = StoredValue::new(0_u64);
    let ask = Callback::new(move |()| preview.load(api.preview_lead_action(body.get_untracked())));
    Effect::new(move |_| {
        body.track();
        number.update_value(|number| *number += 1);
        let mine = number.get_value();
        if !is_good.get() {
            preview.clear();
            return;
        }
        let due = move || {
            if number.try_get_value() == Some(mine) {
                ask.run(());
            }
        };
        set_timeout(due, PAUSE);
    });

    let attempt = Attempt::new();
    Effect::new(move |_| {
        body.track();
        attempt.clear();
    });
    let refusal = move || attempt.refusal().or_else(|| preview.error());
    let faults = Signal::derive(move || {
        let mut faults: Vec<Fault> = found.get();
        faults.extend(refusal().iter().flat_map(|error| error.faults()).cloned());
        faults
    });
    let elsewhere = Signal::derive(move || {
        let is_shown = |fault: &Fault| SHOWN.iter().any(|place| stands_at(fault, place));
        found.get().into_iter().filter(|fault| !is_shown(fault)).collect::<Vec<_>>()
    });
    let beside = move || refusal().and_then(|error| error.beside(&SHOWN));
    // What was counted holds for what was asked about.
    let counted_now = move || preview.get().filter(|_| is_good.get() && preview.error().is_none());
    let is_ready = move || counted_now().is_some_and(|outcome| outcome.leads.changed > 0) && !preview.is_loading();
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if !untrack(is_ready) {
            return;
        }
        attempt.start(api.act_on_leads(body.get_untracked()), move |done| {
            open.set(false);
            selection.clear();
            say(toasts, api, done, on_change);
            on_change.run(());
        });
    };
    let label = move || match counted_now() {
        Some(outcome) if outcome.leads.changed > 0 => format!("Change {}", leads(outcome.leads.changed)),
        _ => "Change".to_owned(),
    };
    view! {
        <form class="dialog-form" novalidate on:submit=submit>
            <div class="dialog-body">
                <FieldFaults faults=elsewhere />
                {move || beside().map(|error| view! { <ErrorNotice error /> })}
                <LeadActionForm
                    draft
                    names
                    me=Signal::derive(move || session.user())
                    staff=Signal::derive(move || staff.get().unwrap_or_default())
                    faults
                />
                <div class="action-preview" aria-live="polite" class:is-stale=move || preview.is_loading()>
                    {move || match counted_now() {
                        Some(outcome) => view! { <Preview outcome draft /> }.into_any(),
                        None => {
                            view! {
                                <p class="secondary">
                                    {counted(selection.len(), "lead is selected", "leads are selected")}
                                    "."
                                </p>
                            }
                                .into_any()
                        }
                    }}
                </div>
            </div>
            <footer class="dialog-foot">
                <button type="button" class="button" on:click=move |_| open.set(false)>
                    "Cancel"
                </button>
                <SubmitButton busy=attempt.is_busy() disabled=Signal::derive(move || !is_ready()) test="action-do">
                    {label}
                </SubmitButton>
            </footer>
        </form>
    }
    .into_any()
}

/// How many leads would change, and how many are so already.
#[component]
fn Preview(outcome: LeadActionOutcome, draft: RwSignal<LeadActionDraft>) -> impl IntoView {
    let changed = outcome.leads.changed;
    let inside = draft
        .with_untracked(|draft| draft.deed.is_in_campaigns())
        .then(|| counted(outcome.campaign_leads.changed, "campaign lead", "campaign leads"));
    let inside =
        inside.filter(|_| outcome.campaign_leads.changed != changed).map(|inside| format!(", {inside} in all"));
    let verb = if changed == 1 { "changes" } else { "change" };
    let unchanged = (outcome.leads.unchanged > 0).then(|| {
        let others = counted(outcome.leads.unchanged, "stays as it is", "stay as they are");
        view! { <p class="secondary" data-test="preview-unchanged">{others} "."</p> }
    });
    let missing = (outcome.missing > 0).then(|| {
        let gone = counted(outcome.missing, "was deleted meanwhile.", "were deleted meanwhile.");
        view! { <p class="secondary">{gone}</p> }
    });
    view! {
        <p data-test="preview" data-changed=changed.to_string()>
            <strong>{leads(changed)}</strong>
            " " {verb} {inside} "."
        </p>
        {unchanged}
        {missing}
    }
    .into_any()
}

/// Says what was done, and offers to undo it.
fn say(toasts: Toasts, api: Api, done: LeadActionOutcome, on_change: Callback<()>) {
    let text = format!("{} changed.", leads(done.leads.changed));
    match done.id {
        Some(id) => toasts.undoable(text, move || undo(toasts, api, id, on_change)),
        // Others made it so between the count and the deed.
        None => toasts.done("Nothing was left to change."),
    }
}

fn undo(toasts: Toasts, api: Api, id: LeadActionId, on_change: Callback<()>) {
    spawn_local(async move {
        let undone: Result<LeadActionUndo, ApiError> = api.undo_lead_action(id).await;
        match undone {
            Ok(undone) => {
                let left = match undone.leads.left {
                    0 => String::new(),
                    left => counted(left, "was changed meanwhile and stays so.", "were changed meanwhile and stay so."),
                };
                let space = if left.is_empty() { "" } else { " " };
                toasts.done(format!("{} as before.{space}{left}", leads(undone.leads.restored)));
                // The list may be gone by now.
                on_change.try_run(());
            }
            Err(error) => toasts.failed(&error),
        }
    });
}

fn leads(number: u64) -> String {
    counted(number, "lead", "leads")
}
