//! `/campaigns?…`: list of campaigns with their progress.

use leadscribe_engine::api::{Campaign, CampaignProgress, Page};
use leptos::prelude::*;

use crate::api::session::use_session;
use crate::api::{CampaignQuery, ListQuery, use_api};
use crate::features::campaigns::table::{COLUMNS, CampaignTable, DEFAULT_ORDER};
use crate::i18n::texts::{campaigns as texts, common, shell};
use crate::i18n::validation_errors::diagnostics_at;
use crate::state::resource::ApiResource;
use crate::ui::empty_state::{EmptyState, NoMatches, PageOutOfRange};
use crate::ui::icon::{Glyph, Icon};
use crate::ui::input::field::FieldDiagnostics;
use crate::ui::input::search_input::SearchInput;
use crate::ui::list::column_headers::OrderSelect;
use crate::ui::list::export_menu::{ExportMenu, export_files};
use crate::ui::list::invalid_query::ListError;
use crate::ui::list::pager::Pager;
use crate::ui::list::paginated_list::PaginatedList;
use crate::ui::list::total::Total;
use crate::ui::page_header::PageHeader;

#[component]
pub fn CampaignsPage() -> impl IntoView {
    let (api, session) = (use_api(), use_session());
    let build_url = |query: &CampaignQuery| format!("/campaigns{}", query.query_string());
    let list = PaginatedList::<_, Campaign>::new(build_url, |query| &query.search);
    let PaginatedList { list_query, page_resource, window, show, .. } = list;
    let progress = ApiResource::<Page<CampaignProgress>>::new();
    let load = Callback::new(move |()| {
        let page = list.page_query();
        // Counting takes longer than listing, so the list doesn't wait for it.
        progress.clear();
        progress.load(api.campaign_progress(page.clone()));
        page_resource.load(api.page(page));
    });
    Effect::new(move |_| {
        list_query.track();
        load.run(());
    });
    let (order, on_reset) = (list.order(DEFAULT_ORDER), list.on_reset());
    let (campaigns, total, is_empty, stale) = (list.items(), list.total(), list.is_empty(), list.is_stale());
    let progress_items = Signal::derive(move || {
        // If the progress can't be loaded, the list is shown without it and the error above.
        let empty_on_error = progress.error().is_some().then(Vec::new);
        progress.with(|page| page.map(|page| page.items.clone())).or(empty_on_error)
    });
    let diagnostics = Signal::derive(move || {
        page_resource.error().map(|error| diagnostics_at(&error.diagnostics(), "search")).unwrap_or_default()
    });
    let (is_past_end, on_first) = (list.is_past_end(), list.on_first_page());
    let table = move || match (is_past_end.get(), is_empty.get()) {
        (true, _) => view! { <PageOutOfRange glyph=Glyph::Campaigns on_first /> }.into_any(),
        (_, true) => {
            let is_filtered = list_query.with(ListQuery::has_conditions);
            view! { <NoCampaigns is_filtered can_write=session.can_write() on_reset /> }.into_any()
        }
        (_, false) => view! { <CampaignTable campaigns progress=progress_items stale order /> }.into_any(),
    };
    let note = move || view! { <Total total format=common::campaigns /> };
    let error = Signal::derive(move || page_resource.error().or_else(|| progress.error()));
    view! {
        <PageHeader title=shell::campaigns() note=ViewFn::from(note)>
            <ExportMenu files=export_files(list_query) />
            <Show when=move || session.can_write()>
                <a class="button button-primary" href="/campaigns/new" data-test="new-campaign">
                    <Icon glyph=Glyph::Plus />
                    {texts::new_campaign()}
                </a>
            </Show>
        </PageHeader>
        <div class="stack">
            <form class="campaign-filter" role="search" aria-label=shell::campaigns() on:submit=|event| event.prevent_default()>
                <div class="search">
                    <Icon glyph=Glyph::Search />
                    <SearchInput
                        label=texts::search_names()
                        placeholder=texts::name()
                        test_id="campaign-search"
                        value=Signal::derive(move || list_query.get().search)
                        set=Callback::new(move |search| {
                            show.run(CampaignQuery { search, ..list_query.get_untracked().first_page() });
                        })
                    />
                </div>
                <FieldDiagnostics diagnostics />
            </form>
            <ListError
                error
                field_parameters=&["search"]
                reset_label=texts::show_all()
                on_reset
                on_retry=load
            />
            <section class="table-card mobile-cards" hidden=move || page_resource.has_failed() aria-label=texts::campaigns_found()>
                <OrderSelect headers=&COLUMNS order />
                {table} <Pager window total stale on_change=list.on_page() />
            </section>
        </div>
    }
}

#[component]
fn NoCampaigns(is_filtered: bool, can_write: bool, on_reset: Callback<()>) -> impl IntoView {
    if is_filtered {
        let (title, text, reset_label) = (texts::no_match(), texts::no_match_hint(), texts::show_all());
        return view! { <NoMatches glyph=Glyph::Campaigns title text reset_label on_reset /> }.into_any();
    }
    let create_link = can_write.then(|| {
        view! {
            <a class="button button-primary" href="/campaigns/new">
                {texts::create_first()}
            </a>
        }
    });
    view! {
        <EmptyState
            glyph=Glyph::Campaigns
            title=texts::no_campaigns()
            text=texts::no_campaigns_hint()
        >
            {create_link}
        </EmptyState>
    }
    .into_any()
}
