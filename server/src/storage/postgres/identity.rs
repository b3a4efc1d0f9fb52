//! Identity of the database behind a connection, so that replicas of other databases are rejected.

use postgres::Client;
use postgres::error::SqlState;

/// Properties that a replica shares with its primary and with no other server.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Identity {
    /// System identifier, generated when the server was initialized; `None` if it isn't available.
    system: Option<i64>,
    database: u32,
    schema: Option<String>,
}

impl Identity {
    /// Reads the identity from the server. Must not run in a transaction, which an error would abort.
    pub(super) fn read(client: &mut Client) -> Result<Self, postgres::Error> {
        let row = client.query_one(
            "SELECT d.oid, CAST(current_schema() AS TEXT) FROM pg_database d WHERE d.datname = current_database()",
            &[],
        )?;
        let system = match client.query_one("SELECT system_identifier FROM pg_control_system()", &[]) {
            Ok(row) => Some(row.get(0)),
            // Some hosts grant this to no user, and databases that only speak PostgreSQL's protocol have no such number.
            Err(error) if is_unavailable(error.code()) => None,
            Err(error) => return Err(error),
        };
        Ok(Self { system, database: row.get(0), schema: row.get(1) })
    }

    /// True if all available properties match.
    pub(super) fn matches(&self, other: &Self) -> bool {
        let are_both_known = self.system.is_some() && other.system.is_some();
        (!are_both_known || self.system == other.system)
            && (self.database, &self.schema) == (other.database, &other.schema)
    }
}

/// True if the user lacks the permission, or the server doesn't know the function.
pub(super) fn is_unavailable(code: Option<&SqlState>) -> bool {
    let unavailable = [
        SqlState::INSUFFICIENT_PRIVILEGE,
        SqlState::UNDEFINED_FUNCTION,
        SqlState::UNDEFINED_TABLE,
        SqlState::FEATURE_NOT_SUPPORTED,
    ];
    code.is_some_and(|code| unavailable.contains(code))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn identity_compares_available_properties() {
        let primary = Identity { system: Some(7), database: 5, schema: Some("public".to_owned()) };
        let unknown = Identity { system: None, ..primary.clone() };
        for replica in [&primary, &unknown] {
            assert!(replica.matches(&primary) && primary.matches(replica));
        }
        let others = [
            Identity { system: Some(8), ..primary.clone() },
            Identity { database: 6, ..primary.clone() },
            Identity { schema: None, ..primary.clone() },
        ];
        assert!(others.iter().all(|other| !other.matches(&primary)));
    }
}
