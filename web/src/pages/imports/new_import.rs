//! A new import: what the file holds, the file, what its columns are about, what it would change, and off it goes.

use leadscribe_engine::api::{Import, ImportKind};
use leadscribe_engine::fault::{Fault, Place};
use leadscribe_engine::record::{Delimiter, Format, Mapping, guess, preview};
use leptos::prelude::*;
use leptos::task::spawn_local;
use web_sys::File;

use crate::api::{Upload, use_api};
use crate::attempt::Attempt;
use crate::components::badge::spelled;
use crate::components::error_notice::ErrorNotice;
use crate::components::field::{Field, FieldFaults};
use crate::components::file_drop::FileDrop;
use crate::components::icon::{Glyph, Icon};
use crate::components::import_columns::ImportColumns;
use crate::components::import_mapping::{Chosen, ImportMapping};
use crate::components::import_preview::ImportPreview;
use crate::faults::{faults_at, stands_at};
use crate::sheet::Sheet;
use crate::when::{self, counted};

/// A file that was picked, before it goes in.
#[derive(Clone)]
struct Picked {
    file: File,
    sheet: Sheet,
}

/// Kind and file; then the file's columns.
#[component]
pub fn NewImport(
    /// Told of an import that began, be it a dry run.
    on_started: Callback<Import>,
    /// Told when what a dry run found out is no longer so.
    on_changed: Callback<()>,
) -> impl IntoView {
    let kind = RwSignal::new(ImportKind::Leads);
    let picked = RwSignal::new_local(None::<Picked>);
    let unread = RwSignal::new(None::<&'static str>);
    let kinds = ImportKind::ALL.iter().map(|one| {
        let one = *one;
        view! {
            <button
                type="button"
                aria-pressed=move || (kind.get() == one).to_string()
                data-test=format!("import-{one}")
                on:click=move |_| {
                    kind.set(one);
                    on_changed.run(());
                }
            >
                {spelled(one.as_str())}
            </button>
        }
    });
    let on_file = Callback::new(move |file: File| {
        on_changed.run(());
        unread.set(None);
        spawn_local(async move {
            let read = Sheet::of(&file).await;
            // The page may be gone.
            let why = match read {
                Err(_) => Some("The browser can't read this file."),
                Ok(sheet) if sheet.is_empty() => Some("There is nothing in this file."),
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
    let label = Signal::derive(move || format!("{} as a CSV file", spelled(kind.get().as_str())));
    let close = Callback::new(move |()| {
        picked.set(None);
        on_changed.run(());
    });
    let on_import = Callback::new(move |import: Import| {
        if !import.dry_run {
            picked.set(None);
        }
        on_started.run(import);
    });
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
        Some(picked) => view! { <PickedFile kind=kind.get() picked on_import on_changed on_close=close /> }.into_any(),
    };
    view! {
        <section class="card import-card" aria-labelledby="new-import">
            <div class="card-head">
                <h2 id="new-import">"Import a file"</h2>
                <div class="segments" role="group" aria-label="What the file holds">
                    {kinds.collect_view()}
                </div>
            </div>
            {body}
        </section>
    }
}

/// The columns of a file, its first rows, and what can be done with it.
#[component]
fn PickedFile(
    kind: ImportKind,
    picked: Picked,
    on_import: Callback<Import>,
    on_changed: Callback<()>,
    on_close: Callback<()>,
) -> impl IntoView {
    let api = use_api();
    let name = picked.file.name();
    let (file, sheet) = (StoredValue::new_local(picked.file), StoredValue::new(picked.sheet));
    let chosen: RwSignal<Chosen> = RwSignal::new(sheet.with_value(|sheet| guess(kind, &sheet.header)));
    let has_call_details = sheet.with_value(|sheet| sheet.format == Some(Format::Asterisk));
    let zone = RwSignal::new(when::time_zone());
    let mapping = Memo::new(move |_| match has_call_details {
        true => Mapping { format: Format::Asterisk, timezone: Some(zone.get()), ..Mapping::default() },
        false => sheet.with_value(|sheet| chosen.with(|chosen| mapping_of(sheet, chosen))),
    });
    Effect::watch(move || zone.get(), move |_, _, _| on_changed.run(()), false);
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
        true => sheet.with_value(|sheet| vec![false; sheet.header.len()]),
        false => chosen.with(|chosen| chosen.iter().map(Option::is_none).collect::<Vec<_>>()),
    });
    let choose = Callback::new(move |(place, field): (usize, Option<String>)| {
        chosen.update(|chosen| chosen[place] = field);
        on_changed.run(());
    });
    let (sent, attempt) = (RwSignal::new(0.0), Attempt::new());
    let start = move |dry_run: bool| {
        sent.set(0.0);
        let upload = Upload { kind, file: file.get_value(), mapping: mapping.get_untracked(), dry_run };
        let upload = api.upload(upload, move |part| _ = sent.try_set(part));
        attempt.start(upload, move |import| on_import.run(import));
    };
    let is_busy = attempt.is_busy();
    let cannot = move || is_busy.get() || column_faults.with(|faults| !faults.is_empty());
    let (columns, separated) = sheet.with_value(|sheet| (sheet.header.len(), sheet.delimiter));
    let separated = separated.map(|delimiter| format!(", separated by {}", delimiter.spelled()));
    let is_garbled = sheet.with_value(|sheet| sheet.is_garbled);
    let shown = sheet.with_value(|sheet| sheet.rows.len());
    view! {
        <div class="card-body stack picked">
            <div class="picked-file">
                <Icon glyph=Glyph::File />
                <div>
                    <p class="strong" data-test="picked-file">{name}</p>
                    <p class="small secondary">{counted(columns as u64, "column", "columns")} {separated}</p>
                </div>
                <button type="button" class="button button-small" disabled=is_busy data-test="other-file" on:click=move |_| on_close.run(())>
                    "Another file"
                </button>
            </div>
            {is_garbled
                .then(|| {
                    view! {
                        <p class="field-fault" role="alert" data-test="garbled">
                            <Icon glyph=Glyph::Alert />
                            <span>"Some of it is no UTF-8. Save the file as “CSV UTF-8” and pick it again, or those rows are refused."</span>
                        </p>
                    }
                })}
            {if has_call_details {
                view! { <CallDetailsNote zone faults=zone_faults /> }.into_any()
            } else {
                view! {
                    <section class="table-card as-cards" aria-label="Columns of the file">
                        <ImportMapping kind sheet chosen choose faults=column_faults />
                    </section>
                }
                    .into_any()
            }}
            <FieldFaults faults=other_faults />
            <section class="stack-tight" aria-labelledby="first-rows">
                <h3 id="first-rows">{format!("First {}", counted(shown as u64, "row", "rows"))}</h3>
                <div class="table-card">
                    <ImportPreview sheet left_out faults=row_faults />
                </div>
            </section>
            {move || attempt.refusal().map(|error| view! { <ErrorNotice error /> })}
            <div class="row import-actions">
                <button type="button" class="button" disabled=cannot data-test="import-try" on:click=move |_| start(true)>
                    "Count what would change"
                </button>
                <button type="button" class="button button-primary" disabled=cannot data-test="import-start" on:click=move |_| start(false)>
                    {format!("Import {}", spelled(kind.as_str()).to_lowercase())}
                </button>
                <span class="small secondary" role="status">
                    {move || is_busy.get().then(|| format!("Uploading, {:.0} %", sent.get() * 100.0))}
                </span>
            </div>
        </div>
    }
}

/// What a file of call detail records needs beside its rows: the time zone of its times.
#[component]
fn CallDetailsNote(zone: RwSignal<String>, faults: Signal<Vec<Fault>>) -> impl IntoView {
    let command = move || {
        let zone = zone.get();
        format!("leadscribe import calls Master.csv --format asterisk --timezone {zone} --recordings DIR")
    };
    view! {
        <div class="call-details" data-test="call-details">
            <Field id="import-zone" label="Time zone of its times" hint="As on the telephone system: an IANA name" faults>
                <input
                    id="import-zone"
                    class="input"
                    autocomplete="off"
                    spellcheck="false"
                    aria-describedby="import-zone-note"
                    bind:value=zone
                />
            </Field>
            <div class="stack-tight">
                <h3>"Call detail records of Asterisk"</h3>
                <p class="small secondary">
                    "Each row becomes a call: numbers, direction, agent, outcome and times. A folder of recordings goes in by the \
                     command line, which finds each by the call’s "
                    <code>"uniqueid"</code>
                    " in the name of its file:"
                </p>
                <code class="small command">{command}</code>
            </div>
        </div>
    }
}

/// The mapping that says what was chosen, and nothing that the names of the columns say already.
fn mapping_of(sheet: &Sheet, chosen: &Chosen) -> Mapping {
    let mut mapping = Mapping { delimiter: sheet.delimiter.unwrap_or(Delimiter::Comma), ..Mapping::default() };
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
