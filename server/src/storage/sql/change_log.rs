//! Log of changes in the database, which triggers write. Clients read it with [`read_page`], webhooks with
//! [`read_changes`]; the lead index compares states.
//!
//! For the lead index, a session reports the state that it sees and the leads that changed since another state. States are opaque texts that
//! only the database interprets.

use std::collections::{BTreeMap, BTreeSet, HashMap};

use async_trait::async_trait;
use leadscribe_engine::api::*;

use super::{Database, Session, SqlStore, binds, record};
use crate::storage::{ChangeCursor, ChangeQuery, ChangeResult, ChangeStore, Result};

/// Maximum number of changes that a lead index catches up with. One that is further behind is rebuilt, which is then faster.
const MAX_FOLLOWED_CHANGES: i64 = 200_000;

/// Maximum number of changes that one transaction purges, to keep it short.
const PURGE_BATCH_SIZE: i64 = 10_000;

/// Maximum number of changes that are read for one page. Changes of other types and repeated changes don't appear on it.
const MAX_READ_CHANGES: usize = 5_000;

/// Leads that changed since a state.
#[derive(Debug, Default)]
pub(in crate::storage) struct LeadChanges {
    /// Leads that were changed, added or deleted, or that have a changed campaign lead.
    pub leads: BTreeSet<LeadId>,
    /// True if campaigns or statuses changed.
    pub has_other_changes: bool,
}

/// State of the leads: a point in one history of the database.
#[derive(Clone, Debug)]
pub(in crate::storage) struct LeadState {
    history: String,
    point: String,
}

impl LeadState {
    /// True if both states are of the same history and can be compared.
    pub fn has_same_history(&self, other: &Self) -> bool {
        self.history == other.history
    }

    /// Another point in the same history.
    #[cfg(test)]
    pub fn with_point(self, point: &str) -> Self {
        Self { point: point.to_owned(), ..self }
    }
}

/// Result of comparing a session's state with a known state.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::storage) enum StateComparison {
    /// The session sees no other changes.
    Unchanged,
    /// The session may see more changes, some of which may have been purged; see [`changes_since`].
    Changed,
    /// The session's state is of another history or lacks changes of the known state. They can't be compared.
    Diverged,
}

pub(in crate::storage) fn current_state(session: &dyn Session) -> Result<LeadState> {
    let dialect = session.dialect();
    session.query_one(&format!("SELECT {}, {}", dialect.history(), dialect.lead_state()), &[], |row| {
        Ok(LeadState { history: row.get(0)?, point: row.get(1)? })
    })
}

/// State that the session sees, and how it compares with `known`. A single statement, because it runs before every lookup.
///
/// `known` must be read before the session takes its snapshot. Otherwise the snapshot may lack changes of `known`, and the states would
/// appear to be of different histories.
pub(in crate::storage) fn compare_state(
    session: &dyn Session,
    known: &LeadState,
) -> Result<(LeadState, StateComparison)> {
    let dialect = session.dialect();
    let (history, state, includes_known) = (dialect.history(), dialect.lead_state(), dialect.has_lead_state("?1"));
    let (is_newer, is_purged) = (dialect.changes_since("?1"), dialect.changes_purged_since("?1"));
    let sql = format!(
        "SELECT {history}, {state}, {includes_known},
             EXISTS (SELECT 1 FROM changes WHERE {is_newer}) OR (SELECT {is_purged} FROM change_log)"
    );
    session.query_one(&sql, &binds![known.point], |row| {
        let state = LeadState { history: row.get(0)?, point: row.get(1)? };
        let (includes_known, has_changes): (bool, bool) = (row.get(2)?, row.get(3)?);
        let comparison = match (includes_known && state.has_same_history(known), has_changes) {
            (false, _) => StateComparison::Diverged,
            (true, true) => StateComparison::Changed,
            (true, false) => StateComparison::Unchanged,
        };
        Ok((state, comparison))
    })
}

