//! Undo of an action, in one transaction.

use super::*;
use crate::storage::sql::undo::{self, JournalEntry};

/// Undoes an action. `None` if the action doesn't exist.
pub(in crate::storage::sql) fn undo(
    session: &dyn Session,
    id: LeadActionId,
    audit: &AuditContext,
) -> Result<Option<LeadActionUndo>, WriteError> {
    let sql = "SELECT undone_at FROM lead_actions WHERE id = ?1";
    let Some(undone_at) = session.find(sql, &binds![id.0], |row| row.get::<Option<Timestamp>>(0))? else {
        return Ok(None);
    };
    if undone_at.is_some() {
        return Err(WriteError::Refused(Diagnostic::new(
            Location::default(),
            "already_undone",
            conflict::action_already_undone(id.0),
        )));
    }
    session.execute("UPDATE lead_actions SET undone_at = ?2 WHERE id = ?1", &binds![id.0, audit.at])?;
    audit::record(session, &format!("{AUDIT_NAME}.undo"), &format!("{AUDIT_NAME}:{id}"), audit)?;
    let result = undo::undo(session, JournalOwner::Action(id), u32::MAX, audit.at, Some(audit))?;

    let restored: Vec<_> = result.restored.into_iter().chain(result.deleted).collect();
    let skipped: Vec<_> = result.skipped.into_iter().map(|(entry, ..)| entry).collect();
    Ok(Some(LeadActionUndo {
        id,
        leads: UndoCounts { restored: count_leads(&restored), skipped: count_leads(&skipped) },
        campaign_leads: UndoCounts {
            restored: count_campaign_leads(&restored),
            skipped: count_campaign_leads(&skipped),
        },
    }))
}

/// Number of distinct leads, each counted once together with its campaign leads.
fn count_leads(entries: &[JournalEntry]) -> u64 {
    entries.iter().map(|entry| entry.lead_id).collect::<BTreeSet<_>>().len() as u64
}

fn count_campaign_leads(entries: &[JournalEntry]) -> u64 {
    entries.iter().filter(|entry| entry.kind == ImportKind::CampaignLeads).count() as u64
}
