//! Who did something, and whom a lead is assigned to, as people say it.

use leadscribe_engine::api::{ApiKeyId, Assignee, UserId};

use crate::texts::{lead as texts, leads};

/// Who it was, as far as all staff may know: `own` is how the reader stands in the log.
pub fn actor(actor: &str, own: &str, staff: &[Assignee]) -> String {
    if actor == own {
        return texts::you().to_owned();
    }
    match actor.split_once(':') {
        Some((UserId::KIND, id)) => {
            let known = staff.iter().find(|one| one.id.to_string() == id);
            known.map_or_else(|| texts::staff(id), |one| one.email.clone())
        }
        Some((ApiKeyId::KIND, id)) => texts::api_key(id),
        _ if actor == "command_line" => texts::command_line().to_owned(),
        _ => actor.to_owned(),
    }
}

/// Whom a lead is assigned to: a colleague by their address, others by the number of the telephone system.
pub fn assignee(id: UserId, staff: &[Assignee]) -> String {
    staff.iter().find(|one| one.id == id).map_or_else(|| leads::somebody(id), |one| one.email.clone())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn actors_read_as_people_say_them() {
        let ann = Assignee { id: UserId(33), email: "ann@example.com".to_owned(), active: true };
        let cases = [
            ("user:3", "You"),
            ("user:33", "ann@example.com"),
            ("user:4", "Staff 4"),
            ("api_key:5", "API key 5"),
            ("command_line", "Command line"),
        ];
        for (name, said) in cases {
            assert_eq!(actor(name, "user:3", std::slice::from_ref(&ann)), said);
        }
    }
}
