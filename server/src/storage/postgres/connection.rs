//! A connection: opening and setting it up, prepared statements, and planner statistics.

use std::collections::HashMap;
use std::sync::Arc;
use std::time::{Duration, Instant};

use postgres::error::SqlState;
use postgres::{Client, SimpleQueryMessage, Statement};

use super::error::OpenError;
use super::identity::{Identity, is_unavailable};
use super::session::with_dollar_placeholders;
use super::target::{Role, Target};

/// Maximum number of prepared statements per connection. The store itself uses about 200; the rest is for filters.
const MAX_PREPARED_STATEMENTS: usize = 512;

/// Idle time after which a connection is validated before use.
const VALIDATE_AFTER_IDLE: Duration = Duration::from_secs(30);

const VALIDATION_TIMEOUT: Duration = Duration::from_secs(2);

/// Age at which a connection is replaced: its server process has grown, and the host name may resolve to another server.
const MAX_CONNECTION_AGE: Duration = Duration::from_secs(60 * 60);

/// `server_version_num` of the oldest supported version.
const MIN_SERVER_VERSION: i64 = 130_000;

/// Settings of every connection. Databases that only speak PostgreSQL's protocol may not know some of them; these are skipped.
const SETTINGS: [&str; 6] = [
    "TimeZone = 'UTC'",
    // A generic plan doesn't know the values and is bad for date ranges.
    "plan_cache_mode = 'force_custom_plan'",
    // Compiling takes 100 ms for queries that run for 10 ms.
    "jit = 'off'",
    // Limits abandoned statements. The lead index reads whole tables in one statement.
    "statement_timeout = '5min'",
    "lock_timeout = '10s'",
    // The server notices the loss of a client process late. Its locks must not be held that long.
    "idle_in_transaction_session_timeout = '1min'",
];

/// A connection and its cached state.
pub(super) struct Connection {
    pub(super) client: Client,
    statements: HashMap<String, Statement>,
    opened_at: Instant,
    identity: Option<Identity>,
    /// Counts this connection among the open ones.
    _count_guard: Option<Arc<()>>,
}

impl Connection {
    /// Connects and sets up the connection within the target's time limit. Blocks.
    ///
    /// # Errors
    /// Errors of the server name its location. Also fails if the server is a standby and the target is a primary.
    pub(super) fn open(target: &Target) -> Result<Self, OpenError> {
        let location = target.location();
        let client = target.attempt(|target| {
            let mut client = target.connect()?;
            set_up(&mut client, target.role())?;
            Ok(client)
        });
        let client = client.map_err(|error: OpenError| match error {
            OpenError::Postgres(server_error) => OpenError::Postgres(server_error.with_location(&location)),
            other => other,
        })?;
        Ok(Self { client, statements: HashMap::new(), opened_at: Instant::now(), identity: None, _count_guard: None })
    }

    /// Returns the connection, counted by `count_guard` until it is dropped.
    pub(super) fn with_count_guard(self, count_guard: Arc<()>) -> Self {
        Self { _count_guard: Some(count_guard), ..self }
    }

    /// True if it was opened before `instant`.
    pub(super) fn is_older_than(&self, instant: Instant) -> bool {
        self.opened_at < instant
    }

    /// True if it can still be used after being idle since `idle_since`. Blocks.
    pub(super) fn is_usable(&mut self, idle_since: Instant) -> bool {
        !self.client.is_closed()
            && self.opened_at.elapsed() < MAX_CONNECTION_AGE
            && (idle_since.elapsed() < VALIDATE_AFTER_IDLE || self.client.is_valid(VALIDATION_TIMEOUT).is_ok())
    }

    /// Prepared statement for this SQL, with placeholders `?1`, `?2` and so on.
    pub(super) fn prepare(&mut self, sql: &str) -> Result<Statement, postgres::Error> {
        if let Some(statement) = self.statements.get(sql) {
            return Ok(statement.clone());
        }
        let statement = self.client.prepare(&with_dollar_placeholders(sql))?;
        if self.statements.len() == MAX_PREPARED_STATEMENTS {
            self.statements.clear();
        }
        self.statements.insert(sql.to_owned(), statement.clone());
        Ok(statement)
    }

    /// True if the server is a standby that replays another server's log.
    pub(super) fn is_replica(&mut self) -> Result<bool, postgres::Error> {
        Ok(self.client.query_one("SELECT pg_is_in_recovery()", &[])?.get(0))
    }

    /// Identity of the database that the connection leads to.
    pub(super) fn identity(&mut self) -> Result<Identity, postgres::Error> {
        if let Some(identity) = &self.identity {
            return Ok(identity.clone());
        }
        let identity = Identity::read(&mut self.client)?;
        self.identity = Some(identity.clone());
        Ok(identity)
    }

    /// Position in the primary's log up to which all transactions are flushed.
    pub(super) fn log_position(&mut self) -> Result<LogPosition, postgres::Error> {
        // The name of a WAL segment starts with its timeline.
        let statement = self.prepare(
            "SELECT CAST(lsn AS TEXT), left(pg_walfile_name(lsn), 8) FROM pg_current_wal_flush_lsn() AS log (lsn)",
        )?;
        let row = self.client.query_one(&statement, &[])?;
        Ok(LogPosition { lsn: row.get(0), timeline: i64::from_str_radix(row.get(1), 16).unwrap_or_default() })
    }

