//! Bulk actions on leads, as the user performed them. The panel splits a large bulk action into batches, and the server
//! records each batch as a separate action. This module merges them again, and describes the values that were set. It
//! also names actors, assignees, and the fields that a change affected.

use chrono::TimeDelta;
use leadscribe_engine::api::{
    ApiKey, ApiKeyId, Assignee, LeadActionEntry, LeadActionId, LeadValues, Timestamp, UserId,
};
use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, find};

use crate::i18n::language;
use crate::i18n::texts::{audit, call, calls, campaigns, common, lead, leads, settings};
use crate::ui::filter_editor::Names;
use crate::ui::humanize;

/// Maximum time between two batches of the same bulk action. Users need longer to select leads and fill in the dialog
/// again.
const MAX_BATCH_GAP: TimeDelta = TimeDelta::seconds(5);

#[derive(Clone, Debug, PartialEq)]
pub struct BulkAction {
    /// The last batch, with the lead counts of all batches.
    pub merged: LeadActionEntry,
    /// The batches in order, each with the number of changed leads.
    pub parts: Vec<(LeadActionId, u64)>,
}

/// Merges batches into bulk actions. Both are ordered newest first.
pub fn merge_actions(entries: &[LeadActionEntry]) -> Vec<BulkAction> {
    entries.chunk_by(is_same_action).map(merge_batches).collect()
}

/// True if an entry and an earlier one are batches of the same bulk action.
fn is_same_action(action: &LeadActionEntry, earlier: &LeadActionEntry) -> bool {
    (&action.actor, &action.set, action.undone_at.is_some())
        == (&earlier.actor, &earlier.set, earlier.undone_at.is_some())
        && action.performed_at - earlier.performed_at <= MAX_BATCH_GAP
}

fn merge_batches(parts: &[LeadActionEntry]) -> BulkAction {
    let merged = LeadActionEntry {
        leads: parts.iter().map(|part| part.leads).sum(),
        campaign_leads: parts.iter().map(|part| part.campaign_leads).sum(),
        undone_at: parts.iter().filter_map(|part| part.undone_at).max(),
        ..parts[0].clone()
    };
    BulkAction { merged, parts: parts.iter().rev().map(|part| (part.id, part.leads)).collect() }
}

/// Describes the values that were set, with the labels of the dialogs that set them.
pub fn describe_values(
    set: &LeadValues,
    names: &Names,
    staff: &[Assignee],
    format_time: fn(Timestamp) -> String,
) -> String {
    let descriptions = [
        set.do_not_call.map(|forbids| if forbids { leads::do_not_call() } else { leads::allow_calls() }.to_owned()),
        set.campaign_id.map(|id| lead::added_to(names.campaign(id).unwrap_or(&common::campaign_number(id)))),
        set.status.as_ref().map(|name| format!("{}: {}", common::status(), names.status(name).unwrap_or(name))),
        set.weight.map(|weight| format!("{}: {weight}", leads::weight())),
        set.assigned_user_id.map(|id| {
            let assignee = id.map_or_else(|| leads::no_one().to_owned(), |id| assignee_name(id, staff));
            format!("{}: {assignee}", leads::assign_to())
        }),
        set.freeze_until.map(|until| match until {
            Some(until) => leads::freeze_until(format_time(until)),
            None => leads::unfreeze().to_owned(),
        }),
    ];
    descriptions.into_iter().flatten().collect::<Vec<_>>().join(", ")
}

/// Actor in the audit log, and its label.
pub type ActorLabel = (&'static str, fn() -> &'static str);

/// Actors that are not a user, key or token.
pub const SYSTEM_ACTORS: [ActorLabel; 4] = [
    ("command_line", audit::command_line),
    ("retention", audit::retention),
    ("demo", audit::sample_data),
    ("anonymous", audit::unknown_actor),
];

