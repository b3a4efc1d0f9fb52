//! Shown if a lead doesn't exist. Administrators also see the author and the time of a deletion.

use leadscribe_engine::api::{ApiKey, Assignee, AuditEntry, LeadId, Page};
use leptos::prelude::*;

use crate::api::session::use_session;
use crate::api::{AuditQuery, use_api};
use crate::browser::query::query_string;
use crate::i18n::datetime;
use crate::i18n::texts::lead as texts;
use crate::state::resource::ApiResource;
use crate::ui::audit::actor::actor_name;
use crate::ui::empty_state::EmptyState;
use crate::ui::icon::Glyph;
use crate::ui::list::table::SkeletonCard;

#[component]
pub fn LeadNotFound(
    /// Lead in the URL, if it has an id.
    id: Option<LeadId>,
    /// All users, if loaded.
    staff: Signal<Vec<Assignee>>,
    /// API keys whose names the user may see.
    keys: Signal<Vec<ApiKey>>,
) -> impl IntoView {
    let (api, session) = (use_api(), use_session());
    let own_subject = session.user().map(|user| user.id.subject()).unwrap_or_default();
    let deletion = ApiResource::<Page<AuditEntry>>::new();
    // The audit log is for administrators. For other users a deleted lead doesn't exist.
    let subject = id.filter(|_| session.is_admin()).map(LeadId::subject);
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
        if deletion.is_loading() {
            return view! { <SkeletonCard bars=3 /> }.into_any();
        }
        match deletion.with(|page| page.and_then(|page| page.items.first().cloned())) {
            Some(entry) => {
                let (actor_text, log_url) =
                    (actor_name(&entry.actor, &own_subject, &staff.get(), &keys.get()), log_url.clone());
                view! {
                    <EmptyState
                        glyph=Glyph::Leads
                        title=texts::lead_was_deleted()
                        text=texts::deleted_by(datetime::format_local(entry.created_at), actor_text)
                    >
                        <a class="button" href="/leads">
                            {texts::all_leads()}
                        </a>
                        <a class="button" href=log_url data-test="lead-audit-log">
                            {texts::audit_log_entries()}
                        </a>
                    </EmptyState>
                }
                .into_any()
            }
            None => view! {
                <EmptyState glyph=Glyph::Leads title=texts::lead_not_found() text=texts::lead_not_found_hint()>
                    <a class="button" href="/leads">
                        {texts::all_leads()}
                    </a>
                </EmptyState>
            }
            .into_any(),
        }
    }
}
