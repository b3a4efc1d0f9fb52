//! `/leads?filter=…&dates=…&columns=…&view=…&search=…`: leads by filter. The filter in the address is the one that is shown, page, order
//! and columns included, so that a link shows the same. Relative dates stand beside it as they were chosen: a link shows the
//! last 7 days of the day on which it is opened. An address that only names a saved view shows what that view does. With
//! `&row=…` it is no page but all leads to scroll through, from that row on.

use std::collections::BTreeSet;

use leadscribe_engine::api::{ExtendedLead, SavedView};
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::{self, Limits};
use leptos::prelude::*;
use leptos_router::hooks::use_location;

use crate::api::{EXTENDED_DATA, use_api};
use crate::components::empty::Empty;
use crate::components::error_notice::ErrorNotice;
use crate::components::filter_editor::{FilterEditor, KnownFields, Names};
use crate::components::icon::{Glyph, Icon};
use crate::components::input::search_input::SearchInput;
use crate::components::later::Later;
use crate::components::lead::columns::Column;
use crate::components::lead::selection::{Among, use_selection};
use crate::components::lead::table::{LeadPageBox, LeadSortPick, LeadTable};
use crate::components::list::column_chooser::Choosing;
use crate::components::list::faulty_link::FaultyLink;
use crate::components::list::pager::{Pager, Window};
use crate::components::list::selection_bar::SelectionBar;
use crate::components::list::view_menu::{Shown, is_of};
use crate::components::request_code::RequestCode;
use crate::components::shell::page_head::PageHead;
use crate::filter_text::{canonical, conditions, order_of, request, sort, window_of};
use crate::parts;
use crate::remote::Remote;
use crate::request::Request;
use crate::session::use_session;
use crate::texts::{common, leads as texts, shell};

mod actions;
mod columns;
mod export;
mod finding;
mod in_parts;
mod past_changes;
mod place;
mod scrolled;
mod suggestions;
mod unrun;
mod views;

use actions::Asked;
use columns::{Columns, chosen_columns};
use export::LeadExport;
use finding::Finding;
use place::Place;
use scrolled::Told;
use suggestions::provide_suggestions;
use views::{LostView, Views, is_gone};

pub use actions::{Acting, action_dialog};
pub use past_changes::{LookingBack, past_changes_dialog};
pub use scrolled::{Scrolling, all_leads};

/// Where this page is.
const PATH: &str = "/leads";

