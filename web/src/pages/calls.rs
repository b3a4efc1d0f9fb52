//! `/calls?…`: calls by filter, with playback and sending to speech recognition. `/calls?skipped=mine`: calls that a send skipped.

mod skipped;

use std::collections::BTreeMap;

use leadscribe_engine::api::{Call, Campaign, Change, Page, TranscriptionState};
use leptos::prelude::*;
use leptos_router::hooks::use_location;

use self::skipped::SkippedPage;
use super::send_calls::SendCalls;
use crate::api::{CallQuery, ListQuery, use_api};
use crate::components::call::cancel_transcriptions::{CancelDialog, CancelTranscription, Cancelling};
use crate::components::call::filter::{self, CallFilter};
use crate::components::call::table::{CallPageBox, CallTable, HEADS, NEWEST, SELECT_PAGE, use_call_selection};
use crate::components::call::told::Told;
use crate::components::empty::{BehindLast, Empty, NoMatch};
use crate::components::filter_editor::Names;
use crate::components::icon::{Glyph, Icon};
use crate::components::list::export_menu::{ExportMenu, files_of};
use crate::components::list::faulty_link::ListError;
use crate::components::list::heads::OrderPick;
use crate::components::list::pager::Pager;
use crate::components::list::selection_bar::SelectionBar;
use crate::components::list::total::Total;
use crate::components::shell::page_head::PageHead;
use crate::components::shell::toast::use_toasts;
use crate::components::transcript::recognizer_notice::{QueueLine, RecognizerNotice};
use crate::figures::searched;
use crate::focus::focus_soon;
use crate::lead_names::{LeadNames, leads_of};
use crate::live::use_live;
use crate::paged::Paged;
use crate::previews::Previews;
use crate::query::use_query;
use crate::remote::Remote;
use crate::session::use_session;
use crate::skipped::{SkippedCalls, use_skipped};
use crate::texts::{calls as texts, common, shell};

/// Path of this page.
const PATH: &str = "/calls";

/// Default number of rows per page.
const ROWS: u64 = 50;

#[component]
pub fn CallsPage() -> impl IntoView {
    let (api, query, skipped) = (use_api(), use_query(), use_skipped());
    let campaigns = Remote::<Page<Campaign>>::new();
    campaigns.load(api.campaigns());
    let names = Signal::derive(move || Names {
        campaigns: campaigns.with(|page| page.map(|page| page.items.clone()).unwrap_or_default()),
        ..Default::default()
    });
    let is_skipped = Memo::new(move |_| query.get("skipped").as_deref() == Some("mine"));
    move || match is_skipped.get() {
        true => view! { <SkippedPage skipped names /> }.into_any(),
        false => view! { <CallList skipped names /> }.into_any(),
    }
}

