//! `/campaigns?…`: campaigns with how far they are.

use leadscribe_engine::api::{Campaign, CampaignProgress, Page};
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::api::{CampaignQuery, ListQuery, use_api};
use crate::components::campaign::table::{CampaignTable, HEADS, OLDEST};
use crate::components::empty::Empty;
use crate::components::icon::{Glyph, Icon};
use crate::components::input::field::FieldFaults;
use crate::components::input::search_input::{SearchInput, is_typed_on};
use crate::components::list::export_menu::{ExportMenu, files_of};
use crate::components::list::faulty_link::ListError;
use crate::components::list::heads::OrderPick;
use crate::components::list::pager::{Pager, Window};
use crate::components::shell::page_head::PageHead;
use crate::faults::faults_at;
use crate::order::ListOrder;
use crate::query::use_query;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::{campaigns as texts, common, shell};

const FIRST_PAGE: Window = Window { size: 50, offset: 0 };

#[component]
pub fn CampaignsPage() -> impl IntoView {
    let (api, session) = (use_api(), use_session());
    let found = Remote::<Page<Campaign>>::new();
    let progress = Remote::<Page<CampaignProgress>>::new();
    let query = use_query();
    let wanted = Memo::new(move |_| CampaignQuery::from_pairs(|name| query.get(name)));
    let window = Signal::derive(move || Window::from_limit(&wanted.get().limit).unwrap_or(FIRST_PAGE));
    let load = Callback::new(move |()| {
        let page = CampaignQuery { limit: window.get_untracked().limit(), ..wanted.get_untracked() };
        // Counting takes longer than listing, and nobody waits for it.
        progress.clear();
        progress.load(api.campaign_progress(page.clone()));
        found.load(api.campaign_page(page));
    });
    Effect::new(move |_| {
        wanted.get();
        load.run(());
    });
    let navigate = use_navigate();
    let show = Callback::new(move |query: CampaignQuery| {
        let replace = is_typed_on(&wanted.get_untracked().search, &query.search);
        let options = NavigateOptions { scroll: false, replace, ..Default::default() };
        navigate(&format!("/campaigns{}", query.query_string()), options);
    });
    let order = ListOrder::of(wanted, OLDEST, show);
    let on_page = Callback::new(move |window: Window| {
        show.run(CampaignQuery { limit: window.limit(), ..wanted.get_untracked() });
    });
    let total = Signal::derive(move || found.with(|page| page.map(|page| page.total)));
    let campaigns = Signal::derive(move || found.with(|page| page.map(|page| page.items.clone())));
    let how_far = Signal::derive(move || {
        // Without an answer the list stands without progress; why is told above it.
        let failed = progress.error().is_some().then(Vec::new);
        progress.with(|page| page.map(|page| page.items.clone())).or(failed)
    });
    let faults =
        Signal::derive(move || found.error().map(|error| faults_at(error.faults(), "search")).unwrap_or_default());
    let is_empty = Memo::new(move |_| campaigns.with(|found| found.as_ref().is_some_and(Vec::is_empty)));
    let table = move || {
        if is_empty.get() {
            let narrow = wanted.get().is_narrow() || total.get() > Some(0);
            return view! { <NoCampaigns narrow may_write=session.may_write() show /> }.into_any();
        }
        let stale = Signal::derive(move || found.is_loading() && campaigns.with(Option::is_some));
        view! { <CampaignTable campaigns progress=how_far stale order /> }.into_any()
    };
    let fact = move || {
        view! {
            <span class="secondary" data-test="total" aria-live="polite">
                {total.get().map(common::campaigns)}
            </span>
        }
    };
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
                            show.run(CampaignQuery { search, limit: String::new(), ..wanted.get_untracked() });
                        })
                    />
                </div>
                <FieldFaults faults />
            </form>
            <ListError
                error
                shown=&["search"]
                show_all=texts::show_all()
                on_reset=Callback::new(move |()| show.run(CampaignQuery::default()))
                on_retry=load
            />
            <section class="table-card as-cards" hidden=move || found.has_failed() aria-label=texts::campaigns_found()>
                <OrderPick heads=&HEADS order />
                {table} <Pager window total on_change=on_page />
            </section>
        </div>
    }
    .into_any()
}

#[component]
fn NoCampaigns(narrow: bool, may_write: bool, show: Callback<CampaignQuery>) -> impl IntoView {
    if narrow {
        return view! {
            <Empty glyph=Glyph::Campaigns title=texts::none_matches() text=texts::none_matches_why()>
                <button type="button" class="button" on:click=move |_| show.run(CampaignQuery::default())>
                    {texts::show_all()}
                </button>
            </Empty>
        }
        .into_any();
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
