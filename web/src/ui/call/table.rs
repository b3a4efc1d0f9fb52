//! Table of calls, with playback and selection.

use std::collections::BTreeSet;

use leadscribe_engine::api::{Call, CallId, Direction, RecordingState, TranscriptionState, UserId};
use leptos::prelude::*;

use super::live_overrides::LiveOverrides;
use crate::api::{CallQuery, recording_url};
use crate::i18n::texts::{calls as texts, shell};
use crate::ui::badge::{CallStatusBadge, RecordingBadge, TranscriptionBadge};
use crate::ui::filter_editor::Names;
use crate::ui::icon::{Glyph, Icon};
use crate::ui::lead::lead_names::LeadNames;
use crate::ui::list::column_headers::{ColumnHeader, column_headers};
use crate::ui::list::list_order::ListOrder;
use crate::ui::list::list_table::ListTable;
use crate::ui::list::page_checkbox::PageCheckbox;
use crate::ui::list::table::SkeletonRows;
use crate::ui::local_time::LocalTime;
use crate::ui::phone::Phone;
use crate::ui::recording::playback::AudioElement;
use crate::ui::recording::waveform_cache::WaveformCache;
use crate::ui::recording::waveform_preview::{TablePlayer, WaveformPreview};

/// Column headers. The first `IDENTIFYING_COLUMN_COUNT` headers identify a call.
pub static COLUMNS: [ColumnHeader; 8] = [
    ColumnHeader::new(texts::time).sorted_by(DEFAULT_ORDER),
    ColumnHeader::new(texts::numbers).sorted_by("caller_number"),
    ColumnHeader::new(texts::lead_column),
    ColumnHeader::new(texts::campaign_column).sorted_by("campaign_name"),
    ColumnHeader::new(texts::agent).sorted_by("agent"),
    ColumnHeader::new(texts::outcome).sorted_by("status"),
    ColumnHeader::new(texts::recording).sorted_by("-recording.duration_seconds"),
    ColumnHeader::new(texts::transcription).sorted_by("transcription_state").class("transcription-column"),
];

/// Id of the checkbox in the header that selects all calls of the page.
pub const SELECT_PAGE_ID: &str = "call-select-page";

/// Number of headers that identify a call.
const IDENTIFYING_COLUMN_COUNT: usize = 4;

/// Number of these headers in the brief table.
const BRIEF_COLUMN_COUNT: usize = 2;

/// Default sort order of calls.
pub const DEFAULT_ORDER: &str = "-created_at";

/// Selected calls, and the anchor for range selection. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct CallSelection {
    selected: RwSignal<BTreeSet<CallId>>,
    anchor: StoredValue<Option<CallId>>,
    scope: StoredValue<Option<SelectionScope>>,
}

/// User and query that a selection belongs to.
pub type SelectionScope = (Option<UserId>, CallQuery);

/// Selection of the panel's list of calls. It outlives the list, so that it is still there when the user returns from a call.
pub fn use_call_selection() -> CallSelection {
    expect_context()
}

impl CallSelection {
    pub fn new() -> Self {
        Self { selected: RwSignal::new(BTreeSet::new()), anchor: StoredValue::new(None), scope: StoredValue::new(None) }
    }

    /// Sets the user and query of the list. Clears the selection if they have changed, because selected calls could be hidden. Returns how
    /// many calls of the same user were deselected, or `None` if nothing has changed.
    pub fn set_scope(self, scope: SelectionScope) -> Option<u64> {
        let previous = self.scope.get_value();
        if previous.as_ref() == Some(&scope) {
            return None;
        }
        let is_same_user = previous.is_some_and(|(user, _)| user == scope.0);
        let deselected = if is_same_user { untrack(|| self.len()) as u64 } else { 0 };
        self.clear();
        self.scope.set_value(Some(scope));
        Some(deselected)
    }

    pub fn ids(self) -> Vec<CallId> {
        self.selected.with(|selected| selected.iter().copied().collect())
    }

    pub fn len(self) -> usize {
        self.selected.with(BTreeSet::len)
    }

    pub fn clear(self) {
        self.selected.update(BTreeSet::clear);
        self.anchor.set_value(None);
    }

    /// True if the call is selected.
    pub fn contains(self, id: CallId) -> bool {
        self.selected.with(|selected| selected.contains(&id))
    }

    /// Selects or deselects a call; with `range`, all calls between it and the anchor.
    fn select(self, id: CallId, selected: bool, range: bool, visible: &[CallId]) {
        let position = |id| visible.iter().position(|other| *other == id);
        let ids = match (self.anchor.get_value().and_then(position), position(id)) {
            (Some(from), Some(to)) if range => &visible[from.min(to)..=from.max(to)],
            _ => &[id],
        };
        self.set_selected(ids, selected);
        self.anchor.set_value(Some(id));
    }

    /// Selects or deselects these calls.
    fn set_selected(self, ids: &[CallId], selected: bool) {
        self.selected.update(|set| {
            for id in ids {
                if selected {
                    set.insert(*id);
                } else {
                    set.remove(id);
                }
            }
        });
    }
}

