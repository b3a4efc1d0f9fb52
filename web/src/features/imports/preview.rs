//! Preview of an import: the first rows of a file. Diagnostics are shown in a line below each row and stay visible
//! during horizontal scrolling.

use leadscribe_engine::diagnostic::{Diagnostic, Location};
use leptos::prelude::*;

use super::mapping::column_chip;
use crate::features::imports::csv_table::CsvTable;
use crate::i18n::texts::imports;
use crate::ui::input::FieldDiagnostics;
use crate::ui::prose::{detail, suggestion};
use crate::ui::{Glyph, Icon};

/// Diagnostics shared by several rows, shown once, and one table row per row of the file. `diagnostics` has one entry
/// per row; it is empty while the column mapping itself has diagnostics.
#[component]
pub fn ImportPreview(
    table: StoredValue<CsvTable>,
    /// True for each ignored column.
    #[prop(into)]
    ignored: Signal<Vec<bool>>,
    /// Label of a column's target field, unless the page shows it elsewhere.
    target_label: Option<fn(&str) -> String>,
    #[prop(into)] diagnostics: Signal<Vec<Vec<Diagnostic>>>,
    /// True if the page already says that no column identifies the records.
    #[prop(into)]
    shows_missing_key: Signal<bool>,
) -> impl IntoView {
    let names = Memo::new(move |_| {
        let ignored = ignored.get();
        table.with_value(|table| {
            let names = table.header.iter().zip(ignored).filter(|(_, ignored)| !ignored);
            names.map(|(name, _)| name.clone()).collect::<Vec<_>>()
        })
    });
    let shared =
        Memo::new(move |_| names.with(|names| diagnostics.with(|diagnostics| shared_diagnostics(diagnostics, names))));
    let visible = Signal::derive(move || {
        let is_shown_elsewhere =
            |diagnostic: &Diagnostic| shows_missing_key.get() && diagnostic.code == "missing_identifier";
        shared.get().into_iter().filter(|diagnostic| !is_shown_elsewhere(diagnostic)).collect::<Vec<_>>()
    });
    let header_cells = move || {
        let header_cell = |name: String| {
            let fields = target_label.map(|label| view! { <div class="small secondary">{label(&name)}</div> });
            view! { <th scope="col">{name} {fields}</th> }
        };
        names.get().into_iter().map(header_cell).collect_view()
    };
    let rows = move || {
        let (ignored, diagnostics, shared) = (ignored.get(), diagnostics.get(), shared.get());
        table.with_value(|table| {
            let row = |(index, cells): (usize, &Vec<String>)| {
                let diagnostics = diagnostics.get(index).map(Vec::as_slice);
                preview_row(&table.header, cells, &ignored, diagnostics, &shared)
            };
            table.rows.iter().enumerate().map(row).collect_view()
        })
    };
    view! {
        <div class="preview-errors" data-test="preview-errors">
            <FieldDiagnostics diagnostics=visible />
        </div>
        <div class="table-wrap preview-wrap" role="region" aria-label=imports::preview() tabindex="0">
            <table class="table preview-table">
                <thead>
                    <tr>
                        <th scope="col" class="fit">
                            <span class="visually-hidden">{imports::row_result()}</span>
                        </th>
                        {header_cells}
                    </tr>
                </thead>
                <tbody>{rows}</tbody>
            </table>
        </div>
    }
}

/// Diagnostics that several rows share and that don't belong to a visible column, such as a missing column. They are
/// shown once instead of in each row.
fn shared_diagnostics(diagnostics: &[Vec<Diagnostic>], visible_columns: &[String]) -> Vec<Diagnostic> {
    let is_shown = |diagnostic: &Diagnostic| matches!(&diagnostic.location, Location::Column(name) if visible_columns.contains(name));
    let mut shared: Vec<Diagnostic> = Vec::new();
    for (index, row) in diagnostics.iter().enumerate() {
        let following_rows = &diagnostics[index + 1..];
        let is_repeated = |diagnostic: &&Diagnostic| {
            !is_shown(diagnostic) && following_rows.iter().any(|row| row.contains(diagnostic))
        };
        let repeated: Vec<_> = row.iter().filter(is_repeated).filter(|repeated| !shared.contains(repeated)).collect();
        shared.extend(repeated.into_iter().cloned());
    }
    shared
}