/// Display name of an actor. `current_actor` is the logged-in user's name in the log; `api_keys` are the API keys whose
/// names the user may see.
pub fn actor_name(actor: &str, current_actor: &str, staff: &[Assignee], api_keys: &[ApiKey]) -> String {
    if actor == current_actor {
        return common::you().to_owned();
    }
    match actor.split_once(':') {
        Some((UserId::KIND, id)) => {
            let known = staff.iter().find(|entry| entry.id.to_string() == id);
            known.map_or_else(|| lead::user(id), |entry| entry.email.clone())
        }
        Some((ApiKeyId::KIND, id)) => {
            let known = api_keys.iter().find(|entry| entry.id.to_string() == id);
            known.map_or_else(|| common::api_key_number(id), |entry| audit::key(&entry.name))
        }
        _ => {
            let known = SYSTEM_ACTORS.iter().find(|(name, _)| *name == actor);
            known.map_or_else(|| actor.to_owned(), |(_, text)| text().to_owned())
        }
    }
}

/// Display name of a lead's assignee: email address for staff, otherwise the number in the telephone system.
pub fn assignee_name(id: UserId, staff: &[Assignee]) -> String {
    staff.iter().find(|user| user.id == id).map_or_else(|| leads::agent_number(id), |user| user.email.clone())
}

/// Labels of these fields, separated by commas.
pub fn changed_field_labels(names: &[String]) -> String {
    names.iter().map(|name| field_label(name)).collect::<Vec<_>>().join(", ")
}

/// Label of a field. Without a label, returns the name with spaces for underscores. For a custom field, returns the
/// name without the prefix.
pub fn field_label(name: &str) -> String {
    match (find(name), name.strip_prefix(CUSTOM_PREFIX)) {
        (Some(field), _) => field.label(language()).to_owned(),
        (None, Some(custom)) => custom.to_owned(),
        (None, None) => other_field_label(name).map_or_else(|| humanize(name), str::to_owned),
    }
}

