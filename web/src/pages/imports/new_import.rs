//! Form for a new import: kind of data, file, column mapping, dry run and start.

use leadscribe_engine::api::{Import, ImportKind, Timestamp};
use leadscribe_engine::csv::Encoding;
use leadscribe_engine::record::{CallDetails, Format};
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::File;

use super::PATH;
use super::call_details::{CallDetailsNote, RecordingFolder};
use super::reading::Reading;
use crate::api::{Upload, use_api};
use crate::attempt::Attempt;
use crate::components::audit::changed_fields::label_of;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::import::choices::{
    CountryChoice, DecimalChoice, DuplicatesChoice, IdentifierChoice, can_be_identified,
};
use crate::components::import::columns::ImportColumns;
use crate::components::import::mapping::ImportMapping;
use crate::components::import::preview::ImportPreview;
use crate::components::import::target::{ImportTarget, TargetChoice};
use crate::components::input::field::FieldFaults;
use crate::components::input::file_drop::FileDrop;
use crate::components::input::work_button::WorkButton;
use crate::components::segments::{Segments, segment};
use crate::components::shell::leave_guard::LeaveGuard;
use crate::focus::focus_soon;
use crate::language::language;
use crate::last_mapping;
use crate::parts;
use crate::recording_uploads;
use crate::session::use_session;
use crate::sheet::{Sheet, Unreadable};
use crate::texts::{common, imports};
use crate::upload_attempt::UploadAttempt;
use crate::when;

/// Id of the column section.
const COLUMNS: &str = "import-columns";

/// A picked file before the import.
#[derive(Clone)]
struct Picked {
    file: File,
    sheet: Sheet,
}

/// An import that was started.
#[derive(Clone)]
pub struct Started {
    pub import: Import,
    /// Recordings to upload once its calls are imported.
    pub chosen: recording_uploads::Chosen,
}

