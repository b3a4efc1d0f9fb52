//! Summary of one call, in one line.

use leadscribe_engine::api::{Call, Direction};
use leptos::prelude::*;

use super::table::CallNumber;
use crate::components::badge::{CallStatusBadge, TranscriptionBadge};
use crate::components::fact_list::Fact;
use crate::components::icon::{Glyph, Icon};
use crate::components::moment::Moment;
use crate::texts::{call as texts, calls};
use crate::when;

#[component]
pub fn CallSummary(
    call: Call,
    /// Name of the lead, if known.
    #[prop(into)]
    lead: Signal<Option<String>>,
    /// Name of the campaign, if known.
    #[prop(into)]
    campaign: Signal<Option<String>>,
) -> impl IntoView {
    let (glyph, direction) = match call.direction {
        Direction::Inbound => (Glyph::PhoneIn, calls::inbound()),
        Direction::Outbound => (Glyph::PhoneOut, calls::outbound()),
    };
    let lead_fact = call.lead_id.map(|id| {
        let name = move || lead.get().unwrap_or_else(|| calls::lead(id));
        view! {
            <Fact label=calls::lead_column()>
                <a href=format!("/leads/{id}") data-test="lead">
                    {name}
                </a>
            </Fact>
        }
    });
    let campaign_fact = call.campaign_id.map(|id| {
        let name = move || campaign.get().unwrap_or_else(|| calls::campaign(id));
        view! { <Fact label=calls::campaign_column()>{name}</Fact> }
    });
    let length = call.recording.duration_seconds;
    view! {
        <section class="card call-summary" aria-label=texts::the_call() data-test="call">
            <dl class="call-facts">
                <Fact label=calls::numbers()>
                    <span class="row call-numbers" title=direction>
                        <Icon glyph />
                        <span class="visually-hidden">{direction} ": "</span>
                        <span>
                            <CallNumber number=call.caller_number />
                            " " <span class="cell-sub nowrap">{calls::to()} " " <CallNumber number=call.callee_number /></span>
                        </span>
                    </span>
                </Fact>
                <Fact label=calls::time()>
                    <Moment at=call.started_at.unwrap_or(call.created_at) />
                    {length.map(|length| view! { " " <span class="cell-sub nowrap">{texts::lasting(when::length(length))}</span> })}
                </Fact>
                {call
                    .original_identifier
                    .map(|identifier| view! { <Fact label=texts::identifier()><span class="mono">{identifier}</span></Fact> })}
                {call.agent.map(|agent| view! { <Fact label=calls::agent()>{agent}</Fact> })} {lead_fact} {campaign_fact}
                <Fact label=calls::outcome()>
                    <CallStatusBadge status=call.status />
                </Fact>
                <Fact label=calls::transcription()>
                    <TranscriptionBadge state=call.transcription_state />
                </Fact>
            </dl>
        </section>
    }
}
