//! Lead list and bulk actions on the selection.

use leptos::prelude::*;

use super::actions::Asked;
use super::columns::Columns;
use super::finding::Finding;
use super::found::Found;
use super::scrolled::Scrolling;
use crate::components::empty::Empty;
use crate::components::filter_editor::Names;
use crate::components::icon::Glyph;
use crate::components::later::Later;
use crate::components::lead::selection::LeadSelection;
use crate::components::lead::selection_bar::LeadSelectionBar;
use crate::components::lead::table::{LeadPageBox, LeadSortPick, LeadTable};
use crate::components::list::pager::{Pager, Window};
use crate::filter_text::{conditions, sort};
use crate::parts;
use crate::session::use_session;
use crate::texts::{common, leads as texts};

/// The list, paginated or scrolled, with the selection bar.
#[component]
pub fn FoundLeads(
    finding: Finding,
    found: Found,
    names: Signal<Names>,
    columns: Columns,
    selected: LeadSelection,
    /// State of the action dialog.
    asked: Asked,
    hidden: Signal<bool>,
    /// Reports the first visible row of the virtual list.
    on_rest: Callback<u64>,
    /// Shows all leads.
    on_reset: Callback<()>,
) -> impl IntoView {
    let session = use_session();
    let Columns { shown: columns, widths, .. } = columns;
    let Found { is_scrolled, order, window, total, .. } = found;
    let conditions = move || conditions(&finding.applied.get_untracked());
    let on_sort = Callback::new(move |field| finding.change(|tree| sort(tree, field)));
    let on_page = Callback::new(move |window: Window| {
        finding.change(|tree| tree.controls.limit = Some(window.limit().into()));
    });
    let on_scroll = Callback::new(move |()| finding.scroll());
    let select_all =
        Callback::new(move |()| selected.choose_all(conditions(), total.get_untracked().unwrap_or_default()));
    let act = Callback::new(move |deed| asked.ask(deed, &conditions()));
    let selection = Memo::new(move |_| session.may_write());
    let table = move || {
        if found.is_empty.get() {
            return view! { <NoLeads finding total on_reset /> }.into_any();
        }
        let selection = selection.get().then_some(selected);
        if is_scrolled.get() {
            return parts::scrolled_leads(Scrolling {
                filter: finding.applied,
                again: found.again,
                told: found.told,
                row: found.row,
                on_rest,
                on_pages: Callback::new(move |window| finding.turn_to(window)),
                on_all: select_all,
                names,
                columns,
                order,
                on_sort,
                selection,
                widths,
            });
        }
        let stale = Signal::derive(move || found.is_stale());
        view! { <LeadTable leads=found.in_page stale names columns order on_sort selection widths /> }.into_any()
    };
    let shown = Signal::derive(move || found.ids());
    let page_box = move || {
        let is_paged = selection.get() && !is_scrolled.get();
        is_paged.then(|| view! { <LeadPageBox selection=selected shown test="select-cards" /> })
    };
    let page_box = Some(page_box.into_any());
    view! {
        <section class="table-card as-cards" class:is-scrolled=is_scrolled hidden=hidden aria-label=texts::leads_found()>
            <Later>
                <LeadSortPick columns order on_sort before=page_box />
                {table}
                <Show when=move || !is_scrolled.get()>
                    <Pager window total on_change=on_page on_all=Some(on_scroll) />
                </Show>
                <Show when=move || selection.get()>
                    <LeadSelectionBar selection=selected total on_all=select_all on_act=act />
                </Show>
            </Later>
        </section>
    }
}

/// Reason why the list is empty, and suggestions.
#[component]
fn NoLeads(finding: Finding, total: Signal<Option<u64>>, on_reset: Callback<()>) -> impl IntoView {
    let session = use_session();
    let (title, text) = match total.get() {
        Some(0) => (
            texts::no_lead_matches(),
            finding.search.with(|search| match search.is_empty() {
                true => texts::why_no_lead_matches().to_owned(),
                false => texts::why_nothing_is_found(search),
            }),
        ),
        _ => (common::nothing_on_page(), texts::why_nothing_on_page().to_owned()),
    };
    view! {
        <Empty glyph=Glyph::Leads title text>
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
}
