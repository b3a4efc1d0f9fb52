//! `/campaigns?…`: list of campaigns with their progress.

use leadscribe_engine::api::{Campaign, CampaignProgress, Page};
use leptos::prelude::*;

use crate::api::{CampaignQuery, ListQuery, use_api};
use crate::components::campaign::table::{CampaignTable, HEADS, OLDEST};
use crate::components::empty::{BehindLast, Empty, NoMatch};
use crate::components::icon::{Glyph, Icon};
use crate::components::input::field::FieldFaults;
use crate::components::input::search_input::SearchInput;
use crate::components::list::export_menu::{ExportMenu, files_of};
use crate::components::list::faulty_link::ListError;
use crate::components::list::heads::OrderPick;
use crate::components::list::pager::Pager;
use crate::components::list::total::Total;
use crate::components::shell::page_head::PageHead;
use crate::faults::faults_at;
use crate::paged::Paged;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::{campaigns as texts, common, shell};

/// Default number of rows per page.
const ROWS: u64 = 50;

#[component]
pub fn CampaignsPage() -> impl IntoView {
    let (api, session) = (use_api(), use_session());
    let address = |query: &CampaignQuery| format!("/campaigns{}", query.query_string());
    let list = Paged::<_, Campaign>::new(ROWS, address, |query| &query.search);
    let Paged { wanted, found, window, show } = list;
    let progress = Remote::<Page<CampaignProgress>>::new();
    let load = Callback::new(move |()| {
        let page = list.part();
        // Counting takes longer than listing, so the list doesn't wait for it.
        progress.clear();
        progress.load(api.campaign_progress(page.clone()));
        found.load(api.campaign_page(page));
    });
    Effect::new(move |_| {
        wanted.track();
        load.run(());
    });
    let (order, on_reset) = (list.order(OLDEST), list.on_reset());
    let (campaigns, total, is_empty, stale) = (list.items(), list.total(), list.is_empty(), list.is_stale());
    let how_far = Signal::derive(move || {
        // If the progress can't be loaded, the list is shown without it and the error above.
        let failed = progress.error().is_some().then(Vec::new);
        progress.with(|page| page.map(|page| page.items.clone())).or(failed)
    });
    let faults =
        Signal::derive(move || found.error().map(|error| faults_at(error.faults(), "search")).unwrap_or_default());
    let (is_behind, on_first) = (list.is_behind(), list.on_first());
    let table = move || match (is_behind.get(), is_empty.get()) {
        (true, _) => view! { <BehindLast glyph=Glyph::Campaigns on_first /> }.into_any(),
        (_, true) => {
            let narrow = wanted.with(ListQuery::is_narrow);
            view! { <NoCampaigns narrow may_write=session.may_write() on_reset /> }.into_any()
        }
        (_, false) => view! { <CampaignTable campaigns progress=how_far stale order /> }.into_any(),
    };
    let fact = move || view! { <Total total say=common::campaigns /> };
    let error = Signal::derive(move || found.error().or_else(|| progress.error()));
    view! {
        <PageHead title=shell::campaigns() fact=ViewFn::from(fact)>
            <ExportMenu files=files_of(wanted) />
            <Show when=move || session.may_write()>
                <a class="button button-primary" href="/campaigns/new" data-test="new-campaign">
                    <Icon glyph=Glyph::Plus />
                    {texts::new_campaign()}
                </a>
            </Show>
        </PageHead>
        <div class="stack">
            <form class="campaign-filter" role="search" aria-label=shell::campaigns() on:submit=|event| event.prevent_default()>
                <div class="search">
                    <Icon glyph=Glyph::Search />
                    <SearchInput
                        label=texts::search_names()
                        placeholder=texts::name()
                        test="campaign-search"
                        value=Signal::derive(move || wanted.get().search)
                        set=Callback::new(move |search| {
                            show.run(CampaignQuery { search, ..wanted.get_untracked().first_part() });
                        })
                    />
                </div>
                <FieldFaults faults />
            </form>
            <ListError
                error
                shown=&["search"]
                show_all=texts::show_all()
                on_reset
                on_retry=load
            />
            <section class="table-card as-cards" hidden=move || found.has_failed() aria-label=texts::campaigns_found()>
                <OrderPick heads=&HEADS order />
                {table} <Pager window total stale on_change=list.on_page() />
            </section>
        </div>
    }
    .into_any()
}

#[component]
fn NoCampaigns(narrow: bool, may_write: bool, on_reset: Callback<()>) -> impl IntoView {
    if narrow {
        let (title, text, show_all) = (texts::none_matches(), texts::none_matches_why(), texts::show_all());
        return view! { <NoMatch glyph=Glyph::Campaigns title text show_all on_reset /> }.into_any();
    }
    let first = may_write.then(|| {
        view! {
            <a class="button button-primary" href="/campaigns/new">
                {texts::create_first()}
            </a>
        }
    });
    view! {
        <Empty
            glyph=Glyph::Campaigns
            title=texts::none_yet()
            text=texts::none_yet_why()
        >
            {first}
        </Empty>
    }
    .into_any()
}
