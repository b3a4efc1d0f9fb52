//! `/leads/{id}`: one lead with its fields, campaigns, calls and history, and the reasons why it can't be called.

mod add_to_campaign;
mod callable;
mod campaign_lead_dialogs;
mod edit;
mod history;
mod lead_fields;

use leadscribe_engine::api::{
    ApiKey, Assignee, AuditEntry, Call, CampaignDetails, ExtendedLead, LeadId, NotCallableReason, Page,
};
use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use crate::api::{Api, AuditQuery, CallQuery, use_api, use_session};
use crate::browser::query::{query_string, use_path_id};
use crate::i18n::datetime;
use crate::i18n::texts::{common, lead as texts, shell};
use crate::state::{ApiResource, use_toasts};
use crate::ui::audit::actor_name;
use crate::ui::call_table::CallTable;
use crate::ui::dialog::{ConfirmDialog, PendingConfirmation, Question};
use crate::ui::filter_editor::Names;
use crate::ui::lead::table::lead_name;
use crate::ui::list::SkeletonCard;
use crate::ui::recording::waveform_preview::WaveformCache;
use crate::ui::{EmptyState, ErrorNotice, Glyph, Icon, PageHeader};
use callable::CallableSection;
pub use edit::NewLeadPage;
use history::History;
use lead_fields::LeadFields;

/// Number of changes to load initially.
const INITIAL_HISTORY_COUNT: u64 = 8;

/// Number of changes to load when the user asks for earlier ones.
const MAX_HISTORY_COUNT: u64 = 500;

/// Data of the page. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct LeadPageData {
    api: Api,
    id: LeadId,
    lead: ApiResource<ExtendedLead>,
    calls: ApiResource<Page<Call>>,
    history: ApiResource<Page<AuditEntry>>,
    history_count: RwSignal<u64>,
    names: Signal<Names>,
    staff: Signal<Vec<Assignee>>,
    /// API keys whose names the user may see.
    keys: Signal<Vec<ApiKey>>,
}

impl LeadPageData {
    /// Loads the data of a lead.
    fn new(id: LeadId) -> Self {
        let api = use_api();
        let campaigns = ApiResource::requested(api.campaigns());
        let statuses = ApiResource::requested(api.statuses());
        let (staff, keys) = (ApiResource::requested(api.assignees()), ApiResource::<Vec<ApiKey>>::new());
        if use_session().is_admin() {
            keys.load(api.api_keys());
        }
        let data = Self {
            api,
            id,
            lead: ApiResource::new(),
            calls: ApiResource::new(),
            history: ApiResource::new(),
            history_count: RwSignal::new(INITIAL_HISTORY_COUNT),
            names: Names::from_resources(campaigns, statuses),
            staff: Signal::derive(move || staff.get().unwrap_or_default()),
            keys: Signal::derive(move || keys.get().unwrap_or_default()),
        };
        data.load_lead();
        data.load_calls();
        // A reason can end as time passes. The server sends no event then, so load the lead again.
        Effect::new(move |_| {
            let has_ended = |reason: &NotCallableReason| reason.until.is_some_and(datetime::is_past);
            let has_ended_reason = |lead: &&ExtendedLead| {
                lead.campaigns.iter().any(|details| details.not_callable_reasons.iter().any(has_ended))
            };
            if data.lead.with(|lead| lead.filter(has_ended_reason).is_some()) {
                data.lead.refresh(api.lead(id));
            }
        });
        data
    }

    fn load_lead(self) {
        self.lead.load(self.api.lead(self.id));
        self.load_history();
    }

    fn load_calls(self) {
        let query = CallQuery { lead_id: self.id.to_string(), limit: "100;0".to_owned(), ..Default::default() };
        self.calls.load(self.api.page(query));
    }

    fn load_history(self) {
        self.history.load(self.api.lead_history(self.id, self.history_count.get_untracked()));
    }

    fn load_whole_history(self) {
        self.history_count.set(MAX_HISTORY_COUNT);
        self.load_history();
    }

    fn campaigns(self) -> Signal<Vec<CampaignDetails>> {
        Signal::derive(move || self.lead.with(|lead| lead.map(|lead| lead.campaigns.clone())).unwrap_or_default())
    }
}

#[component]
pub fn LeadPage() -> impl IntoView {
    let id = use_path_id(LeadId);
    // State belongs to one lead: another id creates a new component, so late responses can't affect it.
    move || match id.get() {
        Some(id) => view! { <SelectedLead id /> }.into_any(),
        None => {
            let (title, text, link) = (texts::lead_not_found(), texts::lead_not_found_hint(), back_link());
            view! {
                <PageHeader title=common::lead() back=link />
                <EmptyState glyph=Glyph::Leads title text link />
            }
            .into_any()
        }
    }
}

/// Path and label of the link back to the list.
fn back_link() -> (&'static str, &'static str) {
    ("/leads", common::all_leads())
}

#[component]
fn SelectedLead(id: LeadId) -> impl IntoView {
    let data = LeadPageData::new(id);
    let lead = data.lead;
    let on_change = Callback::new(move |()| data.load_lead());
    let title = Signal::derive(move || {
        lead.with(|lead| lead.map(|lead| lead_name(&lead.lead))).unwrap_or_else(|| common::lead().to_owned())
    });
    // The body re-renders only when this state changes. So a reload, even a failed one, keeps unsaved input.
    let page_state = Memo::new(move |_| match lead.error.get() {
        Some(error) if error.status() == Some(404) => PageState::Missing,
        _ if lead.with(|lead| lead.is_some()) => PageState::Lead,
        Some(_) => PageState::Failed,
        None => PageState::Pending,
    });
    let failure = move || {
        let error = lead.error.get().filter(|_| page_state.get() != PageState::Missing)?;
        Some(view! { <ErrorNotice error on_retry=on_change /> })
    };
    let body = move || match page_state.get() {
        PageState::Missing => view! { <LeadNotFound data /> }.into_any(),
        PageState::Failed => ().into_any(),
        PageState::Pending => view! { <SkeletonCard bars=9 /> }.into_any(),
        PageState::Lead => view! { <LeadBody data on_change /> }.into_any(),
    };
    view! {
        <PageHeader title back=back_link()>
            <DeleteLead id page_state title />
        </PageHeader>
        {failure}
        {body}
    }
}

