//! Bulk actions on the selected leads, with a preview of the number of changes and undo.

use std::time::Duration;

use leadscribe_engine::api::{Assignee, CallableChange, LeadActionOutcome};
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::filter::Limits;
use leadscribe_engine::record::LeadAction;
use leptos::prelude::*;

use super::in_parts::{Parts, Whole, counted};
use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::dialog::{CancelButton, Dialog, Dismissal};
use crate::components::error_notice::ErrorNotice;
use crate::components::filter_editor::Names;
use crate::components::icon::{Glyph, Icon};
use crate::components::input::field::FieldFaults;
use crate::components::input::submit_button::SubmitButton;
use crate::components::lead::action_draft::PART;
use crate::components::lead::action_form::{Deed, LeadActionDraft, LeadActionForm, asks_first_status, shown};
use crate::components::lead::selection::LeadSelection;
use crate::components::shell::toast::use_toasts;
use crate::faults::stands_at;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::{lead, leads};

/// Delay after the last key press before the preview is requested.
const PAUSE: Duration = Duration::from_millis(250);

/// State of the action dialog.
#[derive(Clone, Copy)]
pub struct Asked {
    open: RwSignal<bool>,
    draft: RwSignal<LeadActionDraft>,
}

impl Asked {
    /// Creates the state without an action.
    pub fn new() -> Self {
        Self { open: RwSignal::new(false), draft: RwSignal::new(LeadActionDraft::new(Deed::Status, "")) }
    }

    pub fn is_open(self) -> bool {
        self.open.get()
    }

    /// Opens the dialog. `filter` is the filter of the lead list.
    pub fn ask(self, deed: Deed, filter: &str) {
        self.draft.set(LeadActionDraft::new(deed, filter));
        self.open.set(true);
    }
}

/// Properties of the action dialog.
pub struct Acting {
    pub asked: Asked,
    pub selection: LeadSelection,
    pub names: Signal<Names>,
    /// Loads the leads again.
    pub on_change: Callback<()>,
}

