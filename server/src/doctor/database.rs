//! Checks that the database exists, is intact and has this version's schema.

use super::{Finding, ReplicaFault, Setup};
use crate::storage::survey::{Server, Survey};

const CHECK: &str = "database";

/// Connections reserved for other clients and for commands.
const OTHERS: u64 = 5;

pub(super) fn check(setup: &Setup) -> Vec<Finding> {
    let survey = match &setup.survey {
        Ok(Some(survey)) => survey,
        Ok(None) => {
            let remedy = "the first start creates it; if it should exist, check --data-dir and --database-url";
            return vec![Finding::warning(CHECK, "doesn't exist yet", remedy)];
        }
        Err(error) => {
            let remedy = match setup.config.storage.database_url.reveal() {
                None => "if it is damaged, restore a backup (`leadscribe restore`); otherwise fix the reported error",
                Some(_) => "fix the reported error; check that PostgreSQL is running and --database-url is correct",
            };
            return vec![Finding::fault(CHECK, error.clone(), remedy)];
        }
    };
    let mut findings = vec![whole(survey, setup.full), schema(survey)];
    if let Some(server) = &survey.server {
        findings.push(connections(server, setup));
    }
    match &setup.replica {
        None => {}
        Some(Ok(())) => findings.push(Finding::ok("replica", "readable")),
        Some(Err(ReplicaFault::Away(error))) => {
            let remedy = "reads go to the primary; fix the replica or remove --read-database-url";
            findings.push(Finding::warning("replica", error.clone(), remedy));
        }
        Some(Err(ReplicaFault::Wrong(error))) => {
            let remedy =
                "the server can't start with it; name a replica of this database, or remove --read-database-url";
            findings.push(Finding::fault("replica", error.clone(), remedy));
        }
    }
    findings
}

fn whole(survey: &Survey, full: bool) -> Finding {
    let Survey { place, faults, strays, server, .. } = survey;
    let restore =
        "stop the server, move the data folder aside unchanged, and restore the last backup (`leadscribe restore`)";
    if let Some(first) = faults.first() {
        return Finding::fault(CHECK, format!("{place} is damaged: {first}"), restore);
    }
    if let Some(table) = strays.first() {
        return Finding::fault(CHECK, format!("{place}: rows of {table} refer to missing rows"), restore);
    }
    match server {
        Some(server) => Finding::ok(CHECK, format!("{place}, PostgreSQL {}", server.version)),
        None if full => Finding::ok(CHECK, format!("{place}: tables, indexes and references are intact")),
        None => {
            Finding::ok(CHECK, format!("{place}: tables and references are intact; use --full to check indexes too"))
        }
    }
}

fn schema(survey: &Survey) -> Finding {
    let Survey { schema, known, .. } = survey;
    match schema {
        0 => Finding::warning("schema", "the database is empty", "the first start creates its tables"),
        found if found > known => Finding::fault(
            "schema",
            format!("the database has schema version {found}, but this program supports versions up to {known}"),
            "use the newer program, which upgraded it",
        ),
        found if found < known => Finding::warning(
            "schema",
            format!("the database has schema version {found}; the next start upgrades it to {known}"),
            "take a backup first; restoring it is the only way back",
        ),
        found => Finding::ok("schema", format!("version {found} is current")),
    }
}

fn connections(server: &Server, setup: &Setup) -> Finding {
    let Server { max_connections, connections, .. } = *server;
    // One more to listen for notifications.
    let wanted = setup.config.storage.database_connections as u64 + 1;
    let said = format!(
        "PostgreSQL allows {max_connections}, {connections} are open, and each Leadscribe process uses up to {wanted}"
    );
    let remedy = "raise PostgreSQL's max_connections, or lower --database-connections";
    if wanted > max_connections {
        Finding::fault("connections", said, remedy)
    } else if connections + OTHERS > max_connections || wanted + OTHERS > max_connections {
        Finding::warning("connections", said, remedy)
    } else {
        Finding::ok("connections", said)
    }
}
