//! Shared code of the transcription and delivery queues. Entries are claimed for the time of a lease. Only the latest claim may write to an
//! entry, except that an entry can be abandoned.
//!
//! An entry is open while it is queued or claimed. `claimable_at` is when an open entry may be claimed: when it is due, or when the lease
//! of its worker ends. `fencing_token` increases with every claim, so id and fencing token identify one claim forever. `changed_at` is when
//! the state last changed, or when the times were corrected after the clock was set. Readers use it to detect changes, and the remaining
//! retry delay counts from it.

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;

use super::{Bind, Session, binds};
use crate::storage::{Claim, FencedWrite, MAX_LEASE_DURATION, MIN_CLOCK_STEP, Result};

/// A table with queue columns.
#[derive(Clone, Copy, Debug)]
pub(in crate::storage) struct Queue {
    table: &'static str,
    /// State of a claimed entry. An open entry that isn't claimed is `queued`.
    claimed_state: &'static str,
    /// Index of the claimed entries by the end of their lease.
    lease_index: &'static str,
    /// Column with the time at which an entry was queued.
    queued_column: &'static str,
}

/// Transcriptions of calls.
pub(in crate::storage) const TRANSCRIPTIONS: Queue = Queue {
    table: "transcriptions",
    claimed_state: "processing",
    lease_index: "transcriptions_claimed",
    queued_column: "queued_at",
};

/// Deliveries of transcripts to callbacks.
pub(in crate::storage) const DELIVERIES: Queue = Queue {
    table: "deliveries",
    claimed_state: "delivering",
    lease_index: "deliveries_claimed",
    queued_column: "created_at",
};

/// Next state of an entry when its claim ends.
#[derive(Clone, Copy, Debug)]
pub(super) enum Transition {
    /// Queued until this time.
    Requeue(Timestamp),
    /// Ended in this state.
    End(&'static str),
    /// Queued in its former place, as if it had not been started.
    Release,
}

impl Queue {
    /// Claims the entry whose lease ended first, until `lease` after `now`. Such entries take precedence over queued ones, however long the
    /// queue is. `None` if no lease has ended.
    pub(super) fn claim_expired(
        self,
        session: &dyn Session,
        lease: TimeDelta,
        now: Timestamp,
    ) -> Result<Option<Claim<i64>>> {
        self.claim_first(session, self.claimed_state, self.lease_index, lease, now)
    }

    /// Claims the entry that has been due longest, until `lease` after `now`. `due_index` is the index of the queued entries by due time.
    /// `None` if none is due.
    pub(super) fn claim_queued(
        self,
        session: &dyn Session,
        due_index: &'static str,
        lease: TimeDelta,
        now: Timestamp,
    ) -> Result<Option<Claim<i64>>> {
        self.claim_first(session, "queued", due_index, lease, now)
    }

    /// Claims the first entry of `index` in this state whose `claimable_at` has passed and that no other worker is claiming.
    fn claim_first(
        self,
        session: &dyn Session,
        state: &str,
        index: &'static str,
        lease: TimeDelta,
        now: Timestamp,
    ) -> Result<Option<Claim<i64>>> {
        let dialect = session.dialect();
        let (from, lock) = (dialect.queue_table(self.table, index), dialect.lock_next_row());
        let sql = format!(
            "SELECT id {from} WHERE state = '{state}' AND claimable_at <= ?1 ORDER BY claimable_at, id LIMIT 1 {lock}"
        );
        match session.find(&sql, &binds![now], |row| row.get::<i64>(0))? {
            Some(id) => self.claim_entry(session, id, "TRUE", lease, now),
            None => Ok(None),
        }
    }

    /// Claims this entry, until `lease` after `now`, and counts the attempt. `None` if `condition` doesn't hold.
    pub(super) fn claim_entry(
        self,
        session: &dyn Session,
        id: i64,
        condition: &str,
        lease: TimeDelta,
        now: Timestamp,
    ) -> Result<Option<Claim<i64>>> {
        let Self { table, claimed_state, .. } = self;
        let sql = format!(
            "UPDATE {table}
             SET state = '{claimed_state}', fencing_token = fencing_token + 1, attempts = attempts + 1, claimable_at = ?2,
                 changed_at = ?3
             WHERE id = ?1 AND {condition}
             RETURNING fencing_token"
        );
        session.find(&sql, &binds![id, now + lease, now], |row| Ok(Claim { id, fencing_token: row.get(0)? }))
    }

    /// Returns true if the lease end or change time of an open entry is further in the future than correct clocks allow.
    pub(super) fn has_times_ahead(self, session: &dyn Session, now: Timestamp) -> Result<bool> {
        let Self { table, claimed_state, .. } = self;
        let sql = format!(
            "SELECT id FROM {table} WHERE state = '{claimed_state}' AND claimable_at > ?1
             UNION ALL SELECT id FROM {table} WHERE coalesce(state, '') IN ('queued', '{claimed_state}') AND changed_at > ?2
             LIMIT 1"
        );
        let (max_lease_end, max_change_time) = (now + MAX_LEASE_DURATION + MIN_CLOCK_STEP, now + MIN_CLOCK_STEP);
        Ok(session.find(&sql, &binds![max_lease_end, max_change_time], |_| Ok(()))?.is_some())
    }

