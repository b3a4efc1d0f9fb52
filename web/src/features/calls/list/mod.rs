//! `/calls?…`: calls by filter, with playback and sending to speech recognition. `/calls?skipped=mine`: skipped calls.

mod skipped_page;

use std::collections::BTreeMap;

use leadscribe_engine::api::{Call, CallStatus, ChangeEvent, Direction, RecordingState, TranscriptionState};
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;
use leptos_router::hooks::use_location;

use self::skipped_page::SkippedCallsPage;
use crate::api::{CallQuery, ListQuery, use_api, use_event_stream, use_session};
use crate::browser::focus::focus_after_render;
use crate::browser::query::use_query;
use crate::features::calls::cancel_transcriptions::{
    CancelTranscriptionButton, CancelTranscriptionDialog, PendingCancellation,
};
use crate::features::calls::send::SendCalls;
use crate::features::calls::skipped::{SkippedCalls, use_skipped_calls};
use crate::i18n::diagnostics_signal;
use crate::i18n::number_format::normalize_search_text;
use crate::i18n::texts::{calls as texts, common, shell, statuses};
use crate::state::{ApiResource, use_toasts};
use crate::ui::call_table::{COLUMNS, CallTable, DEFAULT_ORDER, LiveOverrides, SELECT_PAGE_ID};
use crate::ui::filter_editor::Names;
use crate::ui::input::{
    Choice, DateTimeInput, FieldAccessor, FieldDiagnostics, MoreFilters, SearchInput, Select, enum_choices, query_field,
};
use crate::ui::lead::lead_names::{LeadNames, lead_ids};
use crate::ui::list::{
    CallSelection, ExportMenu, ListSection, PageCheckbox, PaginatedList, SelectionBar, SelectionScope, Total,
    export_files,
};
use crate::ui::recording::waveform_preview::WaveformCache;
use crate::ui::{BadgeState, EmptyState, Glyph, Icon, PageHeader, QueueStatus, RecognizerNotice, direction_name};

const PAGE_PATH: &str = "/calls";

#[component]
pub fn CallsPage() -> impl IntoView {
    let (api, query, skipped) = (use_api(), use_query(), use_skipped_calls());
    let campaigns = ApiResource::requested(api.campaigns());
    let names = Names::from_resources(campaigns, ApiResource::new());
    let is_skipped = Memo::new(move |_| query.get("skipped").as_deref() == Some("mine"));
    move || match is_skipped.get() {
        true => view! { <SkippedCallsPage skipped names /> }.into_any(),
        false => view! { <CallList skipped names /> }.into_any(),
    }
}

