//! Dialogs for the campaigns of a lead: add it, edit it in a campaign, remove it.

use leadscribe_engine::api::{
    Assignee, CampaignDetails, CampaignId, CampaignLead, CampaignLeadId, ExtendedLead, LeadId,
};
use leptos::prelude::*;
use leptos::task::spawn_local;

use super::put_into::PutIntoCampaign;
use super::taken_out::TakenOut;
use crate::api::{ApiError, use_api};
use crate::components::audit::changed_too::{ChangedToo, save_label};
use crate::components::campaign::lead_draft::{CampaignLeadDraft, inside};
use crate::components::campaign::lead_form::{CampaignLeadForm, SHOWN, told};
use crate::components::dialog::confirm::{ConfirmDialog, Doubt, Question};
use crate::components::dialog::{CancelButton, Contents, Dialog, Dismissal};
use crate::components::error_notice::ErrorNotice;
use crate::components::filter_editor::Names;
use crate::components::input::submit_button::SubmitButton;
use crate::components::shell::toast::use_toasts;
use crate::meanwhile::Meanwhile;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::lead as texts;
use crate::undo;

/// State of the edit dialog. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Changing {
    open: RwSignal<bool>,
    details: RwSignal<Option<CampaignDetails>>,
    refused: RwSignal<Option<Refused>>,
}

/// A refused change and the reason: a conflict with another session, or an error.
#[derive(Clone)]
struct Refused {
    id: CampaignLeadId,
    draft: CampaignLeadDraft,
    meanwhile: Meanwhile<CampaignLead>,
    error: Option<ApiError>,
}

impl Changing {
    /// Creates the state without a campaign.
    pub fn new() -> Self {
        Self { open: RwSignal::new(false), details: RwSignal::new(None), refused: RwSignal::new(None) }
    }

    pub fn is_open(self) -> bool {
        self.open.get()
    }

    /// Opens the dialog.
    pub fn ask(self, details: CampaignDetails) {
        self.details.set(Some(details));
        self.open.set(true);
    }

    /// Opens the dialog again with a refused change. Returns false if the page was closed or another campaign is being edited.
    fn refuse(self, refused: Refused) -> bool {
        let is_free = self.open.try_get_untracked() == Some(false);
        if is_free {
            self.refused.set(Some(refused));
            self.open.set(true);
        }
        is_free
    }

    /// Takes the refused change of a campaign lead, if there is one.
    fn take_refused(self, id: CampaignLeadId) -> Option<Refused> {
        self.refused.try_update_untracked(Option::take).flatten().filter(|refused| refused.id == id)
    }
}

/// Properties of the dialogs.
pub struct InCampaigns {
    pub id: LeadId,
    pub lead: Remote<ExtendedLead>,
    /// Campaigns that the lead is in.
    pub inside: Memo<Vec<CampaignId>>,
    pub changing: Changing,
    /// True while the dialog that adds it to a campaign is open.
    pub putting: RwSignal<bool>,
    pub names: Signal<Names>,
    pub staff: Signal<Vec<Assignee>>,
    /// Loads the lead again.
    pub on_change: Callback<()>,
}

/// The dialogs.
pub fn in_campaign_dialogs(given: InCampaigns) -> AnyView {
    let InCampaigns { id, lead, inside, changing, putting, names, staff, on_change } = given;
    view! {
        <ChangeInCampaign id lead changing names staff on_change />
        <PutIntoCampaign open=putting lead=id inside names on_change />
    }
    .into_any()
}

