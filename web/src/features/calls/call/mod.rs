//! `/calls/{id}?t=…&q=…`: one call with its recording and transcript. `t` is the start position in seconds, `q` a
//! search in the transcript.

mod transcript_view;
mod transcription_status;

use leadscribe_engine::api::{
    Call, CallId, ChangeEvent, ExtendedLead, Peaks, RecordingState, SpeechToken, Transcription, TranscriptionState,
};
use leadscribe_engine::host;
use leptos::prelude::*;

use self::transcript_view::TranscriptView;
use self::transcription_status::TranscriptionStatus;
use crate::api::{
    Api, Session, TranscriptState, recording_url, transcript_url, use_api, use_event_stream, use_session,
};
use crate::browser::query::{use_path_id, use_query};
use crate::features::calls::send::SendCalls;
use crate::features::calls::summary::CallSummary;
use crate::i18n::texts::{call as texts, calls, common};
use crate::state::ApiResource;
use crate::ui::input::{Button, DropDown};
use crate::ui::lead::table::lead_name;
use crate::ui::list::{SkeletonBars, SkeletonCard};
use crate::ui::recording::playback::Playback;
use crate::ui::recording::waveform::RecordingPlayer;
use crate::ui::transcript::{TranscriptDetails, TranscriptionDetails};
use crate::ui::{EmptyState, ErrorNotice, Glyph, PageHeader};

/// Width of a waveform bar with its gap, in CSS pixels.
const BAR_WIDTH: f64 = 4.0;

/// Data of the page. A `Copy` handle.
#[derive(Clone, Copy)]
struct CallPageData {
    api: Api,
    id: CallId,
    call: ApiResource<Call>,
    /// Transcriptions of the call, latest first.
    transcriptions: ApiResource<Vec<Transcription>>,
    /// State of the latest transcription.
    state: Memo<Option<TranscriptionState>>,
    transcript: ApiResource<TranscriptState>,
    peaks: ApiResource<Peaks>,
    lead: ApiResource<ExtendedLead>,
    is_send_dialog_open: RwSignal<bool>,
}

impl CallPageData {
    /// Loads the data of a call, and again when its transcription changes.
    fn new(id: CallId) -> Self {
        let api = use_api();
        let transcriptions = ApiResource::<Vec<Transcription>>::new();
        let state = Memo::new(move |_| transcriptions.with(|transcriptions| Some(transcriptions?.first()?.state)));
        let data = Self {
            api,
            id,
            call: ApiResource::new(),
            transcriptions,
            state,
            transcript: ApiResource::new(),
            peaks: ApiResource::new(),
            lead: ApiResource::new(),
            is_send_dialog_open: RwSignal::new(false),
        };
        data.load();
        Effect::new(move |previous: Option<Option<TranscriptionState>>| {
            let current = state.get();
            if current == Some(TranscriptionState::Completed) {
                data.load_transcript();
            }
            // The call contains the transcription state too, so reload it.
            if previous.flatten().is_some_and(|previous| Some(previous) != current) {
                data.call.refresh(api.call(id));
            }
            current
        });
        let is_about_call = move |change: &ChangeEvent| match change {
            ChangeEvent::Transcription { call_id, .. } => *call_id == id,
            ChangeEvent::Delivery { .. } => false,
        };
        use_event_stream().reload_on(is_about_call, move || transcriptions.refresh(api.transcriptions(id)));
        data
    }

    fn load(self) {
        self.call.load(self.api.call(self.id));
        self.transcriptions.load(self.api.transcriptions(self.id));
    }

    fn load_transcript(self) {
        self.transcript.load(self.api.transcript(self.id));
    }

    fn latest_transcription(self) -> Option<Transcription> {
        self.transcriptions.with(|transcriptions| transcriptions?.first().cloned())
    }

    /// True if the call has a transcript that isn't loaded yet.
    fn is_transcript_pending(self) -> bool {
        self.state.get() == Some(TranscriptionState::Completed) && self.transcript.is_pending()
    }

    fn has_transcript(self) -> bool {
        self.transcript.with(|transcript| matches!(transcript, Some(TranscriptState::Ready(_))))
    }

