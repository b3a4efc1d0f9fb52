//! Form for a new import: kind of data, file, column mapping, dry run and start.

use leadscribe_engine::api::{Import, ImportKind, Timestamp};
use leadscribe_engine::csv::Encoding;
use leadscribe_engine::record::{CallDetailReader, Format};
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::File;

use super::PAGE_PATH;
use super::call_details::{CallDetailsFields, RecordingFolder};
use super::mapping_form::MappingForm;
use crate::api::session::use_session;
use crate::api::{ImportUpload, use_api};
use crate::browser::focus::focus_after_render;
use crate::features::imports::columns::ImportColumns;
use crate::features::imports::csv_preview::{CsvFileError, CsvPreview};
use crate::features::imports::last_mapping;
use crate::features::imports::mapping::ImportMapping;
use crate::features::imports::options::{
    CountryChoice, DecimalChoice, DuplicatesChoice, IdentifierChoice, supports_identifier,
};
use crate::features::imports::preview::ImportPreview;
use crate::features::imports::recording_uploads;
use crate::features::imports::target::{ImportTarget, TargetChoice};
use crate::i18n::datetime;
use crate::i18n::locale::language;
use crate::i18n::texts::{common, imports};
use crate::state::file_upload::FileUpload;
use crate::state::mutation::Mutation;
use crate::ui::audit::changed_fields::field_label;
use crate::ui::error_notice::ErrorNotice;
use crate::ui::icon::{Glyph, Icon};
use crate::ui::input::async_button::AsyncButton;
use crate::ui::input::field::FieldDiagnostics;
use crate::ui::input::file_drop::FileDrop;
use crate::ui::lazy_view::lazy_view;
use crate::ui::segmented_control::{SegmentedControl, segment};
use crate::ui::unsaved_changes_guard::UnsavedChangesGuard;

/// Id of the column section.
const COLUMNS_SECTION_ID: &str = "import-columns";

/// A picked file before the import.
#[derive(Clone)]
struct PickedFile {
    file: File,
    sheet: CsvPreview,
}

/// An import that was started.
#[derive(Clone)]
pub struct StartedImport {
    pub import: Import,
    /// Recordings to upload once its calls are imported.
    pub selected_recordings: recording_uploads::SelectedRecordings,
}

