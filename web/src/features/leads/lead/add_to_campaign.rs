//! Dialog that adds a lead to a campaign.

use leadscribe_engine::api::{CampaignId, LeadId};
use leptos::prelude::*;

use crate::api::use_api;
use crate::i18n::texts::{lead as texts, leads};
use crate::state::mutation::Mutation;
use crate::state::toasts::use_toasts;
use crate::ui::campaign_lead::draft::add_to_campaign_body;
use crate::ui::dialog::{CancelButton, Dialog, Dismissal};
use crate::ui::error_notice::ErrorNotice;
use crate::ui::filter_editor::Names;
use crate::ui::input::field::Field;
use crate::ui::input::submit_button::SubmitButton;
use crate::ui::lead::status_choice::{StatusChoice, requires_initial_status};

/// The dialog.
#[component]
pub fn AddToCampaignDialog(
    open: RwSignal<bool>,
    lead: LeadId,
    campaign_ids: Memo<Vec<CampaignId>>,
    names: Signal<Names>,
    on_change: Callback<()>,
) -> impl IntoView {
    view! {
        <Dialog open title=texts::add_to_campaign() dismissal=Dismissal::ConfirmIfFilled test_id="add-to-campaign">
            <AddToCampaignForm open lead campaign_ids names on_change />
        </Dialog>
    }
    .into_any()
}

#[component]
fn AddToCampaignForm(
    open: RwSignal<bool>,
    lead: LeadId,
    campaign_ids: Memo<Vec<CampaignId>>,
    names: Signal<Names>,
    on_change: Callback<()>,
) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let campaign_id = RwSignal::new(None::<CampaignId>);
    let status = RwSignal::new(None::<String>);
    let is_status_required = Memo::new(move |_| names.with(requires_initial_status));
    let is_ready = Signal::derive(move || {
        campaign_id.with(Option::is_some) && (!is_status_required.get() || status.with(Option::is_some))
    });
    let mutation = Mutation::new();
    let status_diagnostics = mutation.diagnostics_at("/status");
    let choose_status = Callback::new(move |name| {
        mutation.clear_error();
        status.set(Some(name));
    });
    let form_error = move || {
        let field_pointers: &[&str] =
            if is_status_required.get() { &["/campaign_id", "/status"] } else { &["/campaign_id"] };
        mutation.form_error(field_pointers)
    };
    let options = move || {
        let campaigns = names.with(|names| names.campaigns.clone()).into_iter();
        let other_campaigns =
            campaigns.filter(|campaign| campaign_ids.with(|campaign_ids| !campaign_ids.contains(&campaign.id)));
        other_campaigns
            .map(|campaign| view! { <option value=campaign.id.to_string()>{campaign.name}</option> })
            .collect_view()
    };
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let Some(campaign) = campaign_id.get_untracked().filter(|_| is_ready.get_untracked()) else { return };
        let status = status.get_untracked();
        mutation.start(api.create_campaign_lead(add_to_campaign_body(campaign, lead, status)), move |_| {
            open.set(false);
            names.with_untracked(|names| {
                toasts.show_success(texts::added_to(names.campaign(campaign).unwrap_or_default()))
            });
            on_change.run(());
        });
    };
    let choose_campaign = move |value: String| {
        mutation.clear_error();
        campaign_id.set(value.parse().ok().map(CampaignId));
    };
    view! {
        <form class="dialog-form" novalidate on:submit=submit>
            <div class="dialog-body">
                {move || form_error().map(|error| view! { <ErrorNotice error /> })}
                <Field
                    id="target-campaign"
                    label=texts::campaign()
                    hint=texts::add_to_campaign_hint()
                    diagnostics=mutation.diagnostics_at("/campaign_id")
                >
                    <select
                        id="target-campaign"
                        class="select"
                        autofocus
                        aria-describedby="target-campaign-note"
                        data-test="target-campaign"
                        on:change:target=move |event| choose_campaign(event.target().value())
                    >
                        <option value="" hidden selected>
                            {leads::choose()}
                        </option>
                        {options}
                    </select>
                </Field>
                <Show when=move || is_status_required.get()>
                    <StatusChoice id="target-status" names set=choose_status diagnostics=status_diagnostics />
                </Show>
            </div>
            <footer class="dialog-footer">
                <CancelButton open busy=mutation.is_busy() />
                <SubmitButton is_busy=mutation.is_busy() disabled=Signal::derive(move || !is_ready.get()) test_id="add-to-campaign-submit">
                    {texts::add()}
                </SubmitButton>
            </footer>
        </form>
    }
    .into_any()
}
