//! Imported CSV file: encoding and dialect, rows as records, and guessed column mappings.

#![no_main]

use leadscribe_engine::api::ImportKind;
use leadscribe_engine::csv::{BEGINNING_BYTES, Dialect, EncodingScan, MAX_ROW_BYTES, RowReader};
use leadscribe_engine::record::{
    CallRecord, CampaignLeadRecord, CampaignRecord, CsvReader, LeadRecord, Mapping, guess,
};
use libfuzzer_sys::fuzz_target;

/// Number of bytes passed to the reader at a time: few, so that rows are split anywhere.
const PIECE_BYTES: usize = 512;

fuzz_target!(|file: &[u8]| {
    let beginning = &file[..file.len().min(BEGINNING_BYTES)];
    let Ok(mut scan) = EncodingScan::new(beginning) else { return };
    scan.feed(file);
    let is_all = file.len() <= BEGINNING_BYTES;
    let Ok(dialect) = Dialect::detect(beginning, is_all, scan.finish(), None, |_| false) else { return };
    let mut reader = RowReader::new(dialect.encoding, dialect.delimiter, dialect.skipped_lines);
    let mut pieces = file[dialect.mark_bytes..].chunks(PIECE_BYTES);
    let mut is_over = false;
    let mut next = move |width: Option<usize>| {
        if let Some(width) = width {
            reader.set_width(width);
        }
        loop {
            match reader.next_row() {
                Ok(None) if is_over => return None,
                Ok(None) => match pieces.next() {
                    Some(piece) => reader.feed(piece),
                    None => {
                        reader.end();
                        is_over = true;
                    }
                },
                Ok(row) => return row,
                Err(_) => return None,
            }
        }
    };
    let Some(header) = next(None) else { return };
    let names = header.texts();
    for kind in [ImportKind::Campaigns, ImportKind::Leads, ImportKind::CampaignLeads, ImportKind::Calls] {
        assert_eq!(guess(kind, &names).len(), names.len());
    }
    let mapping = Mapping::default();
    let readers = (
        CampaignRecord::mapped_csv(&names, &mapping),
        LeadRecord::mapped_csv(&names, &mapping),
        CampaignLeadRecord::mapped_csv(&names, &mapping),
        CallRecord::mapped_csv(&names, &mapping),
    );
    let mut last_line = header.line;
    while let Some(row) = next(Some(names.len())) {
        assert!(row.line > last_line, "lines are counted");
        assert!(row.cells().map(<[u8]>::len).sum::<usize>() <= MAX_ROW_BYTES + PIECE_BYTES, "a row is bounded");
        last_line = row.line;
        let cells = row.texts();
        read(&readers.0, |reader| reader.row(&cells).err());
        read(&readers.1, |reader| reader.row(&cells).err());
        read(&readers.2, |reader| reader.row(&cells).err());
        read(&readers.3, |reader| reader.row(&cells).err());
    }
});

/// Reads a row if the header was valid; a rejection has a reason.
fn read<R, F>(
    reader: &Result<CsvReader<R>, F>,
    row: impl Fn(&CsvReader<R>) -> Option<Vec<leadscribe_engine::diagnostic::Diagnostic>>,
) {
    if let Ok(reader) = reader {
        assert!(row(reader).is_none_or(|faults| !faults.is_empty()));
    }
}
