//! Dialog to choose the columns of the list of leads. Loaded on first use.

use leptos::prelude::*;

use crate::browser::focus::focus_after_render;
use crate::i18n::texts::{common, filter, leads as texts};
use crate::ui::dialog::Dialog;
use crate::ui::input::{Button, Field, IconButton};
use crate::ui::lazy_view::lazy_view;
use crate::ui::lead::columns::{Column, LEAD_ID_COLUMN, column_label, default_columns, parse_column, url_name};
use crate::ui::lead::table::ColumnWidths;
use crate::ui::{Glyph, Icon};

lazy_view!(dialogs: pub fn column_chooser_dialog(ColumnChooserProps) = ColumnChooser);

/// The dialog: the chosen columns in order, and a select to add another.
#[component]
pub fn ColumnChooser(
    open: RwSignal<bool>,
    selected: Signal<Vec<Column>>,
    /// Names of the custom fields of the visible leads.
    custom: Signal<Vec<String>>,
    set: Callback<Vec<Column>>,
    widths: ColumnWidths,
) -> impl IntoView {
    let available = move || {
        let available =
            |column: &Column| *column != LEAD_ID_COLUMN && selected.with(|selected| !selected.contains(column));
        let (campaign_columns, lead_columns): (Vec<_>, Vec<_>) =
            Column::all().filter(available).partition(Column::is_per_campaign);
        let custom = custom.get().into_iter().map(Column::Custom).filter(available).collect();
        let group = |(label, columns): (&'static str, Vec<Column>)| {
            let options =
                columns.iter().map(|column| view! { <option value=url_name(column)>{column_label(column)}</option> });
            (!columns.is_empty()).then(|| view! { <optgroup label=label>{options.collect_view()}</optgroup> })
        };
        let groups = [
            (common::lead(), lead_columns),
            (filter::campaign_lead(), campaign_columns),
            (common::custom_fields(), custom),
        ];
        groups.map(group).collect_view().into_any()
    };
    let add = move |name: String| {
        if let Some(column) = parse_column(&name) {
            set.run(selected.get_untracked().into_iter().chain([column]).collect());
        }
    };
    let is_changed = move || selected.with(|selected| *selected != default_columns());
    view! {
        <Dialog open title=common::columns() test_id="columns">
            <div class="dialog-body">
                <p class="secondary">{texts::columns_hint()}</p>
                <ol class="column-list">
                    <For each=move || selected.get() key=url_name let:column>
                        <ColumnItem column selected set />
                    </For>
                </ol>
                <Field id="column-add" label=texts::add_column()>
                    <select
                        id="column-add"
                        class="select"
                        data-test="column-add"
                        on:change:target=move |event| {
                            let name = event.target().value();
                            event.target().set_value("");
                            add(name);
                        }
                    >
                        <option value="" hidden>
                            {common::choose()}
                        </option>
                        {available}
                    </select>
                </Field>
            </div>
            <footer class="dialog-footer">
                <Show when=is_changed>
                    <Button
                        class="button-plain footer-start"
                        label=texts::reset_columns()
                        test_id="columns-reset"
                        on_press=move |()| set.run(default_columns())
                    />
                </Show>
                <Show when=move || widths.has_user_widths()>
                    <Button
                        class="button-plain footer-start"
                        label=texts::reset_widths()
                        test_id="widths-reset"
                        on_press=move |()| widths.reset()
                    />
                </Show>
                <Button
                    class="button-primary"
                    label=common::done()
                    test_id="columns-close"
                    on_press=move |()| open.set(false)
                />
            </footer>
        </Dialog>
    }
}

/// A chosen column with its actions.
#[component]
fn ColumnItem(column: Column, selected: Signal<Vec<Column>>, set: Callback<Vec<Column>>) -> impl IntoView {
    let (name, label) = (url_name(&column), column_label(&column));
    let column = StoredValue::new(column);
    let index = Memo::new(move |_| {
        selected
            .with(|selected| column.with_value(|column| selected.iter().position(|other| other == column)))
            .unwrap_or_default()
    });
    let id = move |action: &str, name: &str| format!("column-{action}-{name}");
    let button = |action: &'static str, offset: isize, glyph: Glyph| {
        let button_id = id(action, &name);
        let is_at_end = move || match offset {
            -1 => index.get() == 0,
            _ => selected.with(|selected| index.get() + 1 >= selected.len()),
        };
        let focus_id = button_id.clone();
        let on_press = move |_| {
            let mut columns = selected.get_untracked();
            let from = index.get_untracked();
            let Some(to) = from.checked_add_signed(offset).filter(|to| *to < columns.len()) else { return };
            columns.swap(from, to);
            set.run(columns);
            // The focus follows the column to its new position.
            focus_after_render(focus_id.clone());
        };
        view! {
            <button
                type="button"
                id=button_id
                class="button button-plain button-icon button-small"
                aria-label=if offset < 0 { texts::move_up(&label) } else { texts::move_down(&label) }
                aria-disabled=move || is_at_end().to_string()
                data-test=format!("column-{action}")
                on:click=on_press
            >
                <Icon glyph />
            </button>
        }
        .into_any()
    };
    let (up, down) = (button("up", -1, Glyph::ArrowUp), button("down", 1, Glyph::ArrowDown));
    let remove = move |()| {
        set.run(
            selected.get_untracked().into_iter().filter(|other| column.with_value(|column| other != column)).collect(),
        );
        focus_after_render("column-add".to_owned());
    };
    view! {
        <li data-test="column" data-name=name.clone()>
            <span class="column-label">{label.clone()}</span>
            {up}
            {down}
            <IconButton glyph=Glyph::Close label=common::remove_item(label) test_id="column-remove" on_press=remove />
        </li>
    }
}
