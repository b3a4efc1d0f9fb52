//! What the queues of transcriptions and of deliveries have in common: entries are claimed for the time of a lease, and
//! only the latest claim of an entry may write to it, unless the entry is given up.
//!
//! An entry is open while it waits or is under way. `ready_at` is when an open one may be claimed: when it is due, or
//! when the lease of the worker that has it ends. `fence` rises with every claim, so that the pair of id and fence names
//! one claim for ever. `changed_at` is when its state changed last, or when its times were corrected because the clock was
//! set: for those who follow, and as the beginning of what is left of its pause.

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;

use super::{Bind, Session, binds};
use crate::storage::{ByClaim, Claim, MAX_LEASE, MIN_CLOCK_STEP, StoreError};

/// A table with the columns of a queue.
#[derive(Clone, Copy, Debug)]
pub(in crate::storage) struct Queue {
    table: &'static str,
    /// The state of an entry that a worker has; that of one that waits is `queued`.
    under_way: &'static str,
    /// The index of the entries under way, by when their leases end.
    by_lease: &'static str,
    /// The column that says when an entry came into the queue.
    entered: &'static str,
}

/// The work on calls.
pub(in crate::storage) const TRANSCRIPTIONS: Queue = Queue {
    table: "transcriptions",
    under_way: "processing",
    by_lease: "transcriptions_under_way",
    entered: "queued_at",
};

