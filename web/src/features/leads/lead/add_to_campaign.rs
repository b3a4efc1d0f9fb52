//! Form that adds a lead to a campaign.

use leadscribe_engine::api::{Campaign, CampaignId};
use leptos::prelude::*;

use super::LeadPageData;
use super::campaign_lead_dialogs::CampaignLeadDialogProps;
use crate::i18n::texts::{common, lead as texts};
use crate::state::{Mutation, use_toasts};
use crate::ui::campaign_lead::add_to_campaign_body;
use crate::ui::dialog::DialogForm;
use crate::ui::input::SelectField;
use crate::ui::lead::status_form::{StatusChoice, requires_initial_status};

#[component]
pub fn AddToCampaignForm(props: CampaignLeadDialogProps) -> impl IntoView {
    let CampaignLeadDialogProps { data, campaign_ids, is_add_dialog_open: open, on_change, .. } = props;
    let LeadPageData { api, id, names, .. } = data;
    let (toasts, mutation) = (use_toasts(), Mutation::new());
    let (campaign_id, status) = (RwSignal::new(None::<CampaignId>), RwSignal::new(None::<String>));
    let is_status_required = Memo::new(move |_| names.with(requires_initial_status));
    let is_incomplete = Signal::derive(move || {
        campaign_id.with(Option::is_none) || is_status_required.get() && status.with(Option::is_none)
    });
    let error = move || match is_status_required.get() {
        true => mutation.form_error(&["/campaign_id", "/status"]),
        false => mutation.form_error(&["/campaign_id"]),
    };
    let choices = Signal::derive(move || {
        let is_other = |campaign: &Campaign| campaign_ids.with(|ids| !ids.contains(&campaign.id));
        let campaigns = names.with(|names| names.campaigns.clone()).into_iter().filter(is_other);
        campaigns.map(|campaign| (campaign.id.to_string(), campaign.name)).collect()
    });
    let set_campaign = move |value: String| {
        mutation.clear_error();
        campaign_id.set(value.parse().ok().map(CampaignId));
    };
    let set_status = Callback::new(move |name| {
        mutation.clear_error();
        status.set(Some(name));
    });
    let is_busy = mutation.is_busy();
    let on_submit = move |()| {
        let Some(campaign) = campaign_id.get_untracked().filter(|_| !is_incomplete.get_untracked()) else { return };
        let body = add_to_campaign_body(campaign, id, status.get_untracked());
        mutation.start(api.create_campaign_lead(body), move |_| {
            open.set(false);
            names.with_untracked(|names| {
                toasts.show_success(texts::added_to(names.campaign(campaign).unwrap_or_default()))
            });
            on_change.run(());
        });
    };
    view! {
        <DialogForm open is_busy error on_submit disabled=is_incomplete label=common::add() test_id="add-to-campaign-submit">
            <SelectField
                id="target-campaign"
                label=common::campaign()
                hint=texts::add_to_campaign_hint()
                empty_label=common::choose()
                is_required=true
                choices
                set=set_campaign
                diagnostics=mutation.diagnostics_at("/campaign_id")
            />
            <Show when=move || is_status_required.get()>
                <StatusChoice id="target-status" names set=set_status diagnostics=mutation.diagnostics_at("/status") />
            </Show>
        </DialogForm>
    }
}
