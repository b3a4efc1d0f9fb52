//! Inspection of a database, in use or not.

use super::connection::{Connection, row_texts};
use super::error::OpenError;
use super::target::{Role, Target};
use super::{replica, schema, transaction};
use crate::storage::inspection::{DatabaseInspection, ServerInfo};
use crate::storage::sql;

/// Inspects the database at `url` without changing it. Blocks.
///
/// # Errors
/// It can't be reached, read, or written to.
pub fn inspect(url: &str) -> Result<DatabaseInspection, OpenError> {
    let target = Target::parse_primary(url)?;
    let mut connection = Connection::open(&target)?;
    let response = connection.client.simple_query(
        "SELECT current_setting('server_version'),
             CAST(current_setting('max_connections') AS BIGINT) - CAST(current_setting('superuser_reserved_connections') AS BIGINT),
             (SELECT count(*) FROM pg_stat_activity WHERE backend_type = 'client backend'),
             to_regclass(quote_ident(current_schema()) || '.refinery_schema_history')",
    )?;
    let [version, max_connections, connections, history] = row_texts(&response);
    let number = |text: Option<String>| text.and_then(|text| text.parse().ok()).unwrap_or(0);
    let mut inspection = DatabaseInspection {
        location: target.location(),
        newest_known_version: schema::newest_version(),
        server: Some(ServerInfo {
            version: version.unwrap_or_default(),
            max_connections: number(max_connections),
            // This connection isn't counted.
            connections: number(connections).saturating_sub(1),
        }),
        ..DatabaseInspection::default()
    };
    if history.is_none() {
        return Ok(inspection);
    }
    let version = "SELECT CAST(coalesce(max(version), 0) AS BIGINT) FROM refinery_schema_history";
    inspection.schema_version = connection.client.query_one(version, &[])?.get(0);
    if inspection.schema_version == inspection.newest_known_version {
        let rows = transaction::read_once(&mut connection, &sql::inspection::row_stats);
        inspection.row_stats = rows.and_then(Result::ok);
    }
    Ok(inspection)
}

/// Checks that `url` is a replica of the database at `primary`. Blocks.
///
/// # Errors
/// One of them can't be reached, or `url` isn't a replica.
pub fn check_replica(url: &str, primary: &str) -> Result<(), OpenError> {
    let primary = Connection::open(&Target::parse_primary(primary)?)?.identity()?;
    replica::check_replica(&mut Connection::open(&Target::parse(url, Role::Replica)?)?, &primary)
}