#[component]
fn CallList(skipped: SkippedCalls, names: Signal<Names>) -> impl IntoView {
    let (api, session, toasts) = (use_api(), use_session(), use_toasts());
    let address = |query: &CallQuery| format!("{PATH}{}", query.query_string());
    let list = Paged::<_, Call>::new(ROWS, address, |query| &query.search);
    let Paged { wanted, found: calls, window, show } = list;
    let previews = Previews::new(api);
    let leads = LeadNames::new(api);
    let selection = use_call_selection();
    let told = RwSignal::new(Told::default());
    // The address keeps the text as typed.
    let asked = Memo::new(move |_| named(wanted.get()));
    let with_leads = move |query: CallQuery| async move {
        let before = told.try_with_untracked(Told::count);
        let answer = leads.beside(api.calls(query), leads_of).await;
        // Drops events that the answer supersedes. Keeps those received since the request started, which may be newer, and
        // those of selected calls that aren't on the page, which have no other source. The page may have been closed.
        if let (Some(before), Ok(page)) = (before, &answer) {
            let stays = |id| selection.has(id) && !page.items.iter().any(|call| call.id == id);
            _ = told.try_update(|told| told.forget(before, |id| untrack(|| stays(id))));
        }
        answer
    };
    let sending = RwSignal::new(false);
    let cancelling = Cancelling::new();

    let load = move || calls.load(with_leads(named(list.part())));
    // The selection is kept across pages and sort orders.
    let pathname = use_location().pathname;
    Effect::new(move |_| {
        let filter = CallQuery { limit: String::new(), order: String::new(), ..wanted.get() };
        // While navigating away, the address already belongs to another page.
        if pathname.get_untracked() != PATH {
            return;
        }
        let user = untrack(|| session.user()).map(|user| user.id);
        if let Some(dropped) = selection.look_at((user, filter)) {
            cancelling.close();
            if dropped > 0 {
                toasts.done(texts::selection_dropped());
            }
        }
        load();
    });
    let recognizer = Remote::new();
    recognizer.load(api.recognizer());
    let live = use_live();
    live.each(move |change| {
        if let Change::Transcription { call_id, state } = change {
            told.update(|told| told.tell(call_id, state));
        }
    });
    let is_transcription = |change: &Change| matches!(change, Change::Transcription { .. });
    live.reload(is_transcription, move || recognizer.refresh(api.recognizer()));
    // A list that is filtered by state is loaded again, so that calls in another state disappear.
    let reorders = move |change: &Change| {
        is_transcription(change) && wanted.try_with_untracked(|wanted| !wanted.transcription.is_empty()) == Some(true)
    };
    live.reload(reorders, move || calls.refresh(with_leads(named(list.part()))));
    let recognizer_status = Signal::derive(move || recognizer.get());
    let (order, on_reset) = (list.order(NEWEST), list.on_reset());
    let (items, is_empty, stale) = (list.items(), list.is_empty(), list.is_stale());
    let (is_behind, on_first) = (list.is_behind(), list.on_first());
    let table = move || match (is_behind.get(), is_empty.get()) {
        (true, _) => view! { <BehindLast glyph=Glyph::Calls on_first /> }.into_any(),
        (_, true) => {
            let narrow = wanted.with(ListQuery::is_narrow);
            view! { <NoCalls narrow may_import=session.may_write() on_reset /> }.into_any()
        }
        (_, false) => {
            // Selecting is for users with permission to send calls.
            let selection = session.may_write().then_some(selection);
            view! { <CallTable calls=items names leads previews selection told stale order /> }.into_any()
        }
    };
    let total = list.total();
    let fact = move || view! { <Total total say=common::calls /> };
    // For each selected call: true if it is queued or being transcribed, unknown if it is on another page.
    let waiting = Memo::new(move |_| {
        let listed: BTreeMap<_, _> =
            items.with(|items| items.iter().flatten().map(|call| (call.id, call.transcription_state)).collect());
        let waits = |state| matches!(state, Some(TranscriptionState::Queued | TranscriptionState::Processing));
        let known = |told: &Told, id| told.state(id).map(Some).or_else(|| listed.get(&id).copied());
        let selected = selection.ids().into_iter();
        told.with(|told| selected.map(|id| (id, known(told, id).map(waits))).collect::<Vec<_>>())
    });
    let is_waiting_among = move || waiting.with(|waiting| waiting.iter().any(|(_, waits)| *waits == Some(true)));
    let unfinished = Signal::derive(move || {
        let waiting = waiting.get().into_iter();
        waiting.filter(|(_, waits)| *waits != Some(false)).map(|(id, _)| id).collect::<Vec<_>>()
    });
    let shown = Signal::derive(move || items.with(|items| items.iter().flatten().map(|call| call.id).collect()));
    let selected = Signal::derive(move || selection.len() as u64);
    let acts = move || {
        let cancel = move || view! { <CancelTranscription cancelling calls=unfinished small=true /> };
        view! { <Show when=is_waiting_among>{cancel}</Show> }
    };
    let selection_bar = session.may_write().then(|| {
        let said = Signal::derive(move || texts::selected(selected.get()));
        let on_clear = Callback::new(move |()| selection.clear());
        let label = texts::selected_calls();
        view! { <SelectionBar label count=selected said on_clear goes_on=SELECT_PAGE acts /> }.into_any()
    });
    let page_box =
        session.may_write().then(|| view! { <CallPageBox selection shown test="select-cards" /> }.into_any());
    // Warnings about speech recognition are at the top. Their space is reserved to avoid a layout shift.
    let is_waiting = move || recognizer.is_awaited();
    view! {
        <PageHead title=shell::calls() fact=ViewFn::from(fact)>
            <Show when=move || session.may_write() && skipped.len() != 0>
                <a class="button skipped-link" href="/calls?skipped=mine" data-test="skipped-list">
                    {move || texts::were_skipped(skipped.len() as u64)}
                </a>
            </Show>
            <ExportMenu files=files_of(asked) />
            <Show when=move || session.may_write()>
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
        </PageHead>
        <div class="stack" hidden=is_waiting>
            <RecognizerNotice status=recognizer_status />
            <CallFilter wanted names faults=list.faults() on_change=show />
            <ListError
                error=list.error()
                shown=&filter::SHOWN
                show_all=texts::show_all()
                on_reset
                on_retry=Callback::new(move |()| load())
            />
            <QueueLine status=recognizer_status />
            <section class="table-card as-cards" hidden=move || calls.has_failed() aria-label=texts::calls_found()>
                <OrderPick heads=&HEADS order before=page_box />
                {table} <Pager window total stale on_change=list.on_page() /> {selection_bar}
            </section>
        </div>
        <CancelDialog
            cancelling
            calls=unfinished
            on_done=Callback::new(move |()| {
                selection.clear();
                load();
                focus_soon(SELECT_PAGE.to_owned());
            })
        />
        <SendCalls
            open=sending
            calls=Signal::derive(move || selection.ids())
            recognizer=recognizer_status
            on_sent=Callback::new(move |()| {
                selection.clear();
                skipped.load();
                load();
            })
        />
    }
    .into_any()
}

/// Replaces a typed phone number by its stored form.
fn named(query: CallQuery) -> CallQuery {
    CallQuery { search: searched(&query.search), ..query }
}

#[component]
fn NoCalls(narrow: bool, may_import: bool, on_reset: Callback<()>) -> impl IntoView {
    if narrow {
        let (title, text, show_all) = (texts::no_match(), texts::widen(), texts::show_all());
        view! { <NoMatch glyph=Glyph::Calls title text show_all on_reset /> }.into_any()
    } else {
        view! {
            <Empty glyph=Glyph::Calls title=texts::none_yet() text=texts::how_they_come()>
                {may_import
                    .then(|| {
                        view! {
                            <a class="button button-primary" href="/imports">
                                {texts::import_calls()}
                            </a>
                        }
                    })}
            </Empty>
        }
        .into_any()
    }
}
