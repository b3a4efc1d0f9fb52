//! Table of calls, with playback and selection.

use std::collections::BTreeMap;

use leadscribe_engine::api::{Call, CallId, Direction, RecordingState, TranscriptionState};
use leptos::prelude::*;

use crate::api::recording_url;
use crate::i18n::texts::{calls as texts, common, shell};
use crate::ui::filter_editor::Names;
use crate::ui::lead::lead_names::LeadNames;
use crate::ui::list::{
    CallSelection, ColumnHeader, ListOrder, ListTable, PageCheckbox, RowCheckbox, SkeletonRows, column_headers,
    empty_value,
};
use crate::ui::recording::playback::AudioElement;
use crate::ui::recording::waveform_preview::{TablePlayer, WaveformCache, WaveformPreview};
use crate::ui::{Glyph, Icon, LocalTime, Phone, StateBadge, TranscriptionBadge};

/// Column headers. The first `IDENTIFYING_COLUMN_COUNT` headers identify a call.
pub static COLUMNS: [ColumnHeader; 8] = [
    ColumnHeader::new(common::time).sorted_by(DEFAULT_ORDER),
    ColumnHeader::new(texts::numbers).sorted_by("caller_number"),
    ColumnHeader::new(common::lead),
    ColumnHeader::new(common::campaign).sorted_by("campaign_name"),
    ColumnHeader::new(texts::agent).sorted_by("agent"),
    ColumnHeader::new(texts::outcome).sorted_by("status"),
    ColumnHeader::new(texts::recording).sorted_by("-recording.duration_seconds"),
    ColumnHeader::new(common::transcription).sorted_by("transcription_state").class("transcription-column"),
];

/// Id of the checkbox in the header that selects all calls of the page.
pub const SELECT_PAGE_ID: &str = "call-select-page";

/// Number of headers that identify a call.
const IDENTIFYING_COLUMN_COUNT: usize = 4;

/// Number of identifying headers in the brief table.
const BRIEF_COLUMN_COUNT: usize = 2;

pub const DEFAULT_ORDER: &str = "-created_at";

#[component]
pub fn CallTable(
    /// `None` until the first response arrives.
    #[prop(into)]
    calls: Signal<Option<Vec<Call>>>,
    #[prop(into)] names: Signal<Names>,
    waveforms: WaveformCache,
    #[prop(optional)] leads: Option<LeadNames>,
    /// Present if rows can be selected.
    #[prop(optional_no_strip)]
    selection: Option<CallSelection>,
    /// Hides lead and campaign, for the page of one lead.
    #[prop(optional)]
    brief: bool,
    /// State changes received since the calls were requested.
    #[prop(optional, into)]
    overrides: Signal<LiveOverrides>,
    #[prop(optional, into)] stale: Signal<bool>,
    /// Present if the table can be sorted.
    #[prop(optional)]
    order: Option<ListOrder>,
) -> impl IntoView {
    let player = TablePlayer::new();
    let visible =
        Memo::new(move |_| calls.with(|calls| calls.iter().flatten().map(|call| call.id).collect::<Vec<_>>()));
    let columns = COLUMNS.len() + usize::from(selection.is_some())
        - (IDENTIFYING_COLUMN_COUNT - BRIEF_COLUMN_COUNT) * usize::from(brief);
    let row = move |call: Call| {
        let id = call.id;
        let loaded_state = call.transcription_state;
        let transcription = Memo::new(move |_| overrides.with(|overrides| overrides.state(id)).or(loaded_state));
        let duration = call.recording.duration_seconds;
        let select_cell = selection.map(|selection| {
            view! {
                <td class="fit corner">
                    <RowCheckbox id label=texts::select_call(id) test_id="select-call" selection visible />
                </td>
            }
        });
        view! {
            <tr data-row="" data-test="call-row" data-id=id.to_string() aria-selected=move || {
                selection.map(|selection| selection.contains(id).to_string())
            }>
                {select_cell}
                {identifying_cells(&call, names, leads, brief)}
                <td data-label=texts::agent() class="preserve-spaces">{call.agent.unwrap_or_else(|| "–".to_owned())}</td>
                <td data-label=texts::outcome()>
                    <StateBadge state=call.status />
                </td>
                <td data-label=texts::recording() class="nowrap">
                    {if call.recording.state == RecordingState::Ready {
                        view! { <WaveformPreview call=id duration waveforms player /> }.into_any()
                    } else {
                        view! { <StateBadge state=call.recording.state /> }.into_any()
                    }}
                </td>
                <td data-label=common::transcription() class="nowrap">
                    {move || match transcription.get() {
                        Some(TranscriptionState::Completed) => {
                            view! {
                                <a
                                    href=format!("/calls/{id}")
                                    class="button button-small"
                                    aria-label=texts::transcript_of(id)
                                    data-test="transcript-link"
                                >
                                    <Icon glyph=Glyph::Transcripts />
                                    {common::transcript()}
                                </a>
                            }
                                .into_any()
                        }
                        state => view! { <TranscriptionBadge state /> }.into_any(),
                    }}
                </td>
            </tr>
        }
    };
    let rows = move || match calls.get() {
        None => view! { <SkeletonRows columns lines=2 /> }.into_any(),
        Some(calls) => calls.into_iter().map(row).collect_view().into_any(),
    };
    // Playback stops when the row is removed.
    Effect::new(move |_| {
        if player.call().is_some_and(|id| visible.with(|visible| !visible.contains(&id))) {
            player.stop();
        }
    });
    let src = Signal::derive(move || player.call().map(recording_url));
    let select_header = selection.map(|selection| {
        view! {
            <th scope="col" class="fit">
                <PageCheckbox id=SELECT_PAGE_ID label=texts::select_page() test_id="select-page" selection visible />
            </th>
        }
    });
    let headers =
        (select_header, identifying_headers(brief, order), column_headers(&COLUMNS[IDENTIFYING_COLUMN_COUNT..], order))
            .into_any();
    view! {
        <AudioElement playback=player.playback src autoplay=true />
        <ListTable caption=shell::calls() class="calls-table" stale headers>
            {rows}
        </ListTable>
    }
}

