//! Summary of one call, in one line.

use leadscribe_engine::api::{Call, Direction};
use leptos::prelude::*;

use crate::i18n::datetime;
use crate::i18n::texts::{call as texts, calls, common};
use crate::ui::call_table::CallNumber;
use crate::ui::{DescriptionItem, Glyph, Icon, LocalTime, StateBadge, TranscriptionBadge};

#[component]
pub fn CallSummary(
    call: Call,
    #[prop(into)] lead: Signal<Option<String>>,
    #[prop(into)] campaign: Signal<Option<String>>,
) -> impl IntoView {
    let (glyph, direction) = match call.direction {
        Direction::Inbound => (Glyph::PhoneIn, calls::inbound()),
        Direction::Outbound => (Glyph::PhoneOut, calls::outbound()),
    };
    let lead_item = call.lead_id.map(|id| {
        let name = move || lead.get().unwrap_or_else(|| common::lead_number(id));
        view! {
            <DescriptionItem label=common::lead()>
                <a href=format!("/leads/{id}") data-test="lead">
                    {name}
                </a>
            </DescriptionItem>
        }
    });
    let campaign_item = call.campaign_id.map(|id| {
        let name = move || campaign.get().unwrap_or_else(|| common::campaign_number(id));
        view! { <DescriptionItem label=common::campaign()>{name}</DescriptionItem> }
    });
    let duration = call.recording.duration_seconds;
    view! {
        <section class="card call-summary" aria-label=common::call() data-test="call">
            <dl class="call-description">
                <DescriptionItem label=calls::numbers()>
                    <span class="line call-numbers" title=direction>
                        <Icon glyph />
                        <span class="visually-hidden">{direction} ": "</span>
                        <span>
                            <CallNumber number=call.caller_number />
                            " " <span class="cell-detail nowrap">{calls::to()} " " <CallNumber number=call.callee_number /></span>
                        </span>
                    </span>
                </DescriptionItem>
                <DescriptionItem label=common::time()>
                    <LocalTime at=call.started_at.unwrap_or(call.created_at) />
                    {duration.map(|duration| {
                        let text = texts::for_duration(datetime::format_duration(duration));
                        view! { " " <span class="cell-detail nowrap">{text}</span> }
                    })}
                </DescriptionItem>
                {call
                    .original_identifier
                    .map(|identifier| view! { <DescriptionItem label=texts::identifier()><span class="mono">{identifier}</span></DescriptionItem> })}
                {call.agent.map(|agent| view! { <DescriptionItem label=calls::agent()>{agent}</DescriptionItem> })} {lead_item} {campaign_item}
                <DescriptionItem label=calls::outcome()>
                    <StateBadge state=call.status />
                </DescriptionItem>
                <DescriptionItem label=common::transcription()>
                    <TranscriptionBadge state=call.transcription_state />
                </DescriptionItem>
            </dl>
        </section>
    }
}
