//! Form for a new import: kind of data, file, column mapping, dry run and start.

use leadscribe_engine::api::{Import, ImportKind};
use leadscribe_engine::csv::Encoding;
use leadscribe_engine::record::{CallDetailReader, column_names};
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::File;

use super::PAGE_PATH;
use super::call_details::{RecordingFolder, call_details_fields};
use crate::api::{ImportUpload, use_api, use_session};
use crate::browser::focus::focus_after_render;
use crate::features::imports::csv_table::CsvTable;
use crate::features::imports::mapping::{ImportMapping, load_last_mapping, store_last_mapping};
use crate::features::imports::mapping_form::MappingForm;
use crate::features::imports::options::{
    TargetChoice, country_choice, decimal_choice, duplicates_choice, identifier_choice, supports_identifier,
};
use crate::features::imports::preview::ImportPreview;
use crate::features::imports::recording_uploads::SelectedRecordings;
use crate::i18n::texts::{common, imports};
use crate::i18n::{datetime, language};
use crate::state::{FileUpload, Mutation};
use crate::ui::audit::field_label;
use crate::ui::input::{Button, FieldDiagnostics, FieldError, FileDrop};
use crate::ui::lazy_view::lazy_view;
use crate::ui::{ErrorNotice, Glyph, Icon, SegmentedControl, UnsavedChangesGuard, segment};

const COLUMNS_SECTION_ID: &str = "import-columns";

/// A picked file and its first rows.
type PickedFile = (File, CsvTable);

#[derive(Clone)]
pub struct StartedImport {
    pub import: Import,
    /// Recordings to upload once its calls are imported.
    pub selected_recordings: SelectedRecordings,
}

