//! The dialog in which a lead is put into one more campaign.

use leadscribe_engine::api::{CampaignId, LeadId};
use leptos::prelude::*;

use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::campaign::lead_draft::put_into;
use crate::components::dialog::{CancelButton, Dialog, Dismissal};
use crate::components::error_notice::ErrorNotice;
use crate::components::filter_editor::Names;
use crate::components::input::field::Field;
use crate::components::input::submit_button::SubmitButton;
use crate::components::shell::toast::use_toasts;
use crate::texts::{lead as texts, leads};

/// The dialog.
#[component]
pub fn PutIntoCampaign(
    open: RwSignal<bool>,
    lead: LeadId,
    inside: Memo<Vec<CampaignId>>,
    names: Signal<Names>,
    on_change: Callback<()>,
) -> impl IntoView {
    view! {
        <Dialog open title=texts::put_into_campaign_title() dismissal=Dismissal::AsksIfFilled test="put-into-campaign">
            <PutInto open lead inside names on_change />
        </Dialog>
    }
    .into_any()
}

#[component]
fn PutInto(
    open: RwSignal<bool>,
    lead: LeadId,
    inside: Memo<Vec<CampaignId>>,
    names: Signal<Names>,
    on_change: Callback<()>,
) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let chosen = RwSignal::new(None::<CampaignId>);
    let attempt = Attempt::new();
    let options = move || {
        let campaigns = names.with(|names| names.campaigns.clone()).into_iter();
        let others = campaigns.filter(|campaign| inside.with(|inside| !inside.contains(&campaign.id)));
        others.map(|campaign| view! { <option value=campaign.id.to_string()>{campaign.name}</option> }).collect_view()
    };
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let Some(campaign) = chosen.get_untracked() else { return };
        attempt.start(api.create_campaign_lead(put_into(campaign, lead)), move |_| {
            open.set(false);
            names.with_untracked(|names| toasts.done(texts::is_put_into(names.campaign(campaign).unwrap_or_default())));
            on_change.run(());
        });
    };
    let choose = move |value: String| {
        attempt.clear();
        chosen.set(value.parse().ok().map(CampaignId));
    };
    view! {
        <form class="dialog-form" novalidate on:submit=submit>
            <div class="dialog-body">
                {move || attempt.refusal_beside(&["/campaign_id"]).map(|error| view! { <ErrorNotice error /> })}
                <Field
                    id="into-campaign"
                    label=texts::campaign()
                    hint=texts::put_into_hint()
                    faults=attempt.faults_at("/campaign_id")
                >
                    <select
                        id="into-campaign"
                        class="select"
                        autofocus
                        aria-describedby="into-campaign-note"
                        data-test="into-campaign"
                        on:change:target=move |event| choose(event.target().value())
                    >
                        <option value="" hidden selected>
                            {leads::choose()}
                        </option>
                        {options}
                    </select>
                </Field>
            </div>
            <footer class="dialog-foot">
                <CancelButton open busy=attempt.is_busy() />
                <SubmitButton
                    busy=attempt.is_busy()
                    disabled=Signal::derive(move || chosen.with(Option::is_none))
                    test="put-into"
                >
                    {texts::put_into_do()}
                </SubmitButton>
            </footer>
        </form>
    }
    .into_any()
}
