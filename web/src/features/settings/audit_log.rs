//! Audit log with a filter in the URL.

use leadscribe_engine::api::{ApiKey, AuditEntry, LeadId, SpeechToken};
use leptos::prelude::*;

use crate::api::{AuditQuery, ListQuery, use_api};
use crate::browser::query::query_string;
use crate::features::settings::audit::filter;
use crate::features::settings::audit::filter::AuditFilter;
use crate::features::settings::audit::table::{COLUMNS, DEFAULT_ORDER, audit_row};
use crate::i18n::texts::{audit, common, settings};
use crate::state::ApiResource;
use crate::ui::Glyph;
use crate::ui::audit::actor::{ActorLabel, SYSTEM_ACTORS};
use crate::ui::input::Choice;
use crate::ui::list::{ExportMenu, ItemTable, ListSection, PaginatedList, Total, export_files};

/// Choices for any actor of a kind.
const ACTOR_KIND_CHOICES: [ActorLabel; 3] =
    [("user", audit::any_user), ("api_key", audit::any_key), ("speech_token", audit::any_token)];

#[component]
pub fn AuditLog() -> impl IntoView {
    let api = use_api();
    let build_url = |query: &AuditQuery| {
        let pairs = [&[("tab", "audit")], query.pairs().as_slice()].concat();
        format!("/settings{}", query_string(&pairs))
    };
    let list = PaginatedList::<_, AuditEntry>::new(build_url, |query| &query.subject);
    let PaginatedList { list_query, show, .. } = list;
    // The URL keeps the text as typed.
    let sent_query = Memo::new(move |_| normalize_subject(list_query.get()));
    let on_retry = list.load_with(move |query| api.page(normalize_subject(query)));
    let (order, items, stale) = (list.order(DEFAULT_ORDER), list.items(), list.is_stale());
    let actors = use_actor_choices();
    // The log identifies a campaign lead by its own id, not by the lead's.
    let lead = Memo::new(move |_| {
        sent_query.with(|sent_query| sent_query.subject.strip_prefix("lead:")?.parse().map(LeadId).ok())
    });
    let is_deleted = move |id: LeadId| {
        let is_deletion = |entry: &AuditEntry| entry.action == "lead.delete" && entry.subject == id.subject();
        items.with(|entries| entries.iter().flatten().any(is_deletion))
    };
    let lead_link = move || {
        let id = lead.get().filter(|id| !is_deleted(*id))?;
        Some(view! {
            <p class="secondary small" data-test="audit-lead-filter">
                {audit::related_entries_label()} " " <a href=format!("/leads/{id}")>{audit::changes_of_lead(id)}</a>
            </p>
        })
    };
    let table = move || {
        let row = move |entry| audit_row(entry, actors);
        view! { <ItemTable caption=settings::audit_log() columns=&COLUMNS order items stale row /> }
    };
    view! {
        <div class="space-between">
            <p class="secondary">{audit::hint()}</p>
            <div class="row">
                <Total total=list.total() format=audit::entries />
                <ExportMenu files=export_files(sent_query) />
            </div>
        </div>
        <AuditFilter query=list_query actors diagnostics=list.diagnostics() on_change=show />
        {lead_link}
        <ListSection
            list
            label=audit::entries_found()
            field_parameters=&filter::FIELD_PARAMETERS
            columns=&COLUMNS
            order
            glyph=Glyph::Clock
            no_match=(audit::no_match(), common::remove_filter_hint())
            reset_label=audit::show_all_entries()
            on_retry
            table
        />
    }
    .into_any()
}

/// Replaces the typed subject by its name in the log.
fn normalize_subject(query: AuditQuery) -> AuditQuery {
    AuditQuery { subject: filter::parse_subject(&query.subject), ..query }
}

/// Actors that can occur in the log, with their names.
fn use_actor_choices() -> Signal<Vec<Choice>> {
    let api = use_api();
    let users = ApiResource::requested(api.users());
    let keys = ApiResource::requested(api.api_keys());
    let tokens = ApiResource::requested(api.speech_tokens());
    Signal::derive(move || {
        let mut choices: Vec<Choice> = ACTOR_KIND_CHOICES
            .iter()
            .chain(&SYSTEM_ACTORS)
            .map(|(name, text)| (String::from(*name), text().to_owned()))
            .collect();
        choices.extend(users.get().into_iter().flatten().map(|user| (user.id.subject(), user.email)));
        let key = |key: ApiKey| (key.id.subject(), audit::key(&key.name));
        choices.extend(keys.get().into_iter().flatten().map(key));
        let token = |token: SpeechToken| (token.id.subject(), audit::token(&token.name));
        choices.extend(tokens.get().into_iter().flatten().map(token));
        choices
    })
}
