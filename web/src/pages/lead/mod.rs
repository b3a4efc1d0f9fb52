//! `/leads/{id}`: one lead with its fields, campaigns, calls and history, and the reasons why it can't be called.

mod callable;
mod delete;
mod edit;
mod facts;
mod history;
mod in_campaign;
mod missing;
mod new;
mod put_into;
mod taken_out;
mod writing;

use leadscribe_engine::api::{ApiKey, Assignee, AuditEntry, Call, ExtendedLead, LeadId, NotCallableReason, Page};
use leptos::prelude::*;
use leptos_router::hooks::use_params_map;

use callable::Callable;
use delete::DeleteLead;
pub use edit::{EditedLead, edit_lead};
use facts::LeadFacts;
use history::History;
pub use in_campaign::{InCampaigns, in_campaign_dialogs};
use missing::NoSuchLead;
pub use new::NewLeadPage;

use crate::api::{CallQuery, use_api};
use crate::components::call::table::CallTable;
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::filter_editor::Names;
use crate::components::icon::{Glyph, Icon};
use crate::components::lead::table::lead_name;
use crate::components::list::table::SkeletonCard;
use crate::components::shell::page_head::PageHead;
use crate::previews::Previews;
use crate::remote::Remote;
use crate::session::use_session;
use crate::texts::{lead as texts, shell};
use crate::when;

/// Number of changes to load at first, and the maximum.
const FIRST_TOLD: u64 = 8;
const MOST_TOLD: u64 = 500;

#[component]
pub fn LeadPage() -> impl IntoView {
    let api = use_api();
    let params = use_params_map();
    let id = Memo::new(move |_| params.with(|params| params.get("id")).and_then(|id| id.parse().ok()).map(LeadId));
    let (lead, calls) = (Remote::<ExtendedLead>::new(), Remote::<Page<Call>>::new());
    let (campaigns, statuses) = (Remote::new(), Remote::new());
    campaigns.load(api.campaigns());
    statuses.load(api.statuses());
    let staff = Remote::<Vec<Assignee>>::new();
    staff.load(api.assignees());
    let keys = Remote::<Vec<ApiKey>>::new();
    if use_session().is_admin() {
        keys.load(api.api_keys());
    }
    let keys = Signal::derive(move || keys.get().unwrap_or_default());
    let names = Names::of(campaigns, statuses);
    let history = Remote::<Page<AuditEntry>>::new();
    let told = RwSignal::new(FIRST_TOLD);
    let load_calls = move || {
        if let Some(id) = id.get_untracked() {
            let of_lead = CallQuery { lead_id: id.to_string(), limit: "100;0".to_owned(), ..Default::default() };
            calls.load(api.calls(of_lead));
        }
    };
    let load_history = move || {
        if let Some(id) = id.get_untracked() {
            history.load(api.lead_history(id, told.get_untracked()));
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
        told.set(FIRST_TOLD);
        load_lead();
        load_calls();
    });
    // Reasons can end with time, without an event.
    Effect::new(move |_| {
        let has_ended = |reason: &NotCallableReason| reason.until.is_some_and(when::is_past);
        let is_due = |lead: &ExtendedLead| {
            lead.campaigns.iter().any(|details| details.not_callable_reasons.iter().any(has_ended))
        };
        if let Some(id) = lead.with(|lead| lead.filter(|lead| is_due(lead)).map(|lead| lead.lead.id)) {
            lead.refresh(api.lead(id));
        }
    });
    let on_change = Callback::new(move |()| load_lead());
    let on_retry_calls = Callback::new(move |()| load_calls());
    let on_tell = Callback::new(move |all: bool| {
        if all {
            told.set(MOST_TOLD);
        }
        load_history();
    });
    let title = Signal::derive(move || {
        lead.with(|lead| lead.map(|lead| lead_name(&lead.lead))).unwrap_or_else(|| texts::lead().to_owned())
    });
    // The page depends on this state only, so unsaved input is kept when the lead is loaded again, even if that fails.
    let shown = Memo::new(move |_| match (id.get(), lead.error()) {
        (None, _) => Shown::Missing,
        (_, Some(error)) if error.status() == Some(404) => Shown::Missing,
        (Some(id), _) if lead.with(|lead| lead.is_some_and(|lead| lead.lead.id == id)) => Shown::Lead,
        (_, Some(_)) => Shown::Failed,
        _ => Shown::Awaited,
    });
    let failure = move || {
        let error = lead.error().filter(|_| shown.get() != Shown::Missing)?;
        Some(view! { <ErrorNotice error on_retry=on_change /> })
    };
    let body = move || match shown.get() {
        Shown::Missing => {
            let staff = Signal::derive(move || staff.get().unwrap_or_default());
            view! { <NoSuchLead id=id.get() staff keys /> }.into_any()
        }
        Shown::Failed => ().into_any(),
        Shown::Awaited => view! { <SkeletonCard bars=9 /> }.into_any(),
        Shown::Lead => {
            view! { <LeadBody lead names staff keys calls history on_change on_retry_calls on_tell /> }.into_any()
        }
    };
    let is_awaited = Signal::derive(move || shown.get() == Shown::Awaited);
    let deletable = Signal::derive(move || (shown.get() == Shown::Lead).then(|| id.get()).flatten());
    view! {
        <PageHead title fact=ViewFn::from(to_all)>
            <DeleteLead lead=deletable is_awaited title />
        </PageHead>
        {failure}
        {body}
    }
    .into_any()
}

