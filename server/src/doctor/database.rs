//! Checks that the database exists, is intact and has this version's schema.

use super::{CheckContext, Finding, ReplicaError};
use crate::storage::inspection::{DatabaseInspection, ServerInfo};

const CHECK: &str = "database";

/// Connections reserved for other clients and for commands.
const RESERVED_CONNECTIONS: u64 = 5;

pub(super) fn check(context: &CheckContext) -> Vec<Finding> {
    let inspection = match &context.inspection {
        Ok(Some(inspection)) => inspection,
        Ok(None) => {
            let remedy = "the first start creates it; if it should exist, check --data-dir and --database-url";
            return vec![Finding::warning(CHECK, "doesn't exist yet", remedy)];
        }
        Err(error) => {
            let remedy = match context.config.storage.database_url.reveal() {
                None => "if it is damaged, restore a backup (`leadscribe restore`); otherwise fix the reported error",
                Some(_) => "fix the reported error; check that PostgreSQL is running and --database-url is correct",
            };
            return vec![Finding::fault(CHECK, error.clone(), remedy)];
        }
    };
    let mut findings = vec![check_integrity(inspection, context.is_full_check), check_schema(inspection)];
    if let Some(server) = &inspection.server {
        findings.push(check_connections(server, context));
    }
    match &context.replica {
        None => {}
        Some(Ok(())) => findings.push(Finding::ok("replica", "readable")),
        Some(Err(ReplicaError::Unavailable(error))) => {
            let remedy = "reads go to the primary; fix the replica or remove --read-database-url";
            findings.push(Finding::warning("replica", error.clone(), remedy));
        }
        Some(Err(ReplicaError::Misconfigured(error))) => {
            let remedy =
                "the server can't start with it; name a replica of this database, or remove --read-database-url";
            findings.push(Finding::fault("replica", error.clone(), remedy));
        }
    }
    findings
}

fn check_integrity(inspection: &DatabaseInspection, is_full: bool) -> Finding {
    let DatabaseInspection {
        location: place,
        corruption: diagnostics,
        tables_with_broken_references: strays,
        server,
        ..
    } = inspection;
    let restore =
        "stop the server, move the data folder aside unchanged, and restore the last backup (`leadscribe restore`)";
    if let Some(first) = diagnostics.first() {
        return Finding::fault(CHECK, format!("{place} is damaged: {first}"), restore);
    }
    if let Some(table) = strays.first() {
        return Finding::fault(CHECK, format!("{place}: rows of {table} refer to missing rows"), restore);
    }
    match server {
        Some(server) => Finding::ok(CHECK, format!("{place}, PostgreSQL {}", server.version)),
        None if is_full => Finding::ok(CHECK, format!("{place}: tables, indexes and references are intact")),
        None => {
            Finding::ok(CHECK, format!("{place}: tables and references are intact; use --full to check indexes too"))
        }
    }
}

fn check_schema(inspection: &DatabaseInspection) -> Finding {
    let DatabaseInspection { schema_version: schema, newest_known_version: known_version, .. } = inspection;
    match schema {
        0 => Finding::warning("schema", "the database is empty", "the first start creates its tables"),
        version if version > known_version => Finding::fault(
            "schema",
            format!(
                "the database has schema version {version}, but this program supports versions up to {known_version}"
            ),
            "use the newer program, which upgraded it",
        ),
        version if version < known_version => Finding::warning(
            "schema",
            format!("the database has schema version {version}; the next start upgrades it to {known_version}"),
            "take a backup first; restoring it is the only way back",
        ),
        version => Finding::ok("schema", format!("version {version} is current")),
    }
}

fn check_connections(server: &ServerInfo, context: &CheckContext) -> Finding {
    let ServerInfo { max_connections, connections, .. } = *server;
    // One more to listen for notifications.
    let needed = context.config.storage.database_connections as u64 + 1;
    let description = format!(
        "PostgreSQL allows {max_connections}, {connections} are open, and each Leadscribe process uses up to {needed}"
    );
    let remedy = "raise PostgreSQL's max_connections, or lower --database-connections";
    if needed > max_connections {
        Finding::fault("connections", description, remedy)
    } else if connections + RESERVED_CONNECTIONS > max_connections || needed + RESERVED_CONNECTIONS > max_connections {
        Finding::warning("connections", description, remedy)
    } else {
        Finding::ok("connections", description)
    }
}
