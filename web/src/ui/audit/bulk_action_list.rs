//! Bulk actions on leads: values, number of leads, actor and time, with a button to undo each.

use leadscribe_engine::api::{ApiKey, Assignee};
use leptos::prelude::*;

use super::actor::actor_name;
use super::bulk_action::{BulkAction, describe_values};
use crate::i18n::datetime;
use crate::i18n::texts::{common, imports, leads};
use crate::ui::filter_editor::Names;
use crate::ui::{Glyph, Icon, LocalTime};

/// The bulk actions, newest first.
#[component]
pub fn BulkActionList(
    #[prop(into)] actions: Signal<Vec<BulkAction>>,
    names: Signal<Names>,
    /// All staff, if known.
    #[prop(into)]
    staff: Signal<Vec<Assignee>>,
    /// API keys whose names the user may see.
    #[prop(into)]
    api_keys: Signal<Vec<ApiKey>>,
    /// The user's name in the log.
    current_actor: String,
    #[prop(into)] can_undo: Signal<bool>,
    on_undo: Callback<BulkAction>,
) -> impl IntoView {
    let current_actor = StoredValue::new(current_actor);
    let render_action = move |action: BulkAction| {
        let BulkAction { merged, .. } = action.clone();
        let description =
            names.with(|names| staff.with(|staff| describe_values(&merged.set, names, staff, datetime::format_local)));
        let actor_label = current_actor.with_value(|current_actor| {
            staff.with(|staff| api_keys.with(|api_keys| actor_name(&merged.actor, current_actor, staff, api_keys)))
        });
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
            None => can_undo
                .get()
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
    view! { <ol class="bulk-actions">{move || actions.get().into_iter().map(render_action).collect_view()}</ol> }
}
