//! Table of leads with their campaigns and the reasons why they can't be called: one page, or all leads to scroll through. Columns can be
//! resized.

mod eye;
mod facts;
mod handle;
mod heights;
mod in_page;
mod row;
mod scroll;
mod shelf;
mod sort_pick;
mod widths;

use std::borrow::Cow;

use leadscribe_engine::api::{CustomValue, ExtendedLead, Lead, LeadId};
use leadscribe_engine::filter::fields::{FieldId, Kind};
use leadscribe_engine::record::custom_cell;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, PointerEvent};

use super::columns::{Column, label_of, name_of};
use super::selection::LeadSelection;
use crate::components::badge::{Badge, Tone, lead_status_tone, spelled};
use crate::components::filter_editor::Names;
use crate::components::list::page_box::PageBox;
use crate::components::list::side_scroll::SideScroll;
use crate::components::list::table::{SkeletonRows, SortHead, Sorted};
use crate::texts::lead_table as texts;
use crate::{dom, figures, when};
use handle::WidthHandle;
use row::{Rows, row};

pub use scroll::LeadScroll;
pub use shelf::{Shelf, WINDOW};
pub use sort_pick::LeadSortPick;
use widths::Size;
pub use widths::{LEAD, Width, Widths, from_text as widths_from_text, width_of};

/// Display name of a lead.
pub fn lead_name(lead: &Lead) -> String {
    called(lead.id, lead.first_name.as_deref(), lead.last_name.as_deref())
}

/// Display name from the parts of a name, or the lead's number.
pub fn called(id: LeadId, first_name: Option<&str>, last_name: Option<&str>) -> String {
    let names: Vec<_> = [first_name, last_name].into_iter().flatten().collect();
    if names.is_empty() { texts::lead_number(id) } else { names.join(" ") }
}

/// Formats a field of the lead for display, from its CSV cell.
pub fn lead_text(id: FieldId, cell: String) -> String {
    match (id, id.field().kind) {
        (FieldId::PhoneNormalized | FieldId::PhoneNormalized2, _) => figures::phone(&cell),
        (FieldId::PurchaseAmount, _) => figures::amount(&cell),
        (_, Kind::Number) => figures::decimal(&cell),
        (_, Kind::Date) => cell.parse().map_or(cell, when::date_of),
        (_, Kind::Boolean) => yes_or_no(cell == "true"),
        _ => cell,
    }
}

/// Formats a custom field for display.
pub fn custom_text(value: &CustomValue) -> String {
    match value {
        CustomValue::Number(_) => figures::decimal(&custom_cell(value)),
        CustomValue::Bool(is_so) => yes_or_no(*is_so),
        _ => custom_cell(value).into_owned(),
    }
}

fn yes_or_no(is_so: bool) -> String {
    if is_so { texts::yes() } else { texts::no() }.to_owned()
}

/// Id of the checkbox that selects the leads of the page.
pub const SELECT_PAGE: &str = "lead-select-page";

/// Settings shared by the paged and the scrolled table.
#[derive(Clone, Copy)]
struct Listing {
    /// Columns in addition to the lead column.
    columns: Signal<Vec<Column>>,
    order: Signal<Option<(FieldId, bool)>>,
    on_sort: Callback<FieldId>,
    widths: Widths,
    /// True if the content doesn't affect column widths.
    settled: bool,
    selection: Option<LeadSelection>,
}

#[component]
pub fn LeadTable(
    /// `None` until the first response arrives.
    #[prop(into)]
    leads: Signal<Option<Vec<ExtendedLead>>>,
    #[prop(into)] stale: Signal<bool>,
    #[prop(into)] names: Signal<Names>,
    /// Columns in addition to the lead column.
    #[prop(into)]
    columns: Signal<Vec<Column>>,
    /// First sort key: the field, and true for descending order.
    #[prop(into)]
    order: Signal<Option<(FieldId, bool)>>,
    on_sort: Callback<FieldId>,
    /// Present if rows can be selected.
    #[prop(optional_no_strip)]
    selection: Option<LeadSelection>,
    /// Column widths of the page, if it uses them elsewhere too.
    #[prop(optional)]
    widths: Option<Widths>,
) -> impl IntoView {
    let shown: Signal<Vec<LeadId>> =
        Memo::new(move |_| leads.with(|leads| leads.iter().flatten().map(|lead| lead.lead.id).collect())).into();
    let widths = widths.unwrap_or_else(|| Widths::new(RwSignal::new(Vec::new())));
    let listing = Listing { columns, order, on_sort, widths, settled: false, selection };
    let cut = Memo::new(move |_| columns.with(|columns| widths.chosen(columns)));
    let side = SideScroll::new(NodeRef::new());
    let rows = Rows { names, selection, shown };
    let body = move || {
        let columns = columns.get();
        match leads.get() {
            None => view! { <SkeletonRows columns=columns.len() + 1 lines=2 /> }.into_any(),
            Some(leads) => {
                let cut = cut.get();
                leads.into_iter().map(|lead| row(lead, &columns, rows, None, &cut)).collect_view().into_any()
            }
        }
    };
    let select = selection
        .map(|selection| view! { <LeadPageBox id=Some(SELECT_PAGE) selection shown test="select-page" /> }.into_any());
    view! {
        <div
            node_ref=side.of
            class="table-wrap"
            class:is-stale=stale
            class:is-whole=move || side.is_whole()
            aria-busy=move || stale.get().to_string()
            on:scroll=move |_| side.follow()
        >
            {listing.table(select, view! { <tbody>{body}</tbody> }.into_any(), || None)}
        </div>
        {side.bar()}
    }
}

