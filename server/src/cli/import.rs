//! `leadscribe import`.

use std::fs::File;
use std::io::Seek;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;

use anyhow::{Context, bail};
use futures::TryStreamExt;
use leadscribe_engine::api::{
    CampaignId, FindingCode, FindingSample, ImportFinding, ImportId, ImportKind, ImportState,
};
use leadscribe_engine::csv::Encoding;
use leadscribe_engine::diagnostic::{Diagnostic, Message};
use leadscribe_engine::record::{Duplicates, Format, Mapping};
use leadscribe_engine::{suggest, zone};
use tokio::io::AsyncWriteExt;

use super::{bootstrap, name_parser, progress_bar};
use crate::config::{Flags, LeadsFlags, ServerFlags};
use crate::service::app::App;
use crate::service::error::ServiceError;
use crate::service::imports::{self, FileProperties, ImportOptions, ImportProgress, SharedKey};
use crate::storage::{CampaignQuery, NewImport, Slice, WriteError};

/// Exit code if rows were rejected and the others imported.
const EXIT_SOME_REJECTED: u8 = 2;

/// Command-line arguments.
#[derive(Debug, clap::Args)]
pub struct Import {
    /// Kind of records in the file
    #[arg(value_parser = name_parser(ImportKind::names(), ImportKind::from_name))]
    kind: ImportKind,
    /// CSV file with column names in its first line
    file: PathBuf,
    /// JSON file that maps columns to fields if their names differ
    #[arg(long, value_name = "FILE")]
    mapping: Option<PathBuf>,
    /// Format of the rows: fields, or call detail records as in Asterisk's Master.csv
    #[arg(id = "rows", long = "format", value_name = "FORMAT", value_parser = name_parser(Format::names(), Format::from_name))]
    format: Option<Format>,
    /// Time zone of the times in call detail records, such as Europe/Berlin [default: UTC]
    #[arg(long, value_name = "ZONE")]
    timezone: Option<String>,
    /// Extensions in call detail records, such as 1XX,200-299,alice [default: any 2 to 6 digits]
    #[arg(long, value_name = "PATTERNS", value_delimiter = ',')]
    extensions: Vec<String>,
    /// Trunks in call detail records, such as 12345,line-*
    #[arg(long, value_name = "PATTERNS", value_delimiter = ',')]
    trunks: Vec<String>,
    /// Rows with the same identifier: import the first of them, or none
    #[arg(long, value_name = "MODE", value_parser = name_parser(Duplicates::names(), Duplicates::from_name))]
    duplicates: Option<Duplicates>,
    /// Campaign to add the leads to: its name or id
    #[arg(long, value_name = "NAME")]
    campaign: Option<String>,
    /// Status of the added leads in the campaign
    #[arg(long, value_name = "NAME", requires = "campaign")]
    status: Option<String>,
    /// Count what an import would do without changing the database
    #[arg(long)]
    dry_run: bool,
    /// Folder of the recordings named in a file of calls
    #[arg(long, value_name = "DIR")]
    recordings: Option<PathBuf>,
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    leads: LeadsFlags,
}

