//! What can go wrong with PostgreSQL, sorted by what can be done about it.

use std::error::Error as _;
use std::io::ErrorKind;
use std::time::Duration;

use postgres::error::{Severity, SqlState};

use crate::storage::StoreError;

/// The database can't be used. No text in it holds the password.
#[derive(Debug, thiserror::Error)]
pub enum OpenError {
    /// A newer program has changed the schema; this one could damage what it doesn't know.
    #[error(
        "the database has schema version {found}, but this program knows versions up to {known}: use the newer one"
    )]
    NewerSchema {
        /// Version of the database.
        found: i64,
        /// Newest version this program knows.
        known: i64,
    },
    /// The database can't hold every text.
    #[error(
        "expected a database with the encoding UTF8, but it has {0}: make one with `ENCODING 'UTF8' TEMPLATE template0`"
    )]
    Encoding(String),
    /// There is no schema to make tables in.
    #[error("the user {user} has no schema to make tables in: make one, or name it in the user's search_path")]
    NoSchema {
        /// Who is logged in.
        user: String,
    },
    /// The user may not make tables.
    #[error(
        "the user {user} may not make tables in the schema {schema}: let the database belong to this user \
         (`ALTER DATABASE … OWNER TO …`), or grant CREATE on the schema"
    )]
    NoRight {
        /// Who is logged in.
        user: String,
        /// Where the tables would be.
        schema: String,
    },
    /// The database is another program's.
    #[error(
        "expected an empty database, or one of this program, but its schema {schema} holds tables of another: {tables}; \
         name a database of its own"
    )]
    Others {
        /// Where the tables would be.
        schema: String,
        /// Some that are there.
        tables: String,
    },
    /// The schema couldn't be brought up to date.
    #[error("the database's schema could not be brought up to date")]
    Migration(#[source] refinery::Error),
    /// The URL can't be understood.
    #[error("expected a URL such as `postgres://user:password@host:5432/database`, but {0}")]
    Url(String),
    /// The certificates that the server's is compared with can't be read.
    #[error("expected certificates in PEM form in {0}, but found none that can be read")]
    Certificates(String),
    /// The server is too old.
    #[error("expected PostgreSQL 13 or newer, but the server has version {0}")]
    Version(String),
    /// Commits would not be safe.
    #[error("expected PostgreSQL to keep synchronous_commit=on, but it answers {0}")]
    Synchronous(String),
    /// What is to be read from writes itself.
    #[error("expected a replica of the database to read from, but the server is no replica")]
    NoReplica,
    /// What is to be read from is, or was made, the primary itself.
    #[error("expected a replica of the database to read from, but the server is the primary, perhaps since a failover")]
    Promoted,
    /// What is to be read from is a replica of something else.
    #[error(
        "expected a replica of the database to read from, but the server is a replica of another one, or its URL names another database"
    )]
    OtherReplica,
    /// What is to be written to can't be.
    #[error("expected a server that can be written to, but it is a read-only standby of another: name the primary")]
    Standby,
    /// What is to be read from can't be used.
    #[error(transparent)]
    Reading(Box<OpenError>),
    /// The server can't be reached, or refuses.
    #[error("the database could not be opened")]
    Postgres(#[source] Said),
}

impl OpenError {
    /// Whether a server starts all the same with such a replica, for this may be over soon.
    pub fn is_passing(&self) -> bool {
        matches!(self, Self::Postgres(_) | Self::Promoted)
    }
}

impl From<postgres::Error> for OpenError {
    fn from(error: postgres::Error) -> Self {
        Self::Postgres(Said::of(&error))
    }
}

/// What is said about a failure: without the details, for in these stand values of rows.
#[derive(Debug, thiserror::Error)]
#[error("{text}")]
pub struct Said {
    text: String,
    /// Whether the server has no connection left for this program, database or user.
    is_full: bool,
}

impl Said {
    /// In the time that was granted, the server said nothing.
    pub(super) fn nothing(limit: Duration) -> Self {
        Self::other(format!("the server was not ready within {} s", limit.as_secs()))
    }

