//! CSV import: detection of encoding and dialect, conversion of rows to records, and guessed column mappings.

#![no_main]

use leadscribe_engine::api::ImportKind;
use leadscribe_engine::csv::{DETECTION_BYTES, Dialect, EncodingDetector, MAX_ROW_BYTES, RowReader};
use leadscribe_engine::diagnostic::Diagnostic;
use leadscribe_engine::record::{
    CallRecord, CampaignLeadRecord, CampaignRecord, CsvReader, LeadRecord, Mapping, guess_fields,
};
use libfuzzer_sys::fuzz_target;

/// Number of bytes passed to the reader at a time. Small, so that chunks end anywhere in a row.
const CHUNK_BYTES: usize = 512;

fuzz_target!(|file: &[u8]| {
    let beginning = &file[..file.len().min(DETECTION_BYTES)];
    let Ok(mut detector) = EncodingDetector::new(beginning) else { return };
    detector.feed(file);
    let is_complete = file.len() <= DETECTION_BYTES;
    let Ok(dialect) = Dialect::detect(beginning, is_complete, detector.finish(), None, |_| false) else { return };
    let mut reader = RowReader::new(dialect.encoding, dialect.delimiter, dialect.skipped_lines);
    let mut chunks = file[dialect.bom_bytes..].chunks(CHUNK_BYTES);
    let mut is_finished = false;
    let mut next_row = move |width: Option<usize>| {
        if let Some(width) = width {
            reader.set_width(width);
        }
        loop {
            match reader.next_row() {
                Ok(None) if is_finished => return None,
                Ok(None) => match chunks.next() {
                    Some(chunk) => reader.feed(chunk),
                    None => {
                        reader.end();
                        is_finished = true;
                    }
                },
                Ok(row) => return row,
                Err(_) => return None,
            }
        }
    };
    let Some(header) = next_row(None) else { return };
    let names = header.texts();
    for kind in [ImportKind::Campaigns, ImportKind::Leads, ImportKind::CampaignLeads, ImportKind::Calls] {
        assert_eq!(guess_fields(kind, &names).len(), names.len());
    }
    let mapping = Mapping::default();
    let readers = (
        CsvReader::<CampaignRecord>::new(&names, &mapping),
        CsvReader::<LeadRecord>::new(&names, &mapping),
        CsvReader::<CampaignLeadRecord>::new(&names, &mapping),
        CsvReader::<CallRecord>::new(&names, &mapping),
    );
    let mut last_line = header.line;
    while let Some(row) = next_row(Some(names.len())) {
        assert!(row.line > last_line, "line numbers increase");
        assert!(row.cells().map(<[u8]>::len).sum::<usize>() <= MAX_ROW_BYTES + CHUNK_BYTES, "row length is bounded");
        last_line = row.line;
        let cells = row.texts();
        check_row(&readers.0, |reader| reader.row(&cells).err());
        check_row(&readers.1, |reader| reader.row(&cells).err());
        check_row(&readers.2, |reader| reader.row(&cells).err());
        check_row(&readers.3, |reader| reader.row(&cells).err());
    }
});

/// Reads a row if the header was valid. Checks that a rejected row has at least one diagnostic.
fn check_row<R, F>(reader: &Result<CsvReader<R>, F>, rejection: impl Fn(&CsvReader<R>) -> Option<Vec<Diagnostic>>) {
    if let Ok(reader) = reader {
        assert!(rejection(reader).is_none_or(|diagnostics| !diagnostics.is_empty()));
    }
}
