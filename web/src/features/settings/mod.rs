//! `/settings?tab=…`: speech tokens, API keys, users, statuses, callback endpoints, audit log, retention, and the
//! user's own account.

mod account;
mod api_keys;
mod audit_filter;
pub mod audit_log;
mod callback_endpoints;
mod speech_tokens;
mod statuses;
mod users;

use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_params_map};

use crate::api::{use_api, use_session};
use crate::browser::query::{query_string, use_navigate_in_place, use_query};
use crate::i18n::texts::{audit, common, settings, shell};
use crate::navigation::settings_tabs::TABS;
use crate::state::ApiResource;
use crate::ui::{Card, DescriptionItem, DescriptionList, EmptyState, ErrorNotice, Glyph, PageHeader, Tabs};
use account::Account;
use api_keys::ApiKeys;
use audit_log::AuditLog;
use callback_endpoints::CallbackEndpoints;
use speech_tokens::SpeechTokens;
use statuses::Statuses;
use users::Users;

#[component]
pub fn SettingsPage() -> impl IntoView {
    let session = use_session();
    let query = use_query();
    let navigate_in_place = use_navigate_in_place();
    let select_tab = move |tab: &str, replace: bool| {
        navigate_in_place(&format!("/settings{}", query_string(&[("tab", tab)])), replace);
    };
    let visible_tabs =
        move || TABS.into_iter().filter(move |(_, _, is_admin_only)| session.is_admin() || !is_admin_only);
    let selected = Memo::new(move |_| {
        let requested_tab = query.get("tab").unwrap_or_default();
        TABS.iter().find(|(tab, ..)| *tab == requested_tab).unwrap_or(&TABS[0]).0.to_owned()
    });
    let is_permitted = Memo::new(move |_| visible_tabs().any(|(tab, ..)| selected.with(|selected| selected == tab)));
    // Redirects paths such as `/settings/audit`, which users may type, to `/settings?tab=audit`.
    let (params, search, redirect) = (use_params_map(), use_location().search, use_navigate_in_place());
    Effect::new(move |_| {
        if let Some(tab) = params.with(|params| params.get("tab")) {
            let rest = search.get_untracked().replacen('?', "", 1);
            let query = [query_string(&[("tab", &tab)]), rest];
            redirect(&format!("/settings{}", query.join("&").trim_end_matches('&')), true);
        }
    });
    // An unknown tab in the URL is replaced by the first one.
    let replace_tab = select_tab.clone();
    Effect::new(move |_| {
        let requested_tab = query.get("tab").filter(|requested_tab| !requested_tab.is_empty());
        if requested_tab.is_some_and(|requested_tab| selected.with(|selected| *selected != requested_tab)) {
            replace_tab(TABS[0].0, true);
        }
    });
    let on_select = Callback::new(move |tab: &'static str| select_tab(tab, false));
    let tabs = move || {
        let tabs = visible_tabs().map(|(tab, label, _)| (tab, label())).collect();
        view! { <Tabs tabs name="settings" selected on_select /> }
    };
    let title = Signal::derive(move || {
        let tab = TABS.iter().find(|(tab, ..)| selected.with(|selected| selected == tab));
        tab.map_or_else(shell::settings, |(_, label, _)| label()).to_owned()
    });
    let panel = move || match selected.get().as_str() {
        _ if !is_permitted.get() => {
            view! { <EmptyState glyph=Glyph::Key title=settings::only_admins() text=common::ask_for_access() /> }
                .into_any()
        }
        "keys" => view! { <ApiKeys /> }.into_any(),
        "users" => view! { <Users /> }.into_any(),
        "statuses" => view! { <Statuses /> }.into_any(),
        "endpoints" => view! { <CallbackEndpoints /> }.into_any(),
        "audit" => view! { <AuditLog /> }.into_any(),
        "retention" => view! { <RetentionTab /> }.into_any(),
        "account" => view! { <Account /> }.into_any(),
        _ => view! { <SpeechTokens /> }.into_any(),
    };
    view! {
        <PageHeader title=shell::settings() tab_title=title />
        {tabs}
        <section
            id="settings-panel"
            role="tabpanel"
            aria-labelledby=move || Some(format!("settings-tab-{}", selected.get())).filter(|_| is_permitted.get())
            aria-label=move || (!is_permitted.get()).then(|| title.get())
            class="stack"
        >
            {panel}
        </section>
    }
}

/// Retention periods as configured by the operator.
#[component]
pub fn RetentionTab() -> impl IntoView {
    let api = use_api();
    let (retention, load) = ApiResource::loaded(move || api.retention());
    let periods = move || {
        retention.get().map(|retention| {
            // The note of an option says what happens when its period ends. Data that is kept forever gets a different
            // note.
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
