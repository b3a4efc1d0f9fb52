//! Runs a bulk action in batches, with progress, cancellation between batches, and undo. It continues when the user opens
//! another page.

use leadscribe_engine::api::{CallableChange, ChangeCounts, LeadActionId, LeadActionOutcome, LeadId};
use leadscribe_engine::record::MAX_LEADS;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::{Api, ApiResult};
use crate::features::leads::action_draft::{BATCH_SIZE, LeadActionDraft, LeadActionKind};
use crate::i18n::datetime::format_count;
use crate::i18n::texts::leads;
use crate::state::toasts::Toasts;
use crate::ui::lead::selection::{LeadSelection, SelectedLeads};

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

/// Progress so far: each batch with the number of leads that it changed.
#[derive(Clone, Debug, Default, PartialEq)]
struct BatchProgress {
    batches: Vec<(LeadActionId, u64)>,
    processed: u64,
    next: Option<LeadId>,
}

impl BatchProgress {
    fn add(&mut self, outcome: &LeadActionOutcome) {
        self.processed += processed_count(outcome);
        self.next = outcome.next_after_id;
        self.batches.extend(outcome.id.map(|id| (id, outcome.leads.changed)));
    }

    fn changed(&self) -> u64 {
        self.batches.iter().map(|(_, changed)| changed).sum()
    }
}

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
    /// Continues after the first batch, until the last one is done or the user cancels.
    pub fn continue_after(self, action: BulkActionRun, first_outcome: &LeadActionOutcome) {
        let Self { api, toasts, on_change } = self;
        let mut progress = BatchProgress::default();
        progress.add(first_outcome);
        let kind = action.draft.kind;
        if progress.next.is_none() {
            return self.show_result(kind, progress.batches, None);
        }
        let scope = action.selection.scope();
        spawn_local(async move {
            let BulkActionRun { draft, selection, selected_leads, preview_outcome } = action;
            let progress_toast = toasts.show_progress(leads::changing());
            let mut failure = None;
            while let Some(next) = progress.next.filter(|_| !progress_toast.is_cancelled()) {
                progress_toast.set_progress(progress.processed, processed_count(&preview_outcome));
                match api.run_lead_action(draft.batch_body(&selected_leads, Some(next), BATCH_SIZE)).await {
                    Ok(outcome) => progress.add(&outcome),
                    Err(error) => {
                        failure = Some(error);
                        break;
                    }
                }
            }
            drop(progress_toast);
            if let Some(error) = failure {
                toasts.show_error(&error);
            }
            // Running the action again continues with the remaining leads: leads that are already changed don't change again.
            if progress.next.is_some() {
                selection.restore(selected_leads, scope);
            }
            let total_if_incomplete =
                progress.next.is_some().then(|| preview_outcome.leads.changed.max(progress.changed()));
            self.show_result(kind, progress.batches, total_if_incomplete);
            // The list may have been closed.
            on_change.try_run(());
        });
    }

    /// Shows the number of changed leads, and the total if the run was incomplete. Offers undo.
    fn show_result(self, kind: LeadActionKind, batches: Vec<(LeadActionId, u64)>, total_if_incomplete: Option<u64>) {
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

    fn offer_undo(self, message: String, batches: Vec<(LeadActionId, u64)>) {
        self.toasts.show_undoable_actions(&action_ids(&batches), message, move || self.undo(batches.clone()));
    }

    /// Undoes the batches in reverse order. Closes the undo offer first, and reopens it for batches that were not undone.
    pub fn undo(self, mut batches: Vec<(LeadActionId, u64)>) {
        let Self { api, toasts, on_change } = self;
        toasts.close_undo(&action_ids(&batches));
        spawn_local(async move {
            let total: u64 = batches.iter().map(|(_, changed)| changed).sum();
            let progress_toast = (batches.len() > 1).then(|| toasts.show_progress(leads::undoing_changes()));
            let (mut undone_count, mut restored, mut unrestored, mut failure) = (0, 0, 0, None);
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
                        unrestored += undo_outcome.leads.skipped;
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
            let message = match unrestored {
                0 => restored_text,
                unrestored => format!("{restored_text} {}", leads::kept_with_later_changes(unrestored)),
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
    use crate::features::leads::list::batch_runner::*;

    #[test]
    fn sums_batches_and_omits_empty_ones() {
        let outcome = |id: Option<i64>, changed, next: Option<i64>| LeadActionOutcome {
            id: id.map(LeadActionId),
            leads: ChangeCounts { changed, unchanged: 500 - changed },
            next_after_id: next.map(LeadId),
            ..LeadActionOutcome::default()
        };
        let mut progress = BatchProgress::default();
        for outcome in [outcome(Some(1), 400, Some(9)), outcome(None, 0, Some(99)), outcome(Some(2), 3, None)] {
            progress.add(&outcome);
        }
        assert_eq!((progress.changed(), progress.processed, progress.next), (403, 1_500, None));
        assert_eq!(progress.batches, [(LeadActionId(1), 400), (LeadActionId(2), 3)]);
        let total = add_outcomes(&outcome(None, 400, Some(9)), &outcome(None, 3, None));
        assert_eq!((total.leads, total.next_after_id), (ChangeCounts { changed: 403, unchanged: 597 }, None));
    }
}
