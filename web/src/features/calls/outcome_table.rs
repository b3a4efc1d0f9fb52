//! Table with the outcome of each call that was sent to speech recognition, or checked in a dry run.

use std::cmp::Reverse;

use leadscribe_engine::api::{Call, CallId, CallOutcome, SkipReason, SubmissionResponse};
use leptos::html;
use leptos::prelude::*;

use crate::features::calls::skipped::Outcomes;
use crate::i18n::datetime;
use crate::i18n::texts::{calls as texts, common, problems};
use crate::ui::call_table::CallNumber;
use crate::ui::lead::lead_names::LeadNames;
use crate::ui::{Badge, Glyph, Icon, LocalTime, Tone};

/// Number of accepted calls.
pub fn accepted_count<'a>(outcomes: impl Iterator<Item = &'a CallOutcome>) -> u64 {
    outcomes.filter(|outcome| is_accepted(outcome)).count() as u64
}

pub fn is_accepted(outcome: &CallOutcome) -> bool {
    matches!(outcome, CallOutcome::Accepted { .. })
}

/// Reasons for skipped calls with their counts, most frequent first.
fn count_skip_reasons(outcomes: &Outcomes) -> Vec<(SkipReason, u64)> {
    let mut counts: Vec<_> = SkipReason::ALL.iter().map(|reason| (*reason, 0)).collect();
    for outcome in outcomes.values() {
        if let CallOutcome::Skipped { reason, .. } = outcome
            && let Some((_, count)) = counts.iter_mut().find(|(counted, _)| counted == reason)
        {
            *count += 1;
        }
    }
    counts.retain(|(_, count)| *count > 0);
    counts.sort_by_key(|(_, count)| Reverse(*count));
    counts
}

#[component]
pub fn OutcomeTable(
    response: SubmissionResponse,
    dry_run: bool,
    #[prop(into)] loaded_calls: Signal<Vec<Call>>,
    leads: LeadNames,
) -> impl IntoView {
    // Scrolls to the table, because on a small screen it appears below the visible form.
    let node = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        if let Some(node) = node.get() {
            node.scroll_into_view();
        }
    });
    let accepted = accepted_count(response.results.calls.values());
    let calls = response.results.calls;
    let skipped = calls.len() as u64 - accepted;
    let title = if dry_run { texts::would_be_transcribed(accepted) } else { texts::sent(accepted) };
    let duration = response.total_minutes.map(|minutes| datetime::format_duration_in_words(minutes * 60.0));
    let summary = match (duration, skipped) {
        (None, 0) => None,
        (Some(duration), 0) => Some(texts::length(duration)),
        (None, skipped) => Some(texts::skipped(skipped)),
        (Some(duration), skipped) => Some(texts::length_and_skipped(skipped, duration)),
    };
    // For a single call, its row has the reason.
    let reasons = if skipped > 1 { count_skip_reasons(&calls) } else { Vec::new() };
    let reasons = reasons.into_iter().map(|(reason, count)| {
        view! {
            <li data-test="skipped-reason">{datetime::format_count(count)} " " {texts::skipped_reason(reason)}</li>
        }
    });
    let (tone, glyph) = match accepted {
        0 => ("notice tone-warning", Glyph::Info),
        _ => ("notice tone-success", Glyph::Check),
    };
    // Skipped calls come first, because they may need action.
    let (accepted_calls, skipped_calls): (Vec<_>, Vec<_>) =
        calls.into_iter().partition(|(_, outcome)| is_accepted(outcome));
    let rows = skipped_calls.into_iter().chain(accepted_calls).map(|(id, outcome)| {
        let call = move || loaded_calls.with(|loaded_calls| loaded_calls.iter().find(|call| call.id == id).cloned());
        let duration = move || call()?.recording.duration_seconds.map(datetime::format_duration);
        let (tone, label, text) = match outcome {
            CallOutcome::Accepted { .. } if dry_run => (Tone::Success, texts::ready(), None),
            CallOutcome::Accepted { transcription_id: id } => {
                (Tone::Success, texts::accepted(), id.map(texts::transcription_number))
            }
            CallOutcome::Skipped { reason, .. } => {
                (Tone::Warning, texts::skipped_at(), Some(problems::skip_reason_text(reason).to_owned()))
            }
        };
        view! {
            <tr data-test="submission-result-row" data-id=id.to_string()>
                <td>{move || party_cell(id, call(), leads)}</td>
                <td class="number nowrap">{move || duration().unwrap_or_else(|| "–".to_owned())}</td>
                <td>
                    <Badge tone text=label /> {text.map(|text| view! { <div class="small secondary">{text}</div> })}
                </td>
            </tr>
        }
    });
    view! {
        <div node_ref=node class="stack" data-test="submission-result">
            <div class=tone role="status">
                <Icon glyph />
                <div class="notice-body">
                    <strong>{title}</strong>
                    {summary.map(|summary| view! { <p>{summary}</p> })}
                    {(skipped > 1).then(|| view! { <ul class="small">{reasons.collect_view()}</ul> })}
                    <Show when=move || skipped != 0 && !dry_run>
                        <p>
                            <a href="/calls?skipped=mine" data-test="skipped-calls-link">{texts::view_skipped_calls()}</a>
                        </p>
                    </Show>
                </div>
            </div>
            <div class="table-card">
                <div class="table-wrap outcome-scroll" tabindex="0" role="region" aria-label=texts::outcome_per_call()>
                    <table class="table">
                        <thead>
                            <tr>
                                <th scope="col">{common::call()}</th>
                                <th scope="col" class="number">{common::duration()}</th>
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
fn party_cell(id: CallId, call: Option<Call>, leads: LeadNames) -> AnyView {
    let Some(call) = call else { return common::call_number(id).into_any() };
    let other_number = call.direction.lead_side(call.caller_number, call.callee_number);
    let name = match call.lead_id {
        Some(lead) => (move || leads.name(lead)).into_any(),
        None => view! { <CallNumber number=other_number /> }.into_any(),
    };
    view! {
        {name}
        <div class="cell-detail">
            {common::call_number(id)} ", " <LocalTime at=call.started_at.unwrap_or(call.created_at) />
        </div>
    }
    .into_any()
}

#[cfg(test)]
mod tests {
    use crate::features::calls::outcome_table::*;

    #[test]
    fn counts_skip_reasons_most_frequent_first() {
        let skipped = [SkipReason::TooShort, SkipReason::AlreadySent, SkipReason::NotFound, SkipReason::AlreadySent];
        let skipped = skipped.map(CallOutcome::skipped).into_iter();
        let results = skipped.chain([CallOutcome::Accepted { transcription_id: None }]);
        let outcomes: Outcomes = (1..).map(CallId).zip(results).collect();
        let expected = [(SkipReason::AlreadySent, 2), (SkipReason::NotFound, 1), (SkipReason::TooShort, 1)];
        assert_eq!(count_skip_reasons(&outcomes), expected);
        assert_eq!(accepted_count(outcomes.values()), 1);
    }
}
