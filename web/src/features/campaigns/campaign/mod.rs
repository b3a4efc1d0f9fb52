//! `/campaigns/{id}`: one campaign. While the user edits it, the page shows how many leads the change makes callable.

mod effects;
mod new;

use std::time::Duration;

use leadscribe_engine::api::{Campaign, CampaignId};
use leadscribe_engine::callable::format_days;
use leptos::prelude::*;

use crate::api::{use_api, use_session};
use crate::browser::query::{query_string, use_path_id};
use crate::browser::scheduler::Debounce;
use crate::features::campaigns::draft::CampaignDraft;
use crate::features::campaigns::form::{CampaignForm, FIELD_POINTERS, FORM_ID};
use crate::features::campaigns::list::format_hours;
use crate::i18n::language;
use crate::i18n::texts::{campaigns as texts, common};
use crate::state::{ApiResource, EditConflict, FormState, Mutation, SaveResult, use_toasts};
use crate::ui::audit::field_label;
use crate::ui::input::{Button, SubmitButton};
use crate::ui::list::SkeletonCard;
use crate::ui::{
    DescriptionItem, DescriptionList, EditConflictNotice, EmptyState, ErrorNotice, Glyph, Icon, LocalTime, PageHeader,
    UnsavedChangesGuard, save_label,
};
use effects::{ChangePreview, Effects};
pub use new::NewCampaignPage;

/// Delay after the last change before the preview is requested.
const PREVIEW_DELAY: Duration = Duration::from_millis(300);

#[component]
pub fn CampaignPage() -> impl IntoView {
    let id = use_path_id(CampaignId);
    // State belongs to one campaign: another id creates a new component, so late responses can't affect it.
    move || match id.get() {
        Some(id) => view! { <CampaignEditor id /> }.into_any(),
        None => view! {
            <PageHeader title=common::campaign() back=back_link() />
            <CampaignNotFound />
        }
        .into_any(),
    }
}

