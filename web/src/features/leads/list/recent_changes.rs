//! Bulk actions of the last 7 days, which can still be undone after their toast has disappeared.

use leadscribe_engine::api::{ApiKey, LeadActionEntry, Page};
use leptos::prelude::*;

use super::batch_runner::BatchRunner;
use crate::api::{use_api, use_session};
use crate::i18n::datetime;
use crate::i18n::texts::{common, imports, lead, leads};
use crate::state::{ApiResource, Mutation, use_toasts};
use crate::ui::audit::{BulkAction, actor_name, describe_values, merge_actions};
use crate::ui::dialog::Dialog;
use crate::ui::filter_editor::Names;
use crate::ui::lazy_view::lazy_view;
use crate::ui::list::SkeletonBars;
use crate::ui::{ErrorNotice, Glyph, Icon, LocalTime};

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
    let current_actor = session.user().map(|user| user.id.subject()).unwrap_or_default();
    let render_action = move |action: BulkAction| {
        let BulkAction { merged, .. } = action.clone();
        let (staff, keys) = (staff.get().unwrap_or_default(), keys.get().unwrap_or_default());
        let description = names.with(|names| describe_values(&merged.set, names, &staff, datetime::format_local));
        let actor_label = actor_name(&merged.actor, &current_actor, &staff, &keys);
        let mut counts = common::leads(merged.leads);
        if merged.campaign_leads > merged.leads {
            counts = format!("{counts}, {}", leads::campaign_leads(merged.campaign_leads));
        }
        let label = leads::undo_change(&description);
        let undo_control = match merged.undone_at {
            Some(at) => view! {
                <span class="small secondary" title=datetime::format_exact(at) data-test="bulk-action-undone">
                    {imports::undone()}
                </span>
            }
            .into_any(),
            None => session
                .can_write()
                .then(|| {
                    view! {
                        <button
                            type="button"
                            class="button button-small"
                            aria-label=label
                            data-test="bulk-action-undo"
                            on:click=move |_| on_undo.run(action.clone())
                        >
                            <Icon glyph=Glyph::Undo />
                            {common::undo()}
                        </button>
                    }
                })
                .into_any(),
        };
        view! {
            <li data-test="bulk-action">
                <div>
                    <strong data-test="bulk-action-values">{description}</strong>
                    <div class="small secondary">
                        <span data-test="bulk-action-leads">{counts}</span>
                        " · "
                        <span title=merged.actor>{actor_label}</span>
                        ", "
                        <LocalTime at=merged.performed_at relative=true />
                    </div>
                </div>
                {undo_control}
            </li>
        }
    };
    let body = move || match (actions.error.get(), recent_changes.get()) {
        (Some(error), _) => view! { <ErrorNotice error on_retry=Callback::new(move |()| load()) /> }.into_any(),
        (None, None) => view! {
            <div aria-busy="true">
                <SkeletonBars bars=3 />
            </div>
        }
        .into_any(),
        (None, Some(changes)) if changes.is_empty() => {
            view! { <p data-test="no-bulk-actions">{leads::no_recent_changes()}</p> }.into_any()
        }
        (None, Some(changes)) => {
            view! { <ol class="bulk-actions">{changes.into_iter().map(&render_action).collect_view()}</ol> }.into_any()
        }
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
