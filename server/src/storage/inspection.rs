//! Inspection of a database for `leadscribe doctor`, whether or not a server uses it. Changes nothing.

use leadscribe_engine::api::{LeadId, Timestamp};

use super::{InstallationId, RecordingKey};

/// Findings about a database that could be opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct DatabaseInspection {
    /// Location of the database, for display.
    pub location: String,
    /// Schema version; 0 before the first start.
    pub schema_version: i64,
    /// Newest version that this program knows.
    pub newest_known_version: i64,
    /// Corruption that the database reports in its own file, one line each.
    pub corruption: Vec<String>,
    /// Tables with rows whose references are broken.
    pub tables_with_broken_references: Vec<String>,
    /// Server of the database; `None` for a file.
    pub server: Option<ServerInfo>,
    /// Contents of the rows; `None` unless the database has this program's schema version.
    pub row_stats: Option<RowStats>,
}

/// A PostgreSQL server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct ServerInfo {
    /// Version of the server.
    pub version: String,
    /// Maximum number of connections for users other than superusers.
    pub max_connections: u64,
    /// Number of open connections.
    pub connections: u64,
}

/// Findings in the rows of a database.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct RowStats {
    pub installation: InstallationId,
    /// Number of active admins.
    pub admins: u64,
    /// Latest time that the server stored from its clock.
    pub newest_timestamp: Option<Timestamp>,
    /// Number of queued or running transcriptions.
    pub open_transcriptions: u64,
    /// Number of calls whose latest transcription failed.
    pub failed_transcriptions: u64,
    pub failed_deliveries: u64,
    /// Number of original identifiers that several leads have.
    pub shared_identifiers: u64,
    /// Two leads with the same original identifier, if there are any.
    pub leads_with_same_identifier: Option<(LeadId, LeadId)>,
    /// Recordings that calls refer to, with their sizes in bytes.
    pub recordings: Vec<(RecordingKey, Option<u64>)>,
}
