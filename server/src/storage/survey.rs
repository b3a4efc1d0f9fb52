//! What a look at a database shows, whether or not a server uses it: for whoever checks the set-up. Nothing is changed.

use leadscribe_engine::api::Timestamp;

use super::{InstallationId, RecordingKey};

/// A database that could be opened.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Survey {
    /// Where it is, for people.
    pub place: String,
    /// Version of its schema; 0 before the first start.
    pub schema: i64,
    /// Newest version that this program knows.
    pub known: i64,
    /// What the database finds wrong with its own file, one line each.
    pub faults: Vec<String>,
    /// The tables with rows that refer to rows that aren't there.
    pub strays: Vec<String>,
    /// The server that holds it; none for a file.
    pub server: Option<Server>,
    /// What its rows say; none unless it has the schema of this program.
    pub rows: Option<Rows>,
}

/// A PostgreSQL server.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Server {
    /// Its version.
    pub version: String,
    /// Connections it takes from those who are no superusers.
    pub max_connections: u64,
    /// Connections to it that are open now.
    pub connections: u64,
}

/// What the rows of a database say.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Rows {
    /// Which installation it is.
    pub installation: InstallationId,
    /// Admins who can log in.
    pub admins: u64,
    /// When the server last noted something by its clock.
    pub newest: Option<Timestamp>,
    /// Transcriptions that wait, or are being worked at.
    pub open_transcriptions: u64,
    /// Transcriptions that were given up, of calls that were not sent again.
    pub failed_transcriptions: u64,
    /// Deliveries that were given up.
    pub failed_deliveries: u64,
    /// The recordings that calls name, with their sizes in bytes.
    pub recordings: Vec<(RecordingKey, Option<u64>)>,
}
