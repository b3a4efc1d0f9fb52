//! Shown if a lead doesn't exist. Administrators also see the author and the time of a deletion.

use leadscribe_engine::api::{AuditEntry, Page};
use leptos::prelude::*;

use super::{LeadPageData, back_link};
use crate::api::{AuditQuery, use_session};
use crate::browser::query::query_string;
use crate::i18n::datetime;
use crate::i18n::texts::lead as texts;
use crate::state::ApiResource;
use crate::ui::audit::actor::actor_name;
use crate::ui::list::SkeletonCard;
use crate::ui::{EmptyState, Glyph};

#[component]
pub fn LeadNotFound(data: LeadPageData) -> impl IntoView {
    let LeadPageData { api, id, staff, keys, .. } = data;
    let session = use_session();
    let own_subject = session.user().map(|user| user.id.subject()).unwrap_or_default();
    let deletion = ApiResource::<Page<AuditEntry>>::new();
    // The audit log is for administrators. For other users a deleted lead doesn't exist.
    let subject = session.is_admin().then(|| id.subject());
    match subject.clone() {
        Some(subject) => {
            let (action, limit) = ("lead.delete".to_owned(), "1;0".to_owned());
            deletion.load(api.page(AuditQuery { action, subject, limit, ..Default::default() }));
        }
        None => deletion.clear(),
    }
    let log_url = query_string(&[("tab", "audit"), ("subject", subject.as_deref().unwrap_or_default())]);
    let log_url = format!("/settings{log_url}");
    move || {
        if deletion.is_loading.get() {
            return view! { <SkeletonCard bars=3 /> }.into_any();
        }
        let entry = deletion.with(|page| page.and_then(|page| page.items.first().cloned()));
        let is_deleted = entry.is_some();
        let (title, text) = match entry {
            Some(AuditEntry { actor, created_at, .. }) => {
                let actor = actor_name(&actor, &own_subject, &staff.get(), &keys.get());
                (texts::lead_was_deleted(), texts::deleted_by(datetime::format_local(created_at), actor))
            }
            None => (texts::lead_not_found(), texts::lead_not_found_hint().to_owned()),
        };
        let log_url = log_url.clone();
        let log_link = is_deleted.then(|| {
            view! {
                <a class="button" href=log_url data-test="lead-audit-log">
                    {texts::audit_log_entries()}
                </a>
            }
        });
        view! {
            <EmptyState glyph=Glyph::Leads title text link=back_link()>
                {log_link}
            </EmptyState>
        }
        .into_any()
    }
}
