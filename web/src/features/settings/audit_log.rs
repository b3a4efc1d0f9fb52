//! Audit log with a filter in the URL.

use leadscribe_engine::api::{ApiKey, AuditEntry, LeadId, SpeechToken};
use leptos::prelude::*;

use crate::api::{AuditQuery, ListQuery, use_api};
use crate::browser::query::query_string;
use crate::features::settings::audit_filter::{
    AuditFilter, FIELD_PARAMETERS, action_name, parse_subject, subject_name,
};
use crate::i18n::texts::{audit, common, settings};
use crate::state::ApiResource;
use crate::ui::audit::{ActorLabel, SYSTEM_ACTORS, changed_field_labels};
use crate::ui::filter_editor::filter_text::list_url;
use crate::ui::input::Choice;
use crate::ui::list::{ColumnHeader, ExportMenu, ItemTable, ListSection, PaginatedList, Total, export_files};
use crate::ui::{Glyph, LocalTime};

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
            field_parameters=&FIELD_PARAMETERS
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

/// Replaces the typed subject with its name in the log.
fn normalize_subject(query: AuditQuery) -> AuditQuery {
    AuditQuery { subject: parse_subject(&query.subject), ..query }
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

/// Column headers. The time column sorts by id, because ids follow the order of writing even if the clock was changed.
pub static COLUMNS: [ColumnHeader; 4] = [
    ColumnHeader::new(common::time).sorted_by(DEFAULT_ORDER),
    ColumnHeader::new(audit::actor).sorted_by("actor"),
    ColumnHeader::new(audit::action).sorted_by("action"),
    ColumnHeader::new(audit::object).sorted_by("subject"),
];

pub const DEFAULT_ORDER: &str = "-id";

/// Row of an entry. `actors` are the labels of the actors, by their names in the log.
fn audit_row(entry: AuditEntry, actors: Signal<Vec<Choice>>) -> AnyView {
    let actor = entry.actor;
    let title = actor.clone();
    let actor_label = move || {
        let known = actors.with(|actors| actors.iter().find(|(name, _)| *name == actor).map(|(_, text)| text.clone()));
        known.unwrap_or_else(|| crate::ui::audit::actor_name(&actor, "", &[], &[]))
    };
    let subject = subject_name(&entry.subject);
    let (subject_cell, kind) = match entry.subject_name {
        Some(name) => (name, Some(view! { <div class="small secondary">{subject}</div> })),
        None => (subject, None),
    };
    let subject_cell = match subject_href(&entry.subject) {
        Some(href) => view! {
            <a href=href data-row-link="">
                {subject_cell}
            </a>
        }
        .into_any(),
        None => subject_cell.into_any(),
    };
    let action_title = match entry.request_id {
        Some(request_id) => audit::request_of(&entry.action, request_id),
        None => entry.action.clone(),
    };
    view! {
        <tr data-row="" data-test="audit-row" data-id=entry.id.to_string() data-action=entry.action.clone()>
            <td class="lead-cell" data-label=common::time()>
                <LocalTime at=entry.created_at />
            </td>
            <td data-label=audit::actor() title=title>
                {actor_label}
            </td>
            <td data-label=audit::action() title=action_title>
                {action_name(&entry.action)}
                {(!entry.fields.is_empty())
                    .then(|| view! { <div class="small secondary">{changed_field_labels(&entry.fields)}</div> })}
            </td>
            <td data-label=audit::object() title=entry.subject>
                {subject_cell} {kind}
            </td>
        </tr>
    }
    .into_any()
}

/// Path of the panel that shows the subject of an entry.
fn subject_href(subject: &str) -> Option<String> {
    let (kind, id) = subject.split_once(':').unwrap_or((subject, ""));
    // Subjects without a page of their own are shown in a list.
    match kind {
        "leads" | "calls" | "campaigns" | "deliveries" | "imports" | "transcripts" => return Some(format!("/{kind}")),
        "audit-log" => return Some("/settings?tab=audit".to_owned()),
        "status" => return Some("/settings?tab=statuses".to_owned()),
        _ => {}
    }
    let id: u64 = id.parse().ok()?;
    Some(match kind {
        "lead" => format!("/leads/{id}"),
        "campaign_lead" => list_url(&format!(r#"{{"campaign_lead_id":{id}}}"#)),
        "campaign" => format!("/campaigns/{id}"),
        "call" | "recording" => format!("/calls/{id}"),
        "delivery" => format!("/deliveries/{id}"),
        "import" => format!("/imports/{id}"),
        "view" => format!("/leads?view={id}"),
        "user" => "/settings?tab=users".to_owned(),
        "api_key" => "/settings?tab=keys".to_owned(),
        "speech_token" => "/settings?tab=tokens".to_owned(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use crate::features::settings::audit_log::subject_href;

    #[test]
    fn links_subjects_to_their_pages() {
        for (subject, href) in [
            ("lead:17", "/leads/17"),
            ("import:3", "/imports/3"),
            ("view:2", "/leads?view=2"),
            ("user:3", "/settings?tab=users"),
            ("status:no_answer", "/settings?tab=statuses"),
            ("leads", "/leads"),
            ("deliveries", "/deliveries"),
            ("audit-log", "/settings?tab=audit"),
        ] {
            assert_eq!(subject_href(subject).as_deref(), Some(href));
        }
        for subject in ["lead", "lead:", "call:all", "session", "user:ada@example.com", "lead_action:3"] {
            assert_eq!(subject_href(subject), None, "{subject}");
        }
    }
}
