//! Outcome per call of sending calls to speech recognition, or of a dry run.

use std::cmp::Reverse;

use leadscribe_engine::api::{Call, CallId, CallOutcome, SkipReason, SubmissionResponse};
use leptos::html;
use leptos::prelude::*;

use super::table::CallNumber;
use crate::components::badge::{Badge, Tone};
use crate::components::icon::{Glyph, Icon};
use crate::components::moment::Moment;
use crate::lead_names::LeadNames;
use crate::skipped::Outcomes;
use crate::texts::{calls as texts, refusals};
use crate::when;

/// Number of accepted calls.
pub fn accepted(outcomes: &Outcomes) -> u64 {
    outcomes.values().filter(|outcome| is_taken(outcome)).count() as u64
}

fn is_taken(outcome: &CallOutcome) -> bool {
    matches!(outcome, CallOutcome::Accepted { .. })
}

/// Reasons for skipped calls with their counts, most frequent first.
fn by_reason(outcomes: &Outcomes) -> Vec<(SkipReason, u64)> {
    let skipped = |wanted: SkipReason| {
        let is_so =
            |outcome: &&CallOutcome| matches!(outcome, CallOutcome::Skipped { reason, .. } if *reason == wanted);
        (wanted, outcomes.values().filter(is_so).count() as u64)
    };
    let mut reasons: Vec<_> = SkipReason::ALL.iter().copied().map(skipped).filter(|(_, count)| *count > 0).collect();
    reasons.sort_by_key(|(_, count)| Reverse(*count));
    reasons
}

#[component]
pub fn OutcomeTable(
    answer: SubmissionResponse,
    dry_run: bool,
    /// The calls that are loaded.
    #[prop(into)]
    known: Signal<Vec<Call>>,
    leads: LeadNames,
) -> impl IntoView {
    // Scrolls to the table, because on a small screen it appears below the visible form.
    let node = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        if let Some(node) = node.get() {
            node.scroll_into_view();
        }
    });
    let accepted = accepted(&answer.results.calls);
    let calls = answer.results.calls;
    let skipped = calls.len() as u64 - accepted;
    let title = if dry_run { texts::would_be_transcribed(accepted) } else { texts::sent(accepted) };
    let length = answer.total_minutes.map(|minutes| when::length_in_words(minutes * 60.0));
    let note = match (length, skipped) {
        (None, 0) => None,
        (Some(length), 0) => Some(texts::length(length)),
        (None, skipped) => Some(texts::skipped(skipped)),
        (Some(length), skipped) => Some(texts::length_and_skipped(skipped, length)),
    };
    // For a single call, its row has the reason.
    let reasons = if skipped > 1 { by_reason(&calls) } else { Vec::new() };
    let reasons = reasons.into_iter().map(|(reason, count)| {
        view! {
            <li data-test="skipped-because">{texts::skipped_because(reason, count)}</li>
        }
    });
    let (tone, glyph) =
        if accepted > 0 { ("notice tone-success", Glyph::Check) } else { ("notice tone-warning", Glyph::Info) };
    // Skipped calls come first, because they may need action.
    let (taken, left): (Vec<_>, Vec<_>) = calls.into_iter().partition(|(_, outcome)| is_taken(outcome));
    let rows = left.into_iter().chain(taken).map(|(id, outcome)| {
        let call = move || known.with(|known| known.iter().find(|call| call.id == id).cloned());
        let length = move || call()?.recording.duration_seconds.map(when::length);
        let (badge, text) = match outcome {
            CallOutcome::Accepted { .. } if dry_run => {
                (view! { <Badge tone=Tone::Success text=texts::would_be_sent() /> }, None)
            }
            CallOutcome::Accepted { transcription_id } => {
                (view! { <Badge tone=Tone::Success text=texts::accepted() /> }, transcription_id.map(texts::is_queued))
            }
            CallOutcome::Skipped { reason, .. } => {
                let why = refusals::skipped(reason).to_owned();
                let text = if dry_run { texts::would_be_skipped() } else { texts::was_skipped() };
                (view! { <Badge tone=Tone::Warning text /> }, Some(why))
            }
        };
        view! {
            <tr data-test="outcome-row" data-id=id.to_string()>
                <td>{move || who(id, call(), leads)}</td>
                <td class="number nowrap">{move || length().unwrap_or_else(|| "–".to_owned())}</td>
                <td>
                    {badge} {text.map(|text| view! { <div class="small secondary">{text}</div> })}
                </td>
            </tr>
        }
    });
    view! {
        <div node_ref=node class="stack" data-test="outcome">
            <div class=tone role="status">
                <Icon glyph />
                <div class="notice-body">
                    <strong>{title}</strong>
                    {note.map(|note| view! { <p>{note}</p> })}
                    {(skipped > 1).then(|| view! { <ul class="small">{reasons.collect_view()}</ul> })}
                    {(skipped > 0 && !dry_run)
                        .then(|| {
                            view! {
                                <p>
                                    <a href="/calls?skipped=mine" data-test="see-skipped">{texts::see_skipped()}</a>
                                </p>
                            }
                        })}
                </div>
            </div>
            <div class="table-card">
                <div class="table-wrap outcome-scroll" tabindex="0" role="region" aria-label=texts::outcome_per_call()>
                    <table class="table">
                        <thead>
                            <tr>
                                <th scope="col">{texts::call_column()}</th>
                                <th scope="col" class="number">{texts::length_column()}</th>
                                <th scope="col">{texts::outcome()}</th>
                            </tr>
                        </thead>
                        <tbody>{rows.collect_view()}</tbody>
                    </table>
                </div>
            </div>
        </div>
    }
}

/// Name of the other party: the lead, or the phone number if there is no lead, with the time of the call.
fn who(id: CallId, call: Option<Call>, leads: LeadNames) -> AnyView {
    let Some(call) = call else { return texts::call(id).into_any() };
    let other = call.direction.of_lead(call.caller_number, call.callee_number);
    let name = match call.lead_id {
        Some(lead) => (move || leads.name(lead)).into_any(),
        None => view! { <CallNumber number=other /> }.into_any(),
    };
    view! {
        {name}
        <div class="cell-sub">
            {texts::call(id)} ", " <Moment at=call.started_at.unwrap_or(call.created_at) />
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn counts_skip_reasons_most_frequent_first() {
        let skipped = [SkipReason::TooShort, SkipReason::AlreadySent, SkipReason::NotFound, SkipReason::AlreadySent];
        let skipped = skipped.map(CallOutcome::skipped).into_iter();
        let all = skipped.chain([CallOutcome::Accepted { transcription_id: None }]);
        let outcomes: Outcomes = (1..).map(CallId).zip(all).collect();
        let counted = [(SkipReason::AlreadySent, 2), (SkipReason::NotFound, 1), (SkipReason::TooShort, 1)];
        assert_eq!(by_reason(&outcomes), counted);
        assert_eq!(accepted(&outcomes), 1);
    }
}
