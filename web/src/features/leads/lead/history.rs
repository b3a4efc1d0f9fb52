//! Change history of a lead.

use leadscribe_engine::api::{AuditEntry, CampaignDetails, Page};
use leptos::prelude::*;

use super::LeadPageData;
use crate::api::use_session;
use crate::i18n::texts::lead as texts;
use crate::ui::audit::{actor_name, changed_field_labels};
use crate::ui::list::SkeletonBars;
use crate::ui::{Card, ErrorNotice, LocalTime};

/// Changes, newest first.
#[component]
pub fn History(data: LeadPageData) -> impl IntoView {
    let LeadPageData { history, staff, keys, .. } = data;
    let campaigns = data.campaigns();
    let session = use_session();
    let own_subject = Signal::derive(move || session.user().map(|user| user.id.subject()).unwrap_or_default());
    let body = move || match (history.error.get(), history.get()) {
        (Some(error), _) => {
            view! { <ErrorNotice error on_retry=Callback::new(move |()| data.load_history()) /> }.into_any()
        }
        (None, None) => view! {
            <div aria-busy="true">
                <SkeletonBars bars=3 />
            </div>
        }
        .into_any(),
        (None, Some(page)) if page.items.is_empty() => {
            view! { <p class="secondary">{texts::no_changes()}</p> }.into_any()
        }
        (None, Some(Page { items, total })) => {
            let remaining = total.saturating_sub(items.len() as u64);
            let load_all = move |_| data.load_whole_history();
            let lines = items.into_iter().map(|entry| {
                let actor_subject = entry.actor.clone();
                let actor_view = move || {
                    staff.with(|staff| keys.with(|keys| actor_name(&actor_subject, &own_subject.get(), staff, keys)))
                };
                let fields = (!entry.fields.is_empty())
                    .then(|| view! { <span data-test="changed-fields">{changed_field_labels(&entry.fields)}</span> });
                let (action, actor_id, at) = (entry.action.clone(), entry.actor.clone(), entry.created_at);
                let action_view = move || campaigns.with(|campaigns| action_text(&entry, campaigns));
                view! {
                    <li data-test="change" data-action=action>
                        <span>{action_view}</span>
                        {fields}
                        <span class="small secondary" title=actor_id>
                            {actor_view} ", " <LocalTime at relative=true />
                        </span>
                    </li>
                }
            });
            view! {
                <ol class="changes">{lines.collect_view()}</ol>
                <Show when=move || remaining != 0>
                    <button type="button" class="link-button" data-test="all-changes" on:click=load_all>
                        {texts::show_earlier(remaining)}
                    </button>
                </Show>
            }
            .into_any()
        }
    };
    view! {
        <Card
            title=texts::changes()
            label=texts::changes_of_the_lead()
            body_class="card-body stack-tight"
            test_id="changes"
        >
            {body}
        </Card>
    }
}

/// Text of an action, with the campaign or the file it is about.
fn action_text(entry: &AuditEntry, campaigns: &[CampaignDetails]) -> String {
    let AuditEntry { action, subject, .. } = entry;
    let id = subject.strip_prefix("campaign_lead:");
    let campaign = campaigns.iter().find(|details| id.is_some_and(|id| details.campaign_lead_id.to_string() == id));
    // Without a file name, the import's id is shown.
    let file = || entry.subject_name.as_deref().unwrap_or(subject);
    match (action.as_str(), campaign) {
        ("lead.create", _) => texts::lead_created().to_owned(),
        ("lead.update", _) => texts::fields_changed().to_owned(),
        ("campaign_lead.create", Some(campaign)) => texts::added_to(&campaign.campaign_name),
        ("campaign_lead.create", None) => texts::added_to_campaign_label().to_owned(),
        ("campaign_lead.update", Some(campaign)) => texts::changed_in(&campaign.campaign_name),
        ("campaign_lead.update", None) => texts::changed_in_campaign().to_owned(),
        ("import.create", _) => texts::imported_from(file()),
        ("import.cancel", _) => texts::import_cancelled(file()),
        ("import.undo", _) => texts::import_undo_started(file()),
        ("import.cancel_undo", _) => texts::import_undo_cancelled(file()),
        (other, _) => other.to_owned(),
    }
}