/// Dialog that edits a lead in a campaign or removes it.
#[component]
fn ChangeInCampaign(
    id: LeadId,
    lead: Remote<ExtendedLead>,
    changing: Changing,
    names: Signal<Names>,
    staff: Signal<Vec<Assignee>>,
    on_change: Callback<()>,
) -> impl IntoView {
    let (api, toasts) = (use_api(), use_toasts());
    let Changing { open, details, .. } = changing;
    let title = Signal::derive(move || {
        details.with(|details| details.as_ref().map(|details| details.campaign_name.clone()).unwrap_or_default())
    });
    let doubt = Doubt::<CampaignDetails>::new();
    let on_take_out = Callback::new(move |details: CampaignDetails| {
        open.set(false);
        spawn_local(async move {
            match TakenOut::of(api, details.campaign_lead_id).await {
                Ok(Some(taken_out)) => {
                    let restore = move || taken_out.clone().put_back(api, on_change);
                    undo::offer(toasts, texts::is_taken_out(&details.campaign_name), restore, on_change);
                    on_change.try_run(());
                }
                // An action that can't be undone needs confirmation.
                Ok(None) => doubt.ask(details),
                Err(error) => toasts.failed(&error),
            }
        });
    });
    let take_out = Callback::new(move |details: CampaignDetails| {
        doubt.attempt().start(api.delete_campaign_lead(details.campaign_lead_id), move |()| {
            doubt.close();
            toasts.done(texts::is_taken_out(&details.campaign_name));
            on_change.run(());
        });
    });
    view! {
        <Dialog open title dismissal=Dismissal::AsksIfFilled test="change-in-campaign">
            {move || {
                details
                    .get()
                    .map(|details| {
                        view! { <Change of=id lead details changing names staff on_change on_take_out /> }
                    })
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
    of: LeadId,
    lead: Remote<ExtendedLead>,
    details: CampaignDetails,
    changing: Changing,
    names: Signal<Names>,
    staff: Signal<Vec<Assignee>>,
    on_change: Callback<()>,
    on_take_out: Callback<CampaignDetails>,
) -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let (id, open) = (details.campaign_lead_id, changing.open);
    let opened = inside(of, details.clone());
    let refused = changing.take_refused(id);
    if refused.is_some() {
        expect_context::<Contents>().fill();
    }
    // The other session's version becomes the base, so the user's value counts as a change even if it is the original one.
    let before = refused.as_ref().and_then(|refused| refused.meanwhile.now()).unwrap_or(opened);
    let saved = CampaignLeadDraft::from(&before);
    let (written, meanwhile, refusal) = match refused {
        Some(Refused { draft, meanwhile, error, .. }) => (draft, meanwhile, error),
        None => (saved.clone(), Meanwhile::nothing(), None),
    };
    let base = saved.clone();
    let (draft, refusal) = (RwSignal::new(written), RwSignal::new(refusal));
    let lines = meanwhile.lines(move |inside, name| told(inside, name, &names.get(), &staff.get()));
    let change = Memo::new(move |_| draft.with(|draft| draft.changes(&saved)));
    let found =
        Memo::new(move |_| change.with(|change| change.as_deref().map(CampaignLeadDraft::faults)).unwrap_or_default());
    Effect::new(move |before: Option<()>| {
        change.track();
        if before.is_some() {
            refusal.set(None);
        }
    });
    let faults = Signal::derive(move || {
        let refused = refusal.with(|error| error.as_ref().map(|error| error.faults().to_vec()));
        refused.unwrap_or_else(|| found.get())
    });
    let beside = move || refusal.with(|error| error.as_ref().and_then(|error| error.beside(&SHOWN)));
    let is_idle = Signal::derive(move || change.with(Option::is_none) || !found.with(Vec::is_empty));
    let campaign = details.campaign_name.clone();
    let submit = move |event: web_sys::SubmitEvent| {
        event.prevent_default();
        let Some(change) = change.get_untracked().filter(|_| found.with_untracked(Vec::is_empty)) else { return };
        let (written, campaign) = (draft.get_untracked(), campaign.clone());
        let put = move |lead: &mut ExtendedLead, draft: &CampaignLeadDraft| {
            lead.campaigns.iter_mut().filter(|one| one.campaign_lead_id == id).for_each(|one| draft.fill(one));
        };
        // The result is shown even if the page was closed.
        let (mut draft, base, before) = (written.clone(), base.clone(), before.clone());
        let (meanwhile, to_tell) = (meanwhile.clone(), meanwhile.clone());
        let save = async move {
            let saved = meanwhile.save(api, before, change).await?;
            saved.offer_undo(api, toasts, texts::is_changed_in(&campaign), on_change);
            Ok(saved.now)
        };
        let refused = move |error: &ApiError| {
            let is_told = to_tell.is_to_be_told();
            if let Some(now) = to_tell.now().filter(|_| is_told) {
                draft.rebase(&base, &CampaignLeadDraft::from(&now));
                on_change.try_run(());
            }
            let refused = Refused { id, draft, meanwhile: to_tell, error: (!is_told).then(|| error.clone()) };
            // If the page was closed, there is no dialog to show the error in.
            if !changing.refuse(refused) {
                toasts.failed(error);
            }
        };
        let settled = move |is_made| {
            if is_made {
                on_change.try_run(());
            }
        };
        open.set(false);
        let made = move |lead: &mut ExtendedLead, saved: CampaignLead| put(lead, &CampaignLeadDraft::from(&saved));
        lead.assume(move |lead| put(lead, &written), save, made, refused, settled);
    };
    view! {
        <form class="dialog-form" novalidate on:submit=submit>
            <div class="dialog-body">
                <ChangedToo lines />
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
                <SubmitButton disabled=is_idle test="save-in-campaign">
                    {move || save_label(lines)}
                </SubmitButton>
            </footer>
        </form>
    }
    .into_any()
}
