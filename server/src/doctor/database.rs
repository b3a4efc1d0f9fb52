//! Checks that the database exists, is intact and has this version's schema.

use super::{CheckContext, CheckResult, ReplicaError};
use crate::storage::inspection::{DatabaseInspection, ServerInfo};

const CHECK: &str = "database";

/// Connections reserved for other clients and for commands.
const RESERVED_CONNECTIONS: u64 = 5;

pub(super) fn check(context: &CheckContext) -> Vec<CheckResult> {
    let inspection = match &context.inspection {
        Ok(Some(inspection)) => inspection,
        Ok(None) => {
            let remedy = "the first start creates it; if it should exist, check --data-dir and --database-url";
            return vec![CheckResult::warning(CHECK, "doesn't exist yet", remedy)];
        }
        Err(error) => {
            let remedy = match context.config.storage.database_url.reveal() {
                None => "if it is damaged, restore a backup (`leadscribe restore`); otherwise fix the reported error",
                Some(_) => "fix the reported error; check that PostgreSQL is running and --database-url is correct",
            };
            return vec![CheckResult::error(CHECK, error.clone(), remedy)];
        }
    };
    let mut results = vec![check_integrity(inspection, context.is_full_check), check_schema(inspection)];
    if let Some(server) = &inspection.server {
        results.push(check_connections(server, context));
    }
    match &context.replica {
        None => {}
        Some(Ok(())) => results.push(CheckResult::ok("replica", "readable")),
        Some(Err(ReplicaError::Unavailable(error))) => {
            let remedy = "reads go to the primary; fix the replica or remove --read-database-url";
            results.push(CheckResult::warning("replica", error.clone(), remedy));
        }
        Some(Err(ReplicaError::Misconfigured(error))) => {
            let remedy =
                "the server can't start with it; name a replica of this database, or remove --read-database-url";
            results.push(CheckResult::error("replica", error.clone(), remedy));
        }
    }
    results
}

fn check_integrity(inspection: &DatabaseInspection, is_full: bool) -> CheckResult {
    let DatabaseInspection { location, corruption, tables_with_broken_references, server, .. } = inspection;
    let restore =
        "stop the server, move the data folder aside unchanged, and restore the last backup (`leadscribe restore`)";
    if let Some(first) = corruption.first() {
        return CheckResult::error(CHECK, format!("{location} is damaged: {first}"), restore);
    }
    if let Some(table) = tables_with_broken_references.first() {
        return CheckResult::error(CHECK, format!("{location}: rows of {table} refer to missing rows"), restore);
    }
    match server {
        Some(server) => CheckResult::ok(CHECK, format!("{location}, PostgreSQL {}", server.version)),
        None if is_full => CheckResult::ok(CHECK, format!("{location}: tables, indexes and references are intact")),
        None => CheckResult::ok(
            CHECK,
            format!("{location}: tables and references are intact; use --full to check indexes too"),
        ),
    }
}

fn check_schema(inspection: &DatabaseInspection) -> CheckResult {
    let DatabaseInspection { schema_version, newest_known_version: known_version, .. } = inspection;
    match schema_version {
        0 => CheckResult::warning("schema", "the database is empty", "the first start creates its tables"),
        version if version > known_version => CheckResult::error(
            "schema",
            format!(
                "the database has schema version {version}, but this program supports versions up to {known_version}"
            ),
            "use the newer program, which upgraded it",
        ),
        version if version < known_version => CheckResult::warning(
            "schema",
            format!("the database has schema version {version}; the next start upgrades it to {known_version}"),
            "take a backup first; restoring it is the only way back",
        ),
        version => CheckResult::ok("schema", format!("version {version} is current")),
    }
}

fn check_connections(server: &ServerInfo, context: &CheckContext) -> CheckResult {
    let ServerInfo { max_connections, connections, .. } = *server;
    // One more connection listens for notifications.
    let needed = context.config.storage.database_connections as u64 + 1;
    let description = format!(
        "PostgreSQL allows {max_connections}, {connections} are open, and each Leadscribe process uses up to {needed}"
    );
    let remedy = "raise PostgreSQL's max_connections, or lower --database-connections";
    if needed > max_connections {
        CheckResult::error("connections", description, remedy)
    } else if connections + RESERVED_CONNECTIONS > max_connections || needed + RESERVED_CONNECTIONS > max_connections {
        CheckResult::warning("connections", description, remedy)
    } else {
        CheckResult::ok("connections", description)
    }
}
