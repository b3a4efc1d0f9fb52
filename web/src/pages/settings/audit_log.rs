//! Audit log with a filter in the address.

use leadscribe_engine::api::{ApiKey, AuditEntry, LeadId, SpeechToken, User};
use leptos::prelude::*;

use crate::api::{AuditQuery, ListQuery, use_api};
use crate::components::audit::actor::{Named, OTHERS};
use crate::components::audit::filter::{self, AuditFilter};
use crate::components::audit::table::{AuditTable, HEADS, LATEST};
use crate::components::empty::{BehindLast, NoMatch};
use crate::components::icon::Glyph;
use crate::components::input::chip_picker::Choice;
use crate::components::list::export_menu::{ExportMenu, files_of};
use crate::components::list::faulty_link::ListError;
use crate::components::list::heads::OrderPick;
use crate::components::list::pager::Pager;
use crate::components::list::total::Total;
use crate::paged::Paged;
use crate::query::query_string;
use crate::remote::Remote;
use crate::texts::audit;

/// Default number of rows per page.
const ROWS: u64 = 50;

/// Choices for any actor of a kind.
const KINDS: [Named; 3] = [("user", audit::any_user), ("api_key", audit::any_key), ("speech_token", audit::any_token)];

#[component]
pub fn AuditLog() -> impl IntoView {
    let api = use_api();
    let address = |query: &AuditQuery| {
        let pairs = [&[("tab", "audit")], query.pairs().as_slice()].concat();
        format!("/settings{}", query_string(&pairs))
    };
    let list = Paged::<_, AuditEntry>::new(ROWS, address, |query| &query.subject);
    let Paged { wanted, found, window, show } = list;
    // The address keeps the text as typed.
    let asked = Memo::new(move |_| called(wanted.get()));
    let load = move || found.load(api.audit_log(called(list.part())));
    Effect::new(move |_| {
        asked.track();
        load();
    });
    let (order, on_reset) = (list.order(LATEST), list.on_reset());
    let (entries, total, is_empty, stale) = (list.items(), list.total(), list.is_empty(), list.is_stale());
    let actors = actors();
    // The log identifies a campaign lead by its own id, not by the lead's.
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
    let (is_behind, on_first) = (list.is_behind(), list.on_first());
    let table = move || {
        if is_behind.get() {
            return view! { <BehindLast glyph=Glyph::Clock on_first /> }.into_any();
        }
        if is_empty.get() {
            let (title, text, show_all) = (audit::no_match(), audit::no_match_about(), audit::whole_log());
            return view! { <NoMatch glyph=Glyph::Clock title text show_all on_reset /> }.into_any();
        }
        view! { <AuditTable entries stale actors order /> }.into_any()
    };
    view! {
        <div class="spread">
            <p class="secondary">{audit::about()}</p>
            <div class="row">
                <Total total say=audit::entries />
                <ExportMenu files=files_of(asked) />
            </div>
        </div>
        <AuditFilter wanted actors faults=list.faults() on_change=show />
        {of_lead}
        <ListError
            error=list.error()
            shown=&filter::SHOWN
            show_all=audit::whole_log()
            on_reset
            on_retry=Callback::new(move |()| load())
        />
        <section class="table-card as-cards" hidden=move || found.has_failed() aria-label=audit::entries_found()>
            <OrderPick heads=&HEADS order />
            {table} <Pager window total stale on_change=list.on_page() />
        </section>
    }
    .into_any()
}

/// Replaces the typed subject by its name in the log.
fn called(query: AuditQuery) -> AuditQuery {
    AuditQuery { subject: filter::subject_called(&query.subject), ..query }
}

/// Actors that can occur in the log, with their names.
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
