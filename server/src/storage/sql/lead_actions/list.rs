//! The actions that can still be undone, and those that were.

use super::kept::{SET_COLUMNS, SET_WIDTH, set};
use super::*;
use crate::storage::Slice;
use crate::storage::sql::rows::slice_binds;

/// What [`entry`] reads after [`SET_COLUMNS`], each count by the index of what an action changed.
const COLUMNS: &str = "a.id, a.at, a.actor, a.undone_at, \
     (SELECT count(DISTINCT c.lead_id) FROM lead_action_changes c WHERE c.action_id = a.id), \
     (SELECT count(c.campaign_lead_id) FROM lead_action_changes c WHERE c.action_id = a.id)";

/// A slice of the actions that are kept, newest first: all of them, or only those that were undone or weren't.
pub(in crate::storage::sql) fn list(
    session: &dyn Session,
    undone: Option<bool>,
    slice: Slice,
) -> Result<Page<LeadActionEntry>, StoreError> {
    let wanted = match undone {
        None => "FROM lead_actions",
        Some(true) => "FROM lead_actions WHERE undone_at IS NOT NULL",
        Some(false) => "FROM lead_actions WHERE undone_at IS NULL",
    };
    let total = session.value(&format!("SELECT count(*) {wanted}"), &[])?;
    // What is not in the slice isn't counted.
    let slice_of = format!("(SELECT * {wanted} ORDER BY id DESC LIMIT ?1 OFFSET ?2)");
    let sql = format!("SELECT {SET_COLUMNS}, {COLUMNS} FROM {slice_of} a ORDER BY a.id DESC");
    Ok(Page { items: session.query(&sql, &slice_binds(slice), entry)?, total })
}

fn entry(row: &dyn Row) -> Result<LeadActionEntry, StoreError> {
    Ok(LeadActionEntry {
        id: LeadActionId(row.get(SET_WIDTH)?),
        at: row.get(SET_WIDTH + 1)?,
        actor: row.get(SET_WIDTH + 2)?,
        set: set(row)?,
        leads: row.get(SET_WIDTH + 4)?,
        campaign_leads: row.get(SET_WIDTH + 5)?,
        undone_at: row.get(SET_WIDTH + 3)?,
    })
}
