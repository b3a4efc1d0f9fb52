//! The audit log with its filter, which stands in the address.

use leadscribe_engine::api::{ApiKey, AuditEntry, LeadId, Page, SpeechToken, User};
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::api::{AuditQuery, ListQuery, use_api};
use crate::components::audit::actor::{Named, OTHERS};
use crate::components::audit::filter::{self, AuditFilter};
use crate::components::audit::table::{AuditTable, HEADS, LATEST};
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::Glyph;
use crate::components::input::chip_picker::Choice;
use crate::components::input::search_input::is_typed_on;
use crate::components::list::export_menu::{ExportMenu, files_of};
use crate::components::list::heads::OrderPick;
use crate::components::list::pager::{Pager, Window};
use crate::order::ListOrder;
use crate::query::{query_string, use_query};
use crate::remote::Remote;
use crate::texts::audit;

const FIRST_PAGE: Window = Window { size: 50, offset: 0 };

/// Any of a kind.
const KINDS: [Named; 3] = [("user", audit::any_user), ("api_key", audit::any_key), ("speech_token", audit::any_token)];

#[component]
pub fn AuditLog() -> impl IntoView {
    let api = use_api();
    let found = Remote::<Page<AuditEntry>>::new();
    let query = use_query();
    let wanted = Memo::new(move |_| AuditQuery::from_pairs(|name| query.get(name)));
    let window = Signal::derive(move || Window::from_limit(&wanted.get().limit).unwrap_or(FIRST_PAGE));
    // The address keeps what was typed.
    let asked = Memo::new(move |_| {
        let wanted = wanted.get();
        AuditQuery { subject: filter::subject_called(&wanted.subject), ..wanted }
    });
    let load = move || {
        let limit = window.get_untracked().limit();
        found.load(api.audit_log(AuditQuery { limit, ..asked.get_untracked() }));
    };
    Effect::new(move |_| {
        asked.track();
        load();
    });
    let navigate = use_navigate();
    let show = Callback::new(move |query: AuditQuery| {
        let replace = is_typed_on(&wanted.get_untracked().subject, &query.subject);
        let options = NavigateOptions { scroll: false, replace, ..Default::default() };
        let pairs = [&[("tab", "audit")], query.pairs().as_slice()].concat();
        navigate(&format!("/settings{}", query_string(&pairs)), options);
    });
    let order = ListOrder::of(wanted, LATEST, show);
    let on_page = Callback::new(move |window: Window| {
        show.run(AuditQuery { limit: window.limit(), ..wanted.get_untracked() });
    });
    let total = Signal::derive(move || found.with(|page| page.map(|page| page.total)));
    let entries = Signal::derive(move || found.with(|page| page.map(|page| page.items.clone())));
    let faults = Signal::derive(move || found.error().map(|error| error.faults().to_vec()).unwrap_or_default());
    let is_empty = Memo::new(move |_| entries.with(|found| found.as_ref().is_some_and(Vec::is_empty)));
    let actors = actors();
    // The log names a campaign lead by its own number.
    let lead = Memo::new(move |_| asked.with(|asked| asked.subject.strip_prefix("lead:")?.parse().map(LeadId).ok()));
    let is_deleted = move |id: LeadId| {
        let is_it = |entry: &AuditEntry| entry.action == "lead.delete" && entry.subject == id.subject();
        entries.with(|entries| entries.iter().flatten().any(is_it))
    };
    let of_lead = move || {
        let id = lead.get().filter(|id| !is_deleted(*id))?;
        Some(view! {
            <p class="secondary small" data-test="audit-of-lead">
                {audit::of_lead_elsewhere()} " " <a href=format!("/leads/{id}")>{audit::changes_of_lead(id)}</a>
            </p>
        })
    };
    let table = move || {
        if is_empty.get() {
            let reset = move |_| show.run(AuditQuery::default());
            return view! {
                <Empty glyph=Glyph::Clock title=audit::no_match() text=audit::no_match_about()>
                    <button type="button" class="button" on:click=reset>
                        {audit::whole_log()}
                    </button>
                </Empty>
            }
            .into_any();
        }
        let stale = Signal::derive(move || found.is_loading() && entries.with(Option::is_some));
        view! { <AuditTable entries stale actors order /> }.into_any()
    };
    view! {
        <div class="spread">
            <p class="secondary">{audit::about()}</p>
            <div class="row">
                <span class="secondary" data-test="total" aria-live="polite">
                    {move || total.get().map(audit::entries)}
                </span>
                <ExportMenu files=files_of(asked) />
            </div>
        </div>
        <AuditFilter wanted actors faults on_change=show />
        {of_lead}
        {move || {
            let error = found.error().and_then(|error| error.beside(&filter::SHOWN));
            error.map(|error| view! { <ErrorNotice error on_retry=Callback::new(move |()| load()) /> })
        }}
        <section class="table-card as-cards" hidden=move || found.has_failed() aria-label=audit::entries_found()>
            <OrderPick heads=&HEADS order />
            {table} <Pager window total on_change=on_page />
        </section>
    }
    .into_any()
}

/// Who can stand in the log, with the names people know them by.
fn actors() -> Signal<Vec<Choice>> {
    let api = use_api();
    let users = Remote::<Vec<User>>::new();
    let keys = Remote::<Vec<ApiKey>>::new();
    let tokens = Remote::<Vec<SpeechToken>>::new();
    users.load(api.users());
    keys.load(api.api_keys());
    tokens.load(api.speech_tokens());
    Signal::derive(move || {
        let mut all: Vec<Choice> =
            KINDS.iter().chain(&OTHERS).map(|(name, text)| (String::from(*name), text().to_owned())).collect();
        all.extend(users.get().into_iter().flatten().map(|user| (user.id.subject(), user.email)));
        let key = |key: ApiKey| (key.id.subject(), audit::key(&key.name));
        all.extend(keys.get().into_iter().flatten().map(key));
        let token = |token: SpeechToken| (token.id.subject(), audit::token(&token.name));
        all.extend(tokens.get().into_iter().flatten().map(token));
        all
    })
}
