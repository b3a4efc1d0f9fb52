//! `/leads?filter=…&dates=…&columns=…&view=…&search=…`: leads by filter. The address contains the whole state, including page,
//! order and columns, so that a link shows the same list. Relative dates are kept as chosen and resolved when the link is
//! opened. An address that only names a saved view shows that view. With `&row=…` all leads are shown in one list, scrolled to
//! that row.

use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::{self, Limits};
use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::api::{EXTENDED_DATA, use_api};
use crate::components::error_notice::ErrorNotice;
use crate::components::filter_editor::{FilterEditor, KnownFields, Names};
use crate::components::icon::{Glyph, Icon};
use crate::components::input::search_input::SearchInput;
use crate::components::lead::columns::Column;
use crate::components::lead::selection::{Among, use_selection};
use crate::components::list::column_chooser::Choosing;
use crate::components::list::faulty_link::FaultyLink;
use crate::components::request_code::RequestCode;
use crate::components::shell::toast::use_toasts;
use crate::filter_text::{canonical, conditions};
use crate::parts;
use crate::remote::Remote;
use crate::request::Request;
use crate::session::use_session;
use crate::texts::leads as texts;

mod actions;
mod columns;
mod export;
mod finding;
mod found;
mod head;
mod in_parts;
mod list;
mod past_changes;
mod place;
mod scrolled;
mod suggestions;
mod unrun;
mod views;

use actions::Asked;
use columns::{Columns, chosen_columns};
use finding::Finding;
use found::Found;
use head::LeadsHead;
use list::FoundLeads;
use place::Place;
use suggestions::provide_suggestions;

pub use actions::{Acting, action_dialog};
pub use past_changes::{LookingBack, past_changes_dialog};
pub use scrolled::{Scrolling, all_leads};

/// Path of this page.
const PATH: &str = "/leads";

#[component]
pub fn LeadsPage() -> impl IntoView {
    let api = use_api();
    let (session, toasts) = (use_session(), use_toasts());
    let (campaigns, statuses, staff) = (Remote::new(), Remote::new(), Remote::new());
    campaigns.load(api.campaigns());
    statuses.load(api.statuses());
    let names = Names::with_staff(Names::of(campaigns, statuses), staff);
    provide_suggestions(api);

    let finding = Finding::new(names);
    let Finding { views, here, open, applied, text, verdict, reading, is_applied, dates, .. } = finding;
    let found = Found::new(api, finding);
    provide_context(KnownFields(found.custom));
    unrun::keep(finding);
    let show_columns = Callback::new(move |columns: String| finding.go(Place { columns, ..finding.now() }, true));
    let columns_text = Memo::new(move |_| here.get().map(|place| place.columns).unwrap_or_default());
    let columns = chosen_columns(columns_text, open, show_columns);
    let is_staff_shown =
        Memo::new(move |_| columns.shown.with(|all| all.contains(&Column::Field(FieldId::AssignedUserId))));
    Effect::new(move |_| {
        if is_staff_shown.get() {
            staff.load(api.assignees());
        }
    });
    let on_apply = Callback::new(move |()| {
        if !finding.apply() {
            found.load();
        }
    });
    let on_reset = Callback::new(move |()| {
        if !finding.reset() {
            found.load();
        }
    });
    let pathname = use_location().pathname;
    let on_rest = Callback::new(move |top: u64| {
        let is_here = pathname.get_untracked() == PATH;
        if is_here && found.row.get_untracked().is_some_and(|row| row != top + 1) {
            finding.go(Place { row: Some(top + 1), ..finding.now() }, true);
        }
    });
    let lost = Memo::new(move |_| views.error(&finding.address.get().view));
    let is_lost = Memo::new(move |_| here.with(Option::is_none) && lost.with(Option::is_some));
    // The engine reports the same faults as the server for the filter in the address.
    let is_faulty = Memo::new(move |_| filter::read(&applied.get(), &Limits::default()).is_err());

    let (selected, asked) = (use_selection(), Asked::new());
    let conditions = Memo::new(move |_| conditions(&applied.get()));
    Effect::new(move |_| {
        // Nothing is shown until a saved view is loaded. While navigating away, the address already belongs to another page.
        if here.with(Option::is_some) && pathname.get() == PATH {
            let user = session.user().map(|user| user.id);
            if selected.look_at(Among { user, conditions: conditions.get() }) > 0 {
                toasts.done(texts::selection_dropped());
            }
        }
    });

    // Lazy-loaded parts: loaded on first use and kept.
    let (choosing, looking_back) = (RwSignal::new(false), RwSignal::new(false));
    let on_change = Callback::new(move |()| found.load());
    let actions = once(
        move || asked.is_open(),
        move || parts::lead_actions(Acting { asked, selection: selected, names, on_change }),
    );
    let past_changes = once(
        move || looking_back.get(),
        move || parts::past_changes(LookingBack { open: looking_back, names, on_change }),
    );
    let chooser = once(
        move || choosing.get(),
        move || {
            let Columns { shown, widths, set } = columns;
            parts::choose_columns(Choosing { open: choosing, chosen: shown.into(), custom: found.custom, set, widths })
        },
    );
    view! {
        <LeadsHead finding found columns lost is_lost choosing looking_back />
        <div class="stack" hidden=move || is_lost.get()>
            <div class="search lead-search" role="search">
                <Icon glyph=Glyph::Search />
                <SearchInput
                    label=texts::search()
                    placeholder=texts::what_to_search()
                    test="lead-search"
                    value=finding.search.into()
                    set=Callback::new(move |search| finding.search_for(search))
                />
                <kbd aria-hidden="true">/</kbd>
            </div>
            <FilterEditor
                text
                verdict
                reading
                names
                dates
                applied=is_applied
                on_apply
                on_reset
            />
            {move || match is_faulty.get() {
                true => {
                    let (title, advice) = (texts::filter_of_link_is_faulty(), texts::mend_filter_of_link());
                    Some(view! { <FaultyLink title advice show_all=texts::show_all_leads() on_reset /> }.into_any())
                }
                false => found.error().map(|error| view! { <ErrorNotice error on_retry=on_change /> }.into_any()),
            }}
            <FoundLeads
                finding
                found
                names
                columns
                selected
                asked
                hidden=Signal::derive(move || is_faulty.get() || found.has_failed())
                on_rest
                on_reset
            />
            <RequestCode request=Signal::derive(move || Request::json("PUT", EXTENDED_DATA, canonical(&applied.get()))) />
        </div>
        {chooser}
        {actions}
        {past_changes}
    }
    .into_any()
}

/// Renders a part from its first use on.
fn once(
    is_asked: impl Fn() -> bool + Send + Sync + 'static,
    part: impl Fn() -> AnyView + Send + Sync + 'static,
) -> impl IntoView {
    let was_asked = Memo::new(move |before| before == Some(&true) || is_asked());
    move || was_asked.get().then(&part)
}
