//! `/leads/{id}`: one lead with its fields, campaigns, calls and history, and the reasons why it can't be called.

mod add_to_campaign;
mod callable;
mod campaign_lead_dialogs;
mod delete;
mod edit;
mod form_state;
mod history;
mod lead_fields;
mod missing;
mod new;
mod removed_campaign_lead;

use leadscribe_engine::api::{ApiKey, Assignee, AuditEntry, Call, ExtendedLead, LeadId, NotCallableReason, Page};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use callable::CallableSection;
use delete::DeleteLead;
use history::History;
use lead_fields::LeadFields;
use missing::LeadNotFound;
pub use new::NewLeadPage;

use crate::api::session::use_session;
use crate::api::{CallQuery, use_api};
use crate::i18n::datetime;
use crate::i18n::texts::{lead as texts, shell};
use crate::state::resource::ApiResource;
use crate::ui::call::table::CallTable;
use crate::ui::empty_state::EmptyState;
use crate::ui::error_notice::ErrorNotice;
use crate::ui::filter_editor::Names;
use crate::ui::icon::{Glyph, Icon};
use crate::ui::lead::table::lead_name;
use crate::ui::list::table::SkeletonCard;
use crate::ui::page_header::PageHeader;
use crate::ui::recording::waveform_cache::WaveformCache;

/// Number of changes to load: initially, and when the user asks for earlier ones.
const INITIAL_HISTORY_COUNT: u64 = 8;
const MAX_HISTORY_COUNT: u64 = 500;

#[component]
pub fn LeadPage() -> impl IntoView {
    let api = use_api();
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")).and_then(|id| id.parse().ok()).map(LeadId));
    let (lead, calls) = (ApiResource::<ExtendedLead>::new(), ApiResource::<Page<Call>>::new());
    let (campaigns, statuses) = (ApiResource::new(), ApiResource::new());
    campaigns.load(api.campaigns());
    statuses.load(api.statuses());
    let staff = ApiResource::<Vec<Assignee>>::new();
    staff.load(api.assignees());
    let keys = ApiResource::<Vec<ApiKey>>::new();
    if use_session().is_admin() {
        keys.load(api.api_keys());
    }
    let keys = Signal::derive(move || keys.get().unwrap_or_default());
    let names = Names::from_resources(campaigns, statuses);
    let history = ApiResource::<Page<AuditEntry>>::new();
    let history_count = RwSignal::new(INITIAL_HISTORY_COUNT);
    let load_calls = move || {
        if let Some(id) = id.get_untracked() {
            let lead_calls_query =
                CallQuery { lead_id: id.to_string(), limit: "100;0".to_owned(), ..Default::default() };
            calls.load(api.page(lead_calls_query));
        }
    };
    let load_history = move || {
        if let Some(id) = id.get_untracked() {
            history.load(api.lead_history(id, history_count.get_untracked()));
        }
    };
    let load_lead = move || {
        if let Some(id) = id.get_untracked() {
            lead.load(api.lead(id));
            load_history();
        }
    };
    Effect::new(move |_| {
        id.get();
        lead.clear();
        calls.clear();
        history.clear();
        history_count.set(INITIAL_HISTORY_COUNT);
        load_lead();
        load_calls();
    });
    // A reason can end as time passes. The server sends no event then, so load the lead again.
    Effect::new(move |_| {
        let has_ended = |reason: &NotCallableReason| reason.until.is_some_and(datetime::is_past);
        let has_ended_reason = |lead: &ExtendedLead| {
            lead.campaigns.iter().any(|details| details.not_callable_reasons.iter().any(has_ended))
        };
        if let Some(id) = lead.with(|lead| lead.filter(|lead| has_ended_reason(lead)).map(|lead| lead.lead.id)) {
            lead.refresh(api.lead(id));
        }
    });
    let on_change = Callback::new(move |()| load_lead());
    let on_retry_calls = Callback::new(move |()| load_calls());
    let on_load_history = Callback::new(move |should_load_all: bool| {
        if should_load_all {
            history_count.set(MAX_HISTORY_COUNT);
        }
        load_history();
    });
    let title = Signal::derive(move || {
        lead.with(|lead| lead.map(|lead| lead_name(&lead.lead))).unwrap_or_else(|| texts::lead().to_owned())
    });
    // The body re-renders only when this state changes. So a reload, even a failed one, keeps unsaved input.
    let page_state = Memo::new(move |_| match (id.get(), lead.error()) {
        (None, _) => PageState::Missing,
        (_, Some(error)) if error.status() == Some(404) => PageState::Missing,
        (Some(id), _) if lead.with(|lead| lead.is_some_and(|lead| lead.lead.id == id)) => PageState::Lead,
        (_, Some(_)) => PageState::Failed,
        _ => PageState::Pending,
    });
    let failure = move || {
        let error = lead.error().filter(|_| page_state.get() != PageState::Missing)?;
        Some(view! { <ErrorNotice error on_retry=on_change /> })
    };
    let body = move || match page_state.get() {
        PageState::Missing => {
            let staff = Signal::derive(move || staff.get().unwrap_or_default());
            view! { <LeadNotFound id=id.get() staff keys /> }.into_any()
        }
        PageState::Failed => ().into_any(),
        PageState::Pending => view! { <SkeletonCard bars=9 /> }.into_any(),
        PageState::Lead => {
            view! { <LeadBody lead names staff keys calls history on_change on_retry_calls on_load_history /> }
                .into_any()
        }
    };
    let is_pending = Signal::derive(move || page_state.get() == PageState::Pending);
    let deletable_lead = Signal::derive(move || (page_state.get() == PageState::Lead).then(|| id.get()).flatten());
    view! {
        <PageHeader title note=ViewFn::from(back_link)>
            <DeleteLead lead=deletable_lead is_pending title />
        </PageHeader>
        {failure}
        {body}
    }
    .into_any()
}

