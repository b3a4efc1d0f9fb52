//! What the queues of transcriptions and of deliveries have in common: entries are claimed for the time of a lease, and
//! only the latest claim of an entry may write to it.
//!
//! An entry is open while it waits or is under way. `ready_at` is when an open one may be claimed: when it is due, or
//! when the lease of the worker that has it ends. `fence` rises with every claim, so that the pair of id and fence names
//! one claim for ever. `changed_at` is when its state changed last, for those who follow.

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;
use rusqlite::{OptionalExtension, Transaction, params};

use super::rows::{Micros, micros};
use crate::storage::{ByClaim, Claim};

/// A table with the columns of a queue.
#[derive(Clone, Copy, Debug)]
pub(super) struct Queue {
    table: &'static str,
    /// The state of an entry that a worker has; that of one that waits is `queued`.
    under_way: &'static str,
    /// The column that says when an entry came into the queue.
    entered: &'static str,
    /// What else must be so for a waiting entry to be claimed; ?1 is now.
    turn: &'static str,
}

/// The work on calls.
pub(super) const TRANSCRIPTIONS: Queue =
    Queue { table: "transcriptions", under_way: "processing", entered: "queued_at", turn: "TRUE" };

/// Transcripts on their way to callbacks. One at a time to each URL, so that an endpoint that doesn't answer holds up
/// nobody else's.
pub(super) const DELIVERIES: Queue = Queue {
    table: "deliveries",
    under_way: "delivering",
    entered: "created_at",
    turn: "NOT EXISTS (SELECT 1 FROM deliveries other WHERE other.url = deliveries.url AND other.state = 'delivering')",
};

/// What becomes of an entry when its worker gives it back.
#[derive(Clone, Copy, Debug)]
pub(super) enum After {
    /// It waits until this moment.
    Due(Timestamp),
    /// It has ended, in this state.
    Ended(&'static str),
    /// It waits where it stood, as if it had not been begun.
    Released,
}

impl Queue {
    /// Finds the entry whose turn it is: one that a worker has lost, however long the queue is, or else the one that has
    /// waited longest. ?1 is now. The indexes are named because they give them in this order, so that the first one is
    /// enough; the planner, for all it knows, may sort the whole queue instead.
    fn next(self) -> String {
        let Self { table, under_way, turn, .. } = self;
        format!(
            "SELECT coalesce(
                 (SELECT id FROM {table} INDEXED BY {table}_under_way
                  WHERE state = '{under_way}' AND ready_at <= ?1
                  ORDER BY ready_at, id LIMIT 1),
                 (SELECT id FROM {table} INDEXED BY {table}_ready
                  WHERE state = 'queued' AND ready_at <= ?1 AND {turn}
                  ORDER BY ready_at, id LIMIT 1))"
        )
    }

    /// Claims the entry whose turn it is, until `lease` after `now`, and counts the attempt.
    pub(super) fn claim(
        self,
        transaction: &Transaction<'_>,
        lease: TimeDelta,
        now: Timestamp,
    ) -> rusqlite::Result<Option<Claim<i64>>> {
        let Self { table, under_way, .. } = self;
        let sql = format!(
            "UPDATE {table}
             SET state = '{under_way}', fence = fence + 1, attempts = attempts + 1, ready_at = ?2, changed_at = ?1
             WHERE id = ({})
             RETURNING id, fence",
            self.next(),
        );
        transaction
            .prepare_cached(&sql)?
            .query_row(params![Micros(now), Micros(now + lease)], |row| {
                Ok(Claim { id: row.get(0)?, fence: row.get(1)? })
            })
            .optional()
    }

    /// Moves the end of the lease.
    pub(super) fn extend(
        self,
        transaction: &Transaction<'_>,
        claim: Claim<i64>,
        until: Timestamp,
    ) -> rusqlite::Result<ByClaim> {
        let Self { table, under_way, .. } = self;
        let sql = format!("UPDATE {table} SET ready_at = ?3 WHERE id = ?1 AND fence = ?2 AND state = '{under_way}'");
        let extended = transaction.prepare_cached(&sql)?.execute(params![claim.id, claim.fence, Micros(until)])?;
        Ok(by_claim(extended))
    }

    /// Ends a claim.
    pub(super) fn settle(
        self,
        transaction: &Transaction<'_>,
        claim: Claim<i64>,
        after: After,
        now: Timestamp,
    ) -> rusqlite::Result<ByClaim> {
        let Self { table, under_way, entered, .. } = self;
        let (state, due, finished, uncounted) = match after {
            After::Due(due) => ("queued", Some(due), None, 0),
            After::Ended(state) => (state, Some(now), Some(now), 0),
            After::Released => ("queued", None, None, 1),
        };
        let sql = format!(
            "UPDATE {table}
             SET state = ?3, ready_at = coalesce(?4, {entered}), finished_at = ?5, attempts = attempts - ?6,
                 changed_at = ?7
             WHERE id = ?1 AND fence = ?2 AND state = '{under_way}'"
        );
        let settled = transaction.prepare_cached(&sql)?.execute(params![
            claim.id,
            claim.fence,
            state,
            micros(due),
            micros(finished),
            uncounted,
            Micros(now),
        ])?;
        Ok(by_claim(settled))
    }

    /// How SQLite finds what to claim; for tests.
    #[cfg(test)]
    pub(super) fn plan(self, connection: &rusqlite::Connection) -> rusqlite::Result<String> {
        super::dialect::plan(connection, &self.next())
    }
}

/// The id of an entry and its fence name at most one row.
fn by_claim(rows: usize) -> ByClaim {
    if rows == 0 { ByClaim::Lost } else { ByClaim::Done }
}
