//! Errors of PostgreSQL, classified by how to handle them.

use std::error::Error as _;
use std::io::ErrorKind;
use std::time::Duration;

use postgres::error::{Severity, SqlState};

use crate::storage::StoreError;
use crate::storage::snapshot::NewerSchema;

/// Reason why the database can't be used. Texts never contain the password.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A newer version of the program has changed the schema.
    #[error(transparent)]
    NewerSchema(#[from] NewerSchema),
    /// The database's encoding can't store every text.
    #[error("the database has the encoding {0} instead of UTF8; create one with `ENCODING 'UTF8' TEMPLATE template0`")]
    Encoding(String),
    /// No schema exists in which tables could be created.
    #[error("the user {user} has no schema for tables; create one, or set the user's search_path")]
    NoSchema {
        /// Current user.
        user: String,
    },
    /// The user may not create tables.
    #[error(
        "the user {user} can't create tables in the schema {schema}: let the database belong to this user \
         (`ALTER DATABASE … OWNER TO …`), or grant CREATE on the schema"
    )]
    MissingPrivilege {
        /// Current user.
        user: String,
        /// Schema for the tables.
        schema: String,
    },
    /// The database belongs to another program.
    #[error("the schema {schema} contains tables of another program: {tables}; use a separate database")]
    ForeignTables {
        /// Schema for the tables.
        schema: String,
        /// Some of the existing tables.
        tables: String,
    },
    /// The schema migration failed.
    #[error("can't upgrade the database's schema")]
    Migration(#[source] refinery::Error),
    /// The URL is invalid.
    #[error("invalid URL: {0}; use the form `postgres://user:password@host:5432/database`")]
    Url(String),
    /// The trusted certificates can't be read.
    #[error("{0} contains no readable PEM certificate")]
    Certificates(String),
    /// The server's version is too old.
    #[error("PostgreSQL {0} is not supported; use version 13 or newer")]
    UnsupportedVersion(String),
    /// Commits would not be durable.
    #[error("PostgreSQL doesn't accept synchronous_commit=on; it reports {0}")]
    NotDurable(String),
    /// The read server is not a replica.
    #[error("the server is not a replica of the database")]
    NotAReplica,
    /// The read server is the primary itself or was promoted.
    #[error("the server is the primary, not a replica; there may have been a failover")]
    ReplicaPromoted,
    /// The read server is a replica of another database.
    #[error("the server is a replica of another primary, or its URL names another database")]
    ReplicaOfOtherDatabase,
    /// The server to write to is a standby.
    #[error("the server is a read-only standby; use the URL of the primary")]
    IsStandby,
    /// The read server can't be used.
    #[error(transparent)]
    Replica(Box<OpenError>),
    /// The server can't be reached or refuses the connection.
    #[error("can't open the database")]
    Postgres(#[source] ServerError),
}

impl OpenError {
    /// True if the server should start despite this replica error, because it may be temporary.
    pub fn is_temporary(&self) -> bool {
        matches!(self, Self::Postgres(_) | Self::ReplicaPromoted)
    }
}

impl From<postgres::Error> for OpenError {
    fn from(error: postgres::Error) -> Self {
        Self::Postgres(ServerError::from_error(&error))
    }
}

/// Text of a failure without its details, which may contain row values.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct ServerError {
    text: String,
    /// True if the server has no connection left for this program, database or user.
    is_full: bool,
}

impl ServerError {
    /// The server didn't respond within the time limit.
    pub(super) fn timed_out(limit: Duration) -> Self {
        Self::from_text(format!("the server was not ready within {} s", limit.as_secs()))
    }

    /// Prefixes the location of the server.
    pub(super) fn with_location(self, location: &str) -> Self {
        Self { text: format!("{location}: {}", self.text), ..self }
    }

    /// True if the server refuses further connections, so that only the open ones can be used.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    fn from_text(text: String) -> Self {
        Self { text, is_full: false }
    }

    pub(super) fn from_error(error: &postgres::Error) -> Self {
        if let Some(db_error) = error.as_db_error() {
            let code = db_error.code().code();
            // Messages of this class quote the invalid value.
            let message = if code.starts_with("22") { "invalid value" } else { db_error.message() };
            let text = format!("{}: {message} (SQLSTATE {code})", db_error.severity());
            return Self { text, is_full: *db_error.code() == SqlState::TOO_MANY_CONNECTIONS };
        }
        let mut message_chain = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            message_chain = format!("{message_chain}: {cause}");
            source = cause.source();
        }
        Self::from_text(message_chain)
    }
}

/// Meaning of a failure for its transaction.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    ConnectionLost,
    /// The transaction is read-only: by its mode, by a setting of the database, or because the server is a standby.
    ReadOnly,
    /// Serialization conflict with other transactions.
    SerializationConflict,
    /// A constraint was violated, possibly because of rows that others wrote or deleted concurrently.
    ConstraintViolation,
    /// The server can't run the statement for now.
    Unavailable,
    /// Other transactions held locks for too long.
    Busy,
    /// Any other failure.
    Other,
}

impl Failure {
    pub(super) fn classify(error: &postgres::Error) -> Self {
        let Some(db_error) = error.as_db_error() else {
            // An encoding error of the driver doesn't affect the connection.
            let is_broken = |cause: &std::io::Error| cause.kind() != ErrorKind::InvalidInput;
            let is_lost = error.source().and_then(|cause| cause.downcast_ref()).is_some_and(is_broken);
            return if error.is_closed() || is_lost { Self::ConnectionLost } else { Self::Other };
        };
        if matches!(db_error.parsed_severity(), Some(Severity::Fatal | Severity::Panic)) {
            return Self::ConnectionLost;
        }
        let code = db_error.code();
        let is_any_of = |codes: &[SqlState]| codes.contains(code);
        match code.code().get(..2) {
            _ if is_any_of(&[SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED]) => {
                Self::SerializationConflict
            }
            _ if is_any_of(&[SqlState::UNIQUE_VIOLATION, SqlState::FOREIGN_KEY_VIOLATION]) => Self::ConstraintViolation,
            _ if is_any_of(&[SqlState::READ_ONLY_SQL_TRANSACTION]) => Self::ReadOnly,
            // Class 57: a statement timeout only cancels the statement; all other codes end the connection.
            _ if is_any_of(&[SqlState::LOCK_NOT_AVAILABLE, SqlState::QUERY_CANCELED]) => Self::Busy,
            // Also covers a connection in an unexpected transaction state.
            Some("08" | "25" | "57") => Self::ConnectionLost,
            // Out of disk, memory or connections, or a system error.
            Some("53" | "58") => Self::Unavailable,
            _ => Self::Other,
        }
    }

    /// Store error for a statement that failed this way.
    pub(super) fn store_error(self, error: ServerError) -> StoreError {
        match self {
            Self::ConnectionLost | Self::ReadOnly | Self::Unavailable => StoreError::Unavailable(Box::new(error)),
            Self::Busy => StoreError::Busy(Box::new(error)),
            Self::SerializationConflict => StoreError::Conflict(Box::new(error)),
            Self::ConstraintViolation | Self::Other => StoreError::Failed(Box::new(error)),
        }
    }
}

impl From<postgres::Error> for StoreError {
    fn from(error: postgres::Error) -> Self {
        Failure::classify(&error).store_error(ServerError::from_error(&error))
    }
}
