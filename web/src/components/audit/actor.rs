//! Display names of actors and assignees.

use leadscribe_engine::api::{ApiKey, ApiKeyId, Assignee, UserId};

use crate::texts::{audit, lead as texts, leads};

/// Name in the audit log, and its label.
pub type Named = (&'static str, fn() -> &'static str);

/// Actors that are not a user, key or token.
pub const OTHERS: [Named; 4] = [
    ("command_line", audit::command_line),
    ("retention", audit::retention),
    ("demo", audit::sample_data),
    ("anonymous", audit::somebody_unknown),
];

/// Display name of an actor, as far as the reader may know it. `own` is the reader's name in the log; `keys` are the API keys whose names
/// the reader may see.
pub fn actor(actor: &str, own: &str, staff: &[Assignee], keys: &[ApiKey]) -> String {
    if actor == own {
        return texts::you().to_owned();
    }
    match actor.split_once(':') {
        Some((UserId::KIND, id)) => {
            let known = staff.iter().find(|one| one.id.to_string() == id);
            known.map_or_else(|| texts::staff(id), |one| one.email.clone())
        }
        Some((ApiKeyId::KIND, id)) => {
            let known = keys.iter().find(|one| one.id.to_string() == id);
            known.map_or_else(|| texts::api_key(id), |one| audit::key(&one.name))
        }
        _ => {
            let known = OTHERS.iter().find(|(name, _)| *name == actor);
            known.map_or_else(|| actor.to_owned(), |(_, text)| text().to_owned())
        }
    }
}

/// Display name of a lead's assignee: email address for staff, otherwise the number in the telephone system.
pub fn assignee(id: UserId, staff: &[Assignee]) -> String {
    staff.iter().find(|one| one.id == id).map_or_else(|| leads::somebody(id), |one| one.email.clone())
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::Timestamp;

    use super::*;

    #[test]
    fn actors_have_display_names() {
        let dialler = ApiKey {
            id: ApiKeyId(6),
            name: "Dialler".to_owned(),
            prefix: "lsk_1234".to_owned(),
            scopes: Vec::new(),
            created_at: Timestamp::default(),
            expires_at: None,
            last_used_at: None,
            revoked_at: None,
        };
        let ann = Assignee { id: UserId(33), email: "ann@example.com".to_owned(), active: true };
        let cases = [
            ("user:3", "You"),
            ("user:33", "ann@example.com"),
            ("user:4", "Staff 4"),
            ("api_key:5", "API key 5"),
            ("api_key:6", "API key “Dialler”"),
            ("command_line", "Command line"),
            ("retention", "Retention"),
            ("someone:1", "someone:1"),
        ];
        for (name, said) in cases {
            assert_eq!(actor(name, "user:3", std::slice::from_ref(&ann), std::slice::from_ref(&dialler)), said);
        }
    }
}
