//! Table of calls, with playback and selection.

use std::collections::BTreeSet;

use leadscribe_engine::api::{Call, CallId, Direction, RecordingState, TranscriptionState, UserId};
use leptos::prelude::*;

use super::told::Told;
use crate::api::{CallQuery, recording_url};
use crate::components::badge::{CallStatusBadge, RecordingBadge, TranscriptionBadge};
use crate::components::filter_editor::Names;
use crate::components::icon::{Glyph, Icon};
use crate::components::list::heads::{Head, heads};
use crate::components::list::list_table::ListTable;
use crate::components::list::page_box::PageBox;
use crate::components::list::table::SkeletonRows;
use crate::components::moment::Moment;
use crate::components::phone::Phone;
use crate::components::recording::playback::Sound;
use crate::components::recording::preview::{Heard, WavePreview};
use crate::lead_names::LeadNames;
use crate::order::ListOrder;
use crate::previews::Previews;
use crate::texts::{calls as texts, shell};

/// Column headers. The first `KNOWN` headers identify a call.
pub static HEADS: [Head; 8] = [
    Head::new(texts::time).by(NEWEST),
    Head::new(texts::numbers).by("caller_number"),
    Head::new(texts::lead_column),
    Head::new(texts::campaign_column).by("campaign_name"),
    Head::new(texts::agent).by("agent"),
    Head::new(texts::outcome).by("status"),
    Head::new(texts::recording).by("-recording.duration_seconds"),
    Head::new(texts::transcription).by("transcription_state").class("transcription-column"),
];

/// Id of the checkbox in the header that selects all calls of the page.
pub const SELECT_PAGE: &str = "call-select-page";

/// Number of headers that identify a call.
const KNOWN: usize = 4;

/// Number of these headers in the brief table.
const BRIEF: usize = 2;

/// Default sort order of calls.
pub const NEWEST: &str = "-created_at";

/// Selected calls, and the anchor for range selection. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Selection {
    chosen: RwSignal<BTreeSet<CallId>>,
    anchor: StoredValue<Option<CallId>>,
    among: StoredValue<Option<Among>>,
}

/// User and query that a selection belongs to.
pub type Among = (Option<UserId>, CallQuery);

/// Selection of the panel's list of calls. It outlives the list, so that it is still there when the user returns from a call.
pub fn use_call_selection() -> Selection {
    expect_context()
}

impl Selection {
    pub fn new() -> Self {
        Self { chosen: RwSignal::new(BTreeSet::new()), anchor: StoredValue::new(None), among: StoredValue::new(None) }
    }

    /// Sets the user and query of the list. Clears the selection if they have changed, because selected calls could be hidden. Returns how
    /// many calls of the same user were deselected, or `None` if nothing has changed.
    pub fn look_at(self, among: Among) -> Option<u64> {
        let before = self.among.get_value();
        if before.as_ref() == Some(&among) {
            return None;
        }
        let is_theirs = before.is_some_and(|(user, _)| user == among.0);
        let dropped = if is_theirs { untrack(|| self.len()) as u64 } else { 0 };
        self.clear();
        self.among.set_value(Some(among));
        Some(dropped)
    }

    pub fn ids(self) -> Vec<CallId> {
        self.chosen.with(|chosen| chosen.iter().copied().collect())
    }

    pub fn len(self) -> usize {
        self.chosen.with(BTreeSet::len)
    }

    pub fn clear(self) {
        self.chosen.update(BTreeSet::clear);
        self.anchor.set_value(None);
    }

    /// True if the call is selected.
    pub fn has(self, id: CallId) -> bool {
        self.chosen.with(|chosen| chosen.contains(&id))
    }

    /// Selects or deselects a call; with `range`, all calls between it and the anchor.
    fn press(self, id: CallId, selected: bool, range: bool, shown: &[CallId]) {
        let place = |id| shown.iter().position(|one| *one == id);
        let ids = match (self.anchor.get_value().and_then(place), place(id)) {
            (Some(from), Some(to)) if range => &shown[from.min(to)..=from.max(to)],
            _ => &[id],
        };
        self.set(ids, selected);
        self.anchor.set_value(Some(id));
    }