/// One row. Diagnostics in `shared` are shown above the table. Without `diagnostics`, it is unknown whether the row can
/// be imported.
fn preview_row(
    header: &[String],
    cells: &[String],
    ignored: &[bool],
    diagnostics: Option<&[Diagnostic]>,
    shared: &[Diagnostic],
) -> impl IntoView + use<> {
    let visible_columns: Vec<_> =
        (0..header.len()).filter(|index| !ignored.get(*index).copied().unwrap_or(false)).collect();
    let is_at_column = |diagnostic: &Diagnostic, index: usize| matches!(&diagnostic.location, Location::Column(name) if *name == header[index]);
    let status_icon = diagnostics.map(|diagnostics| {
        let (glyph, label) = match diagnostics.is_empty() {
            true => (Glyph::Check, imports::will_be_imported()),
            false => (Glyph::Alert, imports::will_not_be_imported()),
        };
        view! {
            <span role="img" aria-label=label title=label>
                <Icon glyph />
            </span>
        }
    });
    let is_valid = diagnostics.is_some_and(<[Diagnostic]>::is_empty);
    let diagnostics = diagnostics.unwrap_or_default();
    let messages = diagnostics.iter().filter(|diagnostic| !shared.contains(diagnostic)).map(|diagnostic| {
        // A diagnostic of a hidden column is shown as a diagnostic of the row.
        let column = visible_columns.iter().find(|index| is_at_column(diagnostic, **index));
        view! {
            <p class="row-error">
                {column.map(|index| column_chip(header[*index].clone()))} {detail(diagnostic)}
                <span class="secondary">{suggestion(diagnostic)}</span>
            </p>
        }
    });
    let messages = messages.collect::<Vec<_>>();
    let has_messages = !messages.is_empty();
    let messages = has_messages.then(|| {
        view! {
            <tr class="preview-row-errors" data-test="preview-row-errors">
                <td colspan=(visible_columns.len() + 1).to_string()>
                    <div class="stack-tight">{messages}</div>
                </td>
            </tr>
        }
    });
    let cells = visible_columns.iter().map(|index| {
        let is_invalid = diagnostics.iter().any(|diagnostic| is_at_column(diagnostic, *index));
        view! {
            <td class:is-invalid=is_invalid data-test=is_invalid.then_some("invalid-cell")>
                <span class="preview-cell">{cells.get(*index).cloned().unwrap_or_default()}</span>
            </td>
        }
    });
    view! {
        <tr class:has-errors=has_messages data-test="preview-row">
            <td class="fit preview-mark" class:is-valid=is_valid>
                {status_icon}
            </td>
            {cells.collect_view()}
        </tr>
        {messages}
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::diagnostic::common;

    use crate::features::imports::preview::*;

    #[test]
    fn shows_shared_diagnostics_once() {
        let [id, email, phone] = ["id", "email", "phone"]
            .map(|column| Diagnostic::new(Location::Column(column.to_owned()), "wrong", common::none()));
        let visible_columns = ["email", "phone"].map(str::to_owned);
        let rows = [vec![id.clone(), email.clone()], vec![email, id.clone(), phone]];
        // A diagnostic of a visible cell stays at the cell, even if several rows have it.
        assert_eq!(shared_diagnostics(&rows, &visible_columns), [id]);
        // A diagnostic of a single row stays at the row.
        assert_eq!(shared_diagnostics(&rows[..1], &visible_columns), []);
    }
}