#[component]
fn CallList(skipped: SkippedCalls, names: Signal<Names>) -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let build_url = |query: &CallQuery| format!("{PAGE_PATH}{}", query.query_string());
    let list = PaginatedList::<_, Call>::new(build_url, |query| &query.search);
    let PaginatedList { list_query, page_resource: calls, show, .. } = list;
    let waveforms = WaveformCache::new(api);
    let leads = LeadNames::new(api);
    let selection = expect_context::<CallSelection>();
    let overrides = RwSignal::new(LiveOverrides::default());
    // The URL keeps the text as typed.
    let sent_query = Memo::new(move |_| normalize_search(list_query.get()));
    let load_with_leads = move |query: CallQuery| async move {
        let event_count = overrides.try_with_untracked(LiveOverrides::count);
        let response = leads.load_with_names(api.page(query), lead_ids).await;
        // Drops events that the response supersedes. Events since the start of the request are kept, because they may
        // be newer. Events of selected calls on other pages are kept too, because nothing else has their state. The
        // page may have been closed.
        if let (Some(event_count), Ok(page)) = (event_count, &response) {
            let is_kept = |id| selection.contains(id) && !page.items.iter().any(|call| call.id == id);
            _ = overrides.try_update(|overrides| overrides.discard(event_count, |id| untrack(|| is_kept(id))));
        }
        response
    };
    let sending = RwSignal::new(false);
    let confirmation = PendingCancellation::new();

    let load = move || calls.load(load_with_leads(normalize_search(list.page_query())));
    // The selection is kept across pages and sort orders.
    let pathname = use_location().pathname;
    Effect::new(move |_| {
        let filter = CallQuery { limit: String::new(), order: String::new(), ..list_query.get() };
        // While navigating away, the URL already belongs to another page.
        if pathname.get_untracked() != PAGE_PATH {
            return;
        }
        let user = untrack(|| session.user()).map(|user| user.id);
        if let Some(removed_count) = selection.set_scope(SelectionScope { user, filter: filter.query_string() }) {
            confirmation.close();
            if removed_count > 0 {
                toasts.show_success(common::selection_dropped());
            }
        }
        load();
    });
    let recognizer = ApiResource::requested(api.recognizer_status());
    let live = use_event_stream();
    live.on_change(move |change| {
        if let ChangeEvent::Transcription { call_id, state } = change {
            overrides.update(|overrides| overrides.record(call_id, state));
        }
    });
    let is_transcription = |change: &ChangeEvent| matches!(change, ChangeEvent::Transcription { .. });
    live.reload_on(is_transcription, move || recognizer.refresh(api.recognizer_status()));
    // A list that is filtered by state is loaded again, so that calls in another state disappear.
    let affects_filter = move |change: &ChangeEvent| {
        is_transcription(change)
            && list_query.try_with_untracked(|list_query| !list_query.transcription.is_empty()) == Some(true)
    };
    live.reload_on(affects_filter, move || calls.refresh(load_with_leads(normalize_search(list.page_query()))));
    let recognizer_status = Signal::derive(move || recognizer.get());
    let (order, items, stale) = (list.order(DEFAULT_ORDER), list.items(), list.is_stale());
    let table = move || {
        // Selecting is for users with permission to send calls.
        let selection = session.can_write().then_some(selection);
        view! { <CallTable calls=items names leads waveforms selection overrides stale order /> }
    };
    let empty = move || {
        let link = session.can_write().then_some(("/imports", texts::import_calls()));
        let (title, text) = (common::no_calls(), texts::no_calls_hint());
        view! { <EmptyState glyph=Glyph::Calls title text link is_primary=true /> }
    };
    let note = move || view! { <Total total=list.total() format=common::calls /> };
    // For each selected call: true if it is queued or being transcribed, unknown if it is on another page.
    let waiting_by_call = Memo::new(move |_| {
        let listed_states: BTreeMap<_, _> =
            items.with(|items| items.iter().flatten().map(|call| (call.id, call.transcription_state)).collect());
        let is_waiting = |state| matches!(state, Some(TranscriptionState::Queued | TranscriptionState::Processing));
        let known_state =
            |overrides: &LiveOverrides, id| overrides.state(id).map(Some).or_else(|| listed_states.get(&id).copied());
        let selected = selection.ids().into_iter();
        overrides
            .with(|overrides| selected.map(|id| (id, known_state(overrides, id).map(is_waiting))).collect::<Vec<_>>())
    });
    let has_waiting_selected =
        move || waiting_by_call.with(|calls| calls.iter().any(|(_, waits)| *waits == Some(true)));
    let unfinished = Signal::derive(move || {
        let calls = waiting_by_call.get().into_iter().filter(|(_, waits)| *waits != Some(false));
        calls.map(|(id, _)| id).collect::<Vec<_>>()
    });
    let page_ids = Signal::derive(move || items.with(|items| items.iter().flatten().map(|call| call.id).collect()));
    let selected = Signal::derive(move || selection.len());
    let actions = move || {
        let cancel = move || view! { <CancelTranscriptionButton confirmation calls=unfinished small=true /> };
        view! { <Show when=has_waiting_selected>{cancel}</Show> }
    };
    let selection_bar = session.can_write().then(|| {
        let status_text = Signal::derive(move || texts::selected(selected.get()));
        let on_clear = Callback::new(move |()| selection.clear());
        let label = texts::selected_calls();
        view! { <SelectionBar label count=selected status_text on_clear focus_after_clear=SELECT_PAGE_ID actions /> }
            .into_any()
    });
    let label = texts::select_page();
    let page_box = session
        .can_write()
        .then(|| view! { <PageCheckbox label test_id="select-cards" selection visible=page_ids /> }.into_any());
    // Warnings about speech recognition are at the top. The content below them stays hidden until it is known whether
    // there are any, to avoid a layout shift.
    view! {
        <PageHeader title=shell::calls() note=ViewFn::from(note)>
            <Show when=move || session.can_write() && !skipped.calls.with(Vec::is_empty)>
                <a class="button skipped-link" href="/calls?skipped=mine" data-test="skipped-list">
                    {move || texts::skipped_call_count(skipped.calls.with(Vec::len) as u64)}
                </a>
            </Show>
            <ExportMenu files=export_files(sent_query) />
            <Show when=move || session.can_write()>
                <button
                    type="button"
                    class="button button-primary"
                    data-test="send"
                    title=texts::select_first()
                    disabled=move || selected.get() == 0
                    on:click=move |_| sending.set(true)
                >
                    <Icon glyph=Glyph::Send />
                    {texts::send_to_recognition()}
                </button>
            </Show>
        </PageHeader>
        <div class="stack" hidden=move || recognizer.is_pending()>
            <RecognizerNotice status=recognizer_status />
            <CallFilter query=list_query names diagnostics=list.diagnostics() on_change=show />
            <QueueStatus status=recognizer_status />
            <ListSection
                list
                label=texts::calls_found()
                field_parameters=&FIELD_PARAMETERS
                columns=&COLUMNS
                order
                leading=page_box
                glyph=Glyph::Calls
                no_match=(texts::no_match(), common::remove_filter_hint())
                reset_label=texts::show_all()
                on_retry=Callback::new(move |()| load())
                empty
                table
            >
                {selection_bar}
            </ListSection>
        </div>
        <CancelTranscriptionDialog
            confirmation
            calls=unfinished
            on_done=Callback::new(move |()| {
                selection.clear();
                load();
                focus_after_render(SELECT_PAGE_ID.to_owned());
            })
        />
        <SendCalls
            open=sending
            calls=Signal::derive(move || selection.ids())
            recognizer=recognizer_status
            on_sent=Callback::new(move |()| {
                selection.clear();
                skipped.reload();
                load();
            })
        />
    }
}

