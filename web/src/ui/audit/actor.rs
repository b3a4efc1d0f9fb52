//! Display names of actors and assignees.

use leadscribe_engine::api::{ApiKey, ApiKeyId, Assignee, UserId};

use crate::i18n::texts::{audit, common, lead as texts, leads};

/// Actor in the audit log, and its label.
pub type ActorLabel = (&'static str, fn() -> &'static str);

/// Actors that are not a user, key or token.
pub const SYSTEM_ACTORS: [ActorLabel; 4] = [
    ("command_line", audit::command_line),
    ("retention", audit::retention),
    ("demo", audit::sample_data),
    ("anonymous", audit::unknown_actor),
];

/// Display name of an actor. `current_actor` is the user in the log; `api_keys` are the API keys whose names the user may see.
pub fn actor_name(actor: &str, current_actor: &str, staff: &[Assignee], api_keys: &[ApiKey]) -> String {
    if actor == current_actor {
        return common::you().to_owned();
    }
    match actor.split_once(':') {
        Some((UserId::KIND, id)) => {
            let known = staff.iter().find(|entry| entry.id.to_string() == id);
            known.map_or_else(|| texts::user(id), |entry| entry.email.clone())
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

#[cfg(test)]
mod tests {
    use crate::ui::audit::actor::*;

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
}
