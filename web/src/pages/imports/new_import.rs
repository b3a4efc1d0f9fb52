//! A new import: what the file holds, the file, what its columns are about, what it would change, and off it goes.

use leadscribe_engine::api::{Import, ImportKind};
use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::record::{CallDetails, Format, Mapping, guess, preview};
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::File;

use super::PATH;
use super::call_details::{CallDetailsNote, RecordingFolder};
use crate::api::{Stopper, Upload, use_api};
use crate::attempt::Attempt;
use crate::components::audit::changed_fields::label_of;
use crate::components::error_notice::ErrorNotice;
use crate::components::icon::{Glyph, Icon};
use crate::components::import::choices::{CountryChoice, IdentifierChoice, can_be_identified, has_numbers};
use crate::components::import::columns::ImportColumns;
use crate::components::import::mapping::{Chosen, ImportMapping, column_name, key_to_map};
use crate::components::import::preview::ImportPreview;
use crate::components::input::field::FieldFaults;
use crate::components::input::file_drop::FileDrop;
use crate::components::segments::{Segments, segment};
use crate::components::shell::leave_guard::LeaveGuard;
use crate::faults::{faults_at, stands_at};
use crate::language::language;
use crate::recording_uploads;
use crate::sheet::{Letters, Sheet, is_workbook, readable};
use crate::texts::{common, imports};
use crate::when;

/// A file that was picked, before it goes in.
#[derive(Clone)]
struct Picked {
    file: File,
    sheet: Sheet,
    /// Whether it was read as Windows-1252.
    is_anew: bool,
}

/// An import that began.
#[derive(Clone)]
pub struct Started {
    pub import: Import,
    /// The recordings of its calls, to be uploaded once they are in.
    pub chosen: recording_uploads::Chosen,
}

/// Kind and file; then the file's columns.
#[component]
pub fn NewImport(
    /// Told of an import that began, be it a dry run.
    on_started: Callback<Started>,
    /// Told when what a dry run found out is no longer so.
    on_changed: Callback<()>,
    /// Whether recordings of an earlier one are still under way.
    #[prop(into)]
    uploading: Signal<bool>,
) -> impl IntoView {
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
            if is_workbook(&file).await {
                unread.try_set(Some(imports::workbook()));
                return;
            }
            let read = readable(file).await;
            // The page may be gone.
            let why = match read {
                Err(_) => Some(imports::unreadable()),
                Ok((_, sheet, _)) if sheet.is_empty() => Some(imports::nothing_in_it()),
                Ok((file, sheet, is_anew)) => {
                    if sheet.format == Some(Format::Asterisk) {
                        kind.try_set(ImportKind::Calls);
                    }
                    picked.try_set(Some(Picked { file, sheet, is_anew }));
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
            view! { <PickedFile kind=kind.get() picked on_import on_changed uploading on_close=close /> }.into_any()
        }
    };
    view! {
        <section class="card import-card" class:is-begun=is_begun aria-labelledby="new-import">
            <div class="card-head">
                <h2 id="new-import">{imports::import_a_file()}</h2>
                <Segments label=imports::what_it_holds() segments=kinds chosen=kind on_choose=choose />
            </div>
            {body}
        </section>
        <LeaveGuard unsaved=Signal::derive(move || is_begun.get() || uploading.get()) stays_below=PATH />
    }
}

