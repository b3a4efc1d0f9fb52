//! `/transcripts?…`: search in transcripts, and delivery of the results.

pub mod deliver;

use leadscribe_engine::api::{Page, TranscriptHit};
use leptos::prelude::*;

use crate::api::{ListQuery, TranscriptQuery, use_api, use_session};
use crate::features::transcripts::filter;
use crate::features::transcripts::filter::{Choices, TranscriptFilter};
use crate::features::transcripts::hits::{COLUMNS, DEFAULT_ORDER, TranscriptHits};
use crate::i18n::texts::{common, transcripts as texts};
use crate::state::ApiResource;
use crate::ui::input::Button;
use crate::ui::lead::lead_names::LeadNames;
use crate::ui::list::{ExportMenu, ListError, OrderSelect, Pager, PaginatedList, Total, export_files};
use crate::ui::{CodeKind, EmptyState, Glyph, Icon, PageHeader, PageOutOfRange};
use deliver::DeliverDialog;

#[component]
pub fn TranscriptsPage() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let campaigns = ApiResource::requested(api.campaigns());
    let languages = ApiResource::requested(api.languages());
    let tokens = ApiResource::requested(api.speech_tokens());
    let choices = Choices {
        languages: Signal::derive(move || CodeKind::Language.sorted_choices(languages.get().unwrap_or_default())),
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
    let build_url = |query: &TranscriptQuery| format!("/transcripts{}", query.query_string());
    let list = PaginatedList::<_, TranscriptHit>::new(build_url, |_| "");
    let PaginatedList { list_query, page_resource, window, .. } = list;
    let load = list.load_with(move |query| {
        let lead_ids = |page: &Page<TranscriptHit>| page.items.iter().filter_map(|hit| hit.lead_id).collect();
        leads.load_with_names(api.page(query), lead_ids)
    });
    // Searching for the same again reloads the results.
    let show = Callback::new(move |query: TranscriptQuery| match query == list_query.get_untracked() {
        true => load.run(()),
        false => list.show.run(query),
    });
    let (order, on_reset) = (list.order(DEFAULT_ORDER), list.on_reset());
    let (hits, total, is_empty, stale) = (list.items(), list.total(), list.is_empty(), list.is_stale());
    let (is_past_end, on_first) = (list.is_past_end(), list.on_first_page());
    let words = Signal::derive(move || list_query.get().search);
    let is_delivering = RwSignal::new(false);
    let can_deliver =
        move || session.can_write() && total.get().is_some_and(|total| total > 0) && !page_resource.has_failed();
    let note = move || view! { <Total total format=common::calls /> };
    let results = move || {
        if is_empty.get() && !page_resource.is_loading.get() {
            let empty_state = match is_past_end.get() {
                true => view! { <PageOutOfRange glyph=Glyph::Search on_first /> }.into_any(),
                false => {
                    view! { <NoTranscripts list_query=list_query.get() show can_send=session.can_write() /> }.into_any()
                }
            };
            return view! { <div class="card">{empty_state}</div> }.into_any();
        }
        view! { <TranscriptHits hits words leads stale /> }.into_any()
    };
    view! {
        <PageHeader title=common::transcripts() note=ViewFn::from(note)>
            <ExportMenu files=export_files(list_query) />
            <Show when=can_deliver>
                <button type="button" class="button" data-test="deliver" on:click=move |_| is_delivering.set(true)>
                    <Icon glyph=Glyph::Deliveries />
                    {texts::deliver_results()}
                </button>
            </Show>
        </PageHeader>
        <div class="stack">
            <TranscriptFilter query=list_query choices diagnostics=list.diagnostics() on_change=show />
            <ListError
                error=list.error()
                field_parameters=&filter::FIELD_PARAMETERS
                reset_label=texts::show_all()
                on_reset
                on_retry=load
            />
            <section class="stack" hidden=move || page_resource.error.get().is_some() aria-label=texts::found()>
                <Show when=move || !is_empty.get()>
                    <OrderSelect headers=&COLUMNS order />
                </Show>
                {results}
                <div class="hits-footer" hidden=move || total.get().unwrap_or_default() == 0>
                    <Pager window total stale on_change=list.on_page() />
                </div>
            </section>
        </div>
        <DeliverDialog open=is_delivering list_query />
    }
    .into_any()
}

/// Reason why there are no results, and suggestions.
#[component]
fn NoTranscripts(list_query: TranscriptQuery, show: Callback<TranscriptQuery>, can_send: bool) -> impl IntoView {
    if !list_query.has_conditions() {
        return view! {
            <EmptyState
                glyph=Glyph::Transcripts
                title=texts::no_transcripts()
                text=texts::no_transcripts_hint()
                link=can_send.then_some(("/calls?recording=ready", texts::choose_calls()))
                is_primary=true
            />
        }
        .into_any();
    }
    let (title, text) = match &*list_query.search {
        "" => (texts::no_match().to_owned(), common::remove_filter_hint()),
        words => (texts::no_results_for(quote_if_unquoted(words)), texts::no_results_hint()),
    };
    let only_search = TranscriptQuery { search: list_query.search.clone(), ..TranscriptQuery::default() };
    let is_filtered = list_query.conditions() != only_search.conditions();
    view! {
        <EmptyState glyph=Glyph::Search title text>
            {(is_filtered && !only_search.search.is_empty())
                .then(|| {
                    view! {
                        <Button label=texts::without_filters() on_press=move |()| show.run(only_search.clone()) />
                    }
                })}
            <Button label=texts::show_all() on_press=move |()| show.run(TranscriptQuery::default()) />
        </EmptyState>
    }
    .into_any()
}

/// Puts the text in quotes, unless it contains some.
fn quote_if_unquoted(words: &str) -> String {
    if words.contains(['"', '“', '„', '«']) { words.to_owned() } else { texts::quoted(words) }
}
