//! Inspection of a database, in use or not.

use super::connection::{Connection, texts};
use super::error::OpenError;
use super::target::{Role, Target};
use super::{replica, schema, transaction};
use crate::storage::sql;
use crate::storage::survey::{Server, Survey};

/// Inspects the database at `url` without changing it. Blocks.
///
/// # Errors
/// It can't be reached, read, or written to.
pub fn survey(url: &str) -> Result<Survey, OpenError> {
    let target = Target::read(url)?;
    let mut connection = Connection::open(&target)?;
    let answer = connection.client.simple_query(
        "SELECT current_setting('server_version'),
             CAST(current_setting('max_connections') AS BIGINT) - CAST(current_setting('superuser_reserved_connections') AS BIGINT),
             (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
             to_regclass(quote_ident(current_schema()) || '.refinery_schema_history')",
    )?;
    let [version, max_connections, connections, history] = texts(&answer);
    let number = |text: Option<String>| text.and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut survey = Survey {
        place: target.place(),
        known: schema::known(),
        server: Some(Server {
            version: version.unwrap_or_default(),
            max_connections: number(max_connections),
            // Without this connection.
            connections: number(connections).saturating_sub(1),
        }),
        ..Survey::default()
    };
    if history.is_none() {
        return Ok(survey);
    }
    let version = "SELECT CAST(coalesce(max(version), 0) AS BIGINT) FROM refinery_schema_history";
    survey.schema = connection.client.query_one(version, &[])?.get(0);
    if survey.schema == survey.known {
        let rows = transaction::read_once(&mut connection, &sql::survey::rows);
        survey.rows = rows.and_then(Result::ok);
    }
    Ok(survey)
}

/// Checks that `url` is a replica of the database at `primary`. Blocks.
///
/// # Errors
/// One of them can't be reached, or `url` isn't a replica.
pub fn expect_replica(url: &str, primary: &str) -> Result<(), OpenError> {
    let primary = Connection::open(&Target::read(primary)?)?.identity()?;
    replica::expect(&mut Connection::open(&Target::of(url, Role::Replica)?)?, &primary)
}