#[component]
pub fn LeadsPage() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let (leads, campaigns, statuses) = (Remote::new(), Remote::new(), Remote::new());
    campaigns.load(api.campaigns());
    statuses.load(api.statuses());
    let staff = Remote::new();
    let names = Names::with_staff(Names::of(campaigns, statuses), staff);

    provide_suggestions(api);

    let finding = Finding::new(names);
    let Finding { views, here, open, applied, text, verdict, reading, is_applied, dates, .. } = finding;

    // The row at the top, counted from 1, where all leads are scrolled through.
    let row = Memo::new(move |_| here.with(|here| here.as_ref().and_then(|place| place.row)));
    let is_scrolled = Memo::new(move |_| row.get().is_some());
    let (told, again) = (Told::new(), RwSignal::new(0));
    let load = move || {
        if here.with_untracked(Option::is_none) {
            return;
        }
        match is_scrolled.get_untracked() {
            // A list that had nothing in it is made anew.
            true if told.total.get_untracked() == Some(0) => told.total.set(None),
            true => again.update(|number| *number += 1),
            false => leads.load(api.leads(request(&applied.get_untracked()))),
        }
    };
    finding.each(move || {
        // The list that is scrolled through follows the filter by itself, but for one that had nothing in it.
        if !is_scrolled.get() || told.total.get_untracked() == Some(0) {
            load();
        }
    });
    unrun::keep(finding);
    let show_columns = Callback::new(move |columns: String| finding.go(Place { columns, ..finding.now() }, true));
    let columns_text = Memo::new(move |_| here.get().map(|place| place.columns).unwrap_or_default());
    let Columns { shown: columns, widths, set: set_columns } = chosen_columns(columns_text, open, show_columns);
    let is_staff_shown = Memo::new(move |_| columns.with(|all| all.contains(&Column::Field(FieldId::AssignedUserId))));
    Effect::new(move |_| {
        if is_staff_shown.get() {
            staff.load(api.assignees());
        }
    });
    let on_apply = Callback::new(move |()| {
        if !finding.apply() {
            load();
        }
    });
    let on_reset = Callback::new(move |()| {
        if !finding.reset() {
            load();
        }
    });
    let on_sort = Callback::new(move |field: FieldId| finding.change(|tree| sort(tree, field)));
    let on_page = Callback::new(move |window: Window| {
        finding.change(|tree| tree.controls.limit = Some(window.limit().into()));
    });
    let on_scroll = Callback::new(move |()| finding.scroll());
    let on_pages = Callback::new(move |window: Window| finding.turn_to(window));
    let pathname = use_location().pathname;
    let on_rest = Callback::new(move |top: u64| {
        let is_here = pathname.get_untracked() == PATH;
        if is_here && row.get_untracked().is_some_and(|row| row != top + 1) {
            finding.go(Place { row: Some(top + 1), ..finding.now() }, true);
        }
    });

    let place = Memo::new(move |_| finding.typed());
    let shown = Memo::new(move |_| {
        let view = views.find(&open.get()?)?;
        let may_change = session.may_write() || is_of(&view, session.user().map(|user| user.id));
        Some(Shown { changed: !place.get().is_like(&view), may_change, view })
    });
    let on_discard = Callback::new(move |view: SavedView| finding.discard(&view));
    let lost = Memo::new(move |_| views.error(&finding.address.get().view));
    let is_lost = Memo::new(move |_| here.with(Option::is_none) && lost.with(Option::is_some));

    let order = Signal::derive(move || order_of(&filter::parse(&applied.get()).tree));
    let window = Signal::derive(move || window_of(&filter::parse(&applied.get()).tree));
    let total = Signal::derive(move || match is_scrolled.get() {
        true => told.total.get(),
        false => leads.with(|answer| answer.map(|answer| answer.total_leads)),
    });
    let found = Signal::derive(move || leads.with(|answer| answer.map(|answer| answer.leads.clone())));
    let custom = Signal::derive(move || match is_scrolled.get() {
        true => told.custom.get(),
        false => found.with(|found| custom_names(found.as_deref().unwrap_or_default())),
    });
    provide_context(KnownFields(custom));
    let error = move || if is_scrolled.get() { told.error.get() } else { leads.error() };
    let has_failed = move || match is_scrolled.get() {
        true => told.error.with(Option::is_some),
        false => leads.has_failed(),
    };
    // The server would only say the same of the filter in the address.
    let is_faulty = Memo::new(move |_| filter::read(&applied.get(), &Limits::default()).is_err());
    let choosing = RwSignal::new(false);

    let (selected, asked) = (use_selection(), Asked::new());
    let selection = Memo::new(move |_| session.may_write());
    let conditions = Memo::new(move |_| conditions(&applied.get()));
    Effect::new(move |_| {
        // Until a saved view is there nothing is shown; and the address of the page that comes next is no filter.
        if here.with(Option::is_some) && pathname.get() == PATH {
            selected.look_at(Among { user: session.user().map(|user| user.id), conditions: conditions.get() });
        }
    });
    let select_all = Callback::new(move |()| {
        selected.choose_all(conditions.get_untracked(), total.get_untracked().unwrap_or_default());
    });
    let act = Callback::new(move |deed| asked.ask(deed, &conditions.get_untracked()));
    let is_empty = Memo::new(move |_| match is_scrolled.get() {
        true => told.total.get() == Some(0),
        false => found.with(|found| found.as_ref().is_some_and(Vec::is_empty)),
    });

    let fact = move || {
        view! {
            <span class="secondary" data-test="total" aria-live="polite">
                {total.get().filter(|_| !is_lost.get()).map(common::leads)}
            </span>
            {(lost.with(|error| error.as_ref().is_some_and(is_gone)) && !is_lost.get())
                .then(|| {
                    view! {
                        <span class="small secondary" data-test="view-lost">
                            {texts::view_of_link_is_gone()}
                        </span>
                    }
                })}
        }
    };
    let table = move || {
        if is_empty.get() {
            let (title, text) = match total.get() {
                Some(0) => (
                    texts::no_lead_matches(),
                    finding.search.with(|search| match search.is_empty() {
                        true => texts::why_no_lead_matches().to_owned(),
                        false => texts::why_nothing_is_found(search),
                    }),
                ),
                _ => (texts::nothing_on_page(), texts::why_nothing_on_page().to_owned()),
            };
            return view! {
                <Empty
                    glyph=Glyph::Leads
                    title
                    text
                >
                    <button type="button" class="button" on:click=move |_| on_reset.run(())>
                        {texts::show_all_leads()}
                    </button>
                    <Show when=move || session.may_write()>
                        <a class="button" href="/imports">
                            {texts::import_leads()}
                        </a>
                    </Show>
                </Empty>
            }
            .into_any();
        }
        let stale = Signal::derive(move || leads.is_loading() && found.with(Option::is_some));
        let selection = selection.get().then_some(selected);
        if is_scrolled.get() {
            return parts::scrolled_leads(Scrolling {
                filter: applied,
                again,
                told,
                row,
                on_rest,
                on_pages,
                on_all: select_all,
                names,
                columns,
                order,
                on_sort,
                selection,
                widths,
            });
        }
        view! { <LeadTable leads=found stale names columns order on_sort selection widths /> }.into_any()
    };
    let in_page = Signal::derive(move || found.with(|found| found.iter().flatten().map(|lead| lead.lead.id).collect()));
    let page_box = move || {
        let is_paged = selection.get() && !is_scrolled.get();
        is_paged.then(|| view! { <LeadPageBox selection=selected shown=in_page test="select-cards" /> })
    };
    let page_box = Some(page_box.into_any());
    let was_asked = Memo::new(move |before| before == Some(&true) || asked.is_open());
    let on_change = Callback::new(move |()| load());
    let actions =
        move || was_asked.get().then(|| parts::lead_actions(Acting { asked, selection: selected, names, on_change }));
    let looking_back = RwSignal::new(false);
    let has_looked_back = Memo::new(move |before| before == Some(&true) || looking_back.get());
    let past_changes = move || {
        has_looked_back.get().then(|| parts::past_changes(LookingBack { open: looking_back, names, on_change }))
    };
    let was_choosing = Memo::new(move |before| before == Some(&true) || choosing.get());
    let chooser = move || {
        let chosen = columns.into();
        was_choosing
            .get()
            .then(|| parts::choose_columns(Choosing { open: choosing, chosen, custom, set: set_columns, widths }))
    };
    view! {
        <PageHead title=shell::leads() fact=ViewFn::from(fact)>
            <Views views place shown go=Callback::new(move |place| finding.go(place, true)) on_discard />
            // Of a view that isn't there nothing can be saved or shown.
            <Show when=move || !is_lost.get()>
                <LeadExport filter=applied columns />
                <button type="button" class="button" data-test="choose-columns" on:click=move |_| choosing.set(true)>
                    <Icon glyph=Glyph::Columns />
                    {texts::columns()}
                </button>
            </Show>
            <button
                type="button"
                class="button look-back"
                aria-label=texts::look_back()
                title=texts::look_back()
                data-test="look-back"
                on:click=move |_| looking_back.set(true)
            >
                <Icon glyph=Glyph::History />
                <span>{texts::look_back()}</span>
            </button>
            <Show when=move || session.may_write()>
                <a class="button button-primary" href="/leads/new" data-test="new-lead">
                    <Icon glyph=Glyph::Plus />
                    {texts::new_lead()}
                </a>
            </Show>
        </PageHead>
        {move || is_lost.get().then(|| lost.get().map(|error| view! { <LostView views error /> }))}
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
                false => {
                    let notice = |error| view! { <ErrorNotice error on_retry=Callback::new(move |()| load()) /> };
                    error().map(|error| notice(error).into_any())
                }
            }}
            <section class="table-card as-cards" class:is-scrolled=is_scrolled hidden=move || is_faulty.get() || has_failed() aria-label=texts::leads_found()>
                <Later>
                    <LeadSortPick columns order on_sort before=page_box />
                    {table}
                    <Show when=move || !is_scrolled.get()>
                        <Pager window total on_change=on_page on_all=Some(on_scroll) />
                    </Show>
                    <Show when=move || selection.get()>
                        <SelectionBar selection=selected total on_all=select_all on_act=act />
                    </Show>
                </Later>
            </section>
            <RequestCode request=Signal::derive(move || Request::json("PUT", EXTENDED_DATA, canonical(&applied.get()))) />
        </div>
        {chooser}
        {actions}
        {past_changes}
    }
    .into_any()
}

/// The names of the custom fields that these leads have.
fn custom_names(leads: &[ExtendedLead]) -> Vec<String> {
    let names: BTreeSet<_> = leads.iter().flat_map(|lead| lead.lead.custom_fields.keys()).collect();
    names.into_iter().cloned().collect()
}
