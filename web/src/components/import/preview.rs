//! Preview of an import: the first rows of a file. Faults are shown in a line below each row and stay visible during horizontal scrolling.

use leadscribe_engine::diagnostic::{Diagnostic, Place};
use leptos::prelude::*;

use super::mapping::column_chip;
use crate::components::icon::{Glyph, Icon};
use crate::components::input::field::FieldFaults;
use crate::components::prose::{detail, suggestion};
use crate::sheet::Sheet;
use crate::texts::imports;

/// Faults shared by several rows, shown once, and one table row per row of the file. `faults` has one entry per row; it is empty while the
/// column mapping itself has faults.
#[component]
pub fn ImportPreview(
    sheet: StoredValue<Sheet>,
    /// True for each ignored column.
    #[prop(into)]
    left_out: Signal<Vec<bool>>,
    /// Label of a column's target field, unless the page shows it elsewhere.
    goes_to: Option<fn(&str) -> String>,
    #[prop(into)] faults: Signal<Vec<Vec<Diagnostic>>>,
    /// True if the page already says that no column identifies the records.
    #[prop(into)]
    no_key: Signal<bool>,
) -> impl IntoView {
    let names = Memo::new(move |_| {
        let left_out = left_out.get();
        sheet.with_value(|sheet| {
            let names = sheet.header.iter().zip(left_out).filter(|(_, left_out)| !left_out);
            names.map(|(name, _)| name.clone()).collect::<Vec<_>>()
        })
    });
    let several = Memo::new(move |_| names.with(|names| faults.with(|faults| of_several_rows(faults, names))));
    let said_here = Signal::derive(move || {
        let is_said = |fault: &Diagnostic| no_key.get() && fault.code == "no_key";
        several.get().into_iter().filter(|fault| !is_said(fault)).collect::<Vec<_>>()
    });
    let head = move || {
        let head = |name: String| {
            let fields = goes_to.map(|goes_to| view! { <div class="small secondary">{goes_to(&name)}</div> });
            view! { <th scope="col">{name} {fields}</th> }
        };
        names.get().into_iter().map(head).collect_view()
    };
    let rows = move || {
        let (left_out, faults, several) = (left_out.get(), faults.get(), several.get());
        sheet.with_value(|sheet| {
            let row = |(place, cells): (usize, &Vec<String>)| {
                let faults = faults.get(place).map(Vec::as_slice);
                preview_row(&sheet.header, cells, &left_out, faults, &several)
            };
            sheet.rows.iter().enumerate().map(row).collect_view()
        })
    };
    view! {
        <div class="preview-faults" data-test="preview-faults">
            <FieldFaults faults=said_here />
        </div>
        <div class="table-wrap preview-wrap" role="region" aria-label=imports::preview() tabindex="0">
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

/// Faults that several rows share and that don't belong to a visible column, such as a missing column. They are shown once instead of in
/// each row.
fn of_several_rows(faults: &[Vec<Diagnostic>], shown: &[String]) -> Vec<Diagnostic> {
    let is_shown = |fault: &Diagnostic| matches!(&fault.place, Place::Column(name) if shown.contains(name));
    let mut found: Vec<Diagnostic> = Vec::new();
    for (place, row) in faults.iter().enumerate() {
        let later = &faults[place + 1..];
        let is_again = |fault: &&Diagnostic| !is_shown(fault) && later.iter().any(|row| row.contains(fault));
        for fault in row.iter().filter(is_again) {
            if !found.contains(fault) {
                found.push(fault.clone());
            }
        }
    }
    found
}

/// One row. Faults in `several` are shown above the table. Without `faults`, it is unknown whether the row can be imported.
fn preview_row(
    header: &[String],
    cells: &[String],
    left_out: &[bool],
    faults: Option<&[Diagnostic]>,
    several: &[Diagnostic],
) -> impl IntoView + use<> {
    let shown: Vec<_> = (0..header.len()).filter(|place| !left_out.get(*place).copied().unwrap_or(false)).collect();
    let stands_at =
        |fault: &Diagnostic, place: usize| matches!(&fault.place, Place::Column(name) if *name == header[place]);
    let mark = faults.map(|faults| {
        let (glyph, label) = match faults.is_empty() {
            true => (Glyph::Check, imports::can_go_in()),
            false => (Glyph::Alert, imports::would_be_refused()),
        };
        view! {
            <span role="img" aria-label=label title=label>
                <Icon glyph />
            </span>
        }
    });
    let good = faults.is_some_and(<[Diagnostic]>::is_empty);
    let faults = faults.unwrap_or_default();
    let why = faults.iter().filter(|fault| !several.contains(fault)).map(|fault| {
        // A fault of a hidden column is shown as a fault of the row.
        let column = shown.iter().find(|place| stands_at(fault, **place)).map(|place| header[*place].clone());
        let column = column.map(column_chip);
        view! {
            <p class="row-fault">
                {column} {detail(fault)}
                <span class="secondary">{suggestion(fault)}</span>
            </p>
        }
    });
    let why = why.collect::<Vec<_>>();
    let columns = shown.len() + 1;
    let has_why = !why.is_empty();
    let why = has_why.then(|| {
        view! {
            <tr class="preview-why" data-test="preview-why">
                <td colspan=columns.to_string()>
                    <div class="stack-tight">{why}</div>
                </td>
            </tr>
        }
    });
    let cells = shown.iter().map(|place| {
        let is_faulty = faults.iter().any(|fault| stands_at(fault, *place));
        view! {
            <td class:is-faulty=is_faulty data-test=is_faulty.then_some("faulty-cell")>
                <span class="preview-cell">{cells.get(*place).cloned().unwrap_or_default()}</span>
            </td>
        }
    });
    view! {
        <tr class:has-why=has_why data-test="preview-row">
            <td class="fit preview-mark" class:is-good=good>
                {mark}
            </td>
            {cells.collect_view()}
        </tr>
        {why}
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn shows_shared_faults_once() {
        let at = |column: &str, detail: &str| Diagnostic::new(Place::Column(column.to_owned()), "wrong", detail);
        let (id, email, phone) = (at("id", "no id"), at("email", "no address"), at("phone", "no number"));
        let shown = ["email", "phone"].map(str::to_owned);
        let rows = [vec![id.clone(), email.clone()], vec![email.clone(), id.clone(), phone]];
        // A fault of a visible cell stays at the cell, even if several rows have it.
        assert_eq!(of_several_rows(&rows, &shown), vec![id.clone()]);
        assert_eq!(of_several_rows(&[rows[0].clone(), vec![email], rows[0].clone()], &shown), vec![id]);
        // A fault of a single row stays at the row.
        assert_eq!(of_several_rows(&rows[..1], &shown), []);
        assert_eq!(of_several_rows(&[], &shown), []);
    }
}
