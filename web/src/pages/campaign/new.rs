//! `/campaigns/new`: form for a new campaign.

use leadscribe_engine::api::Campaign;
use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use super::editing::{all_faults, refusal, to_all};
use crate::api::use_api;
use crate::attempt::Attempt;
use crate::components::campaign::draft::CampaignDraft;
use crate::components::campaign::form::{CampaignForm, FORM};
use crate::components::empty::Empty;
use crate::components::icon::Glyph;
use crate::components::input::submit_button::SubmitButton;
use crate::components::shell::leave_guard::LeaveGuard;
use crate::components::shell::page_head::PageHead;
use crate::components::shell::toast::use_toasts;
use crate::faults::stands_at;
use crate::focus::focus_soon;
use crate::session::use_session;
use crate::texts::campaigns as texts;

#[component]
pub fn NewCampaignPage() -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let draft = RwSignal::new(CampaignDraft::default());
    focus_soon("campaign-name".to_owned());
    let attempt = Attempt::new();
    let (was_tried, is_made) = (RwSignal::new(false), RwSignal::new(false));
    let unsaved = Signal::derive(move || !is_made.get() && draft.with(|draft| *draft != CampaignDraft::default()));
    let own_faults = Memo::new(move |_| draft.with(CampaignDraft::faults));
    // A missing name is not reported before the user has tried to save.
    let told = Signal::derive(move || {
        let is_early = draft.with(|draft| draft.name.is_empty()) && !was_tried.get();
        own_faults.get().into_iter().filter(|fault| !(is_early && stands_at(fault, "/name"))).collect()
    });
    let faults = all_faults(told, draft, attempt);
    let navigate = use_navigate();
    let create = Callback::new(move |()| {
        was_tried.set(true);
        if own_faults.with_untracked(|faults| !faults.is_empty()) {
            return;
        }
        let navigate = navigate.clone();
        attempt.start(api.create_campaign(draft.with_untracked(CampaignDraft::body)), move |campaign: Campaign| {
            is_made.set(true);
            toasts.done(texts::is_created(&campaign.name));
            navigate(&format!("/campaigns/{}", campaign.id), Default::default());
        });
    });
    let may_write = Signal::derive(move || session.may_write());
    let body = move || {
        if !may_write.get() {
            return view! {
                <Empty
                    glyph=Glyph::Campaigns
                    title=texts::for_managers()
                    text=texts::for_managers_why()
                />
            }
            .into_any();
        }
        view! {
            <div class="campaign-new stack">
                {move || refusal(attempt)}
                <CampaignForm draft faults open=may_write on_submit=create />
            </div>
        }
        .into_any()
    };
    view! {
        <PageHead title=texts::new_campaign() fact=ViewFn::from(to_all)>
            <Show when=move || may_write.get()>
                <SubmitButton form=Some(FORM) busy=attempt.is_busy() test="save">
                    {texts::create()}
                </SubmitButton>
            </Show>
        </PageHead>
        {body}
        <LeaveGuard unsaved />
    }
    .into_any()
}
