//! Bulk actions of the last days, which can still be undone after their message has disappeared.

use leadscribe_engine::api::{ApiKey, LeadActionEntry, Page};
use leptos::prelude::*;

use super::batch_runner::BatchRunner;
use crate::api::{use_api, use_session};
use crate::i18n::texts::{lead, leads};
use crate::state::{ApiResource, Mutation, use_toasts};
use crate::ui::ErrorNotice;
use crate::ui::audit::bulk_action::{BulkAction, merge_actions};
use crate::ui::audit::bulk_action_list::BulkActionList;
use crate::ui::dialog::Dialog;
use crate::ui::filter_editor::Names;
use crate::ui::lazy_view::lazy_view;
use crate::ui::list::SkeletonBars;

lazy_view!(dialogs: pub fn recent_changes(RecentChangesDialogProps) = RecentChangesDialog);

#[component]
pub fn RecentChangesDialog(open: RwSignal<bool>, names: Signal<Names>, on_change: Callback<()>) -> impl IntoView {
    view! {
        <Dialog open title=leads::recent_changes() test_id="bulk-actions">
            <RecentChanges open names on_change />
        </Dialog>
    }
}

#[component]
fn RecentChanges(open: RwSignal<bool>, names: Signal<Names>, on_change: Callback<()>) -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let (actions, staff) = (ApiResource::<Page<LeadActionEntry>>::new(), ApiResource::requested(api.assignees()));
    let load = move || actions.load(api.lead_actions(0));
    load();
    let keys = ApiResource::<Vec<ApiKey>>::new();
    if session.is_admin() {
        keys.load(api.api_keys());
    }
    let loaded_count = move || actions.with(|page| page.map_or(0, |page| page.items.len() as u64));
    let load_earlier = Mutation::new();
    let request_earlier = Callback::new(move |()| {
        load_earlier.start(api.lead_actions(untrack(loaded_count)), move |page| {
            actions.data.update(|recent_changes| _ = recent_changes.as_mut().map(|recent| append_earlier(recent, page)))
        });
    });
    let on_undo = Callback::new(move |BulkAction { parts, .. }| {
        // Progress and cancel button would be hidden behind the dialog.
        open.set(false);
        BatchRunner { api, toasts, on_change }.undo(parts);
    });
    let remaining =
        Memo::new(move |_| actions.with(|page| page.map_or(0, |page| page.total)).saturating_sub(loaded_count()));
    let recent_changes = Memo::new(move |_| actions.with(|page| page.map(|page| merge_actions(&page.items))));
    let is_empty = move || recent_changes.with(|changes| changes.as_ref().map(Vec::is_empty));
    let body = move || match (actions.error.get(), is_empty()) {
        (Some(error), _) => view! { <ErrorNotice error on_retry=Callback::new(move |()| load()) /> }.into_any(),
        (None, None) => view! {
            <div aria-busy="true">
                <SkeletonBars bars=3 />
            </div>
        }
        .into_any(),
        (None, Some(true)) => view! { <p data-test="no-bulk-actions">{leads::no_recent_changes()}</p> }.into_any(),
        (None, Some(false)) => view! {
            <BulkActionList
                actions=Signal::derive(move || recent_changes.get().unwrap_or_default())
                names
                staff=Signal::derive(move || staff.get().unwrap_or_default())
                api_keys=Signal::derive(move || keys.get().unwrap_or_default())
                current_actor=session.user().map(|user| user.id.subject()).unwrap_or_default()
                can_undo=Signal::derive(move || session.can_write())
                on_undo
            />
        }
        .into_any(),
    };
    view! {
        <div class="dialog-body">
            <p class="secondary">{leads::recent_changes_hint()}</p>
            {body}
            {move || load_earlier.error().map(|error| view! { <ErrorNotice error /> })}
            <Show when=move || remaining.get() != 0>
                <button type="button" class="link-button" data-test="load-earlier" on:click=move |_| request_earlier.run(())>
                    {move || lead::show_earlier(remaining.get())}
                </button>
            </Show>
        </div>
    }
}

/// Appends the next page. New actions shift the pages, so entries already in the list are skipped.
fn append_earlier(loaded: &mut Page<LeadActionEntry>, earlier: Page<LeadActionEntry>) {
    let oldest = loaded.items.last().map(|entry| entry.id);
    loaded.total = earlier.total;
    loaded.items.extend(earlier.items.into_iter().filter(|entry| oldest.is_none_or(|oldest| entry.id < oldest)));
}
