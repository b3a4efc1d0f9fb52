//! `/deliveries?…`: what was sent to callbacks, and how far it is.

use leadscribe_engine::api::{Change, Delivery, Page, SpeechToken};
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::api::{DeliveryQuery, ListQuery, use_api};
use crate::components::delivery::filter::{self, DeliveryFilter};
use crate::components::delivery::table::{DeliveryTable, HEADS, LATEST};
use crate::components::empty::Empty;
use crate::components::icon::Glyph;
use crate::components::list::export_menu::{ExportMenu, files_of};
use crate::components::list::faulty_link::ListError;
use crate::components::list::heads::OrderPick;
use crate::components::list::pager::{Pager, Window};
use crate::components::shell::page_head::PageHead;
use crate::live::use_live;
use crate::order::ListOrder;
use crate::query::use_query;
use crate::remote::Remote;
use crate::texts::{deliveries as texts, endpoints, shell};

const FIRST_PAGE: Window = Window { size: 50, offset: 0 };

#[component]
pub fn DeliveriesPage() -> impl IntoView {
    let api = use_api();
    let found = Remote::<Page<Delivery>>::new();
    let tokens = Remote::<Vec<SpeechToken>>::new();
    tokens.load(api.speech_tokens());
    let token_choices = Signal::derive(move || {
        let tokens = tokens.get().unwrap_or_default();
        tokens.into_iter().map(|token| (token.id.to_string(), token.name)).collect()
    });

    let query = use_query();
    let wanted = Memo::new(move |_| DeliveryQuery::from_pairs(|name| query.get(name)));
    let window = Signal::derive(move || Window::from_limit(&wanted.get().limit).unwrap_or(FIRST_PAGE));
    let page = move || {
        let limit = window.get_untracked().limit();
        api.deliveries(DeliveryQuery { limit, ..wanted.get_untracked() })
    };
    let load = move || found.load(page());
    Effect::new(move |_| {
        wanted.get();
        load();
    });
    use_live().reload(|change| matches!(change, Change::Delivery { .. }), move || found.refresh(page()));
    let navigate = use_navigate();
    let show = Callback::new(move |query: DeliveryQuery| {
        let options = NavigateOptions { scroll: false, ..Default::default() };
        navigate(&format!("/deliveries{}", query.query_string()), options);
    });
    let order = ListOrder::of(wanted, LATEST, show);
    let on_page = Callback::new(move |window: Window| {
        show.run(DeliveryQuery { limit: window.limit(), ..wanted.get_untracked() });
    });
    let total = Signal::derive(move || found.with(|page| page.map(|page| page.total)));
    let deliveries = Signal::derive(move || found.with(|page| page.map(|page| page.items.clone())));
    let faults = Signal::derive(move || found.error().map(|error| error.faults().to_vec()).unwrap_or_default());
    let is_empty = Memo::new(move |_| deliveries.with(|found| found.as_ref().is_some_and(Vec::is_empty)));
    let table = move || {
        if is_empty.get() {
            return view! { <NoDeliveries narrow=wanted.get().is_narrow() show /> }.into_any();
        }
        let stale = Signal::derive(move || found.is_loading() && deliveries.with(Option::is_some));
        view! { <DeliveryTable deliveries stale order /> }.into_any()
    };
    let one_address = move || {
        let id = wanted.get().same_url_as;
        let all = move |_| {
            show.run(DeliveryQuery { same_url_as: String::new(), limit: String::new(), ..wanted.get_untracked() });
        };
        (!id.is_empty()).then(|| {
            view! {
                <p class="row small" data-test="one-address">
                    <span>{endpoints::only_one(id)}</span>
                    <button type="button" class="button button-small" data-test="all-addresses" on:click=all>
                        {endpoints::all()}
                    </button>
                </p>
            }
        })
    };
    let fact = move || {
        view! {
            <span class="secondary" data-test="total" aria-live="polite">
                {total.get().map(texts::deliveries)}
            </span>
        }
    };
    view! {
        <PageHead title=shell::deliveries() fact=ViewFn::from(fact)>
            <ExportMenu files=files_of(wanted) />
        </PageHead>
        <div class="stack">
            <DeliveryFilter wanted tokens=token_choices faults on_change=show />
            {one_address}
            <ListError
                error=Signal::derive(move || found.error())
                shown=&filter::SHOWN
                show_all=texts::show_all()
                on_reset=Callback::new(move |()| show.run(DeliveryQuery::default()))
                on_retry=Callback::new(move |()| load())
            />
            <section class="table-card as-cards" hidden=move || found.has_failed() aria-label=texts::found()>
                <OrderPick heads=&HEADS order />
                {table} <Pager window total on_change=on_page />
            </section>
        </div>
    }
    .into_any()
}

#[component]
fn NoDeliveries(narrow: bool, show: Callback<DeliveryQuery>) -> impl IntoView {
    if narrow {
        return view! {
            <Empty glyph=Glyph::Deliveries title=texts::no_match() text=texts::widen()>
                <button type="button" class="button" on:click=move |_| show.run(DeliveryQuery::default())>
                    {texts::show_all()}
                </button>
            </Empty>
        }
        .into_any();
    }
    view! {
        <Empty glyph=Glyph::Deliveries title=texts::none_yet() text=texts::how_they_come()>
            <a class="button button-primary" href="/transcripts">
                {texts::search_transcripts()}
            </a>
        </Empty>
    }
    .into_any()
}
