//! Audit log entries: time, actor, action and subject.

use leadscribe_engine::api::AuditEntry;
use leptos::prelude::*;

use super::changed_fields::changed_fields;
use super::filter::{action_name, subject_name};
use crate::components::input::chip_picker::Choice;
use crate::components::list::heads::{Head, heads};
use crate::components::list::list_table::ListTable;
use crate::components::list::table::SkeletonRows;
use crate::components::moment::Moment;
use crate::filter_text::list_of;
use crate::order::ListOrder;
use crate::texts::audit;

/// Column headers. The time column sorts by id, because ids follow the order of writing even if the clock was changed.
pub static HEADS: [Head; 4] = [
    Head::new(audit::when).by(LATEST),
    Head::new(audit::who).by("actor"),
    Head::new(audit::what).by("action"),
    Head::new(audit::to_what).by("subject"),
];

/// Default sort order.
pub const LATEST: &str = "-id";

/// The entries.
#[component]
pub fn AuditTable(
    /// `None` until the first response arrives.
    #[prop(into)]
    entries: Signal<Option<Vec<AuditEntry>>>,
    #[prop(into)] stale: Signal<bool>,
    /// Labels of the actors, by their names in the log.
    actors: Signal<Vec<Choice>>,
    order: ListOrder,
) -> impl IntoView {
    let rows = move || match entries.get() {
        None => view! { <SkeletonRows columns=HEADS.len() /> }.into_any(),
        Some(entries) => entries.into_iter().map(|entry| row(entry, actors)).collect_view().into_any(),
    };
    let heads = heads(&HEADS, Some(order)).into_any();
    view! {
        <ListTable caption=audit::the_log() stale heads>
            {rows}
        </ListTable>
    }
}

fn row(entry: AuditEntry, actors: Signal<Vec<Choice>>) -> AnyView {
    let actor = entry.actor;
    let title = actor.clone();
    let who = move || {
        let known = actors.with(|actors| actors.iter().find(|(name, _)| *name == actor).map(|(_, text)| text.clone()));
        known.unwrap_or_else(|| super::actor::actor(&actor, "", &[], &[]))
    };
    let called = subject_name(&entry.subject);
    let (shown, kind) = match entry.subject_name {
        Some(name) => (name, Some(view! { <div class="small secondary">{called}</div> })),
        None => (called, None),
    };
    let shown = match place_of(&entry.subject) {
        Some(place) => view! {
            <a href=place data-opens="">
                {shown}
            </a>
        }
        .into_any(),
        None => shown.into_any(),
    };
    let exact = match entry.request_id {
        Some(request) => audit::request_of(&entry.action, request),
        None => entry.action.clone(),
    };
    view! {
        <tr data-row="" data-test="audit-row" data-id=entry.id.to_string() data-action=entry.action.clone()>
            <td class="lead-cell" data-label=audit::when()>
                <Moment at=entry.at />
            </td>
            <td data-label=audit::who() title=title>
                {who}
            </td>
            <td data-label=audit::what() title=exact>
                {action_name(&entry.action)}
                {(!entry.fields.is_empty())
                    .then(|| view! { <div class="small secondary">{changed_fields(&entry.fields)}</div> })}
            </td>
            <td data-label=audit::to_what() title=entry.subject>
                {shown} {kind}
            </td>
        </tr>
    }
    .into_any()
}

/// Path of the panel that shows the subject of an entry.
fn place_of(subject: &str) -> Option<String> {
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
        "campaign_lead" => list_of(&format!(r#"{{"campaign_lead_id":{id}}}"#)),
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
    use super::place_of;

    #[test]
    fn links_subjects_to_their_pages() {
        for (subject, place) in [
            ("lead:17", "/leads/17"),
            ("import:3", "/imports/3"),
            ("view:2", "/leads?view=2"),
            ("user:3", "/settings?tab=users"),
            ("status:no_answer", "/settings?tab=statuses"),
            ("leads", "/leads"),
            ("deliveries", "/deliveries"),
            ("audit-log", "/settings?tab=audit"),
        ] {
            assert_eq!(place_of(subject).as_deref(), Some(place));
        }
        for none in ["lead", "lead:", "call:all", "session", "user:ada@example.com", "lead_action:3"] {
            assert_eq!(place_of(none), None, "{none}");
        }
    }
}
