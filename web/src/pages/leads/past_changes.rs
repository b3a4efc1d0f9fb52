//! Bulk actions of the last days, which can still be undone after their message has disappeared.

use leadscribe_engine::api::{ApiKey, Assignee, LeadActionEntry, Page};
use leptos::prelude::*;

use super::in_parts::Parts;
use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::audit::past_change::{PastChange, changes};
use crate::components::audit::past_change_list::PastChangeList;
use crate::components::dialog::Dialog;
use crate::components::error_notice::ErrorNotice;
use crate::components::filter_editor::Names;
use crate::components::input::work_button::WorkButton;
use crate::components::list::table::SkeletonBars;
use crate::components::shell::toast::use_toasts;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::{lead, leads};

/// Properties of the dialog.
pub struct LookingBack {
    pub open: RwSignal<bool>,
    pub names: Signal<Names>,
    /// Loads the leads again.
    pub on_change: Callback<()>,
}

/// Dialog with the past bulk actions.
pub fn past_changes_dialog(given: LookingBack) -> AnyView {
    let LookingBack { open, names, on_change } = given;
    view! {
        <Dialog open title=leads::past_changes() test="past-changes">
            <PastChanges open names on_change />
        </Dialog>
    }
    .into_any()
}

#[component]
fn PastChanges(open: RwSignal<bool>, names: Signal<Names>, on_change: Callback<()>) -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let (actions, staff) = (Remote::<Page<LeadActionEntry>>::new(), Remote::<Vec<Assignee>>::new());
    let load = move || actions.load(api.lead_actions(0));
    load();
    staff.load(api.assignees());
    let keys = Remote::<Vec<ApiKey>>::new();
    if session.is_admin() {
        keys.load(api.api_keys());
    }
    let known = move || actions.with(|page| page.map_or(0, |page| page.items.len() as u64));
    let earlier = Attempt::new();
    let ask_earlier = Callback::new(move |()| {
        earlier.start(api.lead_actions(untrack(known)), move |page| actions.change(|all| add(all, page)));
    });
    let on_undo = Callback::new(move |PastChange { parts, .. }| {
        // Progress and cancel button would be hidden behind the dialog.
        open.set(false);
        Parts { api, toasts, on_change }.undo(parts);
    });
    let left = Memo::new(move |_| actions.with(|page| page.map_or(0, |page| page.total)).saturating_sub(known()));
    let all = Memo::new(move |_| actions.with(|page| page.map(|page| changes(&page.items))));
    let body = move || match (actions.error(), all.with(|all| all.as_ref().map(Vec::is_empty))) {
        (Some(error), _) => view! { <ErrorNotice error on_retry=Callback::new(move |()| load()) /> }.into_any(),
        (None, None) => view! {
            <div aria-busy="true">
                <SkeletonBars bars=3 />
            </div>
        }
        .into_any(),
        (None, Some(true)) => view! { <p data-test="no-past-change">{leads::no_past_change()}</p> }.into_any(),
        (None, Some(false)) => view! {
            <PastChangeList
                changes=Signal::derive(move || all.get().unwrap_or_default())
                names
                staff=Signal::derive(move || staff.get().unwrap_or_default())
                keys=Signal::derive(move || keys.get().unwrap_or_default())
                own=session.user().map(|user| user.id.subject()).unwrap_or_default()
                may_undo=Signal::derive(move || session.may_write())
                on_undo
            />
        }
        .into_any(),
    };
    view! {
        <div class="dialog-body">
            <p class="secondary">{leads::about_past_changes()}</p>
            {body}
            {move || earlier.refusal().map(|error| view! { <ErrorNotice error /> })}
            <Show when=move || left.get() != 0>
                <WorkButton class="link-button" held=earlier.is_busy() test="past-earlier" on_press=ask_earlier>
                    {move || lead::earlier(left.get())}
                </WorkButton>
            </Show>
        </div>
    }
    .into_any()
}

/// Appends the next page. New actions shift the pages, so entries that are in the list already are skipped.
fn add(all: &mut Page<LeadActionEntry>, earlier: Page<LeadActionEntry>) {
    let oldest = all.items.last().map(|entry| entry.id);
    all.total = earlier.total;
    all.items.extend(earlier.items.into_iter().filter(|entry| oldest.is_none_or(|oldest| entry.id < oldest)));
}