    /// True if the user may send the call to speech recognition, its recording is ready, and it has no pending or
    /// completed transcription.
    fn can_send(self, session: Session) -> bool {
        let is_ready = self.call.with(|call| call.is_some_and(|call| call.recording.state == RecordingState::Ready));
        let needs_transcription = self.transcriptions.with(|transcriptions| transcriptions.is_some())
            && matches!(self.state.get(), None | Some(TranscriptionState::Failed | TranscriptionState::Cancelled));
        session.can_write() && is_ready && needs_transcription
    }
}

#[component]
pub fn CallPage() -> impl IntoView {
    let id = use_path_id(CallId);
    // State belongs to one call: another id creates a new component, so late responses can't affect it.
    move || match id.get() {
        Some(id) => view! { <SelectedCall id /> }.into_any(),
        None => view! {
            <PageHeader title=common::call() back=("/calls", texts::all_calls()) />
            <CallNotFound />
        }
        .into_any(),
    }
}

#[component]
fn SelectedCall(id: CallId) -> impl IntoView {
    let (session, data) = (use_session(), CallPageData::new(id));
    let CallPageData { api, is_send_dialog_open, .. } = data;
    let campaigns = ApiResource::requested(api.campaigns());
    // The call determines which other resources are loaded.
    let call_summary =
        Memo::new(move |_| data.call.with(|call| call.map(|call| (call.id, call.recording.clone(), call.lead_id))));
    Effect::new(move |_| {
        let Some((id, recording, lead)) = call_summary.get() else { return };
        if recording.state == RecordingState::Ready {
            data.peaks.load(api.peaks(id, bar_count()));
        }
        if let Some(lead) = lead {
            data.lead.load(api.lead(lead));
        }
    });
    // The actions are rendered once the call's state is known. Their space is reserved.
    let are_actions_pending =
        Memo::new(move |_| data.call.is_pending() || data.transcriptions.is_pending() || data.is_transcript_pending());
    let can_send = Signal::derive(move || data.can_send(session));
    let campaign = Signal::derive(move || {
        let id = data.call.with(|call| call?.campaign_id)?;
        campaigns.with(|page| Some(page?.items.iter().find(|campaign| campaign.id == id)?.name.clone()))
    });
    let lead = Signal::derive(move || data.lead.with(|lead| lead.map(|lead| lead_name(&lead.lead))));
    // Wait for the names, because showing them later would shift the content below.
    let are_names_loaded = Memo::new(move |_| {
        let has_lead = call_summary.with(|summary| summary.as_ref().is_some_and(|(_, _, lead)| lead.is_some()));
        !(campaigns.is_pending() || has_lead && data.lead.is_pending())
    });
    let summary = move || {
        let call = data.call.get().filter(|_| are_names_loaded.get())?;
        Some(view! { <CallSummary call lead campaign /> })
    };
    let is_pending = move || data.call.is_pending() || !are_names_loaded.get() && !data.call.has_failed();
    let load = Callback::new(move |()| data.load());
    let load_state = Memo::new(move |_| (call_summary.get(), data.call.error.get().map(|error| error.status())));
    let body = move || match load_state.get() {
        (None, Some(Some(404))) => view! { <CallNotFound /> }.into_any(),
        (None, Some(_)) => data.call.error.get().map(|error| view! { <ErrorNotice error on_retry=load /> }).into_any(),
        (Some((_, recording, _)), _) if are_names_loaded.get() => {
            view! { <CallBody id recording=recording.state data can_send /> }.into_any()
        }
        _ => view! { <CallSkeleton /> }.into_any(),
    };
    view! {
        <PageHeader title=common::call_number(id) back=("/calls", texts::all_calls())>
            <Show when=move || are_actions_pending.get()>
                <div class="skeleton button-placeholder" aria-hidden="true"></div>
            </Show>
            <Show when=move || data.has_transcript()>
                <Downloads id />
            </Show>
            <Show when=move || can_send.get()>
                <Button
                    class="button-primary"
                    glyph=Glyph::Send
                    label=calls::send_to_recognition()
                    test_id="send"
                    on_press=move |()| is_send_dialog_open.set(true)
                />
            </Show>
        </PageHeader>
        {summary}
        <Show when=is_pending>
            <div class="card call-summary call-summary-placeholder" aria-busy="true">
                <SkeletonBars bars=2 />
            </div>
        </Show>
        {body}
        <SendCalls
            open=is_send_dialog_open
            calls=Signal::stored(vec![id])
            on_sent=load
        />
    }
}

