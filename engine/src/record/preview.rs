//! What an import would make of the first rows of a file, as far as it can be told without what is stored.

use super::rule::Record;
use super::{CallRecord, CampaignLeadRecord, CampaignRecord, CsvReader, LeadRecord, Mapping};
use crate::api::ImportKind;
use crate::fault::Fault;

/// The columns that stand before those of the import in a file of refused rows. A file that begins with them is imported
/// without them, and without the apostrophes that its cells were given ([`super::guarded`]).
pub const REASON_COLUMNS: [&str; 2] = ["line", "reason"];

/// The faults of each row, each with its column as the file names it.
///
/// # Errors
/// Every fault of the header, at once.
pub fn preview(
    kind: ImportKind,
    mapping: &Mapping,
    header: &[impl AsRef<str>],
    rows: &[Vec<String>],
) -> Result<Vec<Vec<Fault>>, Vec<Fault>> {
    match kind {
        ImportKind::Campaigns => of::<CampaignRecord>(mapping, header, rows),
        ImportKind::Leads => of::<LeadRecord>(mapping, header, rows),
        ImportKind::CampaignLeads => of::<CampaignLeadRecord>(mapping, header, rows),
        ImportKind::Calls => of::<CallRecord>(mapping, header, rows),
    }
}

fn of<R: Record>(
    mapping: &Mapping,
    header: &[impl AsRef<str>],
    rows: &[Vec<String>],
) -> Result<Vec<Vec<Fault>>, Vec<Fault>> {
    let reader = CsvReader::<R>::new(header, mapping)?;
    Ok(rows.iter().map(|row| reader.row(row).err().unwrap_or_default()).collect())
}
