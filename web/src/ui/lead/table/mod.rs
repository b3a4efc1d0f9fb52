//! Table of leads with their campaigns and the reasons why they can't be called. Columns can be resized.

mod column_widths;
mod row;

use std::borrow::Cow;

use leadscribe_engine::api::{CustomValue, ExtendedLead, Lead, LeadId};
use leadscribe_engine::filter::fields::{FieldId, Kind};
use leadscribe_engine::record::custom_cell;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{HtmlElement, PointerEvent};

use super::columns::{Column, column_label, url_name};
use crate::browser::dom;
use crate::i18n::texts::{common, leads as texts};
use crate::i18n::{datetime, number_format};
use crate::ui::filter_editor::Names;
use crate::ui::list::{
    HorizontalScrollbar, LeadSelection, ListOrder, PageCheckbox, SkeletonRows, SortSelect, SortableHeader,
};
use crate::ui::{Badge, Tone, humanize, lead_status_tone};
use column_widths::ResizeHandle;
use row::row;

pub use column_widths::{ColumnWidth, ColumnWidths, LEAD_COLUMN, find_width, parse_widths as widths_from_text};

/// Display name of a lead.
pub fn lead_name(lead: &Lead) -> String {
    display_name(lead.id, lead.first_name.as_deref(), lead.last_name.as_deref())
}

/// Display name from the parts of a name, or the lead's number.
pub fn display_name(id: LeadId, first_name: Option<&str>, last_name: Option<&str>) -> String {
    let names: Vec<_> = [first_name, last_name].into_iter().flatten().collect();
    if names.is_empty() { common::lead_number(id) } else { names.join(" ") }
}

/// Formats a field of the lead for display, from its CSV cell.
pub fn lead_text(id: FieldId, cell: String) -> String {
    match (id, id.field().kind) {
        (FieldId::PhoneNormalized | FieldId::PhoneNormalized2, _) => number_format::format_phone(&cell),
        (FieldId::PurchaseAmount, _) => number_format::format_amount(&cell),
        (_, Kind::Number) => number_format::localize_decimal(&cell),
        (_, Kind::Date) => cell.parse().map_or(cell, datetime::format_date),
        (_, Kind::Boolean) => yes_or_no(cell == "true"),
        _ => cell,
    }
}

/// Formats a custom field for display.
pub fn custom_text(value: &CustomValue) -> String {
    match value {
        CustomValue::Number(_) => number_format::localize_decimal(&custom_cell(value)),
        CustomValue::Bool(value) => yes_or_no(*value),
        _ => custom_cell(value).into_owned(),
    }
}

fn yes_or_no(value: bool) -> String {
    if value { common::yes() } else { common::no() }.to_owned()
}