impl Import {
    /// Imports the file. Invalid rows of `leads.csv` are written to `leads.rejected.csv` with the reasons, in the
    /// format of the input; the others are imported.
    pub async fn run(self) -> anyhow::Result<ExitCode> {
        let Self {
            kind,
            file: path,
            mapping: mapping_path,
            format,
            timezone,
            extensions,
            trunks,
            duplicates,
            campaign,
            status,
            dry_run,
            recordings,
            flags,
            leads,
        } = self;
        let flags = Flags { server: ServerFlags { leads, ..flags.server }, ..flags };
        let call_options = [
            ("--recordings", recordings.is_some()),
            ("--timezone", timezone.is_some()),
            ("--extensions", !extensions.is_empty()),
            ("--trunks", !trunks.is_empty()),
        ];
        if let Some((flag, _)) = call_options.iter().find(|(_, is_set)| *is_set && kind != ImportKind::Calls) {
            bail!("{flag} applies only to calls, not to {kind}");
        }
        if campaign.is_some() && kind != ImportKind::Leads {
            bail!("--campaign applies only to leads, not to {kind}");
        }
        let file = open_seekable(&path).with_context(|| format!("can't read {}", path.display()))?;
        let bytes = file.metadata().ok().map(|metadata| metadata.len());
        let app = Arc::new(bootstrap::open(&flags).await?);
        // Read after `open`, which installs the time zones that the mapping may name.
        let mut mapping = mapping_path.as_deref().map(read_mapping).transpose()?.unwrap_or_default();
        mapping.format = format.unwrap_or(mapping.format);
        if let Some(timezone) = timezone {
            let zone =
                zone::parse_name(&timezone).map_err(|error| anyhow::anyhow!("--timezone: {}", error.summary()))?;
            mapping.timezone = Some(zone.name().to_owned());
        }
        for (patterns, target) in [(extensions, &mut mapping.extensions), (trunks, &mut mapping.trunks)] {
            if !patterns.is_empty() {
                *target = patterns;
            }
        }
        mapping.duplicates = duplicates.unwrap_or(mapping.duplicates);
        let audit = bootstrap::audit_context();
        let name = path.file_name().map_or_else(|| kind.to_string(), |name| name.to_string_lossy().into_owned());
        let campaign = match campaign {
            Some(name_or_id) => Some(find_campaign(&app, &name_or_id).await?),
            None => None,
        };
        // Imports from the command line may have millions of rows, so their changes can't be undone.
        let new_import =
            NewImport { mapping: mapping.clone(), campaign, status, is_dry_run: dry_run, ..NewImport::new(kind, name) };
        let import = imports::start(&app, &new_import, &audit).await.map_err(start_error)?;
        let bar = progress_bar(1000, "{msg}");
        let import = imports::run(
            &app,
            import,
            file,
            bytes,
            ImportOptions { mapping, recordings_folder: recordings },
            |progress| match progress {
                ImportProgress::Scanned(file_info) => bar.suspend(|| print_file_info(file_info)),
                ImportProgress::BatchWritten(import) => {
                    // The bar counts thousandths of the file.
                    bar.set_position((import.progress * 1000.0) as u64);
                    bar.set_message(format!("{} rows", import.counts.read));
                }
            },
            &audit,
        )
        .await?;
        bar.finish_and_clear();
        let counts = import.counts;
        let prefix = if dry_run { "dry run, nothing was changed; " } else { "" };
        eprintln!(
            "{prefix}{} rows: {} inserted, {} updated, {} unchanged, {} rejected",
            counts.read, counts.inserted, counts.updated, counts.unchanged, counts.rejected
        );
        let counted_rows = counts.inserted + counts.updated + counts.unchanged + counts.rejected;
        if counts.read > counted_rows {
            eprintln!("the remaining rows belong to calls that are already counted");
        }
        if let Some(campaign) = &import.campaign {
            let name = campaign.name.clone().unwrap_or_else(|| campaign.id.to_string());
            eprintln!("{} leads added to the campaign {name}", campaign.leads_added);
        }
        if !import.new_statuses.is_empty() {
            eprintln!("new statuses: {}", import.new_statuses.join(", "));
        }
        let rejected_path = rejected_rows_path(&path);
        if counts.undialable > 0 {
            eprintln!("{} leads have phone numbers, but none that can be dialed", counts.undialable);
        }
        for finding in &import.findings {
            eprintln!("{}", describe_finding(finding));
        }
        if counts.rejected > 0 {
            write_rejected(&app, import.id, &rejected_path).await?;
            eprintln!("rejected rows written to {}, each with its line and reason", rejected_path.display());
        }
        match import.state {
            ImportState::Failed => {
                let error = import.error.map(|error| error.to_string()).unwrap_or_default();
                bail!("the import failed: {error}")
            }
            ImportState::Cancelled => bail!("the import was cancelled after {} rows", counts.read),
            ImportState::Running | ImportState::Completed => {}
        }
        Ok(if counts.rejected > 0 { EXIT_SOME_REJECTED.into() } else { ExitCode::SUCCESS })
    }
}

/// Finds the campaign with this name or id.
async fn find_campaign(app: &App, name_or_id: &str) -> anyhow::Result<CampaignId> {
    let query = CampaignQuery::default();
    let campaigns = app.store.campaigns(&query, Slice { count: u32::MAX, offset: 0 }).await?.items;
    let by_name = campaigns.iter().find(|campaign| campaign.name == name_or_id);
    if let Some(campaign) = by_name.or_else(|| campaigns.iter().find(|campaign| campaign.id.to_string() == name_or_id))
    {
        return Ok(campaign.id);
    }
    let suggestion = suggest::nearest(name_or_id, campaigns.iter().map(|campaign| campaign.name.as_str()));
    let hint = suggestion.map(|suggestion| format!("; did you mean `{suggestion}`?")).unwrap_or_default();
    bail!("there is no campaign `{name_or_id}`{hint}")
}

