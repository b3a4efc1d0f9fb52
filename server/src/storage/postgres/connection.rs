//! One connection: how it is opened and set up, its prepared statements and the planner's statistics.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use postgres::{Client, SimpleQueryMessage, Statement};

use super::error::OpenError;
use super::identity::Identity;
use super::session::numbered;
use super::target::Target;

/// Prepared statements a connection keeps. The store has about 200 of its own; the rest is for filters.
const STATEMENTS: usize = 512;

/// A connection that was idle for so long is asked whether it still works before it is used.
const TRUSTED_IDLE: Duration = Duration::from_secs(30);

/// How long it may take to say so.
const VALIDATION_TIMEOUT: Duration = Duration::from_secs(2);

/// After so long a connection is replaced: its server process has grown, and the host's name may mean another server.
const LIFETIME: Duration = Duration::from_secs(60 * 60);

/// `server_version_num` of the oldest version that works.
const OLDEST_VERSION: i64 = 130_000;

/// What every connection sets. A database that only speaks PostgreSQL's protocol may not know them all; it does without.
const SETTINGS: [&str; 6] = [
    "TimeZone = 'UTC'",
    // A generic plan knows no values; for a range of dates it is a bad one.
    "plan_cache_mode = 'force_custom_plan'",
    // It compiles for 100 ms what runs for 10.
    "jit = 'off'",
    // For what nobody waits for any more. The lead index reads whole tables in one statement.
    "statement_timeout = '5min'",
    "lock_timeout = '10s'",
    // Of a process that is gone the server hears late; its locks must not stay so long.
    "idle_in_transaction_session_timeout = '1min'",
];

/// A connection and what it remembers.
pub(super) struct Connection {
    pub(super) client: Client,
    statements: HashMap<String, Statement>,
    opened: Instant,
    identity: Option<Identity>,
    /// Counts it among those that are open.
    _counted: Option<Arc<()>>,
}

impl Connection {
    /// Connects, and sets the connection up, all within the time that the target grants. Blocks.
    ///
    /// # Errors
    /// Those of the server name the place.
    pub(super) fn open(target: &Target) -> Result<Self, OpenError> {
        let place = target.place();
        let client = target.attempt(|target| {
            let mut client = target.connect()?;
            set_up(&mut client)?;
            Ok(client)
        });
        let client = client.map_err(|error: OpenError| match error {
            OpenError::Postgres(said) => OpenError::Postgres(said.at(&place)),
            other => other,
        })?;
        Ok(Self { client, statements: HashMap::new(), opened: Instant::now(), identity: None, _counted: None })
    }

    /// The same, counted by this until it is dropped.
    pub(super) fn counted(self, open: Arc<()>) -> Self {
        Self { _counted: Some(open), ..self }
    }

    /// Whether it can still be used, after it was idle since `idle`. Blocks.
    pub(super) fn is_usable(&mut self, idle: Instant) -> bool {
        !self.client.is_closed()
            && self.opened.elapsed() < LIFETIME
            && (idle.elapsed() < TRUSTED_IDLE || self.client.is_valid(VALIDATION_TIMEOUT).is_ok())
    }

    /// The statement with this text, with placeholders `?1`, `?2` and so on.
    pub(super) fn prepare(&mut self, sql: &str) -> Result<Statement, postgres::Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(&numbered(sql))?;
        if self.statements.len() == STATEMENTS {
            self.statements.clear();
        }
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    /// Whether the server replays the log of another one.
    pub(super) fn is_replica(&mut self) -> Result<bool, postgres::Error> {
        Ok(self.client.query_one("SELECT pg_is_in_recovery()", &[])?.get(0))
    }

    /// Which database it leads to.
    pub(super) fn identity(&mut self) -> Result<Identity, postgres::Error> {
        if let Some(identity) = &self.identity {
            return Ok(identity.clone());
        }
        let identity = Identity::of(&mut self.client)?;
        self.identity = Some(identity.clone());
        Ok(identity)
    }

    /// Up to where everything committed is in the primary's log, as a text.
    pub(super) fn log_position(&mut self) -> Result<String, postgres::Error> {
        let statement = self.prepare("SELECT CAST(pg_current_wal_flush_lsn() AS TEXT)")?;
        Ok(self.client.query_one(&statement, &[])?.get(0))
    }

    /// Whether a replica has replayed the log up to this position.
    pub(super) fn has_replayed(&mut self, position: &str) -> Result<bool, postgres::Error> {
        // Null on a server that is no replica any more.
        let statement =
            self.prepare("SELECT coalesce(pg_last_wal_replay_lsn() >= CAST(CAST(?1 AS TEXT) AS pg_lsn), FALSE)")?;
        Ok(self.client.query_one(&statement, &[&position])?.get(0))
    }

    /// Forgets all statements, for one that fails may do so because the schema has changed since it was prepared.
    pub(super) fn forget_statements(&mut self) {
        self.statements.clear();
    }

    /// Counts again what has grown by a tenth since it was counted last: the server does so too, but only after a minute.
    pub(super) fn refresh_statistics(&mut self) -> Result<(), postgres::Error> {
        let grown = self.client.query(
            "SELECT format('%I.%I', schemaname, relname) FROM pg_stat_user_tables
             WHERE schemaname = current_schema() AND n_mod_since_analyze > 1000 + n_live_tup / 10",
            &[],
        )?;
        for table in grown {
            // Where somebody else does so, once is enough.
            self.client.batch_execute(&format!("ANALYZE (SKIP_LOCKED) {}", table.get::<_, &str>(0)))?;
        }
        Ok(())
    }
}

fn set_up(client: &mut Client) -> Result<(), OpenError> {
    let statements = SETTINGS.map(|setting| format!("SET {setting};"));
    if let Err(error) = client.batch_execute(&statements.concat()) {
        if error.as_db_error().is_none() {
            return Err(error.into());
        }
        for statement in &statements {
            if let Err(error) = client.batch_execute(statement) {
                let Some(answer) = error.as_db_error() else { return Err(error.into()) };
                tracing::debug!(code = answer.code().code(), "the server refuses: {statement}");
            }
        }
    }
    let answer = client.simple_query(
        "SELECT current_setting('server_version_num'), current_setting('server_version'),
             current_setting('synchronous_commit', true)",
    )?;
    let [number, version, synchronous] = texts(&answer);
    check_version(number.as_deref(), version.as_deref())?;
    // Anything else waits until the commit is on disk.
    if synchronous.as_deref() == Some("off") {
        client.batch_execute("SET synchronous_commit = 'on'")?;
        let [kept] = texts(&client.simple_query("SHOW synchronous_commit")?);
        if kept.as_deref() == Some("off") {
            return Err(OpenError::Synchronous("off".to_owned()));
        }
    }
    Ok(())
}

/// Whether a server that says so of itself is new enough.
pub(super) fn check_version(number: Option<&str>, version: Option<&str>) -> Result<(), OpenError> {
    let number = number.and_then(|number| number.parse::<i64>().ok());
    if number.is_some_and(|number| number < OLDEST_VERSION) {
        return Err(OpenError::Version(version.unwrap_or("unknown").to_owned()));
    }
    Ok(())
}

/// The first columns of the one row of an answer.
pub(super) fn texts<const N: usize>(answer: &[SimpleQueryMessage]) -> [Option<String>; N] {
    let row = answer.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    std::array::from_fn(|column| row.and_then(|row| row.get(column)).map(str::to_owned))
}
