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
            let remedy = "the first start makes it; if there should be one, check --data-dir and --database-url";
            return vec![Finding::warning(CHECK, "there is none yet", remedy)];
        }
        Err(error) => {
            let remedy = match setup.config.storage.database_url.reveal() {
                None => "if it is damaged, restore a backup (`leadscribe restore`); otherwise do what the message says",
                Some(_) => "do what the message says; check that the server runs, and --database-url",
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
        Some(Ok(())) => findings.push(Finding::ok("replica", "can be read from")),
        Some(Err(ReplicaFault::Away(error))) => {
            let remedy =
                "everything is read from the primary meanwhile; see to the replica, or leave --read-database-url out";
            findings.push(Finding::warning("replica", error.clone(), remedy));
        }
        Some(Err(ReplicaFault::Wrong(error))) => {
            let remedy =
                "the server doesn't start with it: name a replica of the database, or leave --read-database-url out";
            findings.push(Finding::fault("replica", error.clone(), remedy));
        }
    }
    findings
}

fn whole(survey: &Survey, full: bool) -> Finding {
    let Survey { place, faults, strays, server, .. } = survey;
    let restore =
        "stop the server, put the data folder away as it is, and restore the last backup (`leadscribe restore`)";
    if let Some(first) = faults.first() {
        return Finding::fault(CHECK, format!("{place} is damaged: {first}"), restore);
    }
    if let Some(table) = strays.first() {
        return Finding::fault(CHECK, format!("{place}: rows of {table} refer to rows that aren't there"), restore);
    }
    match server {
        Some(server) => Finding::ok(CHECK, format!("{place}, PostgreSQL {}", server.version)),
        None if full => Finding::ok(CHECK, format!("{place}: tables, indexes and references are whole")),
        None => Finding::ok(CHECK, format!("{place}: tables and references are whole; --full looks at indexes too")),
    }
}

fn schema(survey: &Survey) -> Finding {
    let Survey { schema, known, .. } = survey;
    match schema {
        0 => Finding::warning("schema", "the database is empty", "the first start makes its tables"),
        found if found > known => Finding::fault(
            "schema",
            format!("the database has schema version {found}, but this program knows versions up to {known}"),
            "use the newer program, which changed it",
        ),
        found if found < known => Finding::warning(
            "schema",
            format!("the database has schema version {found}, and this program makes it {known} at the next start"),
            "take a backup before; the way back is to restore it",
        ),
        found => Finding::ok("schema", format!("version {found}, that of this program")),
    }
}

fn connections(server: &Server, setup: &Setup) -> Finding {
    let Server { max_connections, connections, .. } = *server;
    // One more to listen for notifications.
    let wanted = setup.config.storage.database_connections as u64 + 1;
    let said = format!(
        "the server takes {max_connections}, {connections} are open, and each process of Leadscribe wants up to {wanted}"
    );
    let remedy = "raise max_connections of PostgreSQL, or lower --database-connections of the processes";
    if wanted > max_connections {
        Finding::fault("connections", said, remedy)
    } else if connections + OTHERS > max_connections || wanted + OTHERS > max_connections {
        Finding::warning("connections", said, remedy)
    } else {
        Finding::ok("connections", said)
    }
}
