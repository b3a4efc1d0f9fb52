//! Actions on many leads at once.
//!
//! An action is one transaction, with a limit of leads: what was counted before is what is done, nothing is ever half done, and one
//! undo takes all of it back. The limit bounds how long other writers wait for it. Whoever wants to tell how far a long one is, and
//! to be able to stop, asks for it part by part.

use leadscribe_engine::api::{LeadActionEntry, LeadActionId, LeadActionOutcome, LeadActionUndo, Page};
use leadscribe_engine::record::LeadAction;

use super::error::ServiceError;
use super::look_up_leads::limits;
use crate::app::App;
use crate::storage::{Origin, Slice};

/// Carries out an action, as JSON text says; with `dry_run` only counts what it would change.
///
/// # Errors
/// Every fault of the text, at once; the campaign or the status doesn't exist; more leads match than one action is for; or
/// the store failed.
pub async fn carry_out(app: &App, text: &str, dry_run: bool, by: &Origin) -> Result<LeadActionOutcome, ServiceError> {
    let action = LeadAction::from_json(text, &limits(app)).map_err(ServiceError::InvalidRequest)?;
    if dry_run {
        return Ok(app.store.count_leads_to_change(&action, by.at).await?);
    }
    Ok(app.store.change_leads(&action, by).await?)
}

/// A slice of the actions that are kept, newest first: with `undone` only those that were undone, or weren't.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App, undone: Option<bool>, slice: Slice) -> Result<Page<LeadActionEntry>, ServiceError> {
    Ok(app.store.lead_actions(undone, slice).await?)
}

/// Puts back what was there before an action.
///
/// # Errors
/// There is no such action; it was undone already; or the store failed.
pub async fn undo(app: &App, id: LeadActionId, by: &Origin) -> Result<LeadActionUndo, ServiceError> {
    app.store.undo_lead_action(id, by).await?.ok_or(ServiceError::NotFound("action on leads"))
}
