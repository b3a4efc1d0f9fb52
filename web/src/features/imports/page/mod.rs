//! `/imports` and `/imports/{id}`: import of a CSV file with column mapping and dry run, its progress, rejected rows
//! and undo.

mod call_details;
mod new_import;
mod selected_import;

use leadscribe_engine::api::{Import, ImportId, ImportKind, ImportState};
use leptos::prelude::*;

use crate::api::{ImportQuery, ListQuery, use_api, use_session};
use crate::browser::query::{use_navigate_in_place, use_path_id};
use crate::features::imports::corrections::Corrections;
use crate::features::imports::recording_uploads::{RecordingUploads, UploadProgress, UploadStage};
use crate::features::imports::undo::{available_undo, undo_question};
use crate::i18n::datetime::format_count;
use crate::i18n::texts::{common, imports, shell};
use crate::ui::dialog::{ConfirmDialog, PendingConfirmation};
use crate::ui::input::{Button, FieldAccessor, SearchInput, Select, enum_choices, query_field};
use crate::ui::list::{
    ColumnHeader, ExportMenu, ItemTable, ListSection, PaginatedList, RowAction, RowActions, export_files,
};
use crate::ui::{BadgeState, EmptyState, Glyph, ImportBadges, LocalTime, PageHeader, ProgressBar, UnsavedChangesGuard};
use new_import::{NewImport, StartedImport};
use selected_import::{SelectedImport, SelectedImportReport, SelectedImportRows};

/// Path of the page; the id of the selected import is appended.
const PAGE_PATH: &str = "/imports";

#[component]
pub fn ImportsPage() -> impl IntoView {
    let api = use_api();
    let session = use_session();
    let navigate_in_place = StoredValue::new_local(use_navigate_in_place());
    let selected_id = use_path_id(ImportId);
    // The list stays the same, whichever import is shown above it.
    let build_url = move |query: &ImportQuery| import_list_url(selected_id.get_untracked(), query);
    let list = PaginatedList::<_, Import>::new(build_url, |query| &query.name);
    let PaginatedList { list_query, page_resource, show, .. } = list;
    let on_retry = list.load_with(move |query| api.page(query));
    let refresh = move || page_resource.refresh(api.page(list.page_query()));
    let open_import = move |id: Option<ImportId>, replace: bool| {
        let url = list_query.with_untracked(|list_query| import_list_url(id, list_query));
        navigate_in_place.with_value(|navigate_in_place| navigate_in_place(&url, replace));
    };
    let selected_import = SelectedImport::new(api, selected_id, Callback::new(move |()| refresh()));
    let on_corrected = Callback::new(move |id| {
        if selected_id.get_untracked() == Some(id) {
            selected_import.load();
        }
        refresh();
    });
    let corrections = Corrections::new(api, on_corrected);
    let show_import = Callback::new(move |id: ImportId| match selected_id.get_untracked() == Some(id) {
        true => selected_import.load(),
        false => {
            selected_import.focus_when_loaded(id);
            open_import(Some(id), false);
        }
    });
    let uploads = RecordingUploads::default();
    let start = Callback::new(move |started_import: StartedImport| {
        uploads.start(api, started_import.import.id, started_import.selected_recordings);
        show_import.run(started_import.import.id);
    });
    // The result of a dry run applies to the mapping at that time only.
    let hide_dry_run = Callback::new(move |()| {
        if selected_id.get_untracked().is_some() {
            open_import(None, true);
        }
    });
    let confirmation = PendingConfirmation::<Import>::new();
    let on_undo = Callback::new(move |import| confirmation.request(import));
    let on_confirmed = Callback::new(move |import: Import| {
        confirmation.run(api.undo_import(import.id), move |import| {
            show_import.run(import.id);
            refresh();
        });
    });
    let can_undo = session.can_write();
    let (order, items, total, stale) = (list.order(DEFAULT_ORDER), list.items(), list.total(), list.is_stale());
    let is_without_imports = Memo::new(move |_| total.get() == Some(0) && !list_query.with(ListQuery::has_conditions));
    let query = Signal::derive(move || list_query.with(ListQuery::query_string));
    let table = move || {
        let row = move |import| import_row(import, query, can_undo, on_undo);
        view! { <ItemTable caption=imports::import_history() columns=&COLUMNS order items stale skeleton_rows=4 row /> }
    };
    let empty = move || {
        let (title, text) = (imports::none_yet(), imports::no_imports_hint());
        view! { <EmptyState glyph=Glyph::Imports title text /> }
    };
    view! {
        <PageHeader title=shell::imports() />
        <div class="stack" class:has-open-import=move || selected_id.get().is_some()>
            <Show
                when=move || session.can_write()
                fallback=|| view! { <p class="secondary">{imports::role_is_read_only()}</p> }
            >
                <NewImport on_started=start on_changed=hide_dry_run is_uploading=Signal::derive(move || uploads.is_busy()) />
            </Show>
            <SelectedImportReport selected_import can_undo on_undo />
            {move || {
                let on_stop = Callback::new(move |()| uploads.stop());
                uploads.progress().map(|uploading| view! { <RecordingUploadsCard uploading on_stop /> })
            }}
            <SelectedImportRows selected_import corrections can_correct=session.can_write() />
            <div class="stack-tight">
                <div class="space-between">
                    <h2 id="import-history-title">{imports::import_history()}</h2>
                    <Show when=move || !is_without_imports.get()>
                        <ExportMenu files=export_files(list_query) />
                    </Show>
                </div>
                <ImportFilter query=list_query on_change=show />
                <ListSection
                    list
                    label=imports::import_history()
                    field_parameters=&[]
                    columns=&COLUMNS
                    order
                    glyph=Glyph::Imports
                    no_match=(imports::no_match(), common::remove_filter_hint())
                    reset_label=imports::show_all()
                    on_retry
                    empty
                    table
                />
            </div>
        </div>
        <UnsavedChangesGuard has_unsaved_changes=Signal::derive(move || corrections.has_unsent()) allowed_prefix=PAGE_PATH />
        <ConfirmDialog confirmation question=undo_question on_confirm=on_confirmed />
    }
}

