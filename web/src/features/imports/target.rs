//! Choice of the campaign that imported leads are added to, and of their initial status.

use leadscribe_engine::api::{Campaign, LeadStatus, Page};
use leptos::prelude::*;

use crate::api::use_api;
use crate::i18n::texts::imports;
use crate::state::resource::ApiResource;
use crate::ui::error_notice::ErrorNotice;
use crate::ui::input::chip_picker::Choice;
use crate::ui::input::field::Field;
use crate::ui::input::filter_inputs::Select;

/// Target of an import: ids and names as the API takes them; empty if not chosen.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ImportTarget {
    /// Id of the campaign.
    pub campaign: String,
    /// Name of the status; empty for the default.
    pub status: String,
}

/// Campaign and status selects. Both are optional.
#[component]
pub fn TargetChoice(target: RwSignal<ImportTarget>, on_changed: Callback<()>) -> impl IntoView {
    let api = use_api();
    let (campaigns, statuses) = (ApiResource::<Page<Campaign>>::new(), ApiResource::<Page<LeadStatus>>::new());
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
        <Field id="import-campaign" label=imports::add_to_campaign() hint=imports::add_to_campaign_hint()>
            <Select
                id="import-campaign"
                label=imports::add_to_campaign()
                empty_label=imports::no_campaign()
                choices=campaign_choices
                value=Signal::derive(move || target.with(|target| target.campaign.clone()))
                set=set_campaign
            />
        </Field>
        <Show when=move || has_campaign.get()>
            <Field id="import-status" label=imports::initial_status()>
                <Select
                    id="import-status"
                    label=imports::initial_status()
                    empty_label=imports::default_status()
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