#[derive(Clone, Copy, PartialEq)]
enum PageState {
    Missing,
    /// The lead couldn't be loaded. The page shows only the error.
    Failed,
    Pending,
    Lead,
}

/// Delete button with its confirmation, for users with the permission.
#[component]
fn DeleteLead(id: LeadId, page_state: Memo<PageState>, title: Signal<String>) -> impl IntoView {
    let (api, session, toasts, navigate) = (use_api(), use_session(), use_toasts(), use_navigate());
    let confirmation = PendingConfirmation::<(LeadId, String)>::new();
    let on_confirm = Callback::new(move |(id, name): (LeadId, String)| {
        let navigate = navigate.clone();
        confirmation.run(api.delete_lead(id), move |()| {
            toasts.show_success(common::deleted(&name));
            navigate("/leads", Default::default());
        });
    });
    let request_confirmation = move |_| {
        if page_state.get_untracked() == PageState::Lead {
            confirmation.request((id, title.get_untracked()));
        }
    };
    let question =
        |(_, name): &(LeadId, String)| Question::new(texts::delete_title(name), texts::delete_text(), common::delete());
    // Disabled while the lead is loading, so that the layout doesn't shift.
    let is_pending = move || page_state.get() == PageState::Pending;
    view! {
        <Show when=move || session.can_write() && matches!(page_state.get(), PageState::Pending | PageState::Lead)>
            <button type="button" class="button" disabled=is_pending data-test="delete-lead" on:click=request_confirmation>
                <Icon glyph=Glyph::Trash />
                {common::delete()}
            </button>
        </Show>
        <ConfirmDialog confirmation question on_confirm />
    }
}

#[component]
fn LeadBody(data: LeadPageData, on_change: Callback<()>) -> impl IntoView {
    let LeadPageData { api, lead, calls, names, .. } = data;
    let on_retry = Callback::new(move |()| data.load_calls());
    let call_items = Signal::derive(move || calls.with(|page| page.map(|page| page.items.clone())));
    let waveforms = WaveformCache::new(api);
    let campaigns = data.campaigns();
    let no_calls_text = move || match campaigns
        .with(|campaigns| campaigns.iter().map(|details| u64::from(details.calls_count)).sum())
    {
        0 => texts::no_calls_hint().to_owned(),
        count => texts::calls_without_records_note(count),
    };
    let call_list = move || match call_items.with(|items| items.as_ref().is_some_and(Vec::is_empty)) {
        true => view! { <EmptyState glyph=Glyph::Calls title=common::no_calls() text=no_calls_text() /> }.into_any(),
        false => view! { <CallTable calls=call_items names waveforms brief=true /> }.into_any(),
    };
    view! {
        <div class="lead-page">
            <div class="stack">
                <CallableSection data on_change />
                <section class="stack-tight" aria-labelledby="calls">
                    <h2 id="calls">{shell::calls()}</h2>
                    {move || calls.error.get().map(|error| view! { <ErrorNotice error on_retry /> })}
                    <div class="table-card mobile-cards" hidden=move || calls.has_failed()>
                        {call_list}
                    </div>
                </section>
            </div>
            <div class="stack">
                <LeadFields lead on_change />
                <History data />
            </div>
        </div>
    }
}

#[component]
pub fn LeadNotFound(data: LeadPageData) -> impl IntoView {
    let LeadPageData { api, id, staff, keys, .. } = data;
    let session = use_session();
    let own_subject = session.user().map(|user| user.id.subject()).unwrap_or_default();
    let deletion = ApiResource::<Page<AuditEntry>>::new();
    // The audit log is for administrators. For other users a deleted lead doesn't exist.
    let subject = session.is_admin().then(|| id.subject());
    match subject.clone() {
        Some(subject) => {
            let (action, limit) = ("lead.delete".to_owned(), "1;0".to_owned());
            deletion.load(api.page(AuditQuery { action, subject, limit, ..Default::default() }));
        }
        None => deletion.clear(),
    }
    let log_url = query_string(&[("tab", "audit"), ("subject", subject.as_deref().unwrap_or_default())]);
    let log_url = format!("/settings{log_url}");
    move || {
        if deletion.is_loading.get() {
            return view! { <SkeletonCard bars=3 /> }.into_any();
        }
        let entry = deletion.with(|page| page.and_then(|page| page.items.first().cloned()));
        let is_deleted = entry.is_some();
        let (title, text) = match entry {
            Some(AuditEntry { actor, created_at, .. }) => {
                let actor = actor_name(&actor, &own_subject, &staff.get(), &keys.get());
                (texts::lead_was_deleted(), texts::deleted_by(datetime::format_local(created_at), actor))
            }
            None => (texts::lead_not_found(), texts::lead_not_found_hint().to_owned()),
        };
        let log_url = log_url.clone();
        let log_link = is_deleted.then(|| {
            view! {
                <a class="button" href=log_url data-test="lead-audit-log">
                    {texts::audit_log_entries()}
                </a>
            }
        });
        view! {
            <EmptyState glyph=Glyph::Leads title text link=back_link()>
                {log_link}
            </EmptyState>
        }
        .into_any()
    }
}