/// Dialog of a bulk action.
pub fn action_dialog(given: Acting) -> AnyView {
    let Acting { asked: Asked { open, draft }, selection, names, on_change } = given;
    let title = Signal::derive(move || draft.with(|draft| draft.deed.title().to_owned()));
    let staff = Remote::<Vec<Assignee>>::new();
    view! {
        <Dialog open title dismissal=Dismissal::AsksIfFilled test="lead-action">
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
    /// Loaded once.
    staff: Remote<Vec<Assignee>>,
    on_change: Callback<()>,
) -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let deed = draft.with_untracked(|draft| draft.deed);
    if deed == Deed::Assign {
        staff.load(api.assignees());
    }
    let body = Memo::new(move |_| draft.with(|draft| draft.body(&selection.get())));
    let is_filled = Memo::new(move |_| {
        let lacks_status = names.with(|names| asks_first_status(deed, names));
        draft.with(|draft| draft.is_filled() && !(lacks_status && draft.status.is_empty()))
    });
    let found = Memo::new(move |_| {
        let faults = LeadAction::from_json(&body.get(), &Limits::default()).err().unwrap_or_default();
        // Missing input is not reported as a fault.
        if is_filled.get() { faults } else { Vec::new() }
    });
    let is_good = Memo::new(move |_| is_filled.get() && found.with(Vec::is_empty));

    // The previewed action and its result.
    let preview = Remote::<(String, LeadActionOutcome)>::new();
    preview.clear();
    let number = StoredValue::new(0_u64);
    let ask = Callback::new(move |()| {
        let (asked, answer) = (body.get_untracked(), counted(api, draft.get_untracked(), selection.get_untracked()));
        preview.load(async move { Ok((asked, answer.await?)) });
    });
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
        let mut faults: Vec<Diagnostic> = found.get();
        faults.extend(refusal().iter().flat_map(|error| error.faults()).cloned());
        faults
    });
    let shown = Memo::new(move |_| names.with(|names| shown(deed, names)));
    let elsewhere = Signal::derive(move || {
        let is_shown = |fault: &Diagnostic| shown.with(|shown| shown.iter().any(|place| stands_at(fault, place)));
        found.get().into_iter().filter(|fault| !is_shown(fault)).collect::<Vec<_>>()
    });
    let beside = move || refusal().and_then(|error| shown.with(|shown| error.beside(shown)));
    let last_counted = move || {
        let (_, outcome) = preview.get().filter(|_| is_good.get() && preview.error().is_none())?;
        Some(outcome)
    };
    // Only the previewed action may be run.
    let is_of_other = move || preview.with(|last| last.is_some_and(|(asked, _)| body.with(|body| body != asked)));
    let is_outdated = move || preview.is_loading() || is_of_other();
    let counted_now = move || last_counted().filter(|_| !is_outdated());
    let is_ready = move || counted_now().is_some_and(|outcome| outcome.leads.changed > 0);
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        if !untrack(is_ready) {
            return;
        }
        let (draft, chosen) = (draft.get_untracked(), selection.get_untracked());
        let Some(counted) = untrack(counted_now) else { return };
        attempt.start(api.act_on_leads(draft.part(&chosen, None, PART)), move |first| {
            open.set(false);
            selection.clear();
            Parts { api, toasts, on_change }.go_on(Whole { draft, selection, chosen, counted }, &first);
            on_change.run(());
        });
    };
    let puts_in = deed == Deed::Campaign;
    let label = move || match last_counted().map(|outcome| outcome.leads.changed).filter(|changed| *changed > 0) {
        Some(changed) if puts_in => leads::put_in(changed),
        Some(changed) => leads::change_leads(changed),
        None if puts_in => lead::put_into_do().to_owned(),
        None => leads::change().to_owned(),
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
                <div class="action-preview" aria-live="polite" class:is-stale=is_outdated>
                    {move || match last_counted() {
                        Some(outcome) => view! { <Preview outcome draft names /> }.into_any(),
                        None => {
                            view! { <p class="secondary">{leads::are_selected(selection.len())}</p> }.into_any()
                        }
                    }}
                </div>
            </div>
            <footer class="dialog-foot">
                <CancelButton open busy=attempt.is_busy() />
                <SubmitButton busy=attempt.is_busy() disabled=Signal::derive(move || !is_ready()) test="action-do">
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
    let (changed, inside) = (outcome.leads.changed, outcome.campaign_leads.changed);
    let (deed, into) = draft.with_untracked(|draft| (draft.deed, draft.into.clone()));
    let (said, stay): (String, fn(u64) -> String) = match deed {
        Deed::Campaign => (leads::would_be_put_in(changed), leads::are_in_it),
        _ if deed.is_in_campaigns() && inside != changed => {
            (leads::would_change_inside(changed, leads::campaign_leads(inside)), leads::would_stay)
        }
        _ => (leads::would_change(changed), leads::would_stay),
    };
    let is_off = names.with_untracked(|names| {
        names.campaigns.iter().any(|campaign| !campaign.active && campaign.id.to_string() == into)
    });
    let unchanged = (outcome.leads.unchanged > 0).then(|| {
        view! {
            <p class="secondary" data-test="preview-unchanged">
                {stay(outcome.leads.unchanged)}
            </p>
        }
    });
    let missing =
        (outcome.missing > 0).then(|| view! { <p class="secondary">{leads::were_deleted(outcome.missing)}</p> });
    view! {
        <p data-test="preview" data-changed=changed.to_string()>
            <strong>{said}</strong>
        </p>
        {unchanged}
        {missing}
        {is_off.then(|| view! { <p class="secondary" data-test="preview-off">{leads::is_off()}</p> })}
        {callable(outcome.callable.unwrap_or_default())}
    }
    .into_any()
}

/// Effect on which leads can be called.
fn callable(change: CallableChange) -> AnyView {
    let CallableChange { gained, lost, released } = change;
    let line = |leads: u64, test: &'static str, said: fn(u64) -> String| {
        (leads > 0).then(|| view! { <p data-test=test>{said(leads)}</p> })
    };
    let at_once = line(gained, "preview-gained", leads::called_at_once);
    let no_more = line(lost, "preview-lost", leads::called_no_more);
    match line(released, "preview-released", leads::called_again) {
        Some(released) => view! {
            <div class="notice tone-warning">
                <Icon glyph=Glyph::Alert />
                <div class="notice-body">{released} {at_once} {no_more}</div>
            </div>
        }
        .into_any(),
        None => view! { <div class="secondary">{at_once} {no_more}</div> }.into_any(),
    }
}