/// Transcripts on their way to callbacks.
pub(in crate::storage) const DELIVERIES: Queue =
    Queue { table: "deliveries", under_way: "delivering", by_lease: "deliveries_under_way", entered: "created_at" };

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
    /// Claims the entry whose lease ended first, until `lease` after `now`. Such entries go before those that wait,
    /// however long the queue is. None when no lease has ended.
    pub(super) fn claim_lost(
        self,
        session: &dyn Session,
        lease: TimeDelta,
        now: Timestamp,
    ) -> Result<Option<Claim<i64>>, StoreError> {
        self.claim_first(session, self.under_way, self.by_lease, lease, now)
    }

    /// Claims the entry that has been due longest, which `by_due` finds: the index of the entries that wait, by when they
    /// are due. None when none is due.
    pub(super) fn claim_waiting(
        self,
        session: &dyn Session,
        by_due: &'static str,
        lease: TimeDelta,
        now: Timestamp,
    ) -> Result<Option<Claim<i64>>, StoreError> {
        self.claim_first(session, "queued", by_due, lease, now)
    }

    /// Claims the first entry of `index` in this state whose `ready_at` has come and that no other worker is claiming.
    fn claim_first(
        self,
        session: &dyn Session,
        state: &str,
        index: &'static str,
        lease: TimeDelta,
        now: Timestamp,
    ) -> Result<Option<Claim<i64>>, StoreError> {
        let dialect = session.dialect();
        let (from, lock) = (dialect.queue_table(self.table, index), dialect.lock_next());
        let sql =
            format!("SELECT id {from} WHERE state = '{state}' AND ready_at <= ?1 ORDER BY ready_at, id LIMIT 1 {lock}");
        match session.find(&sql, &binds![now], |row| row.get::<i64>(0))? {
            Some(id) => self.begin(session, id, "TRUE", lease, now),
            None => Ok(None),
        }
    }

    /// Claims this entry, until `lease` after `now`, and counts the attempt. None when `condition` doesn't hold.
    pub(super) fn begin(
        self,
        session: &dyn Session,
        id: i64,
        condition: &str,
        lease: TimeDelta,
        now: Timestamp,
    ) -> Result<Option<Claim<i64>>, StoreError> {
        let Self { table, under_way, .. } = self;
        let sql = format!(
            "UPDATE {table}
             SET state = '{under_way}', fence = fence + 1, attempts = attempts + 1, ready_at = ?2, changed_at = ?3
             WHERE id = ?1 AND {condition}
             RETURNING fence"
        );
        session.find(&sql, &binds![id, now + lease, now], |row| Ok(Claim { id, fence: row.get(0)? }))
    }

    /// Returns true if a lease or a change of an open entry lies further ahead than correct clocks make them.
    pub(super) fn has_times_ahead(self, session: &dyn Session, now: Timestamp) -> Result<bool, StoreError> {
        let Self { table, under_way, .. } = self;
        let sql = format!(
            "SELECT id FROM {table} WHERE state = '{under_way}' AND ready_at > ?1
             UNION ALL SELECT id FROM {table} WHERE coalesce(state, '') IN ('queued', '{under_way}') AND changed_at > ?2
             LIMIT 1"
        );
        let (longest, ahead) = (now + MAX_LEASE + MIN_CLOCK_STEP, now + MIN_CLOCK_STEP);
        Ok(session.find(&sql, &binds![longest, ahead], |_| Ok(()))?.is_some())
    }

    /// Corrects the times of open entries, and returns how many: see [`crate::storage::ClockStore::correct_times`].
    ///
    /// What was corrected has changed by the clock as it is now, so that a second process leaves it alone.
    pub(super) fn correct_times(
        self,
        session: &dyn Session,
        expected: Timestamp,
        now: Timestamp,
    ) -> Result<u64, StoreError> {
        let Self { table, under_way, .. } = self;
        let mut corrected = 0;
        if now > expected {
            let sql = format!(
                "UPDATE {table} SET ready_at = ready_at + (?2 - ?1), changed_at = ?2
                 WHERE state IN ('queued', '{under_way}') AND ready_at > ?1 AND changed_at <= ?1"
            );
            corrected += session.execute(&sql, &binds![expected, now])?;
        }
        let (ahead, longest) = (now + MIN_CLOCK_STEP, now + MAX_LEASE);
        let sql =
            format!("UPDATE {table} SET ready_at = ?1, changed_at = ?2 WHERE state = '{under_way}' AND ready_at > ?3");
        corrected += session.execute(&sql, &binds![longest, now, longest + MIN_CLOCK_STEP])?;
        // An entry that was due when it came has no pause. `coalesce` keeps SQLite from walking through all that wait.
        let sql = format!(
            "UPDATE {table}
             SET ready_at = CASE WHEN state = '{under_way}' THEN ready_at
                                 WHEN ready_at > changed_at THEN ready_at + (?1 - changed_at)
                                 ELSE ?1 END,
                 changed_at = ?1
             WHERE coalesce(state, '') IN ('queued', '{under_way}') AND changed_at > ?2"
        );
        Ok(corrected + session.execute(&sql, &binds![now, ahead])?)
    }

    /// Moves the end of the lease.
    pub(super) fn extend(
        self,
        session: &dyn Session,
        claim: Claim<i64>,
        until: Timestamp,
    ) -> Result<ByClaim, StoreError> {
        let Self { table, under_way, .. } = self;
        let sql = format!("UPDATE {table} SET ready_at = ?3 WHERE id = ?1 AND fence = ?2 AND state = '{under_way}'");
        Ok(by_claim(session.execute(&sql, &binds![claim.id, claim.fence, until])?))
    }

    /// Ends a claim.
    pub(super) fn settle(
        self,
        session: &dyn Session,
        claim: Claim<i64>,
        after: After,
        now: Timestamp,
    ) -> Result<ByClaim, StoreError> {
        let Self { table, under_way, entered, .. } = self;
        let (state, due, finished, uncounted) = match after {
            After::Due(due) => ("queued", Some(due), None, 0),
            After::Ended(state) => (state, Some(now), Some(now), 0),
            After::Released => ("queued", None, None, 1),
        };
        let sql = format!(
            "UPDATE {table}
             SET state = ?3, ready_at = coalesce(?4, CASE WHEN {entered} < ?7 THEN {entered} ELSE ?7 END),
                 finished_at = ?5, attempts = attempts - ?6, changed_at = ?7
             WHERE id = ?1 AND fence = ?2 AND state = '{under_way}'"
        );
        let binds = binds![claim.id, claim.fence, state, due, finished, Bind::Integer(uncounted), now];
        Ok(by_claim(session.execute(&sql, &binds)?))
    }

    /// Ends the open entries that have one of these values in a column, in this state and whoever has them; gives their values, in
    /// order. What an attempt failed by before isn't why they end.
    pub(super) fn give_up(
        self,
        session: &dyn Session,
        column: &str,
        values: Bind,
        state: &str,
        now: Timestamp,
    ) -> Result<Vec<i64>, StoreError> {
        let Self { table, under_way, .. } = self;
        let sql = format!(
            "UPDATE {table} SET state = ?2, error = NULL, ready_at = ?3, finished_at = ?3, changed_at = ?3
             WHERE state IN ('queued', '{under_way}') AND {} RETURNING {column}",
            session.dialect().is_any_of(column, "?1")
        );
        let mut ended = session.query(&sql, &[values, Bind::from(state), Bind::Time(now)], |row| row.get(0))?;
        ended.sort_unstable();
        Ok(ended)
    }
}

/// The id of an entry and its fence name at most one row.
fn by_claim(rows: u64) -> ByClaim {
    if rows == 0 { ByClaim::Lost } else { ByClaim::Done }
}