/// URL of a list query, with or without an import shown above it.
fn import_list_url(import: Option<ImportId>, query: &ImportQuery) -> String {
    let id_segment = import.map(|id| format!("/{id}")).unwrap_or_default();
    format!("{PAGE_PATH}{id_segment}{}", query.query_string())
}

/// Filter of the list. Each change applies immediately and returns to the first page.
#[component]
fn ImportFilter(query: Memo<ImportQuery>, on_change: Callback<ImportQuery>) -> impl IntoView {
    let input = move |accessor: FieldAccessor<ImportQuery>| query_field(query, on_change, accessor);
    let kinds = Signal::stored(enum_choices(ImportKind::ALL, ImportKind::as_str, imports::kind));
    let states = Signal::stored(enum_choices(ImportState::ALL, ImportState::as_str, BadgeState::state_label));
    let (name, set_name) = input(|query| &mut query.name);
    let (kind, set_kind) = input(|query| &mut query.kind);
    let (state, set_state) = input(|query| &mut query.state);
    view! {
        <form class="call-filter" role="search" aria-label=imports::import_history() on:submit=|event| event.prevent_default()>
            <div class="filter-search">
                <SearchInput label=imports::search_names() placeholder=imports::name() test_id="import-search" value=name set=set_name />
            </div>
            <Select label=imports::kind_column() empty_label=imports::any_kind() choices=kinds value=kind set=set_kind />
            <Select label=common::status() empty_label=common::any_status() choices=states value=state set=set_state />
        </form>
    }
}

