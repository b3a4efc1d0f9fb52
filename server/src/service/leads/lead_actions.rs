//! Bulk actions on leads.
//!
//! An action is one transaction with a limited number of leads. It therefore changes exactly what was counted, is never half
//! done, and one undo reverts all of it. The limit bounds how long other writers wait. A client that needs progress or
//! cancellation splits a long action into parts.
//!
//! Once begun, an action runs even if the client disconnects. It has not begun while it waits for its permit.

use leadscribe_engine::api::{LeadActionEntry, LeadActionId, LeadActionOutcome, LeadActionUndo, Page};
use leadscribe_engine::record::LeadAction;

use super::lead_lookup::limits;
use super::{PREVIEW_POOL, bulk_writes};
use crate::service::app::App;
use crate::service::error::{Result, ServiceError};
use crate::storage::{AuditContext, Slice};

/// Runs an action given as JSON text. With `dry_run`, only counts what it would change.
///
/// # Errors
/// The text is invalid (all errors are reported); the campaign or the status doesn't exist; more leads match than one action
/// may change; or storage failed.
pub async fn run(app: &App, text: &str, dry_run: bool, audit: &AuditContext) -> Result<LeadActionOutcome> {
    let action = LeadAction::from_json(text, &limits(app)).map_err(ServiceError::InvalidRequest)?;
    let (store, audit) = (app.store.clone(), audit.clone());
    if dry_run {
        let preview = async move { store.preview_lead_action(&action, audit.at).await };
        return bulk_writes::run_with_permit(app, PREVIEW_POOL.acquire().await, preview).await;
    }
    bulk_writes::run(app, async move { store.run_lead_action(&action, &audit).await }).await
}

/// Returns a slice of the recorded actions, newest first. `undone` selects those that were undone or those that weren't.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App, undone: Option<bool>, slice: Slice) -> Result<Page<LeadActionEntry>> {
    Ok(app.store.lead_actions(undone, slice).await?)
}

/// Undoes an action.
///
/// # Errors
/// The action doesn't exist or was already undone; or storage failed.
pub async fn undo(app: &App, id: LeadActionId, audit: &AuditContext) -> Result<LeadActionUndo> {
    let (store, audit) = (app.store.clone(), audit.clone());
    let result = bulk_writes::run(app, async move { store.undo_lead_action(id, &audit).await });
    result.await?.ok_or(ServiceError::NotFound("action on leads"))
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use leadscribe_engine::record::LeadRecord;

    use super::*;
    use crate::worker::testing::{TestInstallation, audit_context, drop_after_polls, run_with_one_blocking_thread};

    #[test]
    fn abandoned_actions_hold_their_permit_until_they_end() {
        run_with_one_blocking_thread(async {
            let (_installation, app) = TestInstallation::with_app(|_| {});
            let lead = app.store.create_lead(LeadRecord::default(), &audit_context(&app)).await.unwrap().id;
            let text = format!(r#"{{"lead_ids":[{lead}],"set":{{"do_not_call":true}}}}"#);
            let blocked_work = drop_after_polls(1, run(&app, &text, false, &audit_context(&app))).await.unwrap_err();
            assert_eq!(app.bulk_writes.available_permits(), 0, "the permit is taken before the transaction begins");
            drop(blocked_work);
            assert!(app.background.finish(Duration::from_secs(60)).await);
            let actions = list(&app, None, Slice { count: 1, offset: 0 }).await.unwrap();
            assert_eq!((actions.total, app.bulk_writes.available_permits()), (1, 1));
        });
    }
}
