//! Retention periods.

use leptos::prelude::*;

use crate::api::use_api;
use crate::i18n::texts::{audit, common, settings};
use crate::state::ApiResource;
use crate::ui::{Card, DescriptionItem, DescriptionList, ErrorNotice};

/// Retention periods as configured by the operator.
#[component]
pub fn RetentionTab() -> impl IntoView {
    let api = use_api();
    let (retention, load) = ApiResource::loaded(move || api.retention());
    let periods = move || {
        retention.get().map(|retention| {
            // The action at the end of a period is shown only if the period ends.
            let period_item = |label: &'static str, days: Option<u32>, about: &'static str, option: Option<&'static str>| {
                let (days, about) = match days {
                    Some(days) => (common::days(days.into()), about),
                    None if option.is_some() => (audit::kept_forever().to_owned(), audit::never_deleted()),
                    None => (audit::kept_forever().to_owned(), about),
                };
                view! {
                    <DescriptionItem label>
                        <span class="strong">{days}</span>
                        <p class="small secondary">
                            {about} {option.map(|option| view! { " " <code>{option}</code> })}
                        </p>
                    </DescriptionItem>
                }
            };
            view! {
                <p class="secondary" data-test="retention-source">{audit::set_by_operator()}</p>
                <DescriptionList>
                    {period_item(settings::audit_log(), None, audit::log_retention_note(), None)}
                    {period_item(common::transcripts(), retention.transcript_days, audit::transcript_retention_note(), Some("LEADSCRIBE_TRANSCRIPT_DAYS"))}
                    {period_item(common::recordings(), retention.recording_days, audit::recording_retention_note(), Some("LEADSCRIBE_RECORDING_DAYS"))}
                    {period_item(audit::finished_deliveries(), retention.delivery_days, audit::delivery_retention_note(), Some("LEADSCRIBE_DELIVERY_DAYS"))}
                    {period_item(audit::change_log(), retention.change_days, audit::change_retention_note(), Some("LEADSCRIBE_CHANGE_DAYS"))}
                    {period_item(audit::undo_of_imports(), Some(retention.import_undo_days), audit::undo_retention_note(), None)}
                </DescriptionList>
            }
        })
    };
    view! {
        <Card title=audit::data_retention() body_class="card-body stack-tight" test_id="retention">
            {periods} {move || retention.error.get().map(|error| view! { <ErrorNotice error on_retry=load /> })}
        </Card>
    }
}
