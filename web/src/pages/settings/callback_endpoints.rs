//! Callback endpoints: where transcripts were delivered to, and with what success.

use leadscribe_engine::api::{CallbackEndpoint, Change, Page};
use leptos::prelude::*;

use crate::api::use_api;
use crate::components::empty::Empty;
use crate::components::endpoint_table::EndpointTable;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::Glyph;
use crate::live::use_live;
use crate::remote::Remote;
use crate::texts::endpoints;

#[component]
pub fn CallbackEndpoints() -> impl IntoView {
    let api = use_api();
    let page = Remote::<Page<CallbackEndpoint>>::new();
    let load = Callback::new(move |()| page.load(api.callback_endpoints()));
    load.run(());
    use_live()
        .reload(|change| matches!(change, Change::Delivery { .. }), move || page.refresh(api.callback_endpoints()));
    let found = Signal::derive(move || page.with(|page| page.map(|page| page.items.clone())));
    let is_empty = Memo::new(move |_| found.with(|found| found.as_ref().is_some_and(Vec::is_empty)));
    let table = move || {
        if is_empty.get() {
            return view! {
                <Empty glyph=Glyph::Deliveries title=endpoints::none() text=endpoints::none_about()>
                    <a class="button button-primary" href="/transcripts">
                        {endpoints::search_transcripts()}
                    </a>
                </Empty>
            }
            .into_any();
        }
        view! { <EndpointTable found /> }.into_any()
    };
    view! {
        <p class="secondary">{endpoints::about()}</p>
        {move || page.error().map(|error| view! { <ErrorNotice error on_retry=load /> })}
        <section class="table-card as-cards" hidden=move || page.has_failed() aria-label=endpoints::endpoints()>
            {table}
        </section>
    }
    .into_any()
}