/// State of the page.
#[derive(Clone, Copy, PartialEq)]
enum PageState {
    Missing,
    /// Only the error is shown.
    Failed,
    Pending,
    Lead,
}

/// Link back to the list.
fn back_link() -> AnyView {
    view! {
        <a class="breadcrumb" href="/leads">
            <Icon glyph=Glyph::Previous />
            {texts::all_leads()}
        </a>
    }
    .into_any()
}

#[component]
fn LeadBody(
    /// The loaded lead.
    lead: ApiResource<ExtendedLead>,
    names: Signal<Names>,
    staff: ApiResource<Vec<Assignee>>,
    keys: Signal<Vec<ApiKey>>,
    calls: ApiResource<Page<Call>>,
    history: ApiResource<Page<AuditEntry>>,
    on_change: Callback<()>,
    on_retry_calls: Callback<()>,
    on_load_history: Callback<bool>,
) -> impl IntoView {
    let staff = Signal::derive(move || staff.get().unwrap_or_default());
    let call_items = Signal::derive(move || calls.with(|page| page.map(|page| page.items.clone())));
    let campaigns =
        Signal::derive(move || lead.with(|lead| lead.map(|lead| lead.campaigns.clone())).unwrap_or_default());
    let waveforms = WaveformCache::new(use_api());
    let counted_calls = move || {
        campaigns.with(|campaign_leads| campaign_leads.iter().map(|details| u64::from(details.calls_count)).sum())
    };
    let no_calls_text = move || match counted_calls() {
        0 => texts::no_calls_hint().to_owned(),
        count => texts::uncounted_calls_note(count),
    };
    let has_no_calls = move || call_items.with(|items| items.as_ref().is_some_and(Vec::is_empty));
    view! {
        <div class="lead-page">
            <div class="stack">
                <CallableSection lead names staff on_change />
                <section class="stack-tight" aria-labelledby="calls">
                    <h2 id="calls">{shell::calls()}</h2>
                    {move || calls.error().map(|error| view! { <ErrorNotice error on_retry=on_retry_calls /> })}
                    <div class="table-card mobile-cards" hidden=move || calls.has_failed()>
                        {move || {
                            if has_no_calls() {
                                view! {
                                    <EmptyState glyph=Glyph::Calls title=texts::no_calls() text=no_calls_text() />
                                }
                                    .into_any()
                            } else {
                                view! { <CallTable calls=call_items names waveforms brief=true /> }.into_any()
                            }
                        }}
                    </div>
                </section>
            </div>
            <div class="stack">
                <LeadFields lead on_change />
                <History history staff keys campaigns on_load_history />
            </div>
        </div>
    }
}