    /// Corrects the times of open entries, and returns how many: see [`crate::storage::ClockStore::correct_times`].
    ///
    /// Corrected entries get a `changed_at` of the current clock, so a second process doesn't correct them again.
    pub(super) fn correct_times(self, session: &dyn Session, expected: Timestamp, now: Timestamp) -> Result<u64> {
        let Self { table, claimed_state, .. } = self;
        let mut corrected = 0;
        if now > expected {
            let sql = format!(
                "UPDATE {table} SET claimable_at = claimable_at + (?2 - ?1), changed_at = ?2
                 WHERE state IN ('queued', '{claimed_state}') AND claimable_at > ?1 AND changed_at <= ?1"
            );
            corrected += session.execute(&sql, &binds![expected, now])?;
        }
        let (max_change_time, max_lease_end) = (now + MIN_CLOCK_STEP, now + MAX_LEASE_DURATION);
        let sql = format!(
            "UPDATE {table} SET claimable_at = ?1, changed_at = ?2 WHERE state = '{claimed_state}' AND claimable_at > ?3"
        );
        corrected += session.execute(&sql, &binds![max_lease_end, now, max_lease_end + MIN_CLOCK_STEP])?;
        // An entry that was due when it was queued has no delay. `coalesce` keeps SQLite from scanning all queued entries.
        let sql = format!(
            "UPDATE {table}
             SET claimable_at = CASE WHEN state = '{claimed_state}' THEN claimable_at
                                 WHEN claimable_at > changed_at THEN claimable_at + (?1 - changed_at)
                                 ELSE ?1 END,
                 changed_at = ?1
             WHERE coalesce(state, '') IN ('queued', '{claimed_state}') AND changed_at > ?2"
        );
        Ok(corrected + session.execute(&sql, &binds![now, max_change_time])?)
    }

    /// Extends the lease.
    pub(super) fn extend(self, session: &dyn Session, claim: Claim<i64>, until: Timestamp) -> Result<FencedWrite> {
        let Self { table, claimed_state, .. } = self;
        let sql = format!(
            "UPDATE {table} SET claimable_at = ?3 WHERE id = ?1 AND fencing_token = ?2 AND state = '{claimed_state}'"
        );
        Ok(fenced_write(session.execute(&sql, &binds![claim.id, claim.fencing_token, until])?))
    }

    /// Ends a claim: the entry gets its next state.
    pub(super) fn finish_claim(
        self,
        session: &dyn Session,
        claim: Claim<i64>,
        transition: Transition,
        now: Timestamp,
    ) -> Result<FencedWrite> {
        let Self { table, claimed_state, queued_column, .. } = self;
        let (state, due, finished, uncounted_attempts) = match transition {
            Transition::Requeue(due) => ("queued", Some(due), None, 0),
            Transition::End(state) => (state, Some(now), Some(now), 0),
            Transition::Release => ("queued", None, None, 1),
        };
        let sql = format!(
            "UPDATE {table}
             SET state = ?3, claimable_at = coalesce(?4, CASE WHEN {queued_column} < ?7 THEN {queued_column} ELSE ?7 END),
                 finished_at = ?5, attempts = attempts - ?6, changed_at = ?7
             WHERE id = ?1 AND fencing_token = ?2 AND state = '{claimed_state}'"
        );
        let binds = binds![claim.id, claim.fencing_token, state, due, finished, Bind::Integer(uncounted_attempts), now];
        Ok(fenced_write(session.execute(&sql, &binds)?))
    }

    /// Ends the open entries that have one of `values` in `column`, even if a worker has claimed them. `state` is their final state.
    /// Returns the values, in order. Clears the error of earlier attempts, because it isn't the reason.
    pub(super) fn end_open(
        self,
        session: &dyn Session,
        column: &str,
        values: Bind,
        state: &str,
        now: Timestamp,
    ) -> Result<Vec<i64>> {
        let Self { table, claimed_state, .. } = self;
        let sql = format!(
            "UPDATE {table} SET state = ?2, error = NULL, claimable_at = ?3, finished_at = ?3, changed_at = ?3
             WHERE state IN ('queued', '{claimed_state}') AND {} RETURNING {column}",
            session.dialect().is_any_of(column, "?1")
        );
        let mut ended_values = session.query(&sql, &[values, Bind::from(state), Bind::Time(now)], |row| row.get(0))?;
        ended_values.sort_unstable();
        Ok(ended_values)
    }
}

/// Id and fencing token match at most one row.
fn fenced_write(rows: u64) -> FencedWrite {
    if rows == 0 { FencedWrite::ClaimLost } else { FencedWrite::Done }
}