#[component]
pub fn CallTable(
    /// `None` until the first response arrives.
    #[prop(into)]
    calls: Signal<Option<Vec<Call>>>,
    #[prop(into)] names: Signal<Names>,
    /// Waveforms of the recordings.
    waveforms: WaveformCache,
    /// Names of the leads.
    #[prop(optional)]
    leads: Option<LeadNames>,
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
    let rows = move || match calls.get() {
        None => view! { <SkeletonRows columns lines=2 /> }.into_any(),
        Some(calls) => calls
            .into_iter()
            .map(|call| view! { <CallRow call names leads waveforms selection visible overrides brief player /> })
            .collect_view()
            .into_any(),
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
                <CallPageCheckbox id=Some(SELECT_PAGE_ID) selection visible test_id="select-page" />
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

/// Checkbox that selects all calls of the page.
#[component]
pub fn CallPageCheckbox(
    #[prop(optional_no_strip)] id: Option<&'static str>,
    selection: CallSelection,
    #[prop(into)] visible: Signal<Vec<CallId>>,
    test_id: &'static str,
) -> impl IntoView {
    let selected =
        move || visible.with(|visible| (visible.iter().filter(|id| selection.contains(**id)).count(), visible.len()));
    let on_change =
        Callback::new(move |selected| visible.with_untracked(|visible| selection.set_selected(visible, selected)));
    view! { <PageCheckbox id label=texts::select_page() test_id selected=Signal::derive(selected) on_change /> }
}

#[component]
fn CallRow(
    call: Call,
    names: Signal<Names>,
    leads: Option<LeadNames>,
    waveforms: WaveformCache,
    selection: Option<CallSelection>,
    visible: Memo<Vec<CallId>>,
    overrides: Signal<LiveOverrides>,
    brief: bool,
    player: TablePlayer,
) -> impl IntoView {
    let id = call.id;
    let loaded_state = call.transcription_state;
    let transcription = Memo::new(move |_| overrides.with(|overrides| overrides.state(id)).or(loaded_state));
    let duration = call.recording.duration_seconds;
    let is_shift_pressed = StoredValue::new(false);
    let select_cell = selection.map(|selection| {
        view! {
            <td class="fit corner">
                <input
                    class="checkbox"
                    type="checkbox"
                    aria-label=texts::select_call(id)
                    data-test="select-call"
                    prop:checked=move || selection.contains(id)
                    on:click=move |event: web_sys::MouseEvent| is_shift_pressed.set_value(event.shift_key())
                    on:change:target=move |event| {
                        let selected = event.target().checked();
                        visible.with_untracked(|visible| selection.select(id, selected, is_shift_pressed.get_value(), visible));
                    }
                />
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
                <CallStatusBadge status=call.status />
            </td>
            <td data-label=texts::recording() class="nowrap">
                {if call.recording.state == RecordingState::Ready {
                    view! { <WaveformPreview call=id duration waveforms player /> }.into_any()
                } else {
                    view! { <RecordingBadge state=call.recording.state /> }.into_any()
                }}
            </td>
            <td data-label=texts::transcription() class="nowrap">
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
                                {texts::transcript()}
                            </a>
                        }
                            .into_any()
                    }
                    state => view! { <TranscriptionBadge state /> }.into_any(),
                }}
            </td>
        </tr>
    }
}

/// Headers of the columns that identify a call.
pub fn identifying_headers(brief: bool, order: Option<ListOrder>) -> AnyView {
    column_headers(&COLUMNS[..if brief { BRIEF_COLUMN_COUNT } else { IDENTIFYING_COLUMN_COUNT }], order)
}

/// Cells that identify a call: time and numbers, and unless `brief` also lead and campaign.
pub fn identifying_cells(call: &Call, names: Signal<Names>, leads: Option<LeadNames>, brief: bool) -> AnyView {
    let (lead, campaign) = (call.lead_id, call.campaign_id);
    let lead_and_campaign = (!brief).then(|| {
        let lead = lead.map_or_else(
            || view! { <span class="muted">"–"</span> }.into_any(),
            |id| {
                let name = move || leads.map_or_else(|| texts::lead(id), |leads| leads.name(id));
                view! { <a href=format!("/leads/{id}") data-test="call-lead">{name}</a> }.into_any()
            },
        );
        let campaign = campaign.map_or_else(
            || view! { <span class="muted">"–"</span> }.into_any(),
            |id| {
                let name = move || {
                    names.with(|names| names.campaign(id).map(str::to_owned)).unwrap_or_else(|| texts::campaign(id))
                };
                view! { <a href=format!("/campaigns/{id}") data-test="call-campaign">{name}</a> }.into_any()
            },
        );
        view! {
            <td data-label=texts::lead_column()>{lead}</td>
            <td data-label=texts::campaign_column()>{campaign}</td>
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
            <span class="row call-numbers" title=direction>
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
    .into_any()
}

/// Phone number of a call; `None` if withheld.
#[component]
pub fn CallNumber(number: Option<String>) -> impl IntoView {
    match number {
        Some(number) => view! { <Phone number /> }.into_any(),
        None => texts::unknown().into_any(),
    }
}
