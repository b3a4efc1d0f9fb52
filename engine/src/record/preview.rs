//! Preview of an import: reads the first rows of a file without access to stored data.

use super::csv::CsvRecord;
use super::{CallRecord, CampaignLeadRecord, CampaignRecord, CsvReader, LeadRecord, Mapping};
use crate::api::ImportKind;
use crate::diagnostic::Diagnostic;

/// Returns the diagnostics of each row, each with its column as named in the file.
///
/// # Errors
/// All errors of the header.
pub fn preview(
    kind: ImportKind,
    mapping: &Mapping,
    header: &[impl AsRef<str>],
    rows: &[Vec<String>],
) -> Result<Vec<Vec<Diagnostic>>, Vec<Diagnostic>> {
    match kind {
        ImportKind::Campaigns => preview_rows::<CampaignRecord>(mapping, header, rows),
        ImportKind::Leads => preview_rows::<LeadRecord>(mapping, header, rows),
        ImportKind::CampaignLeads => preview_rows::<CampaignLeadRecord>(mapping, header, rows),
        ImportKind::Calls => preview_rows::<CallRecord>(mapping, header, rows),
    }
}

fn preview_rows<R: CsvRecord>(
    mapping: &Mapping,
    header: &[impl AsRef<str>],
    rows: &[Vec<String>],
) -> Result<Vec<Vec<Diagnostic>>, Vec<Diagnostic>> {
    let reader = CsvReader::<R>::new(header, mapping)?;
    Ok(rows.iter().map(|row| reader.row(row).err().unwrap_or_default()).collect())
}
