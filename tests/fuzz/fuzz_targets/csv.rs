//! A CSV file that is imported: its rows as records, its cells guessed at, and a row that never ends given up.

#![no_main]

use csv::{ByteRecord, ReaderBuilder, StringRecord, Terminator};
use leadscribe_engine::api::ImportKind;
use leadscribe_engine::record::{
    CallRecord, CampaignLeadRecord, CampaignRecord, CsvReader, Delimiter, LeadRecord, Mapping, guess,
};
use libfuzzer_sys::fuzz_target;
use source::Source;

#[path = "../../../server/src/service/imports/source.rs"]
mod source;

/// Largest row, in bytes: small, so that it is met.
const MAX_ROW_BYTES: u64 = 4 * 1024;

fuzz_target!(|file: &[u8]| {
    let first_line = String::from_utf8_lossy(file.split(|byte| *byte == b'\n').next().unwrap_or_default()).into_owned();
    let mapping = Mapping { delimiter: Delimiter::guess(&first_line), ..Mapping::default() };
    let mut csv = ReaderBuilder::new()
        .flexible(true)
        .delimiter(mapping.delimiter.byte())
        .terminator(Terminator::Any(b'\n'))
        .buffer_capacity(512)
        .from_reader(Source::new(file, MAX_ROW_BYTES));
    let Ok(header) = csv.byte_headers().cloned() else { return };
    let Ok(header) = StringRecord::from_byte_record(header) else { return };
    let names: Vec<&str> = header.iter().map(str::trim).collect();
    for kind in [ImportKind::Campaigns, ImportKind::Leads, ImportKind::CampaignLeads, ImportKind::Calls] {
        assert_eq!(guess(kind, &names).len(), names.len());
    }
    let readers = (
        CampaignRecord::mapped_csv(&names, &mapping),
        LeadRecord::mapped_csv(&names, &mapping),
        CampaignLeadRecord::mapped_csv(&names, &mapping),
        CallRecord::mapped_csv(&names, &mapping),
    );
    let mut row = ByteRecord::new();
    loop {
        csv.get_mut().next_row();
        let Ok(true) = csv.read_byte_record(&mut row) else { return };
        assert!(row.as_slice().len() as u64 <= MAX_ROW_BYTES + 512, "a row is bounded");
        let Ok(cells) = StringRecord::from_byte_record(row.clone()) else { continue };
        let cells: Vec<&str> = cells.iter().collect();
        read(&readers.0, |reader| reader.row(&cells).err());
        read(&readers.1, |reader| reader.row(&cells).err());
        read(&readers.2, |reader| reader.row(&cells).err());
        read(&readers.3, |reader| reader.row(&cells).err());
    }
});

/// Reads a row, if the header was one; a refusal says why.
fn read<R, F>(
    reader: &Result<CsvReader<R>, F>,
    row: impl Fn(&CsvReader<R>) -> Option<Vec<leadscribe_engine::fault::Fault>>,
) {
    if let Ok(reader) = reader {
        assert!(row(reader).is_none_or(|faults| !faults.is_empty()));
    }
}
