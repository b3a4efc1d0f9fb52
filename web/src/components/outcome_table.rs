//! What became of each call that was sent, or would become of it.

use leadscribe_engine::api::{CallOutcome, SubmissionResponse};
use leptos::html;
use leptos::prelude::*;

use super::badge::{Badge, Tone};
use super::icon::{Glyph, Icon};
use crate::when::counted;

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
    let calls_accepted = counted(accepted as u64, "call", "calls");
    let title =
        if dry_run { format!("{calls_accepted} would be transcribed") } else { format!("{calls_accepted} sent") };
    let minutes = answer.total_minutes.map(|minutes| format!("{minutes:.1} minutes of recording"));
    let left_out = (skipped > 0).then(|| format!("{} skipped", counted(skipped as u64, "call", "calls")));
    let note: Vec<_> = [minutes, left_out].into_iter().flatten().collect();
    let (tone, glyph) =
        if accepted > 0 { ("notice tone-success", Glyph::Check) } else { ("notice tone-warning", Glyph::Info) };
    let rows = calls.into_iter().map(|(id, outcome)| {
        let (badge, text) = match outcome {
            CallOutcome::Accepted { .. } if dry_run => {
                (view! { <Badge tone=Tone::Success text="Would be sent" /> }, None)
            }
            CallOutcome::Accepted { transcription_id } => (
                view! { <Badge tone=Tone::Success text="Accepted" /> },
                transcription_id.map(|id| format!("Transcription {id} is queued.")),
            ),
            CallOutcome::Skipped { message, .. } => {
                (view! { <Badge tone=Tone::Warning text="Skipped" /> }, Some(message))
            }
        };
        view! {
            <tr data-test="outcome-row" data-id=id.to_string()>
                <td class="nowrap">"Call " {id.to_string()}</td>
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
                    {(!note.is_empty()).then(|| view! { <p>{note.join(", ")} "."</p> })}
                </div>
            </div>
            <div class="table-card">
                <div class="table-wrap outcome-scroll" tabindex="0" role="region" aria-label="Outcome per call">
                    <table class="table">
                        <thead>
                            <tr>
                                <th scope="col">"Call"</th>
                                <th scope="col">"Outcome"</th>
                                <th scope="col">"Why"</th>
                            </tr>
                        </thead>
                        <tbody>{rows.collect_view()}</tbody>
                    </table>
                </div>
            </div>
        </div>
    }
}