/// The columns of a file, its first rows, and what can be done with it.
#[component]
fn PickedFile(
    kind: ImportKind,
    picked: Picked,
    on_import: Callback<Started>,
    on_changed: Callback<()>,
    uploading: Signal<bool>,
    on_close: Callback<()>,
) -> impl IntoView {
    let api = use_api();
    let name = picked.file.name();
    let (file, sheet) = (StoredValue::new_local(picked.file), StoredValue::new(picked.sheet));
    // The column by which rows are told apart where no field does.
    let identifier = RwSignal::new(String::new());
    let country = RwSignal::new(String::new());
    let chosen: RwSignal<Chosen> = RwSignal::new(sheet.with_value(|sheet| guess(kind, &sheet.header)));
    let has_call_details = sheet.with_value(|sheet| sheet.format == Some(Format::Asterisk));
    let zone = RwSignal::new(when::time_zone());
    let lacks_key =
        Memo::new(move |_| if has_call_details { None } else { chosen.with(|chosen| key_to_map(kind, chosen)) });
    let missing_key = Memo::new(move |_| lacks_key.get().filter(|_| identifier.with(String::is_empty)));
    let numbers = Memo::new(move |_| has_call_details || chosen.with(|chosen| has_numbers(kind, chosen)));
    let mapping = Memo::new(move |_| {
        let default_country = Some(country.get()).filter(|country| !country.is_empty() && numbers.get());
        let mapping = match has_call_details {
            true => {
                let delimiter = sheet.with_value(Sheet::separated_by);
                Mapping { format: Format::Asterisk, timezone: Some(zone.get()), delimiter, ..Mapping::default() }
            }
            false => sheet.with_value(|sheet| {
                let identifier = Some(identifier.get())
                    .filter(|identifier| !identifier.is_empty() && lacks_key.with(Option::is_some));
                Mapping { identifier, ..chosen.with(|chosen| mapping_of(sheet, chosen)) }
            }),
        };
        Mapping { default_country, ..mapping }
    });
    Effect::watch(move || (zone.get(), country.get()), move |_, _, _| on_changed.run(()), false);
    let read = Memo::new(move |_| {
        sheet.with_value(|sheet| mapping.with(|mapping| preview(kind, mapping, &sheet.header, &sheet.rows)))
    });
    let column_faults = Signal::derive(move || read.get().err().unwrap_or_default());
    let row_faults = Signal::derive(move || read.get().ok().unwrap_or_default());
    let other_faults = Signal::derive(move || {
        let of_file = |fault: &Fault| {
            !stands_at(fault, "/timezone") && sheet.with_value(|sheet| !is_about_column(fault, &sheet.header))
        };
        column_faults.get().into_iter().filter(of_file).collect::<Vec<_>>()
    });
    let zone_faults = Signal::derive(move || faults_at(&column_faults.get(), "/timezone"));
    let left_out = Signal::derive(move || match has_call_details {
        true => sheet.with_value(|sheet| {
            let goes_nowhere = |column: &String| CallDetails::fields_from(column).next().is_none();
            sheet.header.iter().map(goes_nowhere).collect::<Vec<_>>()
        }),
        false => sheet.with_value(|sheet| {
            let identifier = mapping.with(|mapping| mapping.identifier.clone());
            let goes_nowhere =
                |(field, own): (&Option<String>, &String)| field.is_none() && identifier.as_ref() != Some(own);
            chosen.with(|chosen| chosen.iter().zip(&sheet.header).map(goes_nowhere).collect::<Vec<_>>())
        }),
    });
    // What is in a file with names of its own and goes nowhere is told before, by name.
    let unread = Memo::new(move |_| {
        sheet.with_value(|sheet| {
            let columns = sheet.header.iter().enumerate().zip(left_out.get()).filter(|(_, left_out)| *left_out);
            columns.map(|((place, own), _)| column_name(place, own)).collect::<Vec<_>>()
        })
    });
    let identify = Callback::new(move |column: String| {
        identifier.set(column);
        on_changed.run(());
    });
    let choose = Callback::new(move |(place, field): (usize, Option<String>)| {
        chosen.update(|chosen| chosen[place] = field);
        on_changed.run(());
    });
    let recordings = RwSignal::new_local(recording_uploads::Chosen::default());
    let (sent, attempt) = (RwSignal::new(0.0), Attempt::new());
    let stopper = StoredValue::new_local(None::<Stopper>);
    let start = move |dry_run: bool| {
        sent.set(0.0);
        stopper.set_value(Stopper::new());
        let upload = Upload { kind, file: file.get_value(), mapping: mapping.get_untracked(), dry_run };
        let upload = api.upload(upload, move |part| _ = sent.try_set(part), stopper.get_value());
        attempt.start(upload, move |import| {
            if let Some(import) = import {
                let chosen = if import.dry_run { Default::default() } else { recordings.get_untracked() };
                on_import.run(Started { import, chosen });
            }
        });
    };
    let stop = move |_| {
        if let Some(stopper) = stopper.get_value() {
            stopper.stop();
        }
    };
    let is_busy = attempt.is_busy();
    let cannot =
        move || is_busy.get() || missing_key.with(Option::is_some) || column_faults.with(|faults| !faults.is_empty());
    let (columns, delimiter) = sheet.with_value(|sheet| (sheet.header.len() as u64, sheet.delimiter));
    let separated_by = sheet.with_value(Sheet::separated_by);
    let columns = match delimiter {
        Some(delimiter) => imports::file_columns_separated(columns, delimiter.spelled().words(language())),
        None => imports::file_columns(columns),
    };
    let is_garbled = sheet.with_value(|sheet| sheet.letters != Letters::Utf8);
    let is_anew = picked.is_anew;
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
            {is_anew
                .then(|| {
                    view! {
                        <p class="small secondary" role="status" data-test="read-anew">
                            {imports::read_as_windows()}
                        </p>
                    }
                })}
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
                    <CallDetailsNote zone faults=zone_faults />
                    <RecordingFolder file delimiter=separated_by mapping disabled chosen=recordings />
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
                    <section class="table-card as-cards" aria-label=imports::file_columns_label()>
                        <ImportMapping kind sheet chosen choose faults=column_faults />
                    </section>
                    <p class="secondary" role="status" data-test="left-out" hidden=move || unread.with(Vec::is_empty)>
                        {move || unread.with(|unread| imports::left_out(unread.len() as u64, unread.join(", ")))}
                    </p>
                }
                    .into_any()
            }}
            <Show when=move || numbers.get()>
                <CountryChoice country />
            </Show>
            <FieldFaults faults=other_faults />
            <section class="stack-tight" aria-labelledby="first-rows">
                <h3 id="first-rows">{imports::first_rows(shown as u64)}</h3>
                <div class="table-card">
                    <ImportPreview sheet left_out goes_to faults=row_faults no_key=Signal::derive(move || missing_key.with(Option::is_some)) />
                </div>
            </section>
            {move || attempt.refusal().map(|error| view! { <ErrorNotice error /> })}
            <div class="row import-actions">
                <button type="button" class="button" disabled=cannot data-test="import-try" on:click=move |_| start(true)>
                    {imports::count_changes()}
                </button>
                <button type="button" class="button button-primary" disabled=cannot data-test="import-start" on:click=move |_| start(false)>
                    {imports::import(kind)}
                </button>
                <Show when=move || is_busy.get()>
                    <button type="button" class="button" data-test="import-stop" on:click=stop>
                        {common::cancel()}
                    </button>
                </Show>
                <span class="small secondary" role="status">
                    {move || is_busy.get().then(|| imports::uploading(format!("{:.0}", sent.get() * 100.0)))}
                </span>
            </div>
        </div>
    }
}

