//! Retention periods.

use leadscribe_engine::api::Retention;
use leptos::prelude::*;

use crate::api::use_api;
use crate::components::error_notice::ErrorNotice;
use crate::components::fact_list::{Fact, FactList};
use crate::remote::Remote;
use crate::texts::audit;

/// Retention periods as configured by the operator.
#[component]
pub fn RetentionTab() -> impl IntoView {
    let api = use_api();
    let kept = Remote::<Retention>::new();
    let load = Callback::new(move |()| kept.load(api.retention()));
    load.run(());
    let facts = move || {
        kept.get().map(|kept| {
            // The action at the end of a period is shown only if the period ends.
            let fact = |label: &'static str, days: Option<u32>, about: &'static str, option: Option<&'static str>| {
                let (days, about) = match days {
                    Some(days) => (audit::days(days.into()), about),
                    None if option.is_some() => (audit::for_good().to_owned(), audit::never_deleted()),
                    None => (audit::for_good().to_owned(), about),
                };
                view! {
                    <Fact label>
                        <span class="strong">{days}</span>
                        <p class="small secondary">
                            {about} {option.map(|option| view! { " " <code>{option}</code> })}
                        </p>
                    </Fact>
                }
            };
            view! {
                <p class="secondary" data-test="retention-by">{audit::set_by_operator()}</p>
                <FactList>
                    {fact(audit::log(), None, audit::log_kept(), None)}
                    {fact(audit::transcripts(), kept.transcript_days, audit::transcripts_kept(), Some("LEADSCRIBE_TRANSCRIPT_DAYS"))}
                    {fact(audit::recordings(), kept.recording_days, audit::recordings_kept(), Some("LEADSCRIBE_RECORDING_DAYS"))}
                    {fact(audit::ended_deliveries(), kept.delivery_days, audit::deliveries_kept(), Some("LEADSCRIBE_DELIVERY_DAYS"))}
                    {fact(audit::undo_of_imports(), Some(kept.import_undo_days), audit::undo_kept(), None)}
                </FactList>
            }
        })
    };
    view! {
        <section class="card" aria-labelledby="kept" data-test="retention">
            <div class="card-head">
                <h2 id="kept">{audit::how_long_kept()}</h2>
            </div>
            <div class="card-body stack-tight">
                {facts} {move || kept.error().map(|error| view! { <ErrorNotice error on_retry=load /> })}
            </div>
        </section>
    }
    .into_any()
}
