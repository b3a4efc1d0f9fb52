//! Bulk changes of leads: values, number of leads, actor and time, with a button to undo each.

use leadscribe_engine::api::{ApiKey, Assignee};
use leptos::prelude::*;

use super::actor::actor;
use super::past_change::{PastChange, in_words};
use crate::components::filter_editor::Names;
use crate::components::icon::{Glyph, Icon};
use crate::components::moment::Moment;
use crate::texts::{common, imports, leads};
use crate::when;

/// The changes, newest first.
#[component]
pub fn PastChangeList(
    #[prop(into)] changes: Signal<Vec<PastChange>>,
    names: Signal<Names>,
    /// All staff, if known.
    #[prop(into)]
    staff: Signal<Vec<Assignee>>,
    /// API keys whose names the reader may see.
    #[prop(into)]
    keys: Signal<Vec<ApiKey>>,
    /// The reader's name in the log.
    own: String,
    #[prop(into)] may_undo: Signal<bool>,
    on_undo: Callback<PastChange>,
) -> impl IntoView {
    let own = StoredValue::new(own);
    let line = move |change: PastChange| {
        let PastChange { whole, .. } = change.clone();
        let said = names.with(|names| staff.with(|staff| in_words(&whole.set, names, staff, when::local)));
        let who = own.with_value(|own| staff.with(|staff| keys.with(|keys| actor(&whole.actor, own, staff, keys))));
        let inside = (whole.campaign_leads > whole.leads).then(|| leads::campaign_leads(whole.campaign_leads));
        let many = [Some(common::leads(whole.leads)), inside].into_iter().flatten().collect::<Vec<_>>().join(", ");
        let label = leads::undo_change(&said);
        let deed = match whole.undone_at {
            Some(at) => view! {
                <span class="small secondary" title=when::exact(at) data-test="past-undone">
                    {imports::undone()}
                </span>
            }
            .into_any(),
            None => may_undo
                .get()
                .then(|| {
                    view! {
                        <button
                            type="button"
                            class="button button-small"
                            aria-label=label
                            data-test="past-undo"
                            on:click=move |_| on_undo.run(change.clone())
                        >
                            <Icon glyph=Glyph::Undo />
                            {common::undo()}
                        </button>
                    }
                })
                .into_any(),
        };
        view! {
            <li data-test="past-change">
                <div>
                    <strong data-test="past-set">{said}</strong>
                    <div class="small secondary">
                        <span data-test="past-leads">{many}</span>
                        " · "
                        <span title=whole.actor>{who}</span>
                        ", "
                        <Moment at=whole.at relative=true />
                    </div>
                </div>
                {deed}
            </li>
        }
    };
    view! { <ol class="past-changes">{move || changes.get().into_iter().map(line).collect_view()}</ol> }.into_any()
}
