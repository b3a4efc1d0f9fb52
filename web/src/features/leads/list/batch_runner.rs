//! Runs a bulk action in batches, with progress, cancellation between batches, and undo. It continues when the user
//! opens another page.

use leadscribe_engine::api::{CallableChange, ChangeCounts, LeadActionId, LeadActionOutcome};
use leadscribe_engine::record::MAX_LEADS;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::{Api, ApiResult};
use crate::features::leads::action_draft::{BATCH_SIZE, LeadActionDraft, LeadActionKind};
use crate::i18n::datetime::format_count;
use crate::i18n::texts::leads;
use crate::state::Toasts;
use crate::ui::list::{LeadSelection, SelectedLeads};

/// Runs the batches and shows their progress.
#[derive(Clone, Copy)]
pub struct BatchRunner {
    pub api: Api,
    pub toasts: Toasts,
    pub on_change: Callback<()>,
}

pub struct BulkActionRun {
    pub draft: LeadActionDraft,
    pub selection: LeadSelection,
    pub selected_leads: SelectedLeads,
    pub preview_outcome: LeadActionOutcome,
}

/// Batches of an action, each with the number of leads that it changed.
type Batches = Vec<(LeadActionId, u64)>;

/// Counts the changes of the whole action, in the largest batches that the server accepts.
pub async fn preview_all(
    api: Api,
    draft: LeadActionDraft,
    selected_leads: SelectedLeads,
) -> ApiResult<LeadActionOutcome> {
    let mut total = LeadActionOutcome::default();
    loop {
        let outcome =
            api.preview_lead_action(draft.batch_body(&selected_leads, total.next_after_id, MAX_LEADS)).await?;
        total = add_outcomes(&total, &outcome);
        if total.next_after_id.is_none() {
            return Ok(total);
        }
    }
}

/// Adds the results of two successive batches.
fn add_outcomes(first: &LeadActionOutcome, second: &LeadActionOutcome) -> LeadActionOutcome {
    let add_counts = |first_counts: ChangeCounts, second_counts: ChangeCounts| ChangeCounts {
        changed: first_counts.changed + second_counts.changed,
        unchanged: first_counts.unchanged + second_counts.unchanged,
    };
    LeadActionOutcome {
        id: second.id,
        leads: add_counts(first.leads, second.leads),
        campaign_leads: add_counts(first.campaign_leads, second.campaign_leads),
        missing: first.missing + second.missing,
        next_after_id: second.next_after_id,
        callable: match (first.callable, second.callable) {
            (Some(first), Some(second)) => Some(CallableChange {
                gained: first.gained + second.gained,
                lost: first.lost + second.lost,
                unblocked: first.unblocked + second.unblocked,
            }),
            (first, second) => first.or(second),
        },
    }
}

/// Number of leads that an action covers, changed or not.
fn processed_count(outcome: &LeadActionOutcome) -> u64 {
    outcome.leads.changed + outcome.leads.unchanged + outcome.missing
}

fn action_ids(batches: &[(LeadActionId, u64)]) -> Vec<LeadActionId> {
    batches.iter().map(|(id, _)| *id).collect()
}

impl BatchRunner {
    /// Continues after the first batch, whose result is `total`, until all batches are done, one fails or the user
    /// cancels.
    pub fn continue_after(self, action: BulkActionRun, mut total: LeadActionOutcome) {
        let Self { api, toasts, on_change } = self;
        let BulkActionRun { draft, selection, selected_leads, preview_outcome } = action;
        let mut batches: Batches = total.id.map(|id| (id, total.leads.changed)).into_iter().collect();
        if total.next_after_id.is_none() {
            return self.show_result(draft.kind, batches, None);
        }
        let scope = selection.scope();
        spawn_local(async move {
            let progress_toast = toasts.show_progress(leads::changing());
            let mut failure = None;
            while let Some(next) = total.next_after_id.filter(|_| !progress_toast.is_cancelled() && failure.is_none()) {
                progress_toast.set_progress(processed_count(&total), processed_count(&preview_outcome));
                match api.run_lead_action(draft.batch_body(&selected_leads, Some(next), BATCH_SIZE)).await {
                    Ok(outcome) => {
                        batches.extend(outcome.id.map(|id| (id, outcome.leads.changed)));
                        total = add_outcomes(&total, &outcome);
                    }
                    Err(error) => failure = Some(error),
                }
            }
            drop(progress_toast);
            if let Some(error) = failure {
                toasts.show_error(&error);
            }
            // Running the action again continues with the remaining leads: leads that are already changed don't change
            // again.
            let is_incomplete = total.next_after_id.is_some();
            if is_incomplete {
                selection.restore(selected_leads, scope);
            }
            let total_if_incomplete = is_incomplete.then(|| preview_outcome.leads.changed.max(total.leads.changed));
            self.show_result(draft.kind, batches, total_if_incomplete);
            // The list may have been closed.
            on_change.try_run(());
        });
    }

