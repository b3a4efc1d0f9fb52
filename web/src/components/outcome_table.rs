//! What became of each call that was sent, or would become of it.

use leadscribe_engine::api::{CallOutcome, SubmissionResponse};
use leptos::html;
use leptos::prelude::*;

use super::badge::{Badge, Tone};
use super::icon::{Glyph, Icon};
use crate::texts::{calls as texts, refusals};
use crate::when;

#[component]
pub fn OutcomeTable(answer: SubmissionResponse, dry_run: bool) -> impl IntoView {
    // On a small screen it would come up out of sight, below the form.
    let node = NodeRef::<html::Div>::new();
    Effect::new(move |_| {
        if let Some(node) = node.get() {
            node.scroll_into_view();
        }
    });
    let calls = answer.results.calls;
    let accepted = calls.values().filter(|outcome| matches!(outcome, CallOutcome::Accepted { .. })).count();
    let skipped = calls.len() - accepted;
    let (accepted, skipped) = (accepted as u64, skipped as u64);
    let title = if dry_run { texts::would_be_transcribed(accepted) } else { texts::sent(accepted) };
    let note = match (answer.total_minutes.map(when::tenths), skipped) {
        (None, 0) => None,
        (Some(minutes), 0) => Some(texts::minutes(minutes)),
        (None, skipped) => Some(texts::skipped(skipped)),
        (Some(minutes), skipped) => Some(texts::minutes_and_skipped(skipped, minutes)),
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
                (view! { <Badge tone=Tone::Warning text=texts::was_skipped() /> }, Some(why))
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
