//! The actions that can still be undone, and those that were.

use super::*;
use crate::storage::Slice;
use crate::storage::sql::rows::slice_binds;

/// What [`entry`] reads, each count by the index of what an action changed.
const COLUMNS: &str = "a.do_not_call, a.status, a.weight, a.assigned_user_id, a.freeze_until, a.sets, a.id, a.at, a.actor, a.undone_at, \
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
    let sql =
        format!("SELECT {COLUMNS} FROM (SELECT * {wanted} ORDER BY id DESC LIMIT ?1 OFFSET ?2) a ORDER BY a.id DESC");
    Ok(Page { items: session.query(&sql, &slice_binds(slice), entry)?, total })
}

fn entry(row: &dyn Row) -> Result<LeadActionEntry, StoreError> {
    let sets: Vec<String> = row.json(5)?;
    Ok(LeadActionEntry {
        id: LeadActionId(row.get(6)?),
        at: row.get(7)?,
        actor: row.get(8)?,
        set: values(row, 0, &sets)?,
        leads: row.get(10)?,
        campaign_leads: row.get(11)?,
        undone_at: row.get(9)?,
    })
}