    /// Progress of a replica relative to a position in its primary's log.
    pub(super) fn replica_progress(&mut self, position: &LogPosition) -> Result<ReplicaProgress, postgres::Error> {
        // A promoted server keeps reporting its last replay position.
        let statement = self.prepare(
            "SELECT pg_is_in_recovery(),
                 coalesce(pg_last_wal_replay_lsn() >= CAST(CAST(?1 AS TEXT) AS pg_lsn), FALSE),
                 (SELECT CAST(received_tli AS BIGINT) FROM pg_stat_wal_receiver)",
        )?;
        let row = self.client.query_one(&statement, &[&position.lsn])?;
        let (is_replica, has_position, timeline): (bool, bool, Option<i64>) = (row.get(0), row.get(1), row.get(2));
        if !is_replica {
            return Ok(ReplicaProgress::NotAReplica);
        }
        if !has_position {
            return Ok(ReplicaProgress::Behind);
        }
        let timeline = match timeline {
            Some(timeline) => Some(timeline),
            None => self.restart_timeline()?,
        };
        Ok(match timeline {
            Some(timeline) if timeline == position.timeline => ReplicaProgress::CaughtUp,
            Some(_) => ReplicaProgress::OtherTimeline,
            None => ReplicaProgress::UnknownTimeline,
        })
    }

    /// Timeline in a replica's control file; `None` if the user lacks the permission. It may lag behind the timeline that the replica
    /// receives, but that one is visible only to some users, and not during archive recovery.
    fn restart_timeline(&mut self) -> Result<Option<i64>, postgres::Error> {
        let prepared = self.prepare(
            "SELECT CAST(greatest(c.timeline_id, r.min_recovery_end_timeline) AS BIGINT)
             FROM pg_control_checkpoint() c, pg_control_recovery() r",
        );
        match prepared.and_then(|statement| self.client.query_one(&statement, &[])) {
            Ok(row) => Ok(row.get(0)),
            Err(error) if is_unavailable(error.code()) => Ok(None),
            Err(error) => Err(error),
        }
    }

    /// Drops all prepared statements, because a statement may fail after a schema change.
    pub(super) fn clear_statements(&mut self) {
        self.statements.clear();
    }

    /// Analyzes tables that have grown by a tenth since their last analysis. The server does the same, but only after a minute.
    pub(super) fn refresh_statistics(&mut self) -> Result<(), postgres::Error> {
        let grown = self.client.query(
            "SELECT format('%I.%I', schemaname, relname) FROM pg_stat_user_tables
             WHERE schemaname = current_schema() AND n_mod_since_analyze > 1000 + n_live_tup / 10",
            &[],
        )?;
        for table in grown {
            // Skips tables that another connection is analyzing.
            self.client.batch_execute(&format!("ANALYZE (SKIP_LOCKED) {}", table.get::<_, &str>(0)))?;
        }
        Ok(())
    }
}

/// Position in a primary's log.
#[derive(Debug)]
pub(super) struct LogPosition {
    /// Position in PostgreSQL's notation, such as `0/3000060`.
    lsn: String,
    /// Timeline of the log. Each promotion of a standby and each point-in-time recovery starts a new one.
    timeline: i64,
}

/// Progress of a replica relative to a position in its primary's log.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum ReplicaProgress {
    /// The replica has replayed everything up to the position.
    CaughtUp,
    /// The replica hasn't replayed everything yet.
    Behind,
    /// The replica follows another timeline, on which the position has a different meaning.
    OtherTimeline,
    /// The user may not query the timeline.
    UnknownTimeline,
    /// The server isn't a replica: it was promoted or never was one.
    NotAReplica,
}

fn set_up(client: &mut Client, role: Role) -> Result<(), OpenError> {
    let statements = SETTINGS.map(|setting| format!("SET {setting};"));
    if let Err(error) = client.batch_execute(&statements.concat()) {
        if error.as_db_error().is_none() {
            return Err(error.into());
        }
        for statement in &statements {
            if let Err(error) = client.batch_execute(statement) {
                let Some(response) = error.as_db_error() else { return Err(error.into()) };
                tracing::debug!(code = response.code().code(), "the server rejected: {statement}");
            }
        }
    }
    let query_settings = |client: &mut Client, is_standby: &str| {
        client.simple_query(&format!(
            "SELECT current_setting('server_version_num'), current_setting('server_version'),
                 current_setting('synchronous_commit', true), {is_standby}"
        ))
    };
    let response = match query_settings(client, "pg_is_in_recovery()") {
        // A database without this function isn't a standby.
        Err(error) if error.code() == Some(&SqlState::UNDEFINED_FUNCTION) => query_settings(client, "FALSE")?,
        response => response?,
    };
    let [number, version, synchronous, is_standby] = row_texts(&response);
    check_version(number.as_deref(), version.as_deref())?;
    if role == Role::Primary && is_standby.as_deref() == Some("t") {
        return Err(OpenError::IsStandby);
    }
    // All other values wait until the commit is on disk.
    if synchronous.as_deref() == Some("off") {
        client.batch_execute("SET synchronous_commit = 'on'")?;
        let [effective] = row_texts(&client.simple_query("SHOW synchronous_commit")?);
        if effective.as_deref() == Some("off") {
            return Err(OpenError::NotDurable("off".to_owned()));
        }
    }
    Ok(())
}

/// Checks the version that a server reports.
pub(super) fn check_version(number: Option<&str>, version: Option<&str>) -> Result<(), OpenError> {
    let number = number.and_then(|number| number.parse::<i64>().ok());
    if number.is_some_and(|number| number < MIN_SERVER_VERSION) {
        return Err(OpenError::UnsupportedVersion(version.unwrap_or("unknown").to_owned()));
    }
    Ok(())
}

/// First columns of the single row of a result.
pub(super) fn row_texts<const N: usize>(response: &[SimpleQueryMessage]) -> [Option<String>; N] {
    let row = response.iter().find_map(|message| match message {
        SimpleQueryMessage::Row(row) => Some(row),
        _ => None,
    });
    std::array::from_fn(|column| row.and_then(|row| row.get(column)).map(str::to_owned))
}