#[component]
fn CallNotFound() -> impl IntoView {
    let (title, text) = (texts::call_not_found(), texts::call_not_found_hint());
    view! { <EmptyState glyph=Glyph::Calls title text link=("/calls", texts::all_calls()) /> }
}

/// Placeholder for the content while it loads.
#[component]
fn CallSkeleton() -> impl IntoView {
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
fn bar_count() -> u32 {
    let width = window().inner_width().ok().and_then(|width| width.as_f64()).unwrap_or(1_000.0);
    (width / BAR_WIDTH).clamp(60.0, 400.0) as u32
}

/// Links to the transcript as a file.
#[component]
fn Downloads(id: CallId) -> impl IntoView {
    let link = move |format: &'static str, name: &'static str, description: &'static str| {
        view! {
            <a href=transcript_url(id, format) download="" rel="external" data-test=format!("download-{format}")>
                <span class="strong">{name}</span>
                <span class="cell-detail">{description}</span>
            </a>
        }
    };
    view! {
        <DropDown label=texts::download() glyph=Glyph::Download test_id="download">
            {link("vtt", "WebVTT", texts::web_captions())} {link("srt", "SRT", texts::player_subtitles())}
            {link("text", texts::text(), texts::reading_format())} {link("json", "JSON", texts::words_with_times())}
        </DropDown>
    }
}

#[component]
fn CallBody(id: CallId, recording: RecordingState, data: CallPageData, can_send: Signal<bool>) -> impl IntoView {
    let query = use_query();
    let seconds = data.call.data.with_untracked(|call| call.as_ref().and_then(|call| call.recording.duration_seconds));
    let playback = Playback::new(seconds);
    let start_seconds = query.get_untracked("t").and_then(|seconds| host::parse_float(&seconds));
    let start_seconds = start_seconds.filter(|position| position.is_finite());
    if let Some(start_seconds) = start_seconds {
        playback.seek(start_seconds);
    }
    let markers = RwSignal::new(Vec::new());
    let player = (recording == RecordingState::Ready).then(|| {
        let peaks = Signal::derive(move || data.peaks.get());
        view! { <RecordingPlayer playback src=recording_url(id) label=texts::player(id) peaks markers /> }
    });
    let search_text = query.get_untracked("q").unwrap_or_default();
    let is_ready = Memo::new(move |_| data.has_transcript() && data.state.get() == Some(TranscriptionState::Completed));
    let transcript = move || {
        let Some(TranscriptState::Ready(transcript)) = data.transcript.get() else { return ().into_any() };
        let (transcript, search_text) = (*transcript, search_text.clone());
        view! { <TranscriptView transcript playback start_seconds search_text markers /> }.into_any()
    };
    // `TranscriptionStatus` stays mounted while the transcript is loading, so that a running upload continues.
    let text = move || match is_ready.get() {
        true => transcript.clone().into_any(),
        false => view! { <TranscriptionStatus id recording data can_send /> }.into_any(),
    };
    // The transcription's details are below the transcript's. They wait for the transcript to avoid a layout shift.
    let is_transcript_pending = Memo::new(move |_| data.is_transcript_pending());
    let details = move || match data.transcript.get() {
        Some(TranscriptState::Ready(transcript)) => view! { <TranscriptDetails transcript=*transcript /> }.into_any(),
        _ if is_transcript_pending.get() => view! { <SkeletonCard bars=6 /> }.into_any(),
        _ => ().into_any(),
    };
    let speech_tokens = ApiResource::<Vec<SpeechToken>>::new();
    let has_transcriptions = Memo::new(move |_| data.state.get().is_some());
    Effect::new(move |_| {
        if has_transcriptions.get() {
            speech_tokens.load(data.api.speech_tokens());
        }
    });
    let token = Signal::derive(move || {
        let id = data.transcriptions.with(|transcriptions| Some(transcriptions?.first()?.token_id))?;
        speech_tokens.with(|speech_tokens| Some(speech_tokens?.iter().find(|token| token.id == id)?.name.clone()))
    });
    let transcription_details = move || {
        let transcription = data.latest_transcription().filter(|_| !is_transcript_pending.get())?;
        Some(view! { <TranscriptionDetails transcription token /> })
    };
    view! {
        <div class="call-page">
            <div class="call-main">{player} {text}</div>
            <aside class="stack" aria-label=texts::transcript_details()>
                {details} {transcription_details}
            </aside>
        </div>
    }
}
