//! What became of each call that was sent, or would become of it.

use leadscribe_engine::api::{CallOutcome, SubmissionResponse};
use leptos::html;
use leptos::prelude::*;

use super::badge::{Badge, Tone};
use super::icon::{Glyph, Icon};
use crate::texts::{calls as texts, refusals};
use crate::when;

/// How many calls are taken.
pub fn accepted(answer: &SubmissionResponse) -> u64 {
    let is_taken = |outcome: &&CallOutcome| matches!(outcome, CallOutcome::Accepted { .. });
    answer.results.calls.values().filter(is_taken).count() as u64
}

#[component]
pub fn OutcomeTable(answer: SubmissionResponse, dry_run: bool) -> impl IntoView {
    // On a small screen it would come up out of sight, below the form.
    let node = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        if let Some(node) = node.get() {
            node.scroll_into_view();
        }
    });
    let accepted = accepted(&answer);
    let calls = answer.results.calls;
    let skipped = calls.len() as u64 - accepted;
    let title = if dry_run { texts::would_be_transcribed(accepted) } else { texts::sent(accepted) };
    let length = answer.total_minutes.map(|minutes| when::length(minutes * 60.0));
    let note = match (length, skipped) {
        (None, 0) => None,
        (Some(length), 0) => Some(texts::length(length)),
        (None, skipped) => Some(texts::skipped(skipped)),
        (Some(length), skipped) => Some(texts::length_and_skipped(skipped, length)),
    };
    let (tone, glyph) =
        if accepted > 0 { ("notice tone-success", Glyph::Check) } else { ("notice tone-warning", Glyph::Info) };
    let rows = calls.into_iter().map(|(id, outcome)| {
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
                <td class="nowrap">{texts::call(id)}</td>
                <td>{badge}</td>
                <td class="secondary">{text}</td>
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
                                <th scope="col">{texts::outcome()}</th>
                                <th scope="col">{texts::why()}</th>
                            </tr>
                        </thead>
                        <tbody>{rows.collect_view()}</tbody>
                    </table>
                </div>
            </div>
        </div>
    }
}