/// Kind and file; then the columns of the file.
#[component]
pub fn NewImport(
    /// Called when an import or a dry run starts.
    on_started: Callback<Started>,
    /// Called when the result of a dry run is outdated.
    on_changed: Callback<()>,
    /// True while recordings of an earlier import are uploaded.
    #[prop(into)]
    uploading: Signal<bool>,
) -> impl IntoView {
    let attempt = Attempt::new();
    // A change of the mapping clears the refusal.
    let on_changed = Callback::new(move |()| {
        attempt.clear();
        on_changed.run(());
    });
    let kind = RwSignal::new(ImportKind::Leads);
    let picked = RwSignal::new_local(None::<Picked>);
    let unread = RwSignal::new(None::<&'static str>);
    let kinds = ImportKind::ALL.iter().map(|one| segment(*one, imports::kind(*one), format!("import-{one}"))).collect();
    let choose = move |one| {
        kind.set(one);
        on_changed.run(());
    };
    let on_file = Callback::new(move |file: File| {
        on_changed.run(());
        unread.set(None);
        spawn_local(async move {
            // The page may have been closed.
            let why = match Sheet::of(&file).await {
                Err(Unreadable::File) => Some(imports::unreadable()),
                Err(Unreadable::Binary) => Some(imports::workbook()),
                Err(Unreadable::Utf32) => Some(imports::utf32()),
                Err(Unreadable::Delimiter) => Some(imports::unknown_delimiter()),
                Ok(sheet) if sheet.is_empty() => Some(imports::nothing_in_it()),
                Ok(sheet) => {
                    if sheet.format == Some(Format::Asterisk) {
                        kind.try_set(ImportKind::Calls);
                    }
                    picked.try_set(Some(Picked { file, sheet }));
                    None
                }
            };
            unread.try_set(why);
        });
    });
    let label = Signal::derive(move || imports::kind_file(kind.get()).to_owned());
    let close = Callback::new(move |()| {
        picked.set(None);
        on_changed.run(());
    });
    let on_import = Callback::new(move |started: Started| {
        if !started.import.dry_run {
            picked.set(None);
        }
        on_started.run(started);
    });
    let is_begun = Signal::derive(move || picked.with(Option::is_some));
    let body = move || match picked.get() {
        None => view! {
            <div class="card-body import-new">
                <FileDrop id="import-file" label accept=".csv,.tsv,.txt,text/csv" disabled=false on_file />
                <ImportColumns kind />
            </div>
            {move || {
                unread
                    .get()
                    .map(|why| {
                        view! {
                            <p class="card-body field-fault" role="alert">
                                <Icon glyph=Glyph::Alert />
                                <span>{why}</span>
                            </p>
                        }
                    })
            }}
        }
        .into_any(),
        Some(picked) => {
            let kind = kind.get();
            parts::picked_import(FileToImport {
                kind,
                picked,
                attempt,
                on_import,
                on_changed,
                uploading,
                on_close: close,
            })
        }
    };
    view! {
        <section class="card import-card" class:is-begun=is_begun aria-labelledby="new-import">
            <div class="card-head">
                <h2 id="new-import">{imports::import_a_file()}</h2>
                <fieldset class="bare" disabled=attempt.is_busy()>
                    <Segments label=imports::what_it_holds() segments=kinds chosen=kind on_choose=choose />
                </fieldset>
            </div>
            {body}
        </section>
        <LeaveGuard unsaved=Signal::derive(move || is_begun.get() || uploading.get()) stays_below=PATH />
    }
}

/// A picked file and the context of its form.
pub struct FileToImport {
    kind: ImportKind,
    picked: Picked,
    /// State of the import request.
    attempt: Attempt,
    on_import: Callback<Started>,
    on_changed: Callback<()>,
    uploading: Signal<bool>,
    on_close: Callback<()>,
}

/// Columns and first rows of a file, with buttons for dry run and import.
pub fn picked_file(given: FileToImport) -> AnyView {
    let FileToImport { kind, picked, attempt, on_import, on_changed, uploading, on_close } = given;
    let (api, user) = (use_api(), use_session().current().map(|session| session.user.id));
    let name = picked.file.name();
    let file = StoredValue::new_local(picked.file);
    let last = user.and_then(|user| last_mapping::read(user, kind, &picked.sheet.header));
    let reading = Reading::new(kind, picked.sheet, last, on_changed);
    let Reading { sheet, chosen, identifier, mapping, has_call_details, lacks_key, missing_key, unread, .. } = reading;
    let identify = Callback::new(move |column: String| {
        identifier.set(column);
        on_changed.run(());
    });
    let set_duplicates = Callback::new(move |chosen: String| {
        reading.duplicates.set(chosen);
        on_changed.run(());
    });
    let choose = Callback::new(move |(place, field): (usize, Option<String>)| {
        chosen.update(|chosen| chosen[place] = field);
        on_changed.run(());
    });
    let target = RwSignal::new(ImportTarget::default());
    let recordings = RwSignal::new_local(recording_uploads::Chosen::default());
    let upload = UploadAttempt::of(attempt);
    let start = move |dry_run: bool| {
        let mapping = mapping.get_untracked();
        let ImportTarget { campaign, status } = target.get_untracked();
        let file = file.get_value();
        let sent = Upload { mapping: mapping.clone(), campaign, status, dry_run, ..Upload::new(kind, file) };
        let done = move |import: Import| {
            if let Some(user) = user.filter(|_| !import.dry_run && !has_call_details) {
                sheet.with_value(|sheet| last_mapping::keep(user, kind, &sheet.header, mapping));
            }
            let chosen = if import.dry_run { Default::default() } else { recordings.get_untracked() };
            on_import.run(Started { import, chosen });
        };
        upload.start(move |progress, stopper| api.upload(sent, progress, stopper), done);
    };
    let is_busy = attempt.is_busy();
    let cannot = Signal::derive(move || reading.is_faulty());
    let (columns, delimiter) = sheet.with_value(|sheet| (sheet.header.len() as u64, sheet.delimiter));
    let columns = match delimiter {
        Some(delimiter) => imports::file_columns_separated(columns, delimiter.spelled().text(language())),
        None => imports::file_columns(columns),
    };
    let is_garbled = sheet.with_value(|sheet| sheet.is_garbled);
    let encoding = sheet.with_value(|sheet| sheet.encoding);
    let shown = sheet.with_value(|sheet| sheet.rows.len());
    let goes_to = has_call_details.then_some(fields_from as fn(&str) -> String);
    view! {
        <div class="card-body stack picked">
            <div class="picked-file">
                <Icon glyph=Glyph::File />
                <div>
                    <p class="strong" data-test="picked-file">{name}</p>
                    <p class="small secondary">{columns}</p>
                </div>
                <button type="button" class="button button-small" disabled=is_busy data-test="other-file" on:click=move |_| on_close.run(())>
                    {imports::other_file()}
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
                        <p class="field-fault" role="alert" data-test="garbled">
                            <Icon glyph=Glyph::Alert />
                            <span>{imports::garbled()}</span>
                        </p>
                    }
                })}
            {if has_call_details {
                let disabled = Signal::derive(move || is_busy.get() || uploading.get());
                view! {
                    <CallDetailsNote reading />
                    <RecordingFolder file mapping disabled chosen=recordings />
                }
                    .into_any()
            } else {
                view! {
                    <div aria-live="polite" class="no-key">
                        {move || {
                            missing_key
                                .get()
                                .map(|text| {
                                    view! {
                                        <p class="field-fault" data-test="no-key">
                                            <Icon glyph=Glyph::Alert />
                                            <span>{text}</span>
                                        </p>
                                    }
                                })
                        }}
                    </div>
                    <Show when=move || can_be_identified(kind) && lacks_key.with(Option::is_some)>
                        <IdentifierChoice sheet identifier identify />
                    </Show>
                    {move || {
                        let at = reading.last.with(|last| last.as_ref().map(|last| last.at))?;
                        Some(view! { <AsBefore at take_guess=reading.take_guess /> })
                    }}
                    <section id=COLUMNS tabindex="-1" class="table-card as-cards" aria-label=imports::file_columns_label()>
                        <ImportMapping kind sheet chosen choose faults=reading.column_faults />
                    </section>
                    <p class="secondary" role="status" data-test="left-out" hidden=move || unread.with(Vec::is_empty)>
                        {move || unread.with(|unread| imports::left_out(unread.len() as u64, unread.join(", ")))}
                    </p>
                }
                    .into_any()
            }}
            <Show when=move || reading.numbers.get()>
                <CountryChoice country=reading.country />
            </Show>
            <Show when=move || reading.has_amounts.get()>
                <DecimalChoice decimal=reading.decimal set=reading.choose_decimal is_needed=reading.is_decimal_needed />
            </Show>
            <Show when=move || !has_call_details>
                <DuplicatesChoice duplicates=reading.duplicates set=set_duplicates />
            </Show>
            <Show when=move || kind == ImportKind::Leads>
                <TargetChoice target on_changed />
            </Show>
            <FieldFaults faults=reading.other_faults />
            <section class="stack-tight" aria-labelledby="first-rows">
                <h3 id="first-rows">{imports::first_rows(shown as u64)}</h3>
                <div class="table-card">
                    <ImportPreview sheet left_out=reading.left_out goes_to faults=reading.row_faults no_key=Signal::derive(move || missing_key.with(Option::is_some)) />
                </div>
            </section>
            {move || attempt.refusal().map(|error| view! { <ErrorNotice error /> })}
            <div class="row import-actions">
                <WorkButton held=is_busy disabled=cannot test="import-try" on_press=Callback::new(move |()| start(true))>
                    {imports::count_changes()}
                </WorkButton>
                <WorkButton
                    class="button button-primary"
                    held=is_busy
                    disabled=cannot
                    test="import-start"
                    on_press=Callback::new(move |()| start(false))
                >
                    {imports::import(kind)}
                </WorkButton>
                <Show when=move || is_busy.get()>
                    <button type="button" class="button" data-test="import-stop" on:click=move |_| upload.stop()>
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
fn AsBefore(at: Timestamp, take_guess: Callback<()>) -> impl IntoView {
    let take = move |_| {
        take_guess.run(());
        focus_soon(COLUMNS.to_owned());
    };
    view! {
        <div class="row" data-test="as-before">
            <span class="secondary" role="status" title=when::exact(at)>
                {imports::columns_as_before(when::local(at))}
            </span>
            <button type="button" class="button button-small" data-test="take-guess" on:click=take>
                {imports::go_by_names()}
            </button>
        </div>
    }
}

/// Fields of a call that a column of a call detail record sets.
fn fields_from(column: &str) -> String {
    CallDetails::fields_from(column).map(label_of).collect::<Vec<_>>().join(", ")
}
