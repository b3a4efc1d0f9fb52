//! The choice of the campaign that an import puts its leads into, and of the status that they begin with.

use leadscribe_engine::api::{Campaign, LeadStatus, Page};
use leptos::prelude::*;

use crate::api::use_api;
use crate::components::error_notice::ErrorNotice;
use crate::components::input::chip_picker::Choice;
use crate::components::input::field::Field;
use crate::components::input::filter_inputs::Pick;
use crate::remote::Remote;
use crate::texts::imports;

/// Where leads go: ids and names as the API takes them, empty for none.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportTarget {
    /// The campaign's id.
    pub campaign: String,
    /// The status's name; empty for the default one.
    pub status: String,
}

/// The choices, of which none needs to be made.
#[component]
pub fn TargetChoice(target: RwSignal<ImportTarget>, on_changed: Callback<()>) -> impl IntoView {
    let api = use_api();
    let (campaigns, statuses) = (Remote::<Page<Campaign>>::new(), Remote::<Page<LeadStatus>>::new());
    campaigns.load(api.campaigns());
    statuses.load(api.statuses());
    let campaign_choices: Signal<Vec<Choice>> = Signal::derive(move || {
        campaigns.with(|page| page.map(|page| page.items.iter().map(campaign_choice).collect())).unwrap_or_default()
    });
    let status_choices: Signal<Vec<Choice>> = Signal::derive(move || {
        let choice = |status: &LeadStatus| (status.name.clone(), status.label.clone());
        statuses.with(|page| page.map(|page| page.items.iter().map(choice).collect())).unwrap_or_default()
    });
    let set_campaign = Callback::new(move |campaign: String| {
        target.update(|target| {
            if campaign.is_empty() {
                target.status.clear();
            }
            target.campaign = campaign;
        });
        on_changed.run(());
    });
    let set_status = Callback::new(move |status| {
        target.update(|target| target.status = status);
        on_changed.run(());
    });
    let has_campaign = Memo::new(move |_| target.with(|target| !target.campaign.is_empty()));
    view! {
        <Field id="import-campaign" label=imports::put_into_campaign() hint=imports::put_into_campaign_hint()>
            <Pick
                id="import-campaign"
                label=imports::put_into_campaign()
                none=imports::no_campaign()
                choices=campaign_choices
                value=Signal::derive(move || target.with(|target| target.campaign.clone()))
                set=set_campaign
            />
        </Field>
        <Show when=move || has_campaign.get()>
            <Field id="import-status" label=imports::begin_with_status()>
                <Pick
                    id="import-status"
                    label=imports::begin_with_status()
                    none=imports::default_status()
                    choices=status_choices
                    value=Signal::derive(move || target.with(|target| target.status.clone()))
                    set=set_status
                />
            </Field>
        </Show>
        {move || campaigns.error().or_else(|| statuses.error()).map(|error| view! { <ErrorNotice error /> })}
    }
    .into_any()
}

fn campaign_choice(campaign: &Campaign) -> Choice {
    (campaign.id.to_string(), campaign.name.clone())
}