#[component]
fn CampaignEditor(id: CampaignId) -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let change_preview = ApiResource::<ChangePreview>::new();
    let (campaign_resource, load) = ApiResource::loaded(move || api.campaign(id));

    let draft = RwSignal::new(CampaignDraft::default());
    let saved = Memo::new(move |_| campaign_resource.with(|campaign| campaign.map(CampaignDraft::from)));
    // Values of the form without the user's changes.
    let base = StoredValue::new(None::<CampaignDraft>);
    Effect::new(move |_| {
        let saved = saved.get();
        let previous = base.try_update_value(|base| std::mem::replace(base, saved.clone())).flatten();
        let Some(saved) = saved else { return };
        draft.update(|draft| match previous {
            Some(previous) => draft.rebase(&previous, &saved),
            None => *draft = saved,
        });
    });
    let changes = Memo::new(move |_| saved.with(|saved| draft.with(|draft| draft.changes(saved.as_ref()?))));
    let form_state = FormState::new(changes, Memo::new(move |_| draft.with(CampaignDraft::diagnostics)));
    let mutation = form_state.mutation;
    let has_unsaved_changes = Signal::derive(move || form_state.is_edited());

    let request_preview = Callback::new(move |()| {
        // Without changes the preview shows the current state.
        let changes = changes.get_untracked();
        let is_change = changes.is_some();
        let body = changes.unwrap_or_else(|| draft.with_untracked(CampaignDraft::body));
        change_preview
            .load(async move { Ok(ChangePreview { preview: api.preview_campaign(id, body).await?, is_change }) });
    });
    let debounce = Debounce::new();
    let preview_input =
        Memo::new(move |_| saved.get().filter(|_| !form_state.is_invalid()).map(|saved| (saved, changes.get())));
    Effect::new(move |_| {
        debounce.cancel();
        if preview_input.with(Option::is_some) {
            debounce.schedule(PREVIEW_DELAY, move || request_preview.run(()));
        }
    });

    let on_undone = Callback::new(move |()| {
        if has_unsaved_changes.get_untracked() {
            toasts.show_success(texts::later_changes_unsaved());
        }
        load.run(());
    });
    let edit_conflict = EditConflict::<Campaign>::none();
    let conflicts = edit_conflict.lines(describe_field);
    // Without unsaved changes, saving overwrites nothing.
    let conflicts = Signal::derive(move || if has_unsaved_changes.get() { conflicts.get() } else { Vec::new() });
    let save = Callback::new(move |()| {
        let Some(changes) = form_state.valid_body() else { return };
        let sent_draft = draft.get_untracked();
        let Some(previous) = campaign_resource.data.get_untracked() else { return };
        let edit_conflict = edit_conflict.clone();
        // The result is shown even if the page was closed.
        let save = async move {
            let saved = edit_conflict.save(api, previous, changes).await;
            if let Ok(saved) = &saved {
                saved.offer_undo(api, toasts, common::saved(&saved.current.name), on_undone);
            }
            // The form shows the other session's changes and keeps the user's own.
            if let Some(current) = edit_conflict.current().filter(|_| edit_conflict.is_unconfirmed()) {
                _ = campaign_resource.data.try_set(Some(current));
            }
            saved
        };
        mutation.start(save, move |saved: SaveResult<Campaign>| {
            // Keeps changes that the user made during the request.
            base.set_value(Some(sent_draft));
            campaign_resource.load(std::future::ready(Ok(saved.current)));
        });
    });
    let discard = Callback::new(move |()| {
        if let Some(saved) = saved.get_untracked() {
            draft.set(saved);
        }
    });
    let title = Signal::derive(move || {
        campaign_resource
            .with(|campaign| campaign.map(|campaign| campaign.name.clone()))
            .unwrap_or_else(|| common::campaign().to_owned())
    });
    let can_write = Signal::derive(move || session.can_write());
    let is_loaded = Memo::new(move |_| saved.with(Option::is_some));
    let is_missing = Memo::new(move |_| campaign_resource.error.get().and_then(|error| error.status()) == Some(404));
    let failure = move || {
        let error = campaign_resource.error.get().filter(|_| !is_missing.get())?;
        Some(view! { <ErrorNotice error on_retry=load /> })
    };
    // The form is kept while the campaign is loaded again, even if that fails.
    let body = move || match (is_missing.get(), is_loaded.get()) {
        (true, _) => view! { <CampaignNotFound /> }.into_any(),
        (_, false) => (move || campaign_resource.is_pending().then(|| view! { <CampaignSkeleton /> })).into_any(),
        _ => view! {
            <div class="lead-page campaign-page">
                <div class="stack">
                    <Show when=move || !can_write.get()>
                        <p class="secondary" data-test="read-only">{texts::role_is_read_only()}</p>
                    </Show>
                    <EditConflictNotice conflicts />
                    {move || form_error_notice(mutation).filter(|_| conflicts.with(Vec::is_empty))}
                    <CampaignForm draft diagnostics=form_state.diagnostics() editable=can_write on_submit=save />
                </div>
                <div class="stack campaign-aside">
                    <Effects change_preview is_invalid=move || form_state.is_invalid() on_retry=request_preview />
                    <CampaignDetailsCard campaign_resource />
                </div>
            </div>
        }
        .into_any(),
    };
    view! {
        <PageHeader title back=back_link()>
            <Show when=move || can_write.get() && is_loaded.get()>
                <span class="small secondary" aria-live="polite" data-test="unsaved">
                    {move || has_unsaved_changes.get().then_some(common::unsaved_changes())}
                </span>
                <Button
                    label=common::discard()
                    is_blocked=Signal::derive(move || !has_unsaved_changes.get())
                    test_id="discard"
                    on_press=discard
                />
                <SubmitButton
                    label=move || save_label(conflicts)
                    form=Some(FORM_ID)
                    is_busy=mutation.is_busy()
                    is_blocked=form_state.is_submit_disabled()
                    test_id="save"
                />
            </Show>
        </PageHeader>
        {failure}
        {body}
        <UnsavedChangesGuard has_unsaved_changes />
    }
}

