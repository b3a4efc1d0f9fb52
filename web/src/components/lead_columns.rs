//! The columns of the list of leads: which there are, how they are named in addresses, and the dialog that chooses them.

use std::borrow::Cow;

use leadscribe_engine::filter::fields::{CUSTOM_PREFIX, FieldId};
use leptos::prelude::*;

use super::dialog::Dialog;
use super::field::Field;
use super::icon::{Glyph, Icon};
use super::lead_table::{LEAD, Width, Widths, width_of};
use crate::focus::focus_soon;
use crate::language::language;
use crate::storage::storage;
use crate::texts::{filter, lead_table as texts};

/// A column beside that of the lead itself, which is always the first.
pub use leadscribe_engine::record::LeadColumn as Column;

/// What is shown until somebody chooses.
const USUAL: [Column; 4] = [Column::Number, Column::Place, Column::Campaigns, Column::Field(FieldId::GlobalUpdatedAt)];

/// What the column of the lead itself has.
const OF_LEAD: Column = Column::Field(FieldId::Id);

/// Where this browser remembers the choice.
const KEY: &str = "leadscribe.lead-columns";

/// What a column is called in an address.
pub fn name_of(column: &Column) -> String {
    match column {
        // A name may hold what separates names.
        Column::Custom(name) => format!("{CUSTOM_PREFIX}{}", String::from(js_sys::encode_uri_component(name))),
        column => column.name().into_owned(),
    }
}

fn column_of(name: &str) -> Option<Column> {
    let column = match name.strip_prefix(CUSTOM_PREFIX) {
        Some(custom) => Column::Custom(js_sys::decode_uri_component(custom).ok()?.into()),
        None => Column::from_name(name)?,
    };
    Some(column).filter(|column| *column != OF_LEAD)
}

/// What staff read.
pub fn label_of(column: &Column) -> Cow<'static, str> {
    match column {
        Column::Number => texts::phone().into(),
        Column::Place => texts::place().into(),
        Column::Campaigns => texts::campaigns().into(),
        Column::NextCall => texts::next_call().into(),
        Column::Reasons => texts::why_not_callable().into(),
        Column::Field(FieldId::Phone) => texts::phone_given().into(),
        Column::Field(FieldId::GlobalUpdatedAt) => texts::updated().into(),
        Column::Field(FieldId::UpdatedAt) => texts::fields_updated().into(),
        Column::Field(id) => id.field().label(language()).into(),
        Column::Custom(name) => name.clone().into(),
    }
}

/// Columns and their widths as one text, for an address: `lead:240,city,status:120`. Of the usual ones as their content wants
/// them, nothing.
pub fn to_text(columns: &[Column], widths: &[Width]) -> String {
    if columns == USUAL && widths.is_empty() {
        return String::new();
    }
    let with_width = |name: String| match width_of(widths, &name) {
        Some(width) => format!("{name}:{width}"),
        None => name,
    };
    let lead = Some(LEAD.to_owned()).filter(|lead| columns.is_empty() || width_of(widths, lead).is_some());
    lead.into_iter().chain(columns.iter().map(name_of)).map(with_width).collect::<Vec<_>>().join(",")
}

/// The columns that a text names, each once, and the usual ones of an empty text; what names nothing is passed over.
pub fn from_text(text: &str) -> Vec<Column> {
    if text.is_empty() {
        return usual();
    }
    let mut columns = Vec::new();
    for entry in text.split(',') {
        let name = entry.split_once(':').map_or(entry, |(name, _)| name);
        if let Some(column) = column_of(name).filter(|column| !columns.contains(column)) {
            columns.push(column);
        }
    }
    columns
}

/// The text that this browser remembers; none for the usual columns.
pub fn remembered() -> Option<String> {
    storage()?.get_item(KEY).ok()?.filter(|text| !text.is_empty())
}

/// Remembers a text in this browser.
pub fn remember(text: &str) {
    if let Some(storage) = storage() {
        // A browser that refuses forgets, and the address still has them.
        let _ = if text.is_empty() { storage.remove_item(KEY) } else { storage.set_item(KEY, text) };
    }
}

/// What is shown until somebody chooses.
pub fn usual() -> Vec<Column> {
    USUAL.to_vec()
}

/// The dialog: the chosen ones in their order, and a list to add from.
#[component]
pub fn ColumnChooser(
    open: RwSignal<bool>,
    #[prop(into)] chosen: Signal<Vec<Column>>,
    /// Names of custom fields that the leads in sight have.
    #[prop(into)]
    custom: Signal<Vec<String>>,
    set: Callback<Vec<Column>>,
    widths: Widths,
) -> impl IntoView {
    let left = move || {
        let left = |column: &Column| *column != OF_LEAD && chosen.with(|chosen| !chosen.contains(column));
        let (in_campaigns, of_lead): (Vec<_>, Vec<_>) =
            Column::all().filter(left).partition(Column::is_of_campaigns);
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
    let is_changed = move || chosen.with(|chosen| chosen != &USUAL);
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
}

/// A chosen column, with what can be done to it.
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
            // The line moves in the page, and the keyboard with it.
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

#[cfg(test)]
mod tests {
    use super::*;

    fn widths(of: &[(&str, u32)]) -> Vec<Width> {
        of.iter().map(|(name, width)| ((*name).to_owned(), *width)).collect()
    }

    #[test]
    fn an_address_says_the_columns_in_their_order_and_how_wide_they_are() {
        let columns = [Column::Field(FieldId::City), Column::NextCall, Column::Field(FieldId::Status)];
        let chosen = widths(&[("status", 120), ("lead", 240), ("email", 99)]);
        assert_eq!(to_text(&columns, &chosen), "lead:240,city,next_call,status:120");
        assert_eq!(from_text("lead:240,city,next_call,status:120"), columns);
        assert_eq!(from_text("city:x,nonsense,id,city,campaign_status,lead_id"), columns[..1].iter().chain(&columns[2..]).cloned().collect::<Vec<_>>());
        assert_eq!((to_text(&[], &[]).as_str(), from_text("lead")), ("lead", Vec::new()));
        assert_eq!((to_text(&[], &chosen).as_str(), from_text("lead:240")), ("lead:240", Vec::new()));
        assert_eq!((to_text(&usual(), &[]).as_str(), from_text("")), ("", usual()));
        assert_eq!(from_text(&to_text(&usual(), &chosen)), usual());
    }
}
