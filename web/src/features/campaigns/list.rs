//! `/campaigns?…`: list of campaigns with their progress.

use leadscribe_engine::api::{Campaign, CampaignProgress, Page};
use leptos::prelude::*;

use crate::api::{CampaignQuery, ListQuery, use_api, use_session};
use crate::features::campaigns::table::{COLUMNS, DEFAULT_ORDER, campaign_row};
use crate::i18n::diagnostics_signal;
use crate::i18n::texts::{campaigns as texts, common, shell};
use crate::state::ApiResource;
use crate::ui::input::{FieldDiagnostics, SearchInput};
use crate::ui::list::{ExportMenu, ItemTable, ListSection, PaginatedList, Total, export_files};
use crate::ui::{EmptyState, Glyph, Icon, PageHeader};

#[component]
pub fn CampaignsPage() -> impl IntoView {
    let (api, session) = (use_api(), use_session());
    let build_url = |query: &CampaignQuery| format!("/campaigns{}", query.query_string());
    let list = PaginatedList::<_, Campaign>::new(build_url, |query| &query.search);
    let PaginatedList { list_query, show, .. } = list;
    let progress = ApiResource::<Page<CampaignProgress>>::new();
    let on_retry = list.load_with(move |query: CampaignQuery| {
        // Counting takes longer than listing, so the list doesn't wait for it.
        progress.clear();
        progress.load(api.campaign_progress(query.clone()));
        api.page(query)
    });
    let (order, items, stale) = (list.order(DEFAULT_ORDER), list.items(), list.is_stale());
    let progress_items = Signal::derive(move || {
        // If the progress can't be loaded, the list is shown without it and the error above.
        let empty_on_error = progress.error.get().is_some().then(Vec::new);
        progress.with(|page| page.map(|page| page.items.clone())).or(empty_on_error)
    });
    let table = move || {
        let row = move |campaign| campaign_row(campaign, progress_items);
        view! {
            <ItemTable
                caption=shell::campaigns()
                class="campaign-table"
                columns=&COLUMNS
                order
                items
                stale
                lines=2
                row
            />
        }
    };
    let empty = move || {
        let link = session.can_write().then_some(("/campaigns/new", texts::create_first()));
        let (title, text) = (texts::no_campaigns(), texts::no_campaigns_hint());
        view! { <EmptyState glyph=Glyph::Campaigns title text link is_primary=true /> }
    };
    let note = move || view! { <Total total=list.total() format=common::campaigns /> };
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
                        placeholder=common::name()
                        test_id="campaign-search"
                        value=Signal::derive(move || list_query.get().search)
                        set=Callback::new(move |search| {
                            show.run(CampaignQuery { search, ..list_query.get_untracked().first_page() });
                        })
                    />
                </div>
                <FieldDiagnostics diagnostics=diagnostics_signal(list.diagnostics(), "search") />
            </form>
            <ListSection
                list
                label=texts::campaigns_found()
                field_parameters=&["search"]
                columns=&COLUMNS
                order
                glyph=Glyph::Campaigns
                no_match=(texts::no_match(), texts::no_match_hint())
                reset_label=texts::show_all()
                on_retry
                other_error=Signal::derive(move || progress.error.get())
                empty
                table
            />
        </div>
    }
}
