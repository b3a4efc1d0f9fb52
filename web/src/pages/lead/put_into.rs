//! Dialog that adds a lead to a campaign.

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
use crate::components::lead::status_choice::{StatusChoice, lacks_first_status};
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
    let status = RwSignal::new(None::<String>);
    let asks_status = Memo::new(move |_| names.with(lacks_first_status));
    let is_ready =
        Signal::derive(move || chosen.with(Option::is_some) && (!asks_status.get() || status.with(Option::is_some)));
    let attempt = Attempt::new();
    let status_faults = attempt.faults_at("/status");
    let choose_status = Callback::new(move |name| {
        attempt.clear();
        status.set(Some(name));
    });
    let beside = move || {
        let shown: &[&str] = if asks_status.get() { &["/campaign_id", "/status"] } else { &["/campaign_id"] };
        attempt.refusal_beside(shown)
    };
    let options = move || {
        let campaigns = names.with(|names| names.campaigns.clone()).into_iter();
        let others = campaigns.filter(|campaign| inside.with(|inside| !inside.contains(&campaign.id)));
        others.map(|campaign| view! { <option value=campaign.id.to_string()>{campaign.name}</option> }).collect_view()
    };
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let Some(campaign) = chosen.get_untracked().filter(|_| is_ready.get_untracked()) else { return };
        let status = status.get_untracked();
        attempt.start(api.create_campaign_lead(put_into(campaign, lead, status)), move |_| {
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
                {move || beside().map(|error| view! { <ErrorNotice error /> })}
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
                <Show when=move || asks_status.get()>
                    <StatusChoice id="into-status" names set=choose_status faults=status_faults />
                </Show>
            </div>
            <footer class="dialog-foot">
                <CancelButton open busy=attempt.is_busy() />
                <SubmitButton busy=attempt.is_busy() disabled=Signal::derive(move || !is_ready.get()) test="put-into">
                    {texts::put_into_do()}
                </SubmitButton>
            </footer>
        </form>
    }
    .into_any()
}