    /// Shows the number of changed leads, and the total if the run was incomplete. Offers undo.
    fn show_result(self, kind: LeadActionKind, batches: Batches, total_if_incomplete: Option<u64>) {
        let changed: u64 = batches.iter().map(|(_, changed)| changed).sum();
        let message = match (kind, total_if_incomplete.map(format_count)) {
            (LeadActionKind::Campaign, Some(total)) => leads::added_of_total(format_count(changed), total),
            (LeadActionKind::Campaign, None) => leads::leads_added(changed),
            (_, Some(total)) => leads::changed_of_total(format_count(changed), total),
            (_, None) => leads::changed(changed),
        };
        match batches.is_empty() {
            false => self.offer_undo(message, batches),
            // Other sessions made the same changes between preview and action.
            true if total_if_incomplete.is_none() => self.toasts.show_success(leads::nothing_to_change()),
            true => self.toasts.show_success(message),
        }
    }

    fn offer_undo(self, message: String, batches: Batches) {
        self.toasts.show_undoable_actions(&action_ids(&batches), message, move || self.undo(batches.clone()));
    }

    /// Undoes the batches in reverse order. Closes the undo offer first, and reopens it for batches that were not
    /// undone.
    pub fn undo(self, mut batches: Batches) {
        let Self { api, toasts, on_change } = self;
        toasts.close_undo(&action_ids(&batches));
        spawn_local(async move {
            let total: u64 = batches.iter().map(|(_, changed)| changed).sum();
            let progress_toast = (batches.len() > 1).then(|| toasts.show_progress(leads::undoing_changes()));
            let (mut undone_count, mut restored, mut skipped, mut failure) = (0, 0, 0, None);
            while let Some((id, changed)) = batches.last().copied() {
                if let Some(progress_toast) = &progress_toast {
                    if progress_toast.is_cancelled() {
                        break;
                    }
                    progress_toast.set_progress(undone_count, total);
                }
                match api.undo_lead_action(id).await {
                    Ok(undo_outcome) => {
                        restored += undo_outcome.leads.restored;
                        skipped += undo_outcome.leads.skipped;
                        undone_count += changed;
                        batches.pop();
                    }
                    Err(error) => {
                        failure = Some(error);
                        break;
                    }
                }
            }
            drop(progress_toast);
            let restored_text = match batches.is_empty() {
                true => leads::restored(restored),
                false => leads::restored_of_total(format_count(restored), format_count(total)),
            };
            let message = match (restored, skipped) {
                (_, 0) => restored_text,
                (0, skipped) => leads::kept_with_later_changes(skipped),
                (_, skipped) => format!("{restored_text}. {}", leads::kept_with_later_changes(skipped)),
            };
            match (failure, batches.is_empty()) {
                (None, true) => toasts.show_success(message),
                (None, false) => self.offer_undo(message, batches),
                (Some(error), _) => {
                    toasts.show_error(&error);
                    if undone_count > 0 || error.is_retryable() {
                        self.offer_undo(message, batches);
                    }
                }
            }
            // The list may have been closed.
            on_change.try_run(());
        });
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::LeadId;

    use crate::features::leads::list::batch_runner::*;

    #[test]
    fn adds_results_of_batches() {
        let outcome = |changed, next: Option<i64>| LeadActionOutcome {
            leads: ChangeCounts { changed, unchanged: 500 - changed },
            callable: Some(CallableChange { gained: changed, lost: 1, unblocked: 5 }),
            next_after_id: next.map(LeadId),
            ..LeadActionOutcome::default()
        };
        let first = add_outcomes(&LeadActionOutcome::default(), &outcome(400, Some(9)));
        let total = add_outcomes(&first, &outcome(3, None));
        assert_eq!((total.leads, total.next_after_id), (ChangeCounts { changed: 403, unchanged: 597 }, None));
        assert_eq!(total.callable, Some(CallableChange { gained: 403, lost: 2, unblocked: 10 }));
    }
}
