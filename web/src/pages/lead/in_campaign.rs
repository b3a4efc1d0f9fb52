//! A lead in its campaigns: put into one, changed in one, and taken out of one.

use leadscribe_engine::api::{Assignee, CampaignDetails, CampaignId, LeadId};
use leptos::prelude::*;

use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::campaign_lead_draft::{CampaignLeadDraft, put_into};
use crate::components::campaign_lead_form::{CampaignLeadForm, SHOWN};
use crate::components::confirm_dialog::{ConfirmDialog, Doubt, Question};
use crate::components::dialog::{CancelButton, Dialog};
use crate::components::error_notice::ErrorNotice;
use crate::components::field::Field;
use crate::components::filter_editor::Names;
use crate::components::submit_button::SubmitButton;
use crate::components::toast::use_toasts;
use crate::session::use_session;
use crate::texts::{common, lead as texts, leads};

/// The campaign that is changed in the dialog, and whether it is open; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct Changing {
    open: RwSignal<bool>,
    details: RwSignal<Option<CampaignDetails>>,
}

impl Changing {
    /// None yet.
    pub fn new() -> Self {
        Self { open: RwSignal::new(false), details: RwSignal::new(None) }
    }

    pub fn is_open(self) -> bool {
        self.open.get()
    }

    /// Opens the dialog.
    pub fn ask(self, details: CampaignDetails) {
        self.details.set(Some(details));
        self.open.set(true);
    }
}

/// What the dialogs of a lead's campaigns are given.
pub struct InCampaigns {
    pub lead: LeadId,
    /// The campaigns it is in.
    pub inside: Memo<Vec<CampaignId>>,
    pub changing: Changing,
    /// Whether it is being put into one more.
    pub putting: RwSignal<bool>,
    pub names: Signal<Names>,
    pub staff: Signal<Vec<Assignee>>,
    /// Shows the lead anew.
    pub on_change: Callback<()>,
}

/// The dialogs.
pub fn in_campaign_dialogs(given: InCampaigns) -> AnyView {
    let InCampaigns { lead, inside, changing, putting, names, staff, on_change } = given;
    view! {
        <ChangeInCampaign changing names staff on_change />
        <PutIntoCampaign open=putting lead inside names on_change />
    }
    .into_any()
}

/// The dialog in which a lead is changed in a campaign, or taken out of it.
#[component]
fn ChangeInCampaign(
    changing: Changing,
    names: Signal<Names>,
    staff: Signal<Vec<Assignee>>,
    on_change: Callback<()>,
) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let Changing { open, details } = changing;
    let title = Signal::derive(move || {
        details
            .with(|details| details.as_ref().map(|details| texts::lead_in(&details.campaign_name)).unwrap_or_default())
    });
    let doubt = Doubt::<CampaignDetails>::new();
    let on_take_out = Callback::new(move |details: CampaignDetails| {
        open.set(false);
        doubt.ask(details);
    });
    let take_out = Callback::new(move |details: CampaignDetails| {
        doubt.attempt().start(api.delete_campaign_lead(details.campaign_lead_id), move |()| {
            doubt.close();
            toasts.done(texts::is_taken_out(&details.campaign_name));
            on_change.run(());
        });
    });
    view! {
        <Dialog open title test="change-in-campaign">
            {move || {
                details.get().map(|details| view! { <Change details open names staff on_change on_take_out /> })
            }}
        </Dialog>
        <ConfirmDialog doubt question=take_out_question on_confirm=take_out />
    }
    .into_any()
}

fn take_out_question(details: &CampaignDetails) -> Question {
    Question {
        title: texts::take_out_title(&details.campaign_name),
        text: texts::take_out_text().to_owned(),
        action: texts::take_out(),
    }
}

#[component]
fn Change(
    details: CampaignDetails,
    open: RwSignal<bool>,
    names: Signal<Names>,
    staff: Signal<Vec<Assignee>>,
    on_change: Callback<()>,
    on_take_out: Callback<CampaignDetails>,
) -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let saved = CampaignLeadDraft::from(&details);
    let draft = RwSignal::new(saved.clone());
    let attempt = Attempt::new();
    let change = Memo::new(move |_| draft.with(|draft| draft.changes(&saved)));
    let found =
        Memo::new(move |_| change.with(|change| change.as_deref().map(CampaignLeadDraft::faults)).unwrap_or_default());
    Effect::new(move |_| {
        change.track();
        attempt.clear();
    });
    let faults = Signal::derive(move || {
        let refused = attempt.refusal().map(|error| error.faults().to_vec());
        refused.unwrap_or_else(|| found.get())
    });
    let beside = move || attempt.refusal_beside(&SHOWN);
    let is_idle = Signal::derive(move || change.with(Option::is_none) || !found.with(Vec::is_empty));
    let id = details.campaign_lead_id;
    let campaign = details.campaign_name.clone();
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let Some(change) = change.get_untracked().filter(|_| found.with_untracked(Vec::is_empty)) else { return };
        let campaign = campaign.clone();
        attempt.start(api.update_campaign_lead(id, change), move |_| {
            open.set(false);
            toasts.done(texts::is_changed_in(&campaign));
            on_change.run(());
        });
    };
    view! {
        <form class="dialog-form" novalidate on:submit=submit>
            <div class="dialog-body">
                {move || beside().map(|error| view! { <ErrorNotice error /> })}
                <CampaignLeadForm draft names me=Signal::derive(move || session.user()) staff faults />
            </div>
            <footer class="dialog-foot">
                <button
                    type="button"
                    class="button button-plain start"
                    data-test="take-out"
                    on:click=move |_| on_take_out.run(details.clone())
                >
                    {texts::take_out_ask()}
                </button>
                <CancelButton open />
                <SubmitButton busy=attempt.is_busy() disabled=is_idle test="save-in-campaign">
                    {common::save()}
                </SubmitButton>
            </footer>
        </form>
    }
    .into_any()
}

/// The dialog in which a lead is put into one more campaign.
#[component]
fn PutIntoCampaign(
    open: RwSignal<bool>,
    lead: LeadId,
    inside: Memo<Vec<CampaignId>>,
    names: Signal<Names>,
    on_change: Callback<()>,
) -> impl IntoView {
    view! {
        <Dialog open title=texts::put_into_campaign_title() test="put-into-campaign">
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
                <CancelButton open />
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