/// Choice of kind and file; once a file is picked, its columns.
#[component]
pub fn NewImport(
    /// Called when an import or a dry run starts.
    on_started: Callback<StartedImport>,
    /// Called when the result of a dry run is outdated.
    on_changed: Callback<()>,
    /// True while recordings of an earlier import are being uploaded.
    #[prop(into)]
    is_uploading: Signal<bool>,
) -> impl IntoView {
    let mutation = Mutation::new();
    // A change of the input clears the error.
    let on_changed = Callback::new(move |()| {
        mutation.clear_error();
        on_changed.run(());
    });
    let kind = RwSignal::new(ImportKind::Leads);
    let picked = RwSignal::new_local(None::<PickedFile>);
    let read_error = RwSignal::new(None::<&'static str>);
    let segments = ImportKind::ALL.iter();
    let segments = segments.map(|kind| segment(*kind, imports::kind(*kind), format!("import-{kind}"))).collect();
    let choose_kind = move |chosen_kind| {
        kind.set(chosen_kind);
        on_changed.run(());
    };
    let on_file = Callback::new(move |file: File| {
        on_changed.run(());
        read_error.set(None);
        spawn_local(async move {
            let result = CsvTable::open(&file).await;
            // The page may have been closed.
            read_error.try_set(result.as_ref().err().copied());
            if let Ok(table) = result {
                if table.has_call_details {
                    kind.try_set(ImportKind::Calls);
                }
                picked.try_set(Some((file, table)));
            }
        });
    });
    let label = Signal::derive(move || imports::kind_file(kind.get()).to_owned());
    let on_close = Callback::new(move |()| {
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
    let error_notice = move || {
        let text = read_error.get()?;
        Some(view! { <FieldError class="card-body field-error" role="alert">{text}</FieldError> })
    };
    let body = move || match picked.get() {
        None => view! {
            <div class="card-body import-new">
                <FileDrop id="import-file" label accept=".csv,.tsv,.txt,text/csv" on_file />
                <ImportColumns kind />
            </div>
            {error_notice}
        }
        .into_any(),
        Some(picked) => {
            let kind = kind.get();
            picked_file_form(ImportFormProps { kind, picked, mutation, on_import, on_changed, is_uploading, on_close })
        }
    };
    view! {
        <section class="card import-card" class:has-file=is_file_picked aria-labelledby="new-import">
            <div class="card-header">
                <h2 id="new-import">{common::import_file()}</h2>
                <fieldset class="bare" disabled=mutation.is_busy()>
                    <SegmentedControl label=imports::import_type() segments selected=kind on_choose=choose_kind />
                </fieldset>
            </div>
            {body}
        </section>
        <UnsavedChangesGuard has_unsaved_changes=Signal::derive(move || is_file_picked.get() || is_uploading.get()) allowed_prefix=PAGE_PATH />
    }
}

lazy_view!(dialogs: pub fn picked_file_form(ImportFormProps) = ImportForm);

/// Columns and first rows of a file, with buttons for dry run and import.
#[component]
pub fn ImportForm(
    kind: ImportKind,
    picked: PickedFile,
    mutation: Mutation,
    on_import: Callback<StartedImport>,
    on_changed: Callback<()>,
    is_uploading: Signal<bool>,
    on_close: Callback<()>,
) -> impl IntoView {
    let (api, user) = (use_api(), use_session().current().map(|session| session.user.id));
    let (file, table) = picked;
    let name = file.name();
    let column_count = table.header.len() as u64;
    let columns = imports::file_columns(column_count, table.delimiter.display_name().text(language()));
    let encoding_note = match table.encoding {
        Encoding::Windows1252 => Some(imports::read_as_windows()),
        Encoding::Utf16Le | Encoding::Utf16Be => Some(imports::read_as_utf16()),
        Encoding::Utf8 => None,
    };
    let encoding_note = encoding_note.map(|text| {
        view! {
            <p class="small secondary" role="status" data-test="encoding">
                {text}
            </p>
        }
    });
    let (is_garbled, row_count) = (table.has_invalid_text, table.rows.len() as u64);
    let file = StoredValue::new_local(file);
    let last_mapping = user.and_then(|user| load_last_mapping(user, kind, &table.header));
    let form = MappingForm::new(kind, table, last_mapping);
    let MappingForm { table, fields, mapping, lacks_key, has_call_details, .. } = form;
    let (campaign, status) = (RwSignal::new(String::new()), RwSignal::new(String::new()));
    Effect::watch(move || (mapping.get(), campaign.get(), status.get()), move |_, _, _| on_changed.run(()), false);
    let recordings = RwSignal::new_local(SelectedRecordings::default());
    let upload = FileUpload::new(mutation);
    let start = move |is_dry_run: bool| {
        let (mapping, campaign, status) = (mapping.get_untracked(), campaign.get_untracked(), status.get_untracked());
        let new_upload = ImportUpload::new(kind, file.get_value());
        let import_upload = ImportUpload { mapping: mapping.clone(), campaign, status, is_dry_run, ..new_upload };
        let on_imported = move |import: Import| {
            if let Some(user) = user.filter(|_| !import.dry_run && !has_call_details) {
                table.with_value(|table| store_last_mapping(user, kind, &table.header, mapping));
            }
            let selected_recordings = if import.dry_run { Default::default() } else { recordings.get_untracked() };
            on_import.run(StartedImport { import, selected_recordings });
        };
        upload.start(
            move |progress, abort_controller| api.upload_import(import_upload, progress, abort_controller),
            on_imported,
        );
    };
    let is_busy = mutation.is_busy();
    let missing_key = Memo::new(move |_| form.missing_key());
    let missing_key_error = |text| view! { <FieldError test_id="missing-identifier">{text}</FieldError> };
    let fields_view = match has_call_details {
        true => {
            let disabled = Signal::derive(move || is_busy.get() || is_uploading.get());
            view! {
                {call_details_fields(form)}
                <RecordingFolder file mapping disabled selected=recordings />
            }
            .into_any()
        }
        false => view! {
            <div aria-live="polite" class="missing-identifier">
                {move || missing_key.get().map(missing_key_error)}
            </div>
            <Show when=move || supports_identifier(kind) && lacks_key.with(Option::is_some)>{identifier_choice(form)}</Show>
            {move || restored_mapping_notice(form)}
            <section id=COLUMNS_SECTION_ID tabindex="-1" class="table-card mobile-cards" aria-label=imports::file_columns_label()>
                <ImportMapping kind table mapping=fields diagnostics=move || form.column_diagnostics() />
            </section>
            <p class="secondary" role="status" data-test="unmapped-columns" hidden=move || form.ignored_names().is_empty()>
                {move || {
                    let names = form.ignored_names();
                    imports::columns_not_imported(names.len() as u64, names.join(", "))
                }}
            </p>
        }
        .into_any(),
    };
    let is_invalid = Signal::derive(move || form.is_invalid());
    let target_label = has_call_details.then_some(target_fields_of as fn(&str) -> String);
    view! {
        <div class="card-body stack picked">
            <div class="line picked-file">
                <Icon glyph=Glyph::File />
                <div>
                    <p class="strong" data-test="picked-file">{name}</p>
                    <p class="small secondary">{columns}</p>
                </div>
                <Button
                    class="button-small"
                    label=imports::choose_another_file()
                    test_id="change-file"
                    disabled=is_busy
                    on_press=on_close
                />
            </div>
            {encoding_note}
            {is_garbled.then(|| view! { <FieldError role="alert" test_id="garbled">{imports::invalid_utf8()}</FieldError> })}
            {fields_view}
            <Show when=move || form.has_phone_numbers()>{country_choice(form)}</Show>
            <Show when=move || form.has_amounts()>{decimal_choice(form)}</Show>
            {(!has_call_details).then(|| duplicates_choice(form))}
            {(kind == ImportKind::Leads).then(|| view! { <TargetChoice campaign status /> })}
            <FieldDiagnostics diagnostics=move || form.other_diagnostics() />
            <section class="stack-tight" aria-labelledby="first-rows">
                <h3 id="first-rows">{imports::first_rows(row_count)}</h3>
                <div class="table-card">
                    <ImportPreview
                        table
                        ignored=move || form.ignored_columns()
                        target_label
                        diagnostics=move || form.row_diagnostics()
                        shows_missing_key=move || missing_key.with(Option::is_some)
                    />
                </div>
            </section>
            {move || mutation.error().map(|error| view! { <ErrorNotice error /> })}
            <div class="row import-actions">
                <Button
                    label=imports::preview_changes()
                    is_blocked=is_busy
                    disabled=is_invalid
                    test_id="import-dry-run"
                    on_press=move |()| start(true)
                />
                <Button
                    class="button-primary"
                    label=imports::import_label(kind)
                    is_blocked=is_busy
                    disabled=is_invalid
                    test_id="import-start"
                    on_press=move |()| start(false)
                />
                <Show when=move || is_busy.get()>
                    <Button label=common::cancel() test_id="import-stop" on_press=move |()| upload.cancel() />
                </Show>
                <span class="small secondary" role="status">
                    {move || is_busy.get().then(|| imports::uploading(upload.percent()))}
                </span>
            </div>
        </div>
    }
}

/// Notice for a mapping restored from an earlier import, with a button to use the guessed mapping instead.
fn restored_mapping_notice(form: MappingForm) -> Option<impl IntoView> {
    let at = form.last_mapping.with(|last_mapping| last_mapping.as_ref().map(|mapping| mapping.stored_at))?;
    let on_use_guess = move |()| {
        form.use_guess();
        focus_after_render(COLUMNS_SECTION_ID.to_owned());
    };
    Some(view! {
        <div class="row" data-test="previous-mapping">
            <span class="secondary" role="status" title=datetime::format_exact(at)>
                {imports::same_mapping_as_before(datetime::format_local(at))}
            </span>
            <Button class="button-small" label=common::reset() test_id="use-suggested-mapping" on_press=on_use_guess />
        </div>
    })
}

/// Fields of a call that a column of a call detail record sets.
fn target_fields_of(column: &str) -> String {
    CallDetailReader::fields_from(column).map(field_label).collect::<Vec<_>>().join(", ")
}

/// Columns of a kind of file, and a template to download.
#[component]
fn ImportColumns(kind: RwSignal<ImportKind>) -> impl IntoView {
    let list = move || {
        column_names(kind.get()).into_iter().map(|name| view! { <li class="chip mono">{name}</li> }).collect_view()
    };
    let link = move || format!("data:text/csv;charset=utf-8,{}", column_names(kind.get()).join("%2C"));
    let note = move || imports::kind_note(kind.get());
    view! {
        <div class="stack-tight">
            <h3>{common::columns()}</h3>
            <ul class="chips">{list}</ul>
            <p class="small secondary">
                {imports::columns_hint()} " " {note}
            </p>
            <p>
                <a class="button button-small" href=link download=move || format!("{}.csv", kind.get())>
                    <Icon glyph=Glyph::Download />
                    {imports::download_template()}
                </a>
            </p>
        </div>
    }
}
