//! `/transcripts?…`: search in transcripts, and delivery of the results.

pub mod deliver;

use leadscribe_engine::api::{Page, TranscriptHit};
use leptos::prelude::*;

use crate::api::{ListQuery, TranscriptQuery, use_api};
use crate::components::empty::{BehindLast, Empty};
use crate::components::icon::{Glyph, Icon};
use crate::components::list::export_menu::{ExportMenu, files_of};
use crate::components::list::faulty_link::ListError;
use crate::components::list::heads::OrderPick;
use crate::components::list::pager::Pager;
use crate::components::list::total::Total;
use crate::components::shell::page_head::PageHead;
use crate::components::transcript::filter::{self, Choices, TranscriptFilter};
use crate::components::transcript::hits::{HEADS, NEWEST, TranscriptHits};
use crate::display_names::Named;
use crate::lead_names::LeadNames;
use crate::paged::Paged;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::{common, shell, transcripts as texts};
use deliver::Deliver;

/// Default number of calls per page.
const ROWS: u64 = 25;

#[component]
pub fn TranscriptsPage() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let (campaigns, languages, tokens) = (Remote::new(), Remote::<Vec<String>>::new(), Remote::new());
    campaigns.load(api.campaigns());
    languages.load(api.languages());
    tokens.load(api.speech_tokens());
    let choices = Choices {
        languages: Signal::derive(move || Named::Language.listed(languages.get().unwrap_or_default())),
        campaigns: Signal::derive(move || {
            let campaigns = campaigns.with(|page| page.map(|page| page.items.clone()).unwrap_or_default());
            campaigns.into_iter().map(|campaign| (campaign.id.to_string(), campaign.name)).collect()
        }),
        tokens: Signal::derive(move || {
            let tokens = tokens.get().unwrap_or_default();
            tokens.into_iter().map(|token| (token.id.to_string(), token.name)).collect()
        }),
    };

    let leads = LeadNames::new(api);
    let address = |query: &TranscriptQuery| format!("/transcripts{}", query.query_string());
    let list = Paged::<_, TranscriptHit>::new(ROWS, address, |_| "");
    let Paged { wanted, found, window, .. } = list;
    let load = move || {
        let of_page = |page: &Page<TranscriptHit>| page.items.iter().filter_map(|hit| hit.lead_id).collect();
        found.load(leads.beside(api.transcripts(list.part()), of_page));
    };
    Effect::new(move |_| {
        wanted.track();
        load();
    });
    // Searching for the same again reloads the results.
    let show = Callback::new(move |query: TranscriptQuery| match query == wanted.get_untracked() {
        true => load(),
        false => list.show.run(query),
    });
    let (order, on_reset) = (list.order(NEWEST), list.on_reset());
    let (hits, total, is_empty, stale) = (list.items(), list.total(), list.is_empty(), list.is_stale());
    let (is_behind, on_first) = (list.is_behind(), list.on_first());
    let words = Signal::derive(move || wanted.get().words);
    let delivering = RwSignal::new(false);
    let may_deliver = move || session.may_write() && total.get().is_some_and(|total| total > 0) && !found.has_failed();
    let fact = move || view! { <Total total say=common::calls /> };
    let results = move || {
        if is_empty.get() && !found.is_loading() {
            let nothing = match is_behind.get() {
                true => view! { <BehindLast glyph=Glyph::Search on_first /> }.into_any(),
                false => view! { <Nothing wanted=wanted.get() show may_send=session.may_write() /> }.into_any(),
            };
            return view! { <div class="card">{nothing}</div> }.into_any();
        }
        view! { <TranscriptHits hits words leads stale /> }.into_any()
    };
    view! {
        <PageHead title=shell::transcripts() fact=ViewFn::from(fact)>
            <ExportMenu files=files_of(wanted) />
            <Show when=may_deliver>
                <button type="button" class="button" data-test="deliver" on:click=move |_| delivering.set(true)>
                    <Icon glyph=Glyph::Deliveries />
                    {texts::deliver_results()}
                </button>
            </Show>
        </PageHead>
        <div class="stack">
            <TranscriptFilter wanted choices faults=list.faults() on_change=show />
            <ListError
                error=list.error()
                shown=&filter::SHOWN
                show_all=texts::show_all()
                on_reset
                on_retry=Callback::new(move |()| load())
            />
            <section class="stack" hidden=move || found.error().is_some() aria-label=texts::found()>
                <Show when=move || !is_empty.get()>
                    <OrderPick heads=&HEADS order />
                </Show>
                {results}
                <div class="hits-foot" hidden=move || total.get().unwrap_or_default() == 0>
                    <Pager window total stale on_change=list.on_page() />
                </div>
            </section>
        </div>
        <Deliver open=delivering wanted />
    }
    .into_any()
}

/// Reason why there are no results, and suggestions.
#[component]
fn Nothing(wanted: TranscriptQuery, show: Callback<TranscriptQuery>, may_send: bool) -> impl IntoView {
    if !wanted.is_narrow() {
        return view! {
            <Empty glyph=Glyph::Transcripts title=texts::none_yet() text=texts::how_they_come()>
                {may_send
                    .then(|| {
                        view! { <a class="button button-primary" href="/calls?recording=ready">{texts::choose_calls()}</a> }
                    })}
            </Empty>
        }
        .into_any();
    }
    let (title, text) = match &*wanted.words {
        "" => (texts::no_match().to_owned(), texts::take_away()),
        words => (texts::nothing_says(quoted(words)), texts::try_fewer()),
    };
    let only_words = TranscriptQuery { words: wanted.words.clone(), ..TranscriptQuery::default() };
    let is_filtered = wanted.conditions() != only_words.conditions();
    view! {
        <Empty glyph=Glyph::Search title text>
            {(is_filtered && !only_words.words.is_empty())
                .then(|| {
                    view! {
                        <button type="button" class="button" on:click=move |_| show.run(only_words.clone())>
                            {texts::without_filters()}
                        </button>
                    }
                })}
            <button type="button" class="button" on:click=move |_| show.run(TranscriptQuery::default())>
                {texts::show_all()}
            </button>
        </Empty>
    }
    .into_any()
}

/// Puts the text in quotes, unless it contains some.
fn quoted(words: &str) -> String {
    if words.contains(['"', '“', '„', '«']) { words.to_owned() } else { texts::quoted(words) }
}