/// Kind and file; then the columns of the file.
#[component]
pub fn NewImport(
    /// Called when an import or a dry run starts.
    on_started: Callback<StartedImport>,
    /// Called when the result of a dry run is outdated.
    on_changed: Callback<()>,
    /// True while recordings of an earlier import are uploaded.
    #[prop(into)]
    is_uploading: Signal<bool>,
) -> impl IntoView {
    let mutation = Mutation::new();
    // A change of the mapping clears the error.
    let on_changed = Callback::new(move |()| {
        mutation.clear_error();
        on_changed.run(());
    });
    let kind = RwSignal::new(ImportKind::Leads);
    let picked = RwSignal::new_local(None::<PickedFile>);
    let read_error = RwSignal::new(None::<&'static str>);
    let kind_segments = ImportKind::ALL
        .iter()
        .map(|import_kind| segment(*import_kind, imports::kind(*import_kind), format!("import-{import_kind}")))
        .collect();
    let choose_kind = move |import_kind| {
        kind.set(import_kind);
        on_changed.run(());
    };
    let on_file = Callback::new(move |file: File| {
        on_changed.run(());
        read_error.set(None);
        spawn_local(async move {
            // The page may have been closed.
            let error_text = match CsvPreview::open(&file).await {
                Err(CsvFileError::Unreadable) => Some(imports::unreadable()),
                Err(CsvFileError::Binary) => Some(imports::workbook()),
                Err(CsvFileError::Utf32) => Some(imports::utf32()),
                Err(CsvFileError::Delimiter) => Some(imports::unknown_delimiter()),
                Ok(sheet) if sheet.is_empty() => Some(imports::file_is_empty()),
                Ok(sheet) => {
                    if sheet.format == Some(Format::Asterisk) {
                        kind.try_set(ImportKind::Calls);
                    }
                    picked.try_set(Some(PickedFile { file, sheet }));
                    None
                }
            };
            read_error.try_set(error_text);
        });
    });
    let label = Signal::derive(move || imports::kind_file(kind.get()).to_owned());
    let close = Callback::new(move |()| {
        picked.set(None);
        on_changed.run(());
    });
    let on_import = Callback::new(move |started_import: StartedImport| {
        if !started_import.import.dry_run {
            picked.set(None);
        }
        on_started.run(started_import);
    });
    let is_file_picked = Signal::derive(move || picked.with(Option::is_some));
    let body = move || match picked.get() {
        None => view! {
            <div class="card-body import-new">
                <FileDrop id="import-file" label accept=".csv,.tsv,.txt,text/csv" disabled=false on_file />
                <ImportColumns kind />
            </div>
            {move || {
                read_error
                    .get()
                    .map(|error_text| {
                        view! {
                            <p class="card-body field-error" role="alert">
                                <Icon glyph=Glyph::Alert />
                                <span>{error_text}</span>
                            </p>
                        }
                    })
            }}
        }
        .into_any(),
        Some(picked) => {
            let kind = kind.get();
            picked_file_form(ImportFormProps {
                kind,
                picked,
                mutation,
                on_import,
                on_changed,
                is_uploading,
                on_close: close,
            })
        }
    };
    view! {
        <section class="card import-card" class:has-file=is_file_picked aria-labelledby="new-import">
            <div class="card-header">
                <h2 id="new-import">{imports::import_a_file()}</h2>
                <fieldset class="bare" disabled=mutation.is_busy()>
                    <SegmentedControl label=imports::import_type() segments=kind_segments selected=kind on_choose=choose_kind />
                </fieldset>
            </div>
            {body}
        </section>
        <UnsavedChangesGuard has_unsaved_changes=Signal::derive(move || is_file_picked.get() || is_uploading.get()) kept_below=PAGE_PATH />
    }
}

/// A picked file and the context of its form.
pub struct ImportFormProps {
    kind: ImportKind,
    picked: PickedFile,
    /// State of the import request.
    mutation: Mutation,
    on_import: Callback<StartedImport>,
    on_changed: Callback<()>,
    is_uploading: Signal<bool>,
    on_close: Callback<()>,
}

lazy_view!(
    /// The form, loaded when the user picks a file.
    dialogs: pub fn picked_file_form(ImportFormProps) = import_form
);

/// Columns and first rows of a file, with buttons for dry run and import.
fn import_form(props: ImportFormProps) -> AnyView {
    let ImportFormProps { kind, picked, mutation, on_import, on_changed, is_uploading, on_close } = props;
    let (api, user) = (use_api(), use_session().current().map(|session| session.user.id));
    let name = picked.file.name();
    let file = StoredValue::new_local(picked.file);
    let previous_mapping = user.and_then(|user| last_mapping::load(user, kind, &picked.sheet.header));
    let mapping_form = MappingForm::new(kind, picked.sheet, previous_mapping, on_changed);
    let MappingForm {
        sheet,
        chosen: field_by_column,
        identifier,
        mapping,
        has_call_details,
        lacks_key: missing_identifier_reason,
        missing_key: unresolved_identifier_reason,
        unread: unmapped_columns,
        ..
    } = mapping_form;
    let set_identifier = Callback::new(move |column: String| {
        identifier.set(column);
        on_changed.run(());
    });
    let set_duplicates = Callback::new(move |field_by_column: String| {
        mapping_form.duplicates.set(field_by_column);
        on_changed.run(());
    });
    let choose_field = Callback::new(move |(column_index, field): (usize, Option<String>)| {
        field_by_column.update(|field_by_column| field_by_column[column_index] = field);
        on_changed.run(());
    });
    let target = RwSignal::new(ImportTarget::default());
    let recordings = RwSignal::new_local(recording_uploads::SelectedRecordings::default());
    let upload = FileUpload::new(mutation);
    let start = move |is_dry_run: bool| {
        let mapping = mapping.get_untracked();
        let ImportTarget { campaign, status } = target.get_untracked();
        let file = file.get_value();
        let import_upload =
            ImportUpload { mapping: mapping.clone(), campaign, status, is_dry_run, ..ImportUpload::new(kind, file) };
        let on_imported = move |import: Import| {
            if let Some(user) = user.filter(|_| !import.dry_run && !has_call_details) {
                sheet.with_value(|sheet| last_mapping::store(user, kind, &sheet.header, mapping));
            }
            let field_by_column = if import.dry_run { Default::default() } else { recordings.get_untracked() };
            on_import.run(StartedImport { import, selected_recordings: field_by_column });
        };
        upload
            .start(move |progress, abort_handle| api.upload_import(import_upload, progress, abort_handle), on_imported);
    };
    let is_busy = mutation.is_busy();
    let is_invalid = Signal::derive(move || mapping_form.is_invalid());
    let (columns, delimiter) = sheet.with_value(|sheet| (sheet.header.len() as u64, sheet.delimiter));
    let columns = match delimiter {
        Some(delimiter) => imports::file_columns_separated(columns, delimiter.display_name().text(language())),
        None => imports::file_columns(columns),
    };
    let is_garbled = sheet.with_value(|sheet| sheet.has_invalid_text);
    let encoding = sheet.with_value(|sheet| sheet.encoding);
    let row_count = sheet.with_value(|sheet| sheet.rows.len());
    let target_fields = has_call_details.then_some(target_fields_of as fn(&str) -> String);
    view! {
        <div class="card-body stack picked">
            <div class="picked-file">
                <Icon glyph=Glyph::File />
                <div>
                    <p class="strong" data-test="picked-file">{name}</p>
                    <p class="small secondary">{columns}</p>
                </div>
                <button
                    type="button"
                    class="button button-small"
                    disabled=is_busy
                    data-test="change-file"
                    on:click=move |_| on_close.run(())
                >
                    {imports::choose_another_file()}
                </button>
            </div>
            {match encoding {
                Some(Encoding::Windows1252) => {
                    view! {
                        <p class="small secondary" role="status" data-test="encoding">
                            {imports::read_as_windows()}
                        </p>
                    }
                        .into_any()
                }
                Some(Encoding::Utf16Le | Encoding::Utf16Be) => {
                    view! {
                        <p class="small secondary" role="status" data-test="encoding">
                            {imports::read_as_utf16()}
                        </p>
                    }
                        .into_any()
                }
                Some(Encoding::Utf8) | None => ().into_any(),
            }}
            {is_garbled
                .then(|| {
                    view! {
                        <p class="field-error" role="alert" data-test="garbled">
                            <Icon glyph=Glyph::Alert />
                            <span>{imports::invalid_utf8()}</span>
                        </p>
                    }
                })}
            {if has_call_details {
                let disabled = Signal::derive(move || is_busy.get() || is_uploading.get());
                view! {
                    <CallDetailsFields mapping_form />
                    <RecordingFolder file mapping disabled selected=recordings />
                }
                    .into_any()
            } else {
                view! {
                    <div aria-live="polite" class="missing-identifier">
                        {move || {
                            unresolved_identifier_reason
                                .get()
                                .map(|text| {
                                    view! {
                                        <p class="field-error" data-test="missing-identifier">
                                            <Icon glyph=Glyph::Alert />
                                            <span>{text}</span>
                                        </p>
                                    }
                                })
                        }}
                    </div>
                    <Show when=move || supports_identifier(kind) && missing_identifier_reason.with(Option::is_some)>
                        <IdentifierChoice sheet identifier on_choose=set_identifier />
                    </Show>
                    {move || {
                        let at = mapping_form.last_mapping.with(|last_mapping| last_mapping.as_ref().map(|mapping| mapping.stored_at))?;
                        Some(view! { <RestoredMappingNotice at use_guess=mapping_form.use_guess /> })
                    }}
                    <section id=COLUMNS_SECTION_ID tabindex="-1" class="table-card mobile-cards" aria-label=imports::file_columns_label()>
                        <ImportMapping kind sheet mapping=field_by_column on_choose=choose_field diagnostics=mapping_form.column_diagnostics />
                    </section>
                    <p class="secondary" role="status" data-test="unmapped-columns" hidden=move || unmapped_columns.with(Vec::is_empty)>
                        {move || {
                            unmapped_columns.with(|names| imports::columns_not_imported(names.len() as u64, names.join(", ")))
                        }}
                    </p>
                }
                    .into_any()
            }}
            <Show when=move || mapping_form.maps_phone_numbers.get()>
                <CountryChoice country=mapping_form.country />
            </Show>
            <Show when=move || mapping_form.has_amounts.get()>
                <DecimalChoice decimal=mapping_form.decimal set=mapping_form.set_decimal is_needed=mapping_form.is_decimal_needed />
            </Show>
            <Show when=move || !has_call_details>
                <DuplicatesChoice duplicates=mapping_form.duplicates set=set_duplicates />
            </Show>
            <Show when=move || kind == ImportKind::Leads>
                <TargetChoice target on_changed />
            </Show>
            <FieldDiagnostics diagnostics=mapping_form.other_diagnostics />
            <section class="stack-tight" aria-labelledby="first-rows">
                <h3 id="first-rows">{imports::first_rows(row_count as u64)}</h3>
                <div class="table-card">
                    <ImportPreview sheet ignored=mapping_form.is_ignored_by_column target_label=target_fields diagnostics=mapping_form.row_diagnostics shows_missing_key=Signal::derive(move || unresolved_identifier_reason.with(Option::is_some)) />
                </div>
            </section>
            {move || mutation.error().map(|error| view! { <ErrorNotice error /> })}
            <div class="row import-actions">
                <AsyncButton is_blocked=is_busy disabled=is_invalid test_id="import-dry-run" on_press=Callback::new(move |()| start(true))>
                    {imports::preview_changes()}
                </AsyncButton>
                <AsyncButton
                    class="button button-primary"
                    is_blocked=is_busy
                    disabled=is_invalid
                    test_id="import-start"
                    on_press=Callback::new(move |()| start(false))
                >
                    {imports::import_label(kind)}
                </AsyncButton>
                <Show when=move || is_busy.get()>
                    <button type="button" class="button" data-test="import-stop" on:click=move |_| upload.cancel()>
                        {common::cancel()}
                    </button>
                </Show>
                <span class="small secondary" role="status">
                    {move || is_busy.get().then(|| imports::uploading(upload.percent()))}
                </span>
            </div>
        </div>
    }
    .into_any()
}

/// Note that the mapping is that of an earlier import, with a button to use the guessed mapping instead.
#[component]
fn RestoredMappingNotice(at: Timestamp, use_guess: Callback<()>) -> impl IntoView {
    let on_use_guess = move |_| {
        use_guess.run(());
        focus_after_render(COLUMNS_SECTION_ID.to_owned());
    };
    view! {
        <div class="row" data-test="previous-mapping">
            <span class="secondary" role="status" title=datetime::format_exact(at)>
                {imports::same_mapping_as_before(datetime::format_local(at))}
            </span>
            <button type="button" class="button button-small" data-test="use-suggested-mapping" on:click=on_use_guess>
                {imports::reset_mapping()}
            </button>
        </div>
    }
}

/// Fields of a call that a column of a call detail record sets.
fn target_fields_of(column: &str) -> String {
    CallDetailReader::fields_from(column).map(field_label).collect::<Vec<_>>().join(", ")
}
