//! `/calls/{id}?t=…&q=…`: one call with its recording and transcript. `t` is the start position in seconds, `q` a search in the
//! transcript.

mod keys;
mod text;
mod upload;
mod waiting;

use leadscribe_engine::api::{
    Call, CallId, Change, ExtendedLead, Peaks, RecordingState, SpeechToken, Transcription, TranscriptionState,
};
use leadscribe_engine::host;
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use self::text::Text;
use super::send_calls::SendCalls;
use crate::api::{Reading, recording_url, transcript_url, use_api};
use crate::components::call::summary::CallSummary;
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::input::drop_down::DropDown;
use crate::components::lead::table::lead_name;
use crate::components::list::table::{SkeletonBars, SkeletonCard};
use crate::components::recording::playback::Playback;
use crate::components::recording::player::WavePlayer;
use crate::components::shell::page_head::PageHead;
use crate::components::transcript::facts::{TranscriptFacts, WorkFacts};
use crate::live::use_live;
use crate::query::use_query;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::{call as texts, calls};

/// Width of a waveform bar with its gap, in CSS pixels.
const BAR: f64 = 4.0;

/// File formats of a transcript: format parameter, name and description.
fn files() -> [(&'static str, &'static str, &'static str); 4] {
    [
        ("vtt", "WebVTT", texts::for_web()),
        ("srt", "SRT", texts::for_players()),
        ("text", texts::text(), texts::to_be_read()),
        ("json", "JSON", texts::every_word()),
    ]
}

/// Resources that the page loads.
#[derive(Clone, Copy)]
struct Asked {
    call: Remote<Call>,
    /// Transcriptions of the call, latest first.
    work: Remote<Vec<Transcription>>,
    text: Remote<Reading>,
    peaks: Remote<Peaks>,
    lead: Remote<ExtendedLead>,
}

impl Asked {
    fn state(&self) -> Option<TranscriptionState> {
        self.work.with(|work| Some(work?.first()?.state))
    }

    /// True if the call has a transcript that isn't loaded yet.
    fn awaits_text(&self) -> bool {
        self.state() == Some(TranscriptionState::Completed) && self.text.is_awaited()
    }
}

#[component]
pub fn CallPage() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")).and_then(|id| id.parse().ok()).map(CallId));
    let asked = Asked {
        call: Remote::new(),
        work: Remote::new(),
        text: Remote::new(),
        peaks: Remote::new(),
        lead: Remote::new(),
    };
    let campaigns = Remote::new();
    campaigns.load(api.campaigns());
    let load = Callback::new(move |()| {
        if let Some(id) = id.get_untracked() {
            asked.call.load(api.call(id));
            asked.work.load(api.transcriptions(id));
        }
    });
    Effect::new(move |_| {
        id.get();
        asked.call.clear();
        asked.work.clear();
        asked.text.clear();
        asked.peaks.clear();
        asked.lead.clear();
        load.run(());
    });
    // The call determines which other resources are loaded.
    let has =
        Memo::new(move |_| asked.call.with(|call| call.map(|call| (call.id, call.recording.clone(), call.lead_id))));
    Effect::new(move |_| {
        let Some((id, recording, lead)) = has.get() else { return };
        if recording.state == RecordingState::Ready {
            asked.peaks.load(api.peaks(id, bars()));
        }
        if let Some(lead) = lead {
            asked.lead.load(api.lead(lead));
        }
    });
    let state = Memo::new(move |_| asked.state());
    let load_text = Callback::new(move |()| {
        if let Some(id) = id.get_untracked() {
            asked.text.load(api.transcript(id));
        }
    });
    Effect::new(move |before: Option<Option<TranscriptionState>>| {
        let now = state.get();
        if now == Some(TranscriptionState::Completed) {
            load_text.run(());
        }
        // The call contains the state too.
        if before.flatten().is_some_and(|before| Some(before) != now)
            && let Some(id) = id.get_untracked()
        {
            asked.call.refresh(api.call(id));
        }
        now
    });
    let matters = move |change: &Change| {
        let Change::Transcription { call_id, .. } = change else { return false };
        Some(*call_id) == id.get_untracked()
    };
    use_live().reload(matters, move || {
        if let Some(id) = id.get_untracked() {
            asked.work.refresh(api.transcriptions(id));
        }
    });

    let sending = RwSignal::new(false);
    let may_send = Signal::derive(move || {
        let is_ready = asked.call.with(|call| call.is_some_and(|call| call.recording.state == RecordingState::Ready));
        let is_free = asked.work.with(|work| work.is_some())
            && matches!(state.get(), None | Some(TranscriptionState::Failed | TranscriptionState::Cancelled));
        session.may_write() && is_ready && is_free
    });
    // The actions are rendered once the call's state is known. Their space is reserved.
    let is_open = Memo::new(move |_| asked.call.is_awaited() || asked.work.is_awaited() || asked.awaits_text());
    let has_text = move || asked.text.with(|text| matches!(text, Some(Reading::Ready(_))));
    let title = Signal::derive(move || id.get().map_or_else(|| texts::call().to_owned(), calls::call));
    let fact = move || {
        view! {
            <a class="breadcrumb" href="/calls">
                <Icon glyph=Glyph::Previous />
                {texts::all_calls()}
            </a>
        }
    };
    let campaign = Signal::derive(move || {
        let id = asked.call.with(|call| call?.campaign_id)?;
        campaigns.with(|page| Some(page?.items.iter().find(|campaign| campaign.id == id)?.name.clone()))
    });
    let lead = Signal::derive(move || asked.lead.with(|lead| lead.map(|lead| lead_name(&lead.lead))));
    // Names that appear later would move the content below.
    let is_named = Memo::new(move |_| {
        let has_lead = has.with(|has| has.as_ref().is_some_and(|(_, _, lead)| lead.is_some()));
        !(campaigns.is_awaited() || has_lead && asked.lead.is_awaited())
    });
    let summary = move || {
        let call = asked.call.get().filter(|_| is_named.get())?;
        Some(view! { <CallSummary call lead campaign /> })
    };
    let is_awaited = move || asked.call.is_awaited() || !is_named.get() && !asked.call.has_failed();
    let known = Memo::new(move |_| (has.get(), asked.call.error().map(|error| error.status())));
    let body = move || match (id.get(), known.get()) {
        (None, _) | (_, (None, Some(Some(404)))) => view! { <NoSuchCall /> }.into_any(),
        (_, (None, Some(_))) => {
            asked.call.error().map(|error| view! { <ErrorNotice error on_retry=load /> }).into_any()
        }
        (_, (None, None)) => view! { <Awaited /> }.into_any(),
        (_, (Some(_), _)) if !is_named.get() => view! { <Awaited /> }.into_any(),
        (Some(id), (Some((_, recording, _)), _)) => {
            view! { <CallBody id recording=recording.state asked state may_send sending load load_text /> }.into_any()
        }
    };
    view! {
        <PageHead title fact=ViewFn::from(fact)>
            <Show when=move || is_open.get()>
                <div class="skeleton button-place" aria-hidden="true"></div>
            </Show>
            <Show when=has_text>{move || id.get().map(|id| view! { <Downloads id /> })}</Show>
            <Show when=move || may_send.get()>
                <button
                    type="button"
                    class="button button-primary"
                    data-test="send"
                    on:click=move |_| sending.set(true)
                >
                    <Icon glyph=Glyph::Send />
                    {calls::send_to_recognition()}
                </button>
            </Show>
        </PageHead>
        {summary}
        <Show when=is_awaited>
            <div class="card call-summary call-summary-awaited" aria-busy="true">
                <SkeletonBars bars=2 />
            </div>
        </Show>
        {body}
        <SendCalls
            open=sending
            calls=Signal::derive(move || id.get().into_iter().collect())
            on_sent=load
        />
    }
    .into_any()
}