    /// With the place where it was said.
    pub(super) fn at(self, place: &str) -> Self {
        Self { text: format!("{place}: {}", self.text), ..self }
    }

    /// Whether the server takes no more connections, so that one has to do with those that are open.
    pub(super) fn is_full(&self) -> bool {
        self.is_full
    }

    fn other(text: String) -> Self {
        Self { text, is_full: false }
    }

    pub(super) fn of(error: &postgres::Error) -> Self {
        if let Some(answer) = error.as_db_error() {
            let code = answer.code().code();
            // About values that can't be read; the message cites them.
            let message = if code.starts_with("22") { "a value was refused" } else { answer.message() };
            let text = format!("{}: {message} (SQLSTATE {code})", answer.severity());
            return Self { text, is_full: *answer.code() == SqlState::TOO_MANY_CONNECTIONS };
        }
        let mut said = error.to_string();
        let mut source = error.source();
        while let Some(cause) = source {
            said = format!("{said}: {cause}");
            source = cause.source();
        }
        Self::other(said)
    }
}

/// What a failure means for the transaction it happened in.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Failure {
    /// The connection is gone.
    Lost,
    /// The transaction may not write: it was begun so, or the database is set so, or the server is a standby.
    ReadOnly,
    /// Other transactions came between.
    Overtaken,
    /// A row contradicts another one, or refers to none: maybe to what others have written or deleted meanwhile.
    Contradicted,
    /// The server can't do it now.
    Unavailable,
    /// Others held what it needs for too long.
    Busy,
    /// Anything else.
    Other,
}

impl Failure {
    pub(super) fn of(error: &postgres::Error) -> Self {
        let Some(answer) = error.as_db_error() else {
            // The driver's own refusal to encode a message says nothing about the connection.
            let is_broken = |cause: &std::io::Error| cause.kind() != ErrorKind::InvalidInput;
            let broken = error.source().and_then(|cause| cause.downcast_ref()).is_some_and(is_broken);
            return if error.is_closed() || broken { Self::Lost } else { Self::Other };
        };
        if matches!(answer.parsed_severity(), Some(Severity::Fatal | Severity::Panic)) {
            return Self::Lost;
        }
        let code = answer.code();
        let is = |codes: &[SqlState]| codes.contains(code);
        match code.code().get(..2) {
            _ if is(&[SqlState::T_R_SERIALIZATION_FAILURE, SqlState::T_R_DEADLOCK_DETECTED]) => Self::Overtaken,
            _ if is(&[SqlState::UNIQUE_VIOLATION, SqlState::FOREIGN_KEY_VIOLATION]) => Self::Contradicted,
            _ if is(&[SqlState::READ_ONLY_SQL_TRANSACTION]) => Self::ReadOnly,
            // A statement that took too long is canceled; the others of its class end the connection.
            _ if is(&[SqlState::LOCK_NOT_AVAILABLE, SqlState::QUERY_CANCELED]) => Self::Busy,
            // Besides, where the connection is in another state of a transaction than it should be.
            Some("08" | "25" | "57") => Self::Lost,
            // Out of disk, memory or connections; trouble of the system.
            Some("53" | "58") => Self::Unavailable,
            _ => Self::Other,
        }
    }

    /// The error of a statement that failed so.
    pub(super) fn store_error(self, said: Said) -> StoreError {
        match self {
            Self::Lost | Self::ReadOnly | Self::Unavailable => StoreError::Unavailable(Box::new(said)),
            Self::Busy => StoreError::Busy(Box::new(said)),
            Self::Overtaken => StoreError::Conflict(Box::new(said)),
            Self::Contradicted | Self::Other => StoreError::Failed(Box::new(said)),
        }
    }
}

impl From<postgres::Error> for StoreError {
    fn from(error: postgres::Error) -> Self {
        Failure::of(&error).store_error(Said::of(&error))
    }
}

/// The thread that did the work panicked, or the program is being stopped.
pub(super) fn cut_short(error: tokio::task::JoinError) -> StoreError {
    StoreError::Failed(Box::new(error))
}
