//! Runs a bulk action in batches, with progress, cancellation between batches, and undo. It continues when the user opens
//! another page.

use leadscribe_engine::api::{CallableChange, ChangeCounts, LeadActionId, LeadActionOutcome, LeadId};
use leadscribe_engine::record::MAX_LEADS;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::{Answer, Api};
use crate::components::lead::action_draft::{Deed, LeadActionDraft, PART};
use crate::components::lead::selection::{Chosen, LeadSelection};
use crate::components::shell::toast::Toasts;
use crate::texts::leads;
use crate::when::count;

/// Runs the batches and shows their progress.
#[derive(Clone, Copy)]
pub struct Parts {
    pub api: Api,
    pub toasts: Toasts,
    /// Loads the leads again.
    pub on_change: Callback<()>,
}

/// A bulk action.
pub struct Whole {
    pub draft: LeadActionDraft,
    pub selection: LeadSelection,
    pub chosen: Chosen,
    /// Result of the preview.
    pub counted: LeadActionOutcome,
}

/// Progress so far: each batch with the number of leads that it changed.
#[derive(Clone, Debug, Default, PartialEq)]
struct Done {
    parts: Vec<(LeadActionId, u64)>,
    seen: u64,
    next: Option<LeadId>,
}

impl Done {
    fn add(&mut self, part: &LeadActionOutcome) {
        self.seen += seen(part);
        self.next = part.next;
        self.parts.extend(part.id.map(|id| (id, part.leads.changed)));
    }

    fn changed(&self) -> u64 {
        self.parts.iter().map(|(_, changed)| changed).sum()
    }
}

/// Counts the changes of the whole action, in the largest batches that the server accepts.
pub async fn counted(api: Api, draft: LeadActionDraft, chosen: Chosen) -> Answer<LeadActionOutcome> {
    let mut whole = LeadActionOutcome::default();
    loop {
        let part = api.preview_lead_action(draft.part(&chosen, whole.next, MAX_LEADS)).await?;
        whole = sum(&whole, &part);
        if whole.next.is_none() {
            return Ok(whole);
        }
    }
}

/// Adds the results of two successive batches.
fn sum(first: &LeadActionOutcome, second: &LeadActionOutcome) -> LeadActionOutcome {
    let both = |one: ChangeCounts, other: ChangeCounts| ChangeCounts {
        changed: one.changed + other.changed,
        unchanged: one.unchanged + other.unchanged,
    };
    LeadActionOutcome {
        id: second.id,
        leads: both(first.leads, second.leads),
        campaign_leads: both(first.campaign_leads, second.campaign_leads),
        missing: first.missing + second.missing,
        next: second.next,
        callable: match (first.callable, second.callable) {
            (Some(first), Some(second)) => Some(CallableChange {
                gained: first.gained + second.gained,
                lost: first.lost + second.lost,
                released: first.released + second.released,
            }),
            (first, second) => first.or(second),
        },
    }
}

/// Number of leads that an action covers, changed or not.
fn seen(outcome: &LeadActionOutcome) -> u64 {
    outcome.leads.changed + outcome.leads.unchanged + outcome.missing
}

/// Message with the number of changed leads, and the total if not all were changed.
fn said(deed: Deed, changed: u64, of: Option<u64>) -> String {
    match (deed, of) {
        (Deed::Campaign, Some(all)) => leads::put_in_of(count(changed), count(all)),
        (Deed::Campaign, None) => leads::were_put_in(changed),
        (_, Some(all)) => leads::changed_of(count(changed), count(all)),
        (_, None) => leads::changed(changed),
    }
}

fn ids(parts: &[(LeadActionId, u64)]) -> Vec<LeadActionId> {
    parts.iter().map(|(id, _)| *id).collect()
}

impl Parts {
    /// Continues after the first batch, until the last one is done or the user cancels.
    pub fn go_on(self, whole: Whole, first: &LeadActionOutcome) {
        let Self { api, toasts, on_change } = self;
        let mut done = Done::default();
        done.add(first);
        let deed = whole.draft.deed;
        if done.next.is_none() {
            return self.say(deed, done.parts, None);
        }
        let among = whole.selection.among();
        spawn_local(async move {
            let Whole { draft, selection, chosen, counted } = whole;
            let work = toasts.working(leads::changing());
            let mut failure = None;
            while let Some(next) = done.next.filter(|_| !work.is_cancelled()) {
                work.tell(done.seen, seen(&counted));
                match api.act_on_leads(draft.part(&chosen, Some(next), PART)).await {
                    Ok(part) => done.add(&part),
                    Err(error) => {
                        failure = Some(error);
                        break;
                    }
                }
            }
            drop(work);
            if let Some(error) = failure {
                toasts.failed(&error);
            }
            // Running the action again continues with the rest: leads that are changed already stay as they are.
            if done.next.is_some() {
                selection.bring_back(chosen, among);
            }
            let of = done.next.is_some().then(|| counted.leads.changed.max(done.changed()));
            self.say(deed, done.parts, of);
            // The list may have been closed.
            on_change.try_run(());
        });
    }

