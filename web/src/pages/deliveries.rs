//! `/deliveries?…`: list of deliveries to callbacks with their state.

use leadscribe_engine::api::{Change, Delivery, SpeechToken};
use leptos::prelude::*;

use crate::api::{DeliveryQuery, ListQuery, use_api};
use crate::components::delivery::filter::{self, DeliveryFilter};
use crate::components::delivery::table::{DeliveryTable, HEADS, LATEST};
use crate::components::empty::{BehindLast, Empty, NoMatch};
use crate::components::icon::Glyph;
use crate::components::list::export_menu::{ExportMenu, files_of};
use crate::components::list::faulty_link::ListError;
use crate::components::list::heads::OrderPick;
use crate::components::list::pager::Pager;
use crate::components::list::total::Total;
use crate::components::shell::page_head::PageHead;
use crate::live::use_live;
use crate::paged::Paged;
use crate::remote::Remote;
use crate::texts::{deliveries as texts, endpoints, shell};

/// Default number of rows per page.
const ROWS: u64 = 50;

#[component]
pub fn DeliveriesPage() -> impl IntoView {
    let api = use_api();
    let tokens = Remote::<Vec<SpeechToken>>::new();
    tokens.load(api.speech_tokens());
    let token_choices = Signal::derive(move || {
        let tokens = tokens.get().unwrap_or_default();
        tokens.into_iter().map(|token| (token.id.to_string(), token.name)).collect()
    });

    let address = |query: &DeliveryQuery| format!("/deliveries{}", query.query_string());
    let list = Paged::<_, Delivery>::new(ROWS, address, |_| "");
    let Paged { wanted, found, window, show } = list;
    let load = move || found.load(api.deliveries(list.part()));
    Effect::new(move |_| {
        wanted.track();
        load();
    });
    let refresh = move || found.refresh(api.deliveries(list.part()));
    use_live().reload(|change| matches!(change, Change::Delivery { .. }), refresh);
    let (order, on_reset) = (list.order(LATEST), list.on_reset());
    let (deliveries, is_empty, stale) = (list.items(), list.is_empty(), list.is_stale());
    let (is_behind, on_first) = (list.is_behind(), list.on_first());
    let table = move || match (is_behind.get(), is_empty.get()) {
        (true, _) => view! { <BehindLast glyph=Glyph::Deliveries on_first /> }.into_any(),
        (_, true) => view! { <NoDeliveries narrow=wanted.with(ListQuery::is_narrow) on_reset /> }.into_any(),
        (_, false) => view! { <DeliveryTable deliveries stale order /> }.into_any(),
    };
    let one_address = move || {
        let id = wanted.get().same_url_as;
        let all = move |_| {
            show.run(DeliveryQuery { same_url_as: String::new(), ..wanted.get_untracked().first_part() });
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
    let total = list.total();
    let fact = move || view! { <Total total say=texts::deliveries /> };
    view! {
        <PageHead title=shell::deliveries() fact=ViewFn::from(fact)>
            <ExportMenu files=files_of(wanted) />
        </PageHead>
        <div class="stack">
            <DeliveryFilter wanted tokens=token_choices faults=list.faults() on_change=show />
            {one_address}
            <ListError
                error=list.error()
                shown=&filter::SHOWN
                show_all=texts::show_all()
                on_reset
                on_retry=Callback::new(move |()| load())
            />
            <section class="table-card as-cards" hidden=move || found.has_failed() aria-label=texts::found()>
                <OrderPick heads=&HEADS order />
                {table} <Pager window total stale on_change=list.on_page() />
            </section>
        </div>
    }
    .into_any()
}

#[component]
fn NoDeliveries(narrow: bool, on_reset: Callback<()>) -> impl IntoView {
    if narrow {
        let (title, text, show_all) = (texts::no_match(), texts::widen(), texts::show_all());
        return view! { <NoMatch glyph=Glyph::Deliveries title text show_all on_reset /> }.into_any();
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