impl Listing {
    fn layout(self) -> Option<widths::Layout> {
        self.columns.with(|columns| self.widths.layout(columns, self.settled))
    }

    /// Renders the table around its rows. Takes the total number of rows if not all are rendered.
    fn table(
        self,
        select: Option<AnyView>,
        body: AnyView,
        rows: impl Fn() -> Option<String> + Send + Sync + 'static,
    ) -> AnyView {
        let layout = Memo::new(move |_| self.layout());
        let sizes = move || {
            let sizes = layout.get().map(|layout| {
                let rest = layout.is_closed().then(|| view! { <col /> });
                let column = |size: Size| {
                    let (width, least) = match size {
                        Size::Pixels(width) => (pixels(width), pixels(width)),
                        Size::Share(part) => (format!("{}.{:02}%", part / 100, part % 100), pixels(0)),
                        Size::Content => ("auto".to_owned(), pixels(0)),
                    };
                    view! { <col style:width=width style:min-width=least /> }
                };
                view! { <colgroup>{layout.columns.into_iter().map(column).collect_view()} {rest}</colgroup> }
            });
            sizes.into_any()
        };
        let is_in_lines = move || {
            self.columns.with(|columns| {
                let facts = |column: &Column| *column != Column::Campaigns && column.is_of_campaigns();
                columns.contains(&Column::Campaigns) && columns.iter().any(facts)
            })
        };
        let least = Memo::new(move |_| layout.with(|layout| layout.as_ref()?.least));
        view! {
            <table
                class="table lead-table"
                class:with-boxes=self.selection.is_some()
                class:is-sized=move || least.get().is_some()
                class:is-closed=move || layout.with(|layout| layout.as_ref().is_some_and(widths::Layout::is_closed))
                class:in-lines=is_in_lines
                style=("--least", move || pixels(least.get().unwrap_or_default()))
                aria-rowcount=rows
                on:pointerover=tell_whole
            >
                <caption class="visually-hidden">{texts::caption()}</caption>
                {sizes}
                <thead>
                    <tr aria-rowindex=self.settled.then_some("1")>{self.lead_head(select)} {move || self.heads()}</tr>
                </thead>
                {body}
            </table>
        }
        .into_any()
    }

    fn lead_head(self, select: Option<AnyView>) -> AnyView {
        self.sort_head(LEAD.to_owned(), texts::lead().into(), FieldId::LastName, select)
    }

    fn heads(self) -> AnyView {
        let head = |column: Column| {
            let (name, label) = (name_of(&column), label_of(&column));
            if let Some(field) = column.order() {
                return self.sort_head(name, label, field, None);
            }
            let content = match column {
                Column::Campaigns => view! {
                    <span class="campaign-line">
                        <span>{texts::campaigns()}</span>
                        <span>{texts::why_not_callable()}</span>
                    </span>
                }
                .into_any(),
                _ => label.clone().into_any(),
            };
            self.plain_head(name, label, content)
        };
        let heads = self.columns.get().into_iter().map(head);
        heads.collect_view().into_any()
    }

    fn plain_head(self, name: String, label: Cow<'static, str>, content: AnyView) -> AnyView {
        let handle = view! { <WidthHandle name=name.clone() label=label.clone() widths=self.widths /> }.into_any();
        view! {
            <th scope="col" aria-label=label data-column=name>
                {content} {handle}
            </th>
        }
        .into_any()
    }

    fn sort_head(self, name: String, label: Cow<'static, str>, field: FieldId, before: Option<AnyView>) -> AnyView {
        let sorted = move || match self.order.get() {
            Some((by, true)) if by == field => Sorted::Descending,
            Some((by, false)) if by == field => Sorted::Ascending,
            _ => Sorted::No,
        };
        let on_sort = Callback::new(move |()| self.on_sort.run(field));
        let handle = view! { <WidthHandle name=name.clone() label=label.clone() widths=self.widths /> }.into_any();
        view! { <SortHead name label sorted=Signal::derive(sorted) on_sort before handle=Some(handle) /> }.into_any()
    }
}

/// Sets a title with the full text and the campaign on a line that may be cut off.
fn tell_whole(event: PointerEvent) {
    let line =
        dom::target(&event).and_then(|target| dom::closest(&target, ".campaign-fact, .in-lines td .campaign-line"));
    if let Some(line) = line.and_then(|line| line.dyn_into::<HtmlElement>().ok()) {
        line.set_title(&line.inner_text());
    }
}

fn pixels(number: u32) -> String {
    format!("{number}px")
}

/// Checkbox that selects all leads of the page.
#[component]
pub fn LeadPageBox(
    #[prop(optional_no_strip)] id: Option<&'static str>,
    selection: LeadSelection,
    shown: Signal<Vec<LeadId>>,
    test: &'static str,
) -> impl IntoView {
    let selected = move || shown.with(|shown| (shown.iter().filter(|id| selection.has(**id)).count(), shown.len()));
    let on_change = Callback::new(move |selected: bool| {
        shown.with_untracked(|shown| {
            if !selected && selection.is_all() {
                selection.clear();
            } else {
                selection.set(shown, selected);
            }
        });
    });
    view! { <PageBox id label=texts::select_page() test selected=Signal::derive(selected) on_change /> }
}

/// Status of a campaign lead, with its label.
#[component]
pub fn StatusBadge(name: String, #[prop(into)] names: Signal<Names>) -> impl IntoView {
    move || {
        let label = names.with(|names| names.status(&name).map(str::to_owned));
        let tone: Tone = lead_status_tone(&name);
        view! { <Badge tone text=label.unwrap_or_else(|| spelled(&name)) /> }
    }
}