/// Changes that the session sees and `known`, a state of the same history, lacks. `None` if some of them were purged or
/// there are too many.
pub(in crate::storage) fn changes_since(session: &dyn Session, known: &LeadState) -> Result<Option<LeadChanges>> {
    let dialect = session.dialect();
    let is_newer = dialect.changes_since("?1");
    let cannot_follow = format!(
        "SELECT {} OR (SELECT count(*) FROM (SELECT 1 FROM changes WHERE {is_newer} LIMIT ?2) AS newer) >= ?2 FROM change_log",
        dialect.changes_purged_since("?1")
    );
    if session.query_value(&cannot_follow, &binds![known.point, MAX_FOLLOWED_CHANGES])? {
        return Ok(None);
    }
    let mut changes = LeadChanges::default();
    let sql =
        format!("SELECT DISTINCT lead_id FROM changes WHERE {is_newer} AND type IN ('lead', 'campaign_lead', 'other')");
    session.query_each(&sql, &binds![known.point], &mut |row| {
        match row.get::<Option<i64>>(0)? {
            Some(lead) => _ = changes.leads.insert(LeadId(lead)),
            None => changes.has_other_changes = true,
        }
        Ok(())
    })?;
    Ok(Some(changes))
}

/// Purges some of the changes before this time. Returns their number.
pub(in crate::storage) fn purge(session: &dyn Session, before: Timestamp) -> Result<u64> {
    let [record_sql, delete_sql] = session.dialect().purge_changes();
    session.execute(&record_sql, &binds![before, PURGE_BATCH_SIZE])?;
    session.execute(&delete_sql, &binds![before])
}

/// Ends of the log, as cursors of its current history.
pub(super) struct LogBounds {
    /// Cursor before the oldest change that is kept.
    pub oldest: ChangeCursor,
    /// Cursor after which all later changes are.
    pub end: ChangeCursor,
}

pub(super) fn read_bounds(session: &dyn Session) -> Result<LogBounds> {
    let dialect = session.dialect();
    let sql = format!(
        "SELECT {}, {}, {} FROM change_log",
        dialect.change_history(),
        dialect.purged_position(),
        dialect.change_log_end()
    );
    session.query_one(&sql, &[], |row| {
        let history: String = row.get(0)?;
        let oldest = ChangeCursor { history: history.clone(), transaction: row.get(1)?, id: row.get(2)? };
        Ok(LogBounds { oldest, end: ChangeCursor { history, transaction: row.get(3)?, id: row.get(4)? } })
    })
}

/// A row of the log.
pub(super) struct LoggedChange {
    /// Name of the type of the record, also of types that only webhooks and the lead index follow.
    pub record_type: String,
    pub record_id: i64,
    pub change: RecordChangeKind,
    pub created_at: Timestamp,
    pub cursor: ChangeCursor,
}

/// Reads at most `max` changes after a position, in the order of the log.
pub(super) fn read_changes(session: &dyn Session, after: &ChangeCursor, max: usize) -> Result<Vec<LoggedChange>> {
    let dialect = session.dialect();
    let sql = format!(
        "SELECT type, coalesce(record_id, 0), change, created_at, {} FROM changes WHERE {} ORDER BY {} LIMIT ?3",
        dialect.change_position(),
        dialect.follows_position(),
        dialect.change_order()
    );
    session.query(&sql, &binds![after.transaction, after.id, max as u64], |row| {
        let cursor = ChangeCursor { history: after.history.clone(), transaction: row.get(4)?, id: row.get(5)? };
        Ok(LoggedChange {
            record_type: row.get(0)?,
            record_id: row.get(1)?,
            change: row.get_enum(2, RecordChangeKind::from_name)?,
            created_at: row.get(3)?,
            cursor,
        })
    })
}