/// The fields of a call that a column of a call detail record goes to.
fn fields_from(column: &str) -> String {
    CallDetails::fields_from(column).map(label_of).collect::<Vec<_>>().join(", ")
}

/// The mapping that says what was chosen, and nothing that the names of the columns say already.
fn mapping_of(sheet: &Sheet, chosen: &Chosen) -> Mapping {
    let mut mapping = Mapping { delimiter: sheet.separated_by(), ..Mapping::default() };
    for (own, field) in sheet.header.iter().zip(chosen) {
        if field.as_ref() != Some(own) {
            // Of columns with one name the first says what all of them are about; two that are about the same are refused.
            mapping.columns.entry(own.clone()).or_insert_with(|| field.clone());
        }
    }
    mapping
}

fn is_about_column(fault: &Fault, header: &[String]) -> bool {
    matches!(&fault.place, Place::Column(name) if header.contains(name))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mapping_says_what_the_names_do_not() {
        let header = ["Vorname", "email", "Notiz"].map(str::to_owned).to_vec();
        let sheet = Sheet { header, ..Sheet::default() };
        let chosen = vec![Some("first_name".to_owned()), Some("email".to_owned()), None];
        let mapping = mapping_of(&sheet, &chosen);
        let expected = Mapping::from_json(r#"{"columns":{"Vorname":"first_name","Notiz":null}}"#);
        assert_eq!(Ok(mapping), expected);
    }
}