/// Id of the checkbox that selects the leads of the page.
pub const SELECT_PAGE_ID: &str = "lead-select-page";

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
    order: ListOrder,
    /// Present if rows can be selected.
    #[prop(optional_no_strip)]
    selection: Option<LeadSelection>,
    /// Column widths of the page, if it uses them elsewhere too.
    #[prop(optional)]
    widths: Option<ColumnWidths>,
) -> impl IntoView {
    let visible_ids: Signal<Vec<LeadId>> =
        Memo::new(move |_| leads.with(|leads| leads.iter().flatten().map(|lead| lead.lead.id).collect())).into();
    let widths = widths.unwrap_or_else(|| ColumnWidths::new(RwSignal::new(Vec::new())));
    let truncated = Memo::new(move |_| columns.with(|columns| widths.user_defined_flags(columns)));
    let scrollbar = HorizontalScrollbar::new();
    let body = move || {
        let columns = columns.get();
        match leads.get() {
            None => view! { <SkeletonRows columns=columns.len() + 1 lines=2 /> }.into_any(),
            Some(leads) => {
                let truncated = truncated.get();
                let row = |lead| row(lead, &columns, names, selection, visible_ids, &truncated);
                leads.into_iter().map(row).collect_view().into_any()
            }
        }
    };
    let layout = Memo::new(move |_| columns.with(|columns| widths.layout(columns)));
    let column_widths = move || {
        layout.get().map(|layout| {
            let filler = layout.has_only_pixel_widths().then(|| view! { <col /> });
            let column = |width: Option<u32>| {
                let min_width = pixels(width.unwrap_or_default());
                view! { <col style:width=width.map_or_else(|| "auto".to_owned(), pixels) style:min-width=min_width /> }
            };
            view! { <colgroup>{layout.columns.into_iter().map(column).collect_view()} {filler}</colgroup> }
        })
    };
    let aligns_campaign_lines = move || {
        columns.with(|columns| {
            let is_campaign_column = |column: &Column| *column != Column::Campaigns && column.is_per_campaign();
            columns.contains(&Column::Campaigns) && columns.iter().any(is_campaign_column)
        })
    };
    let min_width = Memo::new(move |_| layout.with(|layout| layout.as_ref()?.min_width));
    let sortable_header = move |name: String, label: Cow<'static, str>, field: FieldId, leading: Option<AnyView>| {
        let resize_handle = view! { <ResizeHandle name=name.clone() label=label.clone() widths /> }.into_any();
        let sort_key = field.field().name();
        view! { <SortableHeader name label sort_key order leading resize_handle=Some(resize_handle) /> }.into_any()
    };
    let select_page = selection.map(|selection| {
        let label = texts::select_page();
        view! { <PageCheckbox id=SELECT_PAGE_ID label test_id="select-page" selection visible=visible_ids /> }
            .into_any()
    });
    let lead_header = sortable_header(LEAD_COLUMN.to_owned(), common::lead().into(), FieldId::LastName, select_page);
    let header = move |column: Column| {
        let (name, label) = (url_name(&column), column_label(&column));
        if let Some(field) = column.sort_field() {
            return sortable_header(name, label, field, None);
        }
        let content = match column {
            Column::Campaigns => view! {
                <span class="baseline campaign-line">
                    <span>{texts::campaigns()}</span>
                    <span>{texts::callable_column()}</span>
                </span>
            }
            .into_any(),
            _ => label.clone().into_any(),
        };
        let resize_handle = view! { <ResizeHandle name=name.clone() label=label.clone() widths /> };
        view! {
            <th scope="col" aria-label=label data-column=name>
                {content} {resize_handle}
            </th>
        }
        .into_any()
    };
    view! {
        <div
            node_ref=scrollbar.container
            class="table-wrap"
            class:is-stale=stale
            class:is-fitting=move || scrollbar.fits()
            aria-busy=move || stale.get().to_string()
            on:scroll=move |_| scrollbar.sync()
        >
            <table
                class="table lead-table"
                class:has-checkboxes=selection.is_some()
                class:has-min-width=move || min_width.get().is_some()
                class:has-fixed-columns=move || {
                    layout.with(|layout| layout.as_ref().is_some_and(column_widths::Layout::has_only_pixel_widths))
                }
                class:aligns-campaign-lines=aligns_campaign_lines
                style=("--table-min-width", move || pixels(min_width.get().unwrap_or_default()))
                on:pointerover=show_full_text
            >
                <caption class="visually-hidden">{texts::caption()}</caption>
                {column_widths}
                <thead>
                    <tr>{lead_header} {move || columns.get().into_iter().map(header).collect_view()}</tr>
                </thead>
                <tbody>{body}</tbody>
            </table>
        </div>
        {scrollbar.bar()}
    }
}

/// Sort choice for screens without column headers: the lead column and the other sortable ones.
#[component]
pub fn LeadSortSelect(
    #[prop(into)] columns: Signal<Vec<Column>>,
    order: ListOrder,
    /// Content before the choice.
    #[prop(optional_no_strip)]
    leading: Option<AnyView>,
) -> impl IntoView {
    let choices = Signal::derive(move || {
        let choice = |field: FieldId, label: String| (field.field().name().to_owned(), label);
        let columns = columns.get();
        let other_choices =
            columns.iter().filter_map(|column| Some(choice(column.sort_field()?, column_label(column).into_owned())));
        [choice(FieldId::LastName, common::lead().to_owned())].into_iter().chain(other_choices).collect::<Vec<_>>()
    });
    view! { <SortSelect choices order leading /> }
}

/// Sets a title with the full text and the campaign on a line that may be cut off.
fn show_full_text(event: PointerEvent) {
    let line = dom::target(&event)
        .and_then(|target| dom::closest(&target, ".campaign-value, .aligns-campaign-lines td .campaign-line"));
    if let Some(line) = line.and_then(|line| line.dyn_into::<HtmlElement>().ok()) {
        line.set_title(&line.inner_text());
    }
}

fn pixels(number: u32) -> String {
    format!("{number}px")
}

/// Status of a campaign lead, with its label.
#[component]
pub fn StatusBadge(name: String, #[prop(into)] names: Signal<Names>) -> impl IntoView {
    move || {
        let label = names.with(|names| names.status(&name).map(str::to_owned));
        let tone: Tone = lead_status_tone(&name);
        view! { <Badge tone text=label.unwrap_or_else(|| humanize(&name)) /> }
    }
}
