//! Audit log entries: time, actor, action and subject.

use leadscribe_engine::api::AuditEntry;
use leptos::prelude::*;

use super::filter::{action_name, subject_name};
use crate::i18n::texts::{audit, common};
use crate::ui::LocalTime;
use crate::ui::audit::changed_fields::changed_field_labels;
use crate::ui::filter_editor::filter_text::list_url;
use crate::ui::input::Choice;
use crate::ui::list::ColumnHeader;

/// Column headers. The time column sorts by id, because ids follow the order of writing even if the clock was changed.
pub static COLUMNS: [ColumnHeader; 4] = [
    ColumnHeader::new(common::time).sorted_by(DEFAULT_ORDER),
    ColumnHeader::new(audit::actor).sorted_by("actor"),
    ColumnHeader::new(audit::action).sorted_by("action"),
    ColumnHeader::new(audit::object).sorted_by("subject"),
];

pub const DEFAULT_ORDER: &str = "-id";

/// Row of an entry. `actors` are the labels of the actors, by their names in the log.
pub fn audit_row(entry: AuditEntry, actors: Signal<Vec<Choice>>) -> AnyView {
    let actor = entry.actor;
    let title = actor.clone();
    let actor_label = move || {
        let known = actors.with(|actors| actors.iter().find(|(name, _)| *name == actor).map(|(_, text)| text.clone()));
        known.unwrap_or_else(|| crate::ui::audit::actor::actor_name(&actor, "", &[], &[]))
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
    use crate::features::settings::audit::table::subject_href;

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