/// State of the page.
#[derive(Clone, Copy, PartialEq)]
enum Shown {
    Missing,
    /// Only the error is shown.
    Failed,
    Awaited,
    Lead,
}

/// Link back to the list.
fn to_all() -> AnyView {
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
    /// A lead that is loaded.
    lead: Remote<ExtendedLead>,
    names: Signal<Names>,
    staff: Remote<Vec<Assignee>>,
    keys: Signal<Vec<ApiKey>>,
    calls: Remote<Page<Call>>,
    history: Remote<Page<AuditEntry>>,
    on_change: Callback<()>,
    on_retry_calls: Callback<()>,
    on_tell: Callback<bool>,
) -> impl IntoView {
    let staff = Signal::derive(move || staff.get().unwrap_or_default());
    let call_items = Signal::derive(move || calls.with(|page| page.map(|page| page.items.clone())));
    let campaigns =
        Signal::derive(move || lead.with(|lead| lead.map(|lead| lead.campaigns.clone())).unwrap_or_default());
    let previews = Previews::new(use_api());
    let counted = move || campaigns.with(|all| all.iter().map(|one| u64::from(one.calls_count)).sum());
    let no_calls_why = move || match counted() {
        0 => texts::no_calls_why().to_owned(),
        count => texts::calls_only_counted(count),
    };
    let has_no_calls = move || call_items.with(|items| items.as_ref().is_some_and(Vec::is_empty));
    view! {
        <div class="lead-page">
            <div class="stack">
                <Callable lead names staff on_change />
                <section class="stack-tight" aria-labelledby="calls">
                    <h2 id="calls">{shell::calls()}</h2>
                    {move || calls.error().map(|error| view! { <ErrorNotice error on_retry=on_retry_calls /> })}
                    <div class="table-card as-cards" hidden=move || calls.has_failed()>
                        {move || {
                            if has_no_calls() {
                                view! {
                                    <Empty glyph=Glyph::Calls title=texts::no_calls() text=no_calls_why() />
                                }
                                    .into_any()
                            } else {
                                view! { <CallTable calls=call_items names previews brief=true /> }.into_any()
                            }
                        }}
                    </div>
                </section>
            </div>
            <div class="stack">
                <LeadFacts lead on_change />
                <History history staff keys campaigns on_tell />
            </div>
        </div>
    }
}
