//! Actions on many leads at once.
//!
//! An action is one transaction with a limited number of leads. It therefore changes exactly what was counted, is never half
//! done, and one undo reverts all of it. The limit bounds how long other writers wait. A client that needs progress or
//! cancellation splits a long action into parts.
//!
//! Once begun, an action runs even if the client disconnects. It has not begun while it waits for its turn.

use leadscribe_engine::api::{LeadActionEntry, LeadActionId, LeadActionOutcome, LeadActionUndo, Page};
use leadscribe_engine::record::LeadAction;

use super::error::ServiceError;
use super::look_up_leads::limits;
use crate::app::App;
use crate::storage::{Origin, Slice, WriteError};

/// Runs an action given as JSON text. With `dry_run`, only counts what it would change.
///
/// # Errors
/// The text is invalid (all faults are reported); the campaign or the status doesn't exist; more leads match than one action
/// may change; or storage failed.
pub async fn carry_out(app: &App, text: &str, dry_run: bool, by: &Origin) -> Result<LeadActionOutcome, ServiceError> {
    let action = LeadAction::from_json(text, &limits(app)).map_err(ServiceError::InvalidRequest)?;
    if dry_run {
        return Ok(app.store.count_leads_to_change(&action, by.at).await?);
    }
    let (store, by) = (app.store.clone(), by.clone());
    write(app, async move { store.change_leads(&action, &by).await }).await
}

/// Returns a slice of the recorded actions, newest first. `undone` selects those that were undone or those that weren't.
///
/// # Errors
/// The store failed.
pub async fn list(app: &App, undone: Option<bool>, slice: Slice) -> Result<Page<LeadActionEntry>, ServiceError> {
    Ok(app.store.lead_actions(undone, slice).await?)
}

/// Undoes an action.
///
/// # Errors
/// The action doesn't exist or was already undone; or storage failed.
pub async fn undo(app: &App, id: LeadActionId, by: &Origin) -> Result<LeadActionUndo, ServiceError> {
    let (store, by) = (app.store.clone(), by.clone());
    let undone = write(app, async move { store.undo_lead_action(id, &by).await });
    undone.await?.ok_or(ServiceError::NotFound("action on leads"))
}

/// Waits for a turn and runs a write on its own task, so that the transaction and its follow-up continue if the client
/// disconnects.
async fn write<T: Send + 'static>(
    app: &App,
    write: impl Future<Output = Result<T, WriteError>> + Send + 'static,
) -> Result<T, ServiceError> {
    let turn = app.bulk_writes.turn().await;
    let written = app.background.begin(|result| async move {
        let written = write.await;
        drop(turn);
        let _gone = result.send(written);
    });
    Ok(written.await??)
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use leadscribe_engine::record::LeadRecord;

    use super::*;
    use crate::speech::Provider;
    use crate::worker::testing::{Data, abandon_after, by, on_two_threads};

    #[test]
    fn abandoned_actions_keep_their_turn_until_they_end() {
        on_two_threads(async {
            let data = Data::empty(|_| {});
            let app = data.process(Provider::off());
            let lead = app.store.create_lead(LeadRecord::default(), &by(&app)).await.unwrap().id;
            let text = format!(r#"{{"lead_ids":[{lead}],"set":{{"do_not_call":true}}}}"#);
            let held_back = abandon_after(1, carry_out(&app, &text, false, &by(&app))).await.unwrap_err();
            assert_eq!(app.bulk_writes.free_turns(), 0, "the transaction is yet to begin");
            drop(held_back);
            assert!(app.background.finish(Duration::from_secs(60)).await);
            let kept = list(&app, None, Slice { count: 1, offset: 0 }).await.unwrap();
            assert_eq!((kept.total, app.bulk_writes.free_turns()), (1, 1));
        });
    }
}