    /// Shows what was done, and the total if not all was done. Offers undo.
    fn say(self, deed: Deed, parts: Vec<(LeadActionId, u64)>, of: Option<u64>) {
        let said = said(deed, parts.iter().map(|(_, changed)| changed).sum(), of);
        match parts.is_empty() {
            false => self.offer_undo(said, parts),
            // Other sessions made the same changes between preview and action.
            true if of.is_none() => self.toasts.done(leads::nothing_to_change()),
            true => self.toasts.done(said),
        }
    }

    fn offer_undo(self, said: String, parts: Vec<(LeadActionId, u64)>) {
        self.toasts.undoable_actions(&ids(&parts), said, move || self.undo(parts.clone()));
    }

    /// Undoes the batches in reverse order. The undo offer is withdrawn first, and made again for the batches that are left.
    pub fn undo(self, mut parts: Vec<(LeadActionId, u64)>) {
        let Self { api, toasts, on_change } = self;
        toasts.withdraw(&ids(&parts));
        spawn_local(async move {
            let all: u64 = parts.iter().map(|(_, changed)| changed).sum();
            let work = (parts.len() > 1).then(|| toasts.working(leads::changing_back()));
            let (mut gone, mut restored, mut left, mut failure) = (0, 0, 0, None);
            while let Some((id, changed)) = parts.last().copied() {
                if let Some(work) = &work {
                    if work.is_cancelled() {
                        break;
                    }
                    work.tell(gone, all);
                }
                match api.undo_lead_action(id).await {
                    Ok(undone) => {
                        restored += undone.leads.restored;
                        left += undone.leads.left;
                        gone += changed;
                        parts.pop();
                    }
                    Err(error) => {
                        failure = Some(error);
                        break;
                    }
                }
            }
            drop(work);
            let as_before = match parts.is_empty() {
                true => leads::as_before(restored),
                false => leads::as_before_of(count(restored), count(all)),
            };
            let said = match left {
                0 => as_before,
                left => format!("{as_before} {}", leads::left_changed(left)),
            };
            match (failure, parts.is_empty()) {
                (None, true) => toasts.done(said),
                (None, false) => self.offer_undo(said, parts),
                (Some(error), _) => {
                    toasts.failed(&error);
                    if gone > 0 || error.may_pass() {
                        self.offer_undo(said, parts);
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
    use super::*;
    use crate::language::{Language, speak};

    #[test]
    fn result_message_names_the_action() {
        assert_eq!(said(Deed::Campaign, 11, None), "11 leads added.");
        assert_eq!(said(Deed::Campaign, 500, Some(1_100)), "500 of 1,100 leads added.");
        assert_eq!(said(Deed::Weight, 500, Some(1_100)), "500 of 1,100 leads changed.");
        speak(Language::German);
        assert_eq!(said(Deed::Campaign, 500, Some(1_100)), "500 von 1.100 Leads hinzugefügt.");
    }

    #[test]
    fn sums_batches_and_omits_empty_ones() {
        let part = |id: Option<i64>, changed, next: Option<i64>| LeadActionOutcome {
            id: id.map(LeadActionId),
            leads: ChangeCounts { changed, unchanged: 500 - changed },
            next: next.map(LeadId),
            ..LeadActionOutcome::default()
        };
        let mut done = Done::default();
        for part in [part(Some(1), 400, Some(9)), part(None, 0, Some(99)), part(Some(2), 3, None)] {
            done.add(&part);
        }
        assert_eq!((done.changed(), done.seen, done.next), (403, 1_500, None));
        assert_eq!(done.parts, [(LeadActionId(1), 400), (LeadActionId(2), 3)]);
        let whole = sum(&part(None, 400, Some(9)), &part(None, 3, None));
        assert_eq!((whole.leads, whole.next), (ChangeCounts { changed: 403, unchanged: 597 }, None));
        let tells = |gained| LeadActionOutcome {
            callable: Some(CallableChange { gained, lost: 1, released: 5 }),
            ..LeadActionOutcome::default()
        };
        let whole = sum(&sum(&LeadActionOutcome::default(), &tells(2)), &tells(3));
        assert_eq!(whole.callable, Some(CallableChange { gained: 5, lost: 2, released: 10 }));
    }
}