/// Headers of the columns that identify a call.
pub fn identifying_headers(brief: bool, order: Option<ListOrder>) -> AnyView {
    column_headers(&COLUMNS[..if brief { BRIEF_COLUMN_COUNT } else { IDENTIFYING_COLUMN_COUNT }], order)
}

/// Cells that identify a call: time and numbers, and unless `brief` also lead and campaign.
pub fn identifying_cells(call: &Call, names: Signal<Names>, leads: Option<LeadNames>, brief: bool) -> AnyView {
    let lead_and_campaign = (!brief).then(|| {
        let lead_link = |id| {
            let name = move || leads.map_or_else(|| common::lead_number(id), |leads| leads.name(id));
            view! { <a href=format!("/leads/{id}") data-test="call-lead">{name}</a> }.into_any()
        };
        let campaign_link = |id| {
            let name = move || {
                names.with(|names| names.campaign(id).map(str::to_owned)).unwrap_or_else(|| common::campaign_number(id))
            };
            view! { <a href=format!("/campaigns/{id}") data-test="call-campaign">{name}</a> }.into_any()
        };
        view! {
            <td data-label=common::lead()>{call.lead_id.map_or_else(empty_value, lead_link)}</td>
            <td data-label=common::campaign()>{call.campaign_id.map_or_else(empty_value, campaign_link)}</td>
        }
    });
    let (glyph, direction) = match call.direction {
        Direction::Inbound => (Glyph::PhoneIn, texts::inbound()),
        Direction::Outbound => (Glyph::PhoneOut, texts::outbound()),
    };
    let (caller, callee) = (call.caller_number.clone(), call.callee_number.clone());
    view! {
        <td class="lead-cell nowrap">
            <LocalTime at=call.started_at.unwrap_or(call.created_at) />
            <div class="cell-detail">
                <CallLink id=call.id />
            </div>
        </td>
        <td data-label=texts::numbers()>
            <span class="line call-numbers" title=direction>
                <Icon glyph />
                <span class="visually-hidden">{direction} ": "</span>
                <span>
                    <CallNumber number=caller />
                    " " <span class="cell-detail nowrap">{texts::to()} " " <CallNumber number=callee /></span>
                </span>
            </span>
        </td>
        {lead_and_campaign}
    }
    .into_any()
}

/// Link to a call, labeled with its id.
#[component]
pub fn CallLink(id: CallId) -> impl IntoView {
    view! {
        <a href=format!("/calls/{id}") class="row-link" data-row-link="" data-test="call">
            "#" {id.to_string()}
        </a>
    }
}

/// Phone number of a call; `None` if withheld.
#[component]
pub fn CallNumber(number: Option<String>) -> impl IntoView {
    match number {
        Some(number) => view! { <Phone number /> }.into_any(),
        None => texts::unknown().into_any(),
    }
}

/// Transcription states that are newer than the loaded calls.
#[derive(Clone, Default)]
pub struct LiveOverrides {
    /// Number of changes received so far.
    change_count: u64,
    /// Each state with the number of its change.
    states: BTreeMap<CallId, (u64, TranscriptionState)>,
}

impl LiveOverrides {
    pub fn record(&mut self, id: CallId, state: TranscriptionState) {
        self.change_count += 1;
        self.states.insert(id, (self.change_count, state));
    }

    /// Number of changes received so far.
    pub fn count(&self) -> u64 {
        self.change_count
    }

    /// Drops the first `count` changes, which the response already includes, except for calls that `should_keep` keeps.
    pub fn discard(&mut self, count: u64, should_keep: impl Fn(CallId) -> bool) {
        self.states.retain(|id, (change_number, _)| *change_number > count || should_keep(*id));
    }

    /// The newer state of a call, if one was received.
    pub fn state(&self, id: CallId) -> Option<TranscriptionState> {
        self.states.get(&id).map(|(_, state)| *state)
    }
}

#[cfg(test)]
mod tests {
    use TranscriptionState::{Completed, Processing, Queued};

    use crate::ui::call_table::*;

    #[test]
    fn keeps_states_received_during_a_reload() {
        let mut overrides = LiveOverrides::default();
        overrides.record(CallId(1), Processing);
        overrides.record(CallId(2), Queued);
        let count_at_request = overrides.count();
        overrides.record(CallId(2), Processing);
        overrides.record(CallId(3), Completed);
        overrides.discard(count_at_request, |_| false);
        assert_eq!([1, 2, 3].map(|id| overrides.state(CallId(id))), [None, Some(Processing), Some(Completed)]);
        overrides.discard(overrides.count(), |id| id == CallId(3));
        assert_eq!([2, 3].map(|id| overrides.state(CallId(id))), [None, Some(Completed)]);
    }
}
