//! `/campaigns/new`: form for a new campaign.

use leadscribe_engine::api::Campaign;
use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use super::shared::{back_link, form_error_notice, merge_diagnostics};
use crate::api::session::use_session;
use crate::api::use_api;
use crate::browser::focus::focus_after_render;
use crate::features::campaigns::draft::CampaignDraft;
use crate::features::campaigns::form::{CampaignForm, FORM_ID};
use crate::i18n::texts::{campaigns as texts, common};
use crate::i18n::validation_errors::is_at;
use crate::state::mutation::Mutation;
use crate::state::toasts::use_toasts;
use crate::ui::empty_state::EmptyState;
use crate::ui::icon::Glyph;
use crate::ui::input::submit_button::SubmitButton;
use crate::ui::page_header::PageHeader;
use crate::ui::unsaved_changes_guard::UnsavedChangesGuard;

#[component]
pub fn NewCampaignPage() -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let draft = RwSignal::new(CampaignDraft::default());
    focus_after_render("campaign-name".to_owned());
    let mutation = Mutation::new();
    let (was_submitted, is_created) = (RwSignal::new(false), RwSignal::new(false));
    let has_unsaved_changes =
        Signal::derive(move || !is_created.get() && draft.with(|draft| *draft != CampaignDraft::default()));
    let own_diagnostics = Memo::new(move |_| draft.with(CampaignDraft::diagnostics));
    // A missing name is not reported before the user has tried to save.
    let shown_diagnostics = Signal::derive(move || {
        let hides_missing_name = draft.with(|draft| draft.name.is_empty()) && !was_submitted.get();
        own_diagnostics
            .get()
            .into_iter()
            .filter(|diagnostic| !(hides_missing_name && is_at(diagnostic, "/name")))
            .collect()
    });
    let diagnostics = merge_diagnostics(shown_diagnostics, draft, mutation);
    let navigate = use_navigate();
    let create = Callback::new(move |()| {
        was_submitted.set(true);
        if own_diagnostics.with_untracked(|diagnostics| !diagnostics.is_empty()) {
            return;
        }
        let navigate = navigate.clone();
        mutation.start(api.create_campaign(draft.with_untracked(CampaignDraft::body)), move |campaign: Campaign| {
            is_created.set(true);
            toasts.show_success(texts::is_created(&campaign.name));
            navigate(&format!("/campaigns/{}", campaign.id), Default::default());
        });
    });
    let can_write = Signal::derive(move || session.can_write());
    let body = move || {
        if !can_write.get() {
            return view! {
                <EmptyState
                    glyph=Glyph::Campaigns
                    title=texts::role_cannot_create()
                    text=common::ask_for_access()
                />
            }
            .into_any();
        }
        view! {
            <div class="campaign-new stack">
                {move || form_error_notice(mutation)}
                <CampaignForm draft diagnostics editable=can_write on_submit=create />
            </div>
        }
        .into_any()
    };
    view! {
        <PageHeader title=texts::new_campaign() note=ViewFn::from(back_link)>
            <Show when=move || can_write.get()>
                <SubmitButton form=Some(FORM_ID) is_busy=mutation.is_busy() test_id="save">
                    {texts::create()}
                </SubmitButton>
            </Show>
        </PageHeader>
        {body}
        <UnsavedChangesGuard has_unsaved_changes />
    }
    .into_any()
}