/// Placeholder for the content while it is loaded.
#[component]
fn Awaited() -> impl IntoView {
    view! {
        <div class="call-page">
            <div class="call-main">
                <SkeletonCard bars=3 />
                <SkeletonCard bars=8 />
            </div>
            <aside class="stack">
                <SkeletonCard bars=6 />
            </aside>
        </div>
    }
}

/// Number of waveform bars that fit into the window.
fn bars() -> u32 {
    let width = window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or(1_000.0);
    (width / BAR).clamp(60.0, 400.0) as u32
}

#[component]
fn Downloads(id: CallId) -> impl IntoView {
    let links = files().map(|(format, name, what)| {
        view! {
            <a href=transcript_url(id, format) download="" rel="external" data-test=format!("download-{format}")>
                <span class="strong">{name}</span>
                <span class="cell-sub">{what}</span>
            </a>
        }
    });
    view! {
        <DropDown label=texts::download() glyph=Glyph::Download test="download">
            {links.into_iter().collect_view()}
        </DropDown>
    }
}

#[component]
fn CallBody(
    id: CallId,
    recording: RecordingState,
    asked: Asked,
    state: Memo<Option<TranscriptionState>>,
    may_send: Signal<bool>,
    sending: RwSignal<bool>,
    load: Callback<()>,
    load_text: Callback<()>,
) -> impl IntoView {
    let query = use_query();
    let seconds = asked.call.try_with_untracked(|call| call.and_then(|call| call.recording.duration_seconds)).flatten();
    let playback = Playback::new(seconds);
    let begin = query.get_untracked("t").and_then(|seconds| host::float(&seconds)).filter(|t| t.is_finite());
    if let Some(begin) = begin {
        playback.seek(begin);
    }
    let marks = RwSignal::new(Vec::new());
    let player = (recording == RecordingState::Ready).then(|| {
        let peaks = Signal::derive(move || asked.peaks.get());
        view! { <WavePlayer playback src=recording_url(id) label=texts::player(id) peaks marks /> }
    });
    let words = query.get_untracked("q").unwrap_or_default();
    let is_ready = Memo::new(move |_| {
        let is_there = asked.text.with(|text| matches!(text, Some(Reading::Ready(_))));
        is_there && state.get() == Some(TranscriptionState::Completed)
    });
    let text = move || match asked.text.get() {
        Some(Reading::Ready(transcript)) => {
            view! { <Text transcript=*transcript playback begin words=words.clone() marks /> }.into_any()
        }
        _ => ().into_any(),
    };
    // An upload that is running while the transcript is loaded continues.
    let text = move || match is_ready.get() {
        true => text.clone().into_any(),
        false => view! { <waiting::Waiting id recording asked state may_send sending load load_text /> }.into_any(),
    };
    // The facts of the transcript are above those of the transcriptions, so those wait for it to avoid a layout shift.
    let awaits_text = Memo::new(move |_| asked.awaits_text());
    let facts = move || match asked.text.get() {
        Some(Reading::Ready(transcript)) => view! { <TranscriptFacts transcript=*transcript /> }.into_any(),
        _ if awaits_text.get() => view! { <SkeletonCard bars=6 /> }.into_any(),
        _ => ().into_any(),
    };
    let tokens = Remote::<Vec<SpeechToken>>::new();
    let (api, has_work) =
        (use_api(), Memo::new(move |_| asked.work.with(|work| work.is_some_and(|work| !work.is_empty()))));
    Effect::new(move |_| {
        if has_work.get() {
            tokens.load(api.speech_tokens());
        }
    });
    let token = Signal::derive(move || {
        let id = asked.work.with(|work| Some(work?.first()?.token_id))?;
        tokens.with(|tokens| Some(tokens?.iter().find(|token| token.id == id)?.name.clone()))
    });
    let work = move || {
        let work = asked.work.with(|work| work?.first().cloned()).filter(|_| !awaits_text.get())?;
        Some(view! { <WorkFacts work token /> })
    };
    view! {
        <div class="call-page">
            <div class="call-main">{player} {text}</div>
            <aside class="stack" aria-label=texts::about_transcript()>
                {facts} {work}
            </aside>
        </div>
    }
}

#[component]
fn NoSuchCall() -> impl IntoView {
    view! {
        <Empty glyph=Glyph::Calls title=texts::no_such_call() text=texts::look_again()>
            <a class="button" href="/calls">
                {texts::all_calls()}
            </a>
        </Empty>
    }
}