/// Labels of campaign, call and user fields that aren't filter fields.
fn other_field_label(name: &str) -> Option<&'static str> {
    Some(match name {
        "name" => common::name(),
        "active" => common::status(),
        "calling_hours" => campaigns::calling_hours(),
        "max_attempts" => campaigns::max_calls(),
        "daily_attempts" => campaigns::max_calls_per_day(),
        "freeze_minutes" => campaigns::freeze(),
        "agent" => calls::agent(),
        "direction" => calls::direction(),
        "caller_number" => call::caller(),
        "callee_number" => call::callee(),
        "recording_state" => calls::recording(),
        "started_at" => call::started(),
        "ended_at" => call::ended(),
        "email" => settings::email(),
        "role" => settings::role(),
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{LeadStatus, UserId};

    use crate::i18n::locale::{Language, set_language};
    use crate::ui::audit::*;

    fn entry(id: i64, seconds: i64, leads: u64, set: &LeadValues) -> LeadActionEntry {
        LeadActionEntry {
            id: LeadActionId(id),
            performed_at: Timestamp::from_timestamp(seconds, 0).unwrap(),
            actor: "user:3".to_owned(),
            set: set.clone(),
            leads,
            campaign_leads: leads * 2,
            undone_at: None,
        }
    }

    #[test]
    fn merges_batches_of_a_bulk_action() {
        let weight = LeadValues { weight: Some(5), ..LeadValues::default() };
        let do_not_call = LeadValues { do_not_call: Some(true), ..LeadValues::default() };
        let undone = LeadActionEntry { undone_at: Timestamp::from_timestamp(90, 0), ..entry(6, 43, 50, &weight) };
        let other = LeadActionEntry { actor: "user:4".to_owned(), ..entry(3, 39, 1, &weight) };
        let entries = [
            undone,
            entry(5, 41, 100, &weight),
            entry(4, 40, 500, &weight),
            other,
            entry(2, 20, 500, &do_not_call),
            // Two separate bulk actions: the user marked more leads later.
            entry(1, 14, 500, &do_not_call),
        ];
        let merged: Vec<_> =
            merge_actions(&entries).into_iter().map(|action| (action.parts, action.merged.campaign_leads)).collect();
        let part = |id, leads| (LeadActionId(id), leads);
        assert_eq!(
            merged,
            [
                (vec![part(6, 50)], 100),
                (vec![part(4, 500), part(5, 100)], 1_200),
                (vec![part(3, 1)], 2),
                (vec![part(2, 500)], 1_000),
                (vec![part(1, 500)], 1_000),
            ]
        );
        assert_eq!(merge_actions(&entries)[1].merged.leads, 600);
    }

    #[test]
    fn describes_changes_like_the_dialogs() {
        let busy = LeadStatus { name: "busy".to_owned(), label: "Engaged".to_owned(), dialable: true };
        let solar = r#"{"id":3,"name":"Solar","active":true,"freeze_minutes":0,"created_at":"2026-06-01T00:00:00Z",
            "updated_at":"2026-06-01T00:00:00Z"}"#;
        let campaigns = vec![serde_json::from_str(solar).unwrap()];
        let names = Names { campaigns, statuses: vec![busy], ..Names::default() };
        let ann = Assignee { id: UserId(3), email: "ann@example.com".to_owned(), active: true };
        let describe = |json: &str| {
            let set: LeadValues = serde_json::from_str(json).unwrap();
            describe_values(&set, &names, std::slice::from_ref(&ann), |at| at.format("%d %b").to_string())
        };
        assert_eq!(
            describe(r#"{"do_not_call": true, "status": "busy", "weight": -5}"#),
            "Do not call, Status: Engaged, Weight: -5"
        );
        assert_eq!(
            describe(r#"{"assigned_user_id": 3, "freeze_until": null}"#),
            "Assign to: ann@example.com, Unfreeze"
        );
        assert_eq!(describe(r#"{"assigned_user_id": null, "status": "gone"}"#), "Status: gone, Assign to: No one");
        assert_eq!(describe(r#"{"campaign_id": 3, "weight": 2}"#), "Added to Solar, Weight: 2");
        assert_eq!(describe(r#"{"campaign_id": 4}"#), "Added to Campaign 4", "it is gone");
        set_language(Language::German);
        assert_eq!(describe(r#"{"campaign_id": 3}"#), "Zu Solar hinzugefügt");
        let until =
            describe(r#"{"freeze_until": "2026-06-01T00:00:00Z", "assigned_user_id": 4, "do_not_call": false}"#);
        assert_eq!(until, "Anrufe erlauben, Zuweisen an: Agent 4, Pausieren bis 01 Jun");
    }

    #[test]
    fn actors_have_display_names() {
        let json = r#"{"id":6,"name":"Dialler","prefix":"lsk_1234","scopes":[],"created_at":"2026-06-01T00:00:00Z"}"#;
        let dialler: ApiKey = serde_json::from_str(json).unwrap();
        let ann = Assignee { id: UserId(33), email: "ann@example.com".to_owned(), active: true };
        let cases = [
            ("user:3", "You"),
            ("user:33", "ann@example.com"),
            ("user:4", "User 4"),
            ("api_key:5", "API key 5"),
            ("api_key:6", "API key “Dialler”"),
            ("command_line", "Command line"),
            ("retention", "Retention"),
            ("someone:1", "someone:1"),
        ];
        for (name, expected) in cases {
            assert_eq!(
                actor_name(name, "user:3", std::slice::from_ref(&ann), std::slice::from_ref(&dialler)),
                expected
            );
        }
    }

    #[test]
    fn fields_use_their_labels() {
        let names = ["last_name", "custom.source", "max_attempts"].map(str::to_owned);
        assert_eq!(changed_field_labels(&names), "Last name, source, Max. calls");
        assert_eq!(changed_field_labels(&["some_other".to_owned()]), "Some other");
        set_language(Language::German);
        let names = ["calling_hours", "max_attempts", "name"].map(str::to_owned);
        assert_eq!(changed_field_labels(&names), "Anrufzeiten, Max. Anrufe, Name");
    }
}
