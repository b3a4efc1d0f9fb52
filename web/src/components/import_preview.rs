//! The first rows of a file as an import would read them, with what is wrong at its cell.

use leadscribe_engine::fault::{Fault, Place};
use leptos::prelude::*;

use super::icon::{Glyph, Icon};
use super::prose::detail;
use crate::sheet::Sheet;
use crate::texts::imports;

/// A row for each row of the file's beginning; `faults` has an entry for each, and is empty while the columns themselves are
/// wrong.
#[component]
pub fn ImportPreview(
    sheet: StoredValue<Sheet>,
    /// Whether a column is left out.
    #[prop(into)]
    left_out: Signal<Vec<bool>>,
    #[prop(into)] faults: Signal<Vec<Vec<Fault>>>,
) -> impl IntoView {
    let head = move || {
        let left_out = left_out.get();
        let names = sheet.with_value(|sheet| sheet.header.clone());
        let names = names.into_iter().zip(left_out).filter(|(_, left_out)| !left_out);
        names.map(|(name, _)| view! { <th scope="col">{name}</th> }).collect_view()
    };
    let rows = move || {
        let (left_out, faults) = (left_out.get(), faults.get());
        sheet.with_value(|sheet| {
            let row = |(place, cells): (usize, &Vec<String>)| {
                let faults = faults.get(place).map(Vec::as_slice).unwrap_or_default();
                preview_row(&sheet.header, cells, &left_out, faults)
            };
            sheet.rows.iter().enumerate().map(row).collect_view()
        })
    };
    view! {
        <div class="table-wrap" role="region" aria-label=imports::preview() tabindex="0">
            <table class="table preview-table">
                <thead>
                    <tr>
                        <th scope="col" class="fit">
                            <span class="visually-hidden">{imports::whether_it_goes_in()}</span>
                        </th>
                        {head}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

fn preview_row(header: &[String], cells: &[String], left_out: &[bool], faults: &[Fault]) -> impl IntoView + use<> {
    let shown: Vec<_> = (0..header.len()).filter(|place| !left_out.get(*place).copied().unwrap_or(false)).collect();
    let stands_at = |fault: &Fault, place: usize| matches!(&fault.place, Place::Column(name) if *name == header[place]);
    let good = faults.is_empty();
    let label = if good { imports::can_go_in() } else { imports::would_be_refused() };
    // What is about a column that isn't shown is about the row.
    let of_row = faults.iter().filter(|fault| !shown.iter().any(|place| stands_at(fault, *place)));
    let of_row = of_row.map(|fault| view! { <p class="cell-fault">{detail(fault)}</p> }).collect_view();
    let cells = shown.iter().map(|place| {
        let of_cell: Vec<_> = faults.iter().filter(|fault| stands_at(fault, *place)).collect();
        let is_faulty = !of_cell.is_empty();
        let of_cell = of_cell.into_iter().map(|fault| view! { <p class="cell-fault">{detail(fault)}</p> });
        view! {
            <td class:is-faulty=is_faulty data-test=is_faulty.then_some("faulty-cell")>
                <span class="preview-cell">{cells.get(*place).cloned().unwrap_or_default()}</span>
                {of_cell.collect_view()}
            </td>
        }
    });
    view! {
        <tr data-test="preview-row">
            <td class="fit preview-mark" class:is-good=good>
                <span role="img" aria-label=label title=label>
                    <Icon glyph=if good { Glyph::Check } else { Glyph::Alert } />
                </span>
                {of_row}
            </td>
            {cells.collect_view()}
        </tr>
    }
}