    /// Selects or deselects these calls.
    fn set(self, ids: &[CallId], selected: bool) {
        self.chosen.update(|chosen| {
            for id in ids {
                if selected {
                    chosen.insert(*id);
                } else {
                    chosen.remove(id);
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
    previews: Previews,
    /// Names of the leads.
    #[prop(optional)]
    leads: Option<LeadNames>,
    /// Present if rows can be selected.
    #[prop(optional_no_strip)]
    selection: Option<Selection>,
    /// Hides lead and campaign, for the page of one lead.
    #[prop(optional)]
    brief: bool,
    /// State changes received since the calls were requested.
    #[prop(optional, into)]
    told: Signal<Told>,
    #[prop(optional, into)] stale: Signal<bool>,
    /// Present if the table can be sorted.
    #[prop(optional)]
    order: Option<ListOrder>,
) -> impl IntoView {
    let heard = Heard::new();
    let shown = Memo::new(move |_| calls.with(|calls| calls.iter().flatten().map(|call| call.id).collect::<Vec<_>>()));
    let columns = HEADS.len() + usize::from(selection.is_some()) - (KNOWN - BRIEF) * usize::from(brief);
    let rows = move || match calls.get() {
        None => view! { <SkeletonRows columns lines=2 /> }.into_any(),
        Some(calls) => calls
            .into_iter()
            .map(|call| view! { <CallRow call names leads previews selection shown told brief heard /> })
            .collect_view()
            .into_any(),
    };
    // Playback stops when the row is removed.
    Effect::new(move |_| {
        if heard.call().is_some_and(|id| shown.with(|shown| !shown.contains(&id))) {
            heard.end();
        }
    });
    let src = Signal::derive(move || heard.call().map(recording_url));
    let select = selection.map(|selection| {
        view! {
            <th scope="col" class="fit">
                <CallPageBox id=Some(SELECT_PAGE) selection shown test="select-page" />
            </th>
        }
    });
    let heads = (select, known_heads(brief, order), heads(&HEADS[KNOWN..], order)).into_any();
    view! {
        <Sound playback=heard.playback src autoplay=true />
        <ListTable caption=shell::calls() class="calls-table" stale heads>
            {rows}
        </ListTable>
    }
}

/// Checkbox that selects all calls of the page.
#[component]
pub fn CallPageBox(
    #[prop(optional_no_strip)] id: Option<&'static str>,
    selection: Selection,
    #[prop(into)] shown: Signal<Vec<CallId>>,
    test: &'static str,
) -> impl IntoView {
    let selected = move || shown.with(|shown| (shown.iter().filter(|id| selection.has(**id)).count(), shown.len()));
    let on_change = Callback::new(move |selected| shown.with_untracked(|shown| selection.set(shown, selected)));
    view! { <PageBox id label=texts::select_page() test selected=Signal::derive(selected) on_change /> }
}

#[component]
fn CallRow(
    call: Call,
    names: Signal<Names>,
    leads: Option<LeadNames>,
    previews: Previews,
    selection: Option<Selection>,
    shown: Memo<Vec<CallId>>,
    told: Signal<Told>,
    brief: bool,
    heard: Heard,
) -> impl IntoView {
    let id = call.id;
    let sent = call.transcription_state;
    let transcription = Memo::new(move |_| told.with(|told| told.state(id)).or(sent));
    let duration = call.recording.duration_seconds;
    let shift = StoredValue::new(false);
    let select = selection.map(|selection| {
        view! {
            <td class="fit corner">
                <input
                    class="checkbox"
                    type="checkbox"
                    aria-label=texts::select_call(id)
                    data-test="select-call"
                    prop:checked=move || selection.has(id)
                    on:click=move |event: web_sys::MouseEvent| shift.set_value(event.shift_key())
                    on:change:target=move |event| {
                        let selected = event.target().checked();
                        shown.with_untracked(|shown| selection.press(id, selected, shift.get_value(), shown));
                    }
                />
            </td>
        }
    });
    view! {
        <tr data-row="" data-test="call-row" data-id=id.to_string() aria-selected=move || {
            selection.map(|selection| selection.has(id).to_string())
        }>
            {select}
            {known_by(&call, names, leads, brief)}
            <td data-label=texts::agent() class="as-typed">{call.agent.unwrap_or_else(|| "–".to_owned())}</td>
            <td data-label=texts::outcome()>
                <CallStatusBadge status=call.status />
            </td>
            <td data-label=texts::recording() class="nowrap">
                {if call.recording.state == RecordingState::Ready {
                    view! { <WavePreview call=id duration previews heard /> }.into_any()
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
pub fn known_heads(brief: bool, order: Option<ListOrder>) -> AnyView {
    heads(&HEADS[..if brief { BRIEF } else { KNOWN }], order)
}

/// Cells that identify a call: time and numbers, and unless `brief` also lead and campaign.
pub fn known_by(call: &Call, names: Signal<Names>, leads: Option<LeadNames>, brief: bool) -> AnyView {
    let (lead, campaign) = (call.lead_id, call.campaign_id);
    let others = (!brief).then(|| {
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
            <Moment at=call.started_at.unwrap_or(call.created_at) />
            <div class="cell-sub">
                <CallLink id=call.id />
            </div>
        </td>
        <td data-label=texts::numbers()>
            <span class="row call-numbers" title=direction>
                <Icon glyph />
                <span class="visually-hidden">{direction} ": "</span>
                <span>
                    <CallNumber number=caller />
                    " " <span class="cell-sub nowrap">{texts::to()} " " <CallNumber number=callee /></span>
                </span>
            </span>
        </td>
        {others}
    }
    .into_any()
}

/// Link to a call, labelled with its id.
#[component]
pub fn CallLink(id: CallId) -> impl IntoView {
    view! {
        <a href=format!("/calls/{id}") class="row-link" data-opens="" data-test="call">
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