/// Converts the reason why an import can't start.
fn start_error(error: ServiceError) -> anyhow::Error {
    match error {
        ServiceError::Write(WriteError::Refused(diagnostic)) => anyhow::anyhow!("{}", diagnostic.summary()),
        other => other.into(),
    }
}

/// Describes a finding with its samples.
fn describe_finding(finding: &ImportFinding) -> String {
    let ImportFinding { code, column, count, samples } = finding;
    let description = match code {
        FindingCode::InvalidPhone => "phone number invalid in its country: it can't be dialed",
        FindingCode::NoCountry => "phone number without a country: set `default_country` in a mapping",
        FindingCode::UnknownCountry => "unknown country: phone numbers without `+` need `default_country` in a mapping",
        FindingCode::PhoneRewritten => "phone number extracted from a cell with other text",
        FindingCode::CountryCodeAdded => "country code added to a phone number",
        FindingCode::NoPhone => "leads without a phone number",
        FindingCode::NoTimezone => "leads without a time zone: they can't be called in campaigns with calling hours",
        FindingCode::DoNotCall => "leads marked as do not call",
        FindingCode::Blacklisted => "leads on the blacklist",
        FindingCode::CampaignInactive => "leads added to an inactive campaign: they can't be called in it",
        FindingCode::StatusNotDialable => "leads added to the campaign with a status that doesn't allow calls",
    };
    let samples: Vec<_> = samples
        .iter()
        .map(|FindingSample { line, cell, result }| match (cell, result) {
            (Some(cell), Some(suggestion)) if *code == FindingCode::UnknownCountry => {
                format!("line {line}: `{cell}`, did you mean `{suggestion}`?")
            }
            (Some(cell), Some(result)) => format!("line {line}: `{cell}` → {result}"),
            (Some(cell), None) => format!("line {line}: `{cell}`"),
            (None, _) => format!("line {line}"),
        })
        .collect();
    let ellipsis = if *count > samples.len() as u64 { ", …" } else { "" };
    let column = column.as_ref().map(|column| format!("`{column}`: ")).unwrap_or_default();
    format!("{column}{count} × {description} ({}{ellipsis})", samples.join(", "))
}

/// Opens the file for repeated reading. Data from a pipe is copied to a temporary file first.
fn open_seekable(path: &Path) -> std::io::Result<File> {
    let mut file = File::open(path)?;
    if file.metadata()?.is_file() {
        return Ok(file);
    }
    let mut copy = tempfile::tempfile()?;
    std::io::copy(&mut file, &mut copy)?;
    copy.rewind()?;
    Ok(copy)
}

/// Prints the encoding and the duplicate rows of the file before anything is written.
fn print_file_info(file_info: &FileProperties) {
    if file_info.encoding != Encoding::Utf8 {
        eprintln!("reading the file as {}", file_info.encoding.display_name());
    }
    if file_info.duplicate_rows > 0 {
        let rows = match file_info.duplicate_rows {
            1 => "1 row is".to_owned(),
            count => format!("{count} rows are"),
        };
        eprintln!("{rows} rejected because another row has the same identifier:");
        for SharedKey { lines, rows } in &file_info.shared_keys {
            let numbers: Vec<_> = lines.iter().map(u64::to_string).collect();
            let ellipsis = if *rows > lines.len() as u64 { " …" } else { "" };
            eprintln!("  lines {}{ellipsis}", numbers.join(", "));
        }
    }
}

/// Reads the mapping from a file.
fn read_mapping(path: &Path) -> anyhow::Result<Mapping> {
    let text = std::fs::read_to_string(path).with_context(|| format!("can't read {}", path.display()))?;
    Mapping::from_json(&text).map_err(|diagnostics| {
        let located: Vec<_> = diagnostics.iter().map(Diagnostic::located).collect();
        anyhow::anyhow!("{}: {}", path.display(), Message::join(&located))
    })
}

/// Returns `leads.rejected.csv` for `leads.csv`.
fn rejected_rows_path(path: &Path) -> PathBuf {
    path.with_extension("rejected.csv")
}

async fn write_rejected(app: &Arc<App>, id: ImportId, path: &Path) -> anyhow::Result<()> {
    let error_context = || format!("can't write {}", path.display());
    let mut file = tokio::fs::File::create(path).await.with_context(error_context)?;
    let rejected = imports::rejected_csv(app.clone(), id, None).await?;
    file.write_all(rejected.header.as_bytes()).await.with_context(error_context)?;
    let mut rows = std::pin::pin!(rejected.rows);
    while let Some(chunk) = rows.try_next().await? {
        file.write_all(&chunk).await.with_context(error_context)?;
    }
    file.flush().await.with_context(error_context)
}