/// Reads a page of changes. Repeated changes of a record appear once on it, as the last of them, with the record as it is now.
///
/// An older change of a record may be read after a newer one, if a transaction waited for the other one. Each item therefore has the state
/// of its record in the snapshot. The change that led to this state is complete, so it is in this page or an earlier one, or it will be in
/// a later one.
fn read_page(session: &dyn Session, query: &ChangeQuery) -> Result<ChangeResult> {
    let LogBounds { oldest, end } = read_bounds(session)?;
    let after = query.after.as_ref().unwrap_or(&oldest);
    if after.history != oldest.history || *after < oldest || *after > end {
        return Ok(ChangeResult::Expired { oldest });
    }
    let changes = read_changes(session, after, MAX_READ_CHANGES)?;
    let is_partial = changes.len() == MAX_READ_CHANGES;
    let mut last_read = None;
    // Positions in `changes` of the last change of each record, and whether the page has its insert.
    let mut records: HashMap<(ChangeType, i64), (usize, bool, bool)> = HashMap::new();
    let mut has_more = is_partial;
    for (index, change) in changes.iter().enumerate() {
        let record_type = ChangeType::from_name(&change.record_type);
        if let Some(record_type) = record_type.filter(|record_type| query.types.contains(record_type)) {
            let key = (record_type, change.record_id);
            if records.len() == query.limit && !records.contains_key(&key) {
                has_more = true;
                break;
            }
            let (last_index, has_insert, has_delete) = records.entry(key).or_default();
            *last_index = index;
            *has_insert |= change.change == RecordChangeKind::Insert;
            *has_delete |= change.change == RecordChangeKind::Delete;
        }
        last_read = Some(index);
    }
    let next_cursor = match last_read {
        Some(index) if has_more => changes[index].cursor.clone(),
        _ => end,
    };
    let mut current = read_records(session, records.keys().copied())?;
    let ordered: BTreeMap<_, _> = records
        .into_iter()
        .map(|(key, (index, has_insert, has_delete))| (index, (key, has_insert, has_delete)))
        .collect();
    let mut items = Vec::new();
    for (index, ((record_type, id), has_insert, has_delete)) in ordered {
        let record = current.remove(&(record_type, id));
        let change = match (&record, changes[index].change) {
            // The id was given to a new record, whose insert is elsewhere in the log.
            (Some(_), RecordChangeKind::Delete) => continue,
            (Some(_), _) if has_insert => RecordChangeKind::Insert,
            (Some(_), _) => RecordChangeKind::Update,
            (None, _) if has_delete => RecordChangeKind::Delete,
            // Its deletion follows.
            (None, _) => continue,
        };
        let cursor = changes[index].cursor.to_string();
        items.push(RecordChange { cursor, record_type, id, change, record: record.flatten() });
    }
    Ok(ChangeResult::Page(ChangePage { items, next_cursor: next_cursor.to_string(), has_more }))
}

type RecordsByKey = HashMap<(ChangeType, i64), Option<ChangedRecord>>;

/// Current versions of the records that exist; of a transcript, only that it exists.
fn read_records(session: &dyn Session, keys: impl Iterator<Item = (ChangeType, i64)>) -> Result<RecordsByKey> {
    let mut ids: BTreeMap<ChangeType, Vec<i64>> = BTreeMap::new();
    for (record_type, id) in keys {
        ids.entry(record_type).or_default().push(id);
    }
    let mut records = RecordsByKey::new();
    for (record_type, ids) in ids {
        let mut add = |id, record| _ = records.insert((record_type, id), record);
        match record_type {
            ChangeType::Lead => record::find_all::<Lead>(session, ids)?
                .into_iter()
                .for_each(|lead| add(lead.id.0, Some(ChangedRecord::Lead(Box::new(lead))))),
            ChangeType::CampaignLead => record::find_all::<CampaignLead>(session, ids)?
                .into_iter()
                .for_each(|entry| add(entry.id.0, Some(ChangedRecord::CampaignLead(Box::new(entry))))),
            ChangeType::Call => record::find_all::<Call>(session, ids)?
                .into_iter()
                .for_each(|call| add(call.id.0, Some(ChangedRecord::Call(Box::new(call))))),
            ChangeType::Transcript => record::find_referenced(session, "transcripts", "call_id", ids)?
                .into_iter()
                .for_each(|id| add(id, None)),
        }
    }
    Ok(records)
}

#[async_trait]
impl<D: Database> ChangeStore for SqlStore<D> {
    async fn record_changes(&self, query: &ChangeQuery) -> Result<ChangeResult> {
        let query = query.clone();
        self.database.read_primary(move |session| read_page(session, &query)).await
    }

    async fn change_log_end(&self) -> Result<ChangeCursor> {
        self.database.read_primary(|session| Ok(read_bounds(session)?.end)).await
    }

    async fn purge_changes(&self, before: Timestamp) -> Result<u64> {
        self.database.write_locking(move |session| purge(session, before)).await
    }
}
