//! Dialog to choose the columns of the list of leads. Loaded on first use.

use leptos::prelude::*;

use crate::components::dialog::Dialog;
use crate::components::icon::{Glyph, Icon};
use crate::components::input::field::Field;
use crate::components::lead::columns::{Column, OF_LEAD, column_of, label_of, name_of, usual};
use crate::components::lead::table::Widths;
use crate::focus::focus_soon;
use crate::texts::{filter, lead_table as texts};

/// Props of the dialog.
pub struct Choosing {
    pub open: RwSignal<bool>,
    pub chosen: Signal<Vec<Column>>,
    /// Names of the custom fields of the visible leads.
    pub custom: Signal<Vec<String>>,
    pub set: Callback<Vec<Column>>,
    pub widths: Widths,
}

/// The dialog: the chosen columns in order, and a list to add from.
pub fn column_chooser(given: Choosing) -> AnyView {
    let Choosing { open, chosen, custom, set, widths } = given;
    let left = move || {
        let left = |column: &Column| *column != OF_LEAD && chosen.with(|chosen| !chosen.contains(column));
        let (in_campaigns, of_lead): (Vec<_>, Vec<_>) = Column::all().filter(left).partition(Column::is_of_campaigns);
        let custom = custom.get().into_iter().map(Column::Custom).filter(left).collect();
        let group = |(label, columns): (&'static str, Vec<Column>)| {
            let options = columns.iter().map(|one| view! { <option value=name_of(one)>{label_of(one)}</option> });
            (!columns.is_empty()).then(|| view! { <optgroup label=label>{options.collect_view()}</optgroup> })
        };
        let groups = [(filter::lead(), of_lead), (filter::campaign_lead(), in_campaigns), (filter::custom(), custom)];
        groups.map(group).collect_view().into_any()
    };
    let add = move |name: String| {
        if let Some(column) = column_of(&name) {
            set.run(chosen.get_untracked().into_iter().chain([column]).collect());
        }
    };
    let is_changed = move || chosen.with(|chosen| *chosen != usual());
    view! {
        <Dialog open title=texts::columns() test="columns">
            <div class="dialog-body">
                <p class="secondary">{texts::columns_about()}</p>
                <ol class="column-list">
                    <For each=move || chosen.get() key=name_of let:column>
                        <ColumnLine column chosen set />
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
                            {texts::choose()}
                        </option>
                        {left}
                    </select>
                </Field>
            </div>
            <footer class="dialog-foot">
                <Show when=is_changed>
                    <button
                        type="button"
                        class="button button-plain start"
                        data-test="columns-usual"
                        on:click=move |_| set.run(usual())
                    >
                        {texts::usual_columns()}
                    </button>
                </Show>
                <Show when=move || widths.is_any()>
                    <button
                        type="button"
                        class="button button-plain start"
                        data-test="widths-reset"
                        on:click=move |_| widths.reset()
                    >
                        {texts::reset_widths()}
                    </button>
                </Show>
                <button type="button" class="button button-primary" data-test="columns-done" on:click=move |_| open.set(false)>
                    {texts::done()}
                </button>
            </footer>
        </Dialog>
    }
    .into_any()
}

/// A chosen column with its actions.
#[component]
fn ColumnLine(column: Column, chosen: Signal<Vec<Column>>, set: Callback<Vec<Column>>) -> impl IntoView {
    let (name, label) = (name_of(&column), label_of(&column));
    let column = StoredValue::new(column);
    let place = Memo::new(move |_| {
        chosen
            .with(|chosen| column.with_value(|column| chosen.iter().position(|one| one == column)))
            .unwrap_or_default()
    });
    let id = move |what: &str, name: &str| format!("column-{what}-{name}");
    let button = |what: &'static str, step: isize, glyph: Glyph| {
        let own = id(what, &name);
        let is_end = move || match step {
            -1 => place.get() == 0,
            _ => chosen.with(|chosen| place.get() + 1 >= chosen.len()),
        };
        let focused = own.clone();
        let press = move |_| {
            let mut all = chosen.get_untracked();
            let from = place.get_untracked();
            let Some(to) = from.checked_add_signed(step).filter(|to| *to < all.len()) else { return };
            all.swap(from, to);
            set.run(all);
            // The focus follows the line to its new position.
            focus_soon(focused.clone());
        };
        view! {
            <button
                type="button"
                id=own
                class="button button-plain button-icon button-small"
                aria-label=if step < 0 { texts::move_up(&label) } else { texts::move_down(&label) }
                aria-disabled=move || is_end().to_string()
                data-test=format!("column-{what}")
                on:click=press
            >
                <Icon glyph />
            </button>
        }
        .into_any()
    };
    let (up, down) = (button("up", -1, Glyph::ArrowUp), button("down", 1, Glyph::ArrowDown));
    let remove = move |_| {
        set.run(chosen.get_untracked().into_iter().filter(|one| column.with_value(|column| one != column)).collect());
        focus_soon("column-add".to_owned());
    };
    view! {
        <li data-test="column" data-name=name.clone()>
            <span class="column-label">{label.clone()}</span>
            {up}
            {down}
            <button
                type="button"
                class="button button-plain button-icon button-small"
                aria-label=texts::leave_out(label)
                data-test="column-remove"
                on:click=remove
            >
                <Icon glyph=Glyph::Close />
            </button>
        </li>
    }
    .into_any()
}
