//! Header of the page: number of leads, saved views, exports, columns and other actions. The columns and their widths
//! are stored in the URL.

use leadscribe_engine::api::SavedView;
use leadscribe_engine::filter::fields::FieldId;
use leptos::prelude::*;
use leptos_router::hooks::use_location;

use super::lead_list::LeadResults;
use super::search_state::LeadSearchState;
use super::views::{MissingView, SavedViewControls, is_missing_view};
use crate::api::{ApiError, export_url, use_session};
use crate::features::leads::list::PAGE_PATH;
use crate::i18n::texts::{common, leads as texts, shell};
use crate::ui::filter_editor::filter_text::canonicalize;
use crate::ui::lead::columns as lead_columns;
use crate::ui::lead::columns::Column;
use crate::ui::lead::table::{ColumnWidths, widths_from_text};
use crate::ui::list::{CurrentView, ExportFile, ExportMenu, Total, is_owned_by};
use crate::ui::{Glyph, Icon, PageHeader};

/// Header. `view_error` is the error of the saved view in the URL. With `is_view_missing` the error is shown instead of
/// leads.
#[component]
pub fn LeadsHeader(
    search_state: LeadSearchState,
    lead_results: LeadResults,
    columns: ColumnSettings,
    view_error: Memo<Option<ApiError>>,
    is_view_missing: Memo<bool>,
    /// True while the column dialog is open.
    is_choosing_columns: RwSignal<bool>,
    /// True while the dialog of recent changes is open.
    is_recent_changes_open: RwSignal<bool>,
) -> impl IntoView {
    let session = use_session();
    let LeadSearchState { views, open_view_id, .. } = search_state;
    let list_state = Memo::new(move |_| search_state.state_to_save());
    let current_view = Memo::new(move |_| {
        let view = views.find(&open_view_id.get()?)?;
        let can_change = session.can_write() || is_owned_by(&view, session.user().map(|user| user.id));
        Some(CurrentView { is_changed: !list_state.get().equals_view(&view), can_change, view })
    });
    let on_discard = Callback::new(move |view: SavedView| search_state.discard_changes(&view));
    let total = Signal::derive(move || lead_results.total.get().filter(|_| !is_view_missing.get()));
    let is_linked_view_missing =
        move || view_error.with(|error| error.as_ref().is_some_and(is_missing_view)) && !is_view_missing.get();
    let note = move || {
        view! {
            <Total total format=common::leads />
            <Show when=is_linked_view_missing>
                <span class="small secondary" data-test="view-missing">
                    {texts::link_view_not_found()}
                </span>
            </Show>
        }
    };
    view! {
        <PageHeader title=shell::leads() note=ViewFn::from(note)>
            <SavedViewControls views list_state is_filter_invalid=Signal::derive(move || search_state.check_result.with(Result::is_err)) current_view go=Callback::new(move |list_state| search_state.go(list_state, true)) on_discard />
            // A view that doesn't exist can't be saved or exported.
            <Show when=move || !is_view_missing.get()>
                <LeadExport filter=search_state.applied_filter columns=columns.shown />
                <button type="button" class="button" data-test="choose-columns" on:click=move |_| is_choosing_columns.set(true)>
                    <Icon glyph=Glyph::Columns />
                    {common::columns()}
                </button>
            </Show>
            <button
                type="button"
                class="button recent-changes-button"
                aria-label=texts::open_recent_changes()
                title=texts::open_recent_changes()
                data-test="recent-changes"
                on:click=move |_| is_recent_changes_open.set(true)
            >
                <Icon glyph=Glyph::History />
                <span>{texts::open_recent_changes()}</span>
            </button>
            <Show when=move || session.can_write()>
                <a class="button button-primary" href="/leads/new" data-test="new-lead">
                    <Icon glyph=Glyph::Plus />
                    {common::new_lead()}
                </a>
            </Show>
        </PageHeader>
        {move || is_view_missing.get().then(|| view_error.get().map(|error| view! { <MissingView views error /> }))}
    }
}

/// Test id of the file that contains only the shown columns.
const SHOWN_COLUMNS: &str = "shown";

/// Fields that the first column shows.
const LEAD_COLUMN_FIELDS: [FieldId; 3] = [FieldId::Id, FieldId::FirstName, FieldId::LastName];

#[component]
fn LeadExport(
    filter: Memo<String>,
    /// Shown columns, in addition to the first one.
    columns: Memo<Vec<Column>>,
) -> impl IntoView {
    let shown_columns = Memo::new(move |_| {
        let lead_fields = LEAD_COLUMN_FIELDS.map(Column::Field);
        let other_columns =
            columns.get().into_iter().filter(|column| !lead_fields.contains(column)).collect::<Vec<_>>();
        lead_fields.iter().chain(&other_columns).map(|column| column.name().into_owned()).collect::<Vec<_>>()
    });
    let file = move |test_id: &'static str, format: &'static str, label: &'static str, description: &'static str| {
        let columns = move || if test_id == SHOWN_COLUMNS { shown_columns.get() } else { Vec::new() };
        let href = Signal::derive(move || export_url(&canonicalize(&filter.get()), format, &columns()));
        ExportFile { test_id, href, label, description }
    };
    let files = vec![
        file(SHOWN_COLUMNS, "csv", texts::csv_as_shown(), texts::csv_as_shown_hint()),
        file("csv", "csv", texts::csv(), texts::csv_hint()),
        file("jsonl", "jsonl", common::json_lines(), texts::json_lines_hint()),
    ];
    view! { <ExportMenu files /> }
}

/// Shown columns, and a callback to change them.
#[derive(Clone, Copy)]
pub struct ColumnSettings {
    pub shown: Memo<Vec<Column>>,
    pub widths: ColumnWidths,
    pub set: Callback<Vec<Column>>,
}

/// Returns the columns in the URL. `open_view_id` is the id of the open saved view: empty if none is open, `None` while
/// nothing is shown. `show` puts changed columns into the URL.
pub fn use_column_settings(
    text: Memo<String>,
    open_view_id: Memo<Option<String>>,
    show: Callback<String>,
) -> ColumnSettings {
    let shown = Memo::new(move |_| lead_columns::parse_columns(&text.get()));
    let widths_in_use = RwSignal::new(text.with_untracked(|text| widths_from_text(text)));
    Effect::new(move |_| {
        let url_widths = text.with(|text| widths_from_text(text));
        if widths_in_use.with_untracked(|widths_in_use| *widths_in_use != url_widths) {
            widths_in_use.set(url_widths);
        }
    });
    let pathname = use_location().pathname;
    Effect::new(move |_| {
        // Puts the stored columns into the URL, so that a link contains them. Not while navigating away, when the URL
        // already belongs to another page, and not in a saved view, which has its own columns.
        let can_restore = text.with(String::is_empty) && open_view_id.get().is_some_and(|view| view.is_empty());
        let remembered = can_restore.then(lead_columns::load_stored).flatten();
        if let Some(remembered) = remembered.filter(|_| pathname.get_untracked() == PAGE_PATH) {
            show.run(remembered);
        }
    });
    let set = Callback::new(move |columns: Vec<Column>| {
        let text = widths_in_use.with_untracked(|widths| lead_columns::format_columns(&columns, widths));
        if open_view_id.with_untracked(|view| view.as_ref().is_some_and(String::is_empty)) {
            lead_columns::store(&text);
        }
        show.run(text);
    });
    let widths = ColumnWidths::with_callback(widths_in_use, Callback::new(move |()| set.run(shown.get_untracked())));
    ColumnSettings { shown, widths, set }
}