/// Links to leads and calls, and the date of creation.
#[component]
fn CampaignDetailsCard(campaign_resource: ApiResource<Campaign>) -> impl IntoView {
    move || {
        let Campaign { id, created_at, updated_at, .. } = campaign_resource.get()?;
        let leads = query_string(&[("filter", &format!(r#"{{"campaign_id":{id}}}"#))]);
        let view = view! {
            <section class="card card-body stack" aria-label=texts::campaign_details()>
                <div class="row">
                    <a class="button" href=format!("/leads{leads}") data-test="campaign-leads">
                        <Icon glyph=Glyph::Leads />
                        {common::show_leads()}
                    </a>
                    <a class="button" href=format!("/calls?campaign_id={id}") data-test="campaign-calls">
                        <Icon glyph=Glyph::Calls />
                        {texts::show_calls()}
                    </a>
                </div>
                <DescriptionList>
                    <DescriptionItem label=common::created()>
                        <LocalTime at=created_at />
                    </DescriptionItem>
                    <DescriptionItem label=texts::changed()>
                        <LocalTime at=updated_at />
                    </DescriptionItem>
                    <DescriptionItem label=texts::id()>{id.to_string()}</DescriptionItem>
                </DescriptionList>
            </section>
        };
        Some(view.into_any())
    }
}

#[component]
fn CampaignNotFound() -> impl IntoView {
    let (title, text) = (texts::campaign_not_found(), common::may_have_been_deleted());
    view! { <EmptyState glyph=Glyph::Campaigns title text link=back_link() /> }
}

#[component]
fn CampaignSkeleton() -> impl IntoView {
    view! {
        <div class="lead-page campaign-page">
            <SkeletonCard bars=12 />
            <SkeletonCard bars=20 />
        </div>
    }
}

/// Error without the diagnostics that the inputs show themselves.
pub fn form_error_notice(mutation: Mutation) -> Option<AnyView> {
    mutation.form_error(&FIELD_POINTERS).map(|error| view! { <ErrorNotice error /> }.into_any())
}

/// Describes a field and its value, such as `Status: now Inactive`.
pub fn describe_field(campaign: &Campaign, name: &str) -> String {
    let limit = |limit: Option<u32>| limit.map_or_else(|| texts::without_limit().to_owned(), |limit| limit.to_string());
    let value = match name {
        "active" => if campaign.active { texts::active() } else { texts::inactive() }.to_owned(),
        "calling_hours" => match &campaign.calling_hours {
            None => texts::at_any_time().to_owned(),
            Some(hours) => format!("{}, {}", format_days(&hours.days, language()), format_hours(hours)),
        },
        "max_attempts" => limit(campaign.max_attempts),
        "daily_attempts" => limit(campaign.daily_attempts),
        "freeze_minutes" => campaign.freeze_minutes.to_string(),
        _ => campaign.name.clone(),
    };
    common::field_is_now(field_label(name), value)
}

/// Path and label of the link back to the list.
pub fn back_link() -> (&'static str, &'static str) {
    ("/campaigns", texts::all_campaigns())
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::CampaignId;

    use crate::features::campaigns::campaign::*;
    use crate::i18n::locale::{Language, set_language};

    #[test]
    fn conflict_shows_campaign_values_as_in_the_form() {
        let campaign = Campaign {
            id: CampaignId(7),
            name: "Solar".to_owned(),
            active: false,
            calling_hours: serde_json::from_str(r#"{"start":"09:00","end":"20:00","days":["mon","tue"]}"#).unwrap(),
            max_attempts: None,
            daily_attempts: Some(2),
            freeze_minutes: 90,
            created_at: Default::default(),
            updated_at: Default::default(),
        };
        let lines = || {
            ["name", "active", "calling_hours", "max_attempts", "daily_attempts"]
                .map(|name| describe_field(&campaign, name))
        };
        let expected = [
            "Name: now Solar",
            "Status: now Inactive",
            "Calling hours: now Mon, Tue, 09:00–20:00",
            "Max. calls: now No limit",
            "Max. calls per day: now 2",
        ];
        assert_eq!(lines(), expected);
        set_language(Language::German);
        assert_eq!(lines()[1..3], ["Status: jetzt Inaktiv", "Anrufzeiten: jetzt Mo, Di, 09:00–20:00"]);
    }
}