/// Replaces a typed phone number with its stored form.
fn normalize_search(query: CallQuery) -> CallQuery {
    CallQuery { search: normalize_search_text(&query.search), ..query }
}

/// Parameters whose diagnostics are shown at their inputs.
pub const FIELD_PARAMETERS: [&str; 5] = ["search", "from", "till", "transcription_from", "transcription_till"];

#[component]
pub fn CallFilter(
    query: Memo<CallQuery>,
    #[prop(into)] names: Signal<Names>,
    /// Diagnostics that the server found in the query.
    #[prop(into)]
    diagnostics: Signal<Vec<Diagnostic>>,
    on_change: Callback<CallQuery>,
) -> impl IntoView {
    let input = move |accessor: FieldAccessor<CallQuery>| query_field(query, on_change, accessor);
    let (search, set_search) = input(|query| &mut query.search);
    let select_input = move |label: &'static str, empty_label: &'static str, choices: Signal<Vec<Choice>>, accessor| {
        let (value, set) = input(accessor);
        view! { <Select label empty_label choices value set /> }
    };
    let datetime_input = move |label: &'static str, test_id: &'static str, name: &'static str, accessor| {
        let (value, set) = input(accessor);
        view! { <DateTimeInput label test_id diagnostics=diagnostics_signal(diagnostics, name) value set /> }
    };
    let campaigns = Signal::derive(move || names.with(Names::campaign_choices));
    let directions = Signal::stored(enum_choices(Direction::ALL, Direction::as_str, direction_name));
    let statuses = Signal::stored(enum_choices(CallStatus::ALL, CallStatus::as_str, BadgeState::state_label));
    let recordings = Signal::stored(enum_choices(RecordingState::ALL, RecordingState::as_str, BadgeState::state_label));
    let mut transcriptions = vec![("never".to_owned(), statuses::not_sent().to_owned())];
    transcriptions.extend(enum_choices(TranscriptionState::ALL, TranscriptionState::as_str, BadgeState::state_label));
    let transcriptions = Signal::stored(transcriptions);
    let active_filter_count = Memo::new(move |_| query.with(|query| query.count_conditions_except("search")));
    view! {
        <form class="filter-line" role="search" aria-label=shell::calls() on:submit=|event| event.prevent_default()>
            <div>
                <div class="search">
                    <Icon glyph=Glyph::Search />
                    <SearchInput
                        label=texts::search()
                        placeholder=texts::number_or_name()
                        test_id="call-search"
                        value=search
                        set=set_search
                    />
                </div>
                <FieldDiagnostics diagnostics=diagnostics_signal(diagnostics, "search") />
            </div>
            <MoreFilters id="call-filters" active_count=active_filter_count>
                {select_input(common::campaign(), texts::any_campaign(), campaigns, |query| &mut query.campaign_id)}
                {select_input(texts::direction(), texts::any_direction(), directions, |query| &mut query.direction)}
                {select_input(texts::outcome(), texts::any_outcome(), statuses, |query| &mut query.status)}
                {select_input(texts::recording(), texts::any_recording(), recordings, |query| &mut query.recording)}
                {select_input(common::transcription(), texts::any_transcription(), transcriptions, |query| &mut query.transcription)}
                {datetime_input(common::from(), "call-from", "from", |query| &mut query.from)}
                {datetime_input(common::until(), "call-till", "till", |query| &mut query.till)}
                {datetime_input(texts::transcribed_from(), "call-transcription-from", "transcription_from", |query| {
                    &mut query.transcription_from
                })}
                {datetime_input(texts::transcribed_until(), "call-transcription-till", "transcription_till", |query| {
                    &mut query.transcription_till
                })}
            </MoreFilters>
        </form>
    }
}