/// Upload progress, with a button to stop running uploads.
#[component]
fn RecordingUploadsCard(uploading: UploadProgress, on_stop: Callback<()>) -> impl IntoView {
    let UploadProgress { stage, uploaded, total, percent, pause_reason, failed } = uploading;
    let (name, status_text) = match stage {
        UploadStage::Waiting => ("waiting", imports::recordings_pending(total)),
        UploadStage::Running => ("running", imports::recordings_uploaded(total, format_count(uploaded))),
        UploadStage::Finished => ("finished", imports::recordings_uploaded(total, format_count(uploaded))),
        UploadStage::Stopped => ("stopped", imports::recordings_stopped(total, format_count(uploaded))),
    };
    let can_stop = matches!(stage, UploadStage::Waiting | UploadStage::Running);
    let failures = (!failed.is_empty()).then(|| {
        let rows = failed.into_iter().map(|(path, reason)| {
            view! {
                <tr data-test="recording-failed">
                    <td data-label=imports::file()>{path}</td>
                    <td data-label=common::reason()>{reason}</td>
                </tr>
            }
        });
        view! {
            <div class="table-wrap" tabindex="0" role="region" aria-label=imports::recordings_failed()>
                <table class="table">
                    <caption class="visually-hidden">{imports::recordings_failed()}</caption>
                    <thead>
                        <tr>
                            <th scope="col">{imports::file()}</th>
                            <th scope="col">{common::reason()}</th>
                        </tr>
                    </thead>
                    <tbody>{rows.collect_view()}</tbody>
                </table>
            </div>
        }
    });
    view! {
        <section class="card mobile-cards" aria-label=common::recordings() data-test="recording-uploads" data-stage=name>
            <div class="card-header">
                <h2>{common::recordings()}</h2>
                <Show when=move || can_stop>
                    <Button class="button-small" label=common::cancel() test_id="recordings-stop" on_press=on_stop />
                </Show>
            </div>
            <div class="card-body stack">
                <ProgressBar label=common::recordings() percent />
                <p class="secondary" role="status" data-test="recordings-status">
                    {status_text} " " {pause_reason.map(imports::recordings_retrying)}
                </p>
                {failures}
            </div>
        </section>
    }
}

/// Column headers. The start time sorts by id, because ids are assigned in order of start.
pub static COLUMNS: [ColumnHeader; 7] = [
    ColumnHeader::new(imports::file).sorted_by("file_name"),
    ColumnHeader::new(imports::kind_column).sorted_by("kind"),
    ColumnHeader::new(imports::started).sorted_by(DEFAULT_ORDER),
    ColumnHeader::new(imports::rows).sorted_by("-counts.read").class("number"),
    ColumnHeader::new(imports::not_imported).sorted_by("-counts.rejected").class("number"),
    ColumnHeader::new(common::status).sorted_by("state"),
    ColumnHeader::new(common::actions).hidden(),
];

pub const DEFAULT_ORDER: &str = "-id";

/// Row of an import. `query` is the query string of the page, preserved when an import is opened.
pub fn import_row(import: Import, query: Signal<String>, can_undo: bool, on_undo: Callback<Import>) -> AnyView {
    let (id, is_undoable) = (import.id, available_undo(&import).is_some());
    let undo = import.undo.as_ref().map(|undo| undo.state);
    let stored_import = StoredValue::new(import.clone());
    let undo_import = move || on_undo.run(stored_import.get_value());
    view! {
        <tr data-row="" data-test="import-row" data-id=id.to_string()>
            <td class="lead-cell">
                <a class="link-button" data-row-link="" href=move || format!("/imports/{id}{}", query.get())>
                    {import.file_name}
                </a>
            </td>
            <td data-label=imports::kind_column()>{imports::kind(import.kind)}</td>
            <td data-label=imports::started()>
                <LocalTime at=import.started_at />
            </td>
            <td data-label=imports::rows() class="number">
                {format_count(import.counts.read)}
            </td>
            <td data-label=imports::not_imported() class="number">
                {format_count(import.counts.rejected)}
            </td>
            <td data-label=common::status()>
                <ImportBadges state=import.state undo />
            </td>
            <td class="fit">
                <RowActions can_act=can_undo && is_undoable>
                    <RowAction glyph=Glyph::Undo label=imports::undo() test_id="undo-listed" on_press=undo_import />
                </RowActions>
            </td>
        </tr>
    }
    .into_any()
}
