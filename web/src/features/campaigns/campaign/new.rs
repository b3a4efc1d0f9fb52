//! `/campaigns/new`: form for a new campaign.

use leadscribe_engine::api::Campaign;
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use super::{back_link, form_error_notice};
use crate::api::{use_api, use_session};
use crate::browser::focus::focus_after_render;
use crate::features::campaigns::draft::CampaignDraft;
use crate::features::campaigns::form::{CampaignForm, FORM_ID};
use crate::i18n::texts::{campaigns as texts, common};
use crate::i18n::validation_errors::is_at;
use crate::state::{FormState, use_toasts};
use crate::ui::input::SubmitButton;
use crate::ui::{EmptyState, Glyph, PageHeader, UnsavedChangesGuard};

#[component]
pub fn NewCampaignPage() -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let draft = RwSignal::new(CampaignDraft::default());
    focus_after_render("campaign-name".to_owned());
    let (was_submitted, is_created) = (RwSignal::new(false), RwSignal::new(false));
    let has_unsaved_changes =
        Signal::derive(move || !is_created.get() && draft.with(|draft| *draft != CampaignDraft::default()));
    let body = Memo::new(move |_| Some(draft.with(CampaignDraft::body)));
    let form_state = FormState::new(body, Memo::new(move |_| draft.with(CampaignDraft::diagnostics)));
    let (mutation, all_diagnostics) = (form_state.mutation, form_state.diagnostics());
    // A missing name is not reported before the user has tried to save.
    let diagnostics = Signal::derive(move || {
        let hides_missing_name = draft.with(|draft| draft.name.is_empty()) && !was_submitted.get();
        let is_shown = |diagnostic: &Diagnostic| !(hides_missing_name && is_at(diagnostic, "/name"));
        all_diagnostics.get().into_iter().filter(is_shown).collect::<Vec<_>>()
    });
    let navigate = use_navigate();
    let create = Callback::new(move |()| {
        was_submitted.set(true);
        let Some(body) = form_state.valid_body() else { return };
        let navigate = navigate.clone();
        mutation.start(api.create_campaign(body), move |campaign: Campaign| {
            is_created.set(true);
            toasts.show_success(texts::created(&campaign.name));
            navigate(&format!("/campaigns/{}", campaign.id), Default::default());
        });
    });
    let can_write = Signal::derive(move || session.can_write());
    let body = move || {
        if !can_write.get() {
            let (title, text) = (texts::role_cannot_create(), common::ask_for_access());
            return view! { <EmptyState glyph=Glyph::Campaigns title text /> }.into_any();
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
        <PageHeader title=texts::new_campaign() back=back_link()>
            <Show when=move || can_write.get()>
                <SubmitButton label=texts::create_campaign() form=Some(FORM_ID) is_busy=mutation.is_busy() test_id="save" />
            </Show>
        </PageHeader>
        {body}
        <UnsavedChangesGuard has_unsaved_changes />
    }
    .into_any()
}
