//! Reading files: lines, cells, encodings, duplicates and batches.

use std::io::Cursor;

use leadscribe_engine::record::{CallRecord, LeadRecord};

use super::*;

/// A line number with the first name of its lead, or its errors.
type Line = (u64, Result<Option<String>, String>);

/// Reads the rows of a file of leads.
fn read_rows(file: &str) -> Result<Vec<Line>, String> {
    read_rows_mapped(file, "{}")
}

/// Reads the rows of a file of leads with a mapping.
fn read_rows_mapped(file: &str, mapping: &str) -> Result<Vec<Line>, String> {
    read_rows_of_bytes(file.as_bytes(), mapping)
}

fn read_rows_of_bytes(file: &[u8], mapping: &str) -> Result<Vec<Line>, String> {
    let mut rows = Vec::new();
    let send = |message| {
        if let ReaderMessage::Rows(batch) = message {
            rows.extend(batch.rows);
        }
        true
    };
    read_all::<LeadRecord>(Cursor::new(file), &settings(mapping), send).map_err(|error| error.0.to_string())?;
    let to_line = |row: ReadRow<LeadRecord>| {
        let record = row
            .record
            .map(|lead| lead.first_name.flatten())
            .map_err(|diagnostics| join_diagnostics(&diagnostics).to_string());
        (row.raw.line, record)
    };
    Ok(rows.into_iter().map(to_line).collect())
}

fn settings(mapping: &str) -> ReadSettings {
    let mapping = Mapping::from_json(mapping).unwrap();
    ReadSettings { mapping, country: DefaultCountry::default(), batch_rows: 2, batch_bytes: BATCH_BYTES }
}

fn name(name: &str) -> Result<Option<String>, String> {
    Ok(Some(name.to_owned()))
}

#[test]
fn rows_keep_file_line_numbers() {
    let file = "id,first_name\n1,Ada\n2,\"Grace\nHopper\"\n3,Joan\n4,Kay\n";
    // Only the address fields may contain line breaks, so the second row is rejected with its line.
    for end in ["\n", "\r\n", "\r"] {
        let rows = read_rows(&file.replace('\n', end)).unwrap();
        assert_eq!(rows.iter().map(|(line, _)| *line).collect::<Vec<_>>(), [2, 3, 5, 6]);
        assert_eq!(rows[2..], [(5, name("Joan")), (6, name("Kay"))]);
    }
}

#[test]
fn damaged_quotes_are_reported_with_their_lines() {
    let file = "original_identifier,first_name,address1,phone\n4,Dot,\"Yard 1,030 1\n5,Eve,Yard 2,030 2\n6,Flo,\"Yard 3\",030 3\n";
    let text_after = "there is text after a closing quote `\"`; write a double quote inside a cell twice";
    assert_eq!(read_rows(file).unwrap(), [(2, Err(text_after.to_owned())), (3, name("Eve")), (4, name("Flo"))]);
    let unclosed = "a quote `\"` opens a cell but isn't closed".to_owned();
    let rows = read_rows("id,first_name\n1,Ada\n2,\"Grace\n3,Joan\n").unwrap();
    assert_eq!(rows, [(2, name("Ada")), (3, Err(unclosed)), (4, name("Joan"))]);
}

#[test]
fn detects_encodings_and_delimiters() {
    let text = "original_identifier\tfirst_name\r\n1\tZo\u{eb}\r\n";
    let utf16 = |text: &str| text.encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<_>>();
    let western: Vec<u8> = text.chars().map(|c| c as u8).collect();
    for file in [utf16(text), utf16(&format!("\u{feff}{text}")), western, format!("\u{feff}{text}").into_bytes()] {
        assert_eq!(read_rows_of_bytes(&file, "{}").unwrap(), [(2, name("Zo\u{eb}"))]);
        assert_eq!(read_rows_of_bytes(&file, r#"{"delimiter":"\t"}"#).unwrap(), [(2, name("Zo\u{eb}"))]);
    }
    // The first non-ASCII letter is far from the beginning.
    let late = [b"id;first_name\n", "1;Ada\n".repeat(100_000).as_bytes(), b"2;J\xf6rg\n"].concat();
    let rows = read_rows_of_bytes(&late, r#"{"columns":{"id":"original_identifier"}}"#).unwrap();
    assert_eq!(rows.last(), Some(&(100_002, name("J\u{f6}rg"))));
}

#[test]
fn invalid_text_matters_in_imported_columns_only() {
    let file = b"original_identifier,first_name,remark\n1,Ad\xc3\xa9,J\xf6rg\n2,B\xf6b,fine\n";
    let invalid_utf8 = "first_name: the cell has bytes that aren't UTF-8".to_owned();
    assert_eq!(
        read_rows_of_bytes(file, r#"{"columns":{"remark":null}}"#).unwrap(),
        [(2, name("Ad\u{e9}")), (3, Err(invalid_utf8.clone()))]
    );
    assert_eq!(
        read_rows_of_bytes(file, r#"{"columns":{"remark":"custom.remark"}}"#).unwrap(),
        [(2, Err("remark: the cell has bytes that aren't UTF-8".to_owned())), (3, Err(invalid_utf8))]
    );
}

#[test]
fn rejects_repeated_header() {
    let rejection = Err("the row repeats the header".to_owned());
    let rows = read_rows("original_identifier,first_name\n1,Ada\noriginal_identifier,first_name\n2,Bea\n").unwrap();
    assert_eq!(rows, [(2, name("Ada")), (3, rejection), (4, name("Bea"))]);
}

#[test]
fn damaged_rows_are_rejected_until_columns_are_filled() {
    let unclosed = "a quote `\"` opens a cell but isn't closed";
    let unrepaired =
        "the damaged row is in the cell after the last column; move its values into the columns and clear that cell";
    let file = "line,reason,original_identifier,first_name\n2,why,,,\"7,\"\"Ada\"\n3,why,,,\"8,Bea\"\n4,why,9,Cia,\n";
    let rows = read_rows(file).unwrap();
    assert_eq!(rows, [(2, Err(unclosed.to_owned())), (3, Err(unrepaired.to_owned())), (4, name("Cia"))]);
}

#[test]
fn reports_rows_with_the_same_identifier() {
    let file = "original_identifier,first_name\n7,Ada\n8,Bea\n7 ,Cia\n7,Dot\n";
    let same = || Err("line 2 has the same identifier".to_owned());
    assert_eq!(read_rows(file).unwrap(), [(2, name("Ada")), (3, name("Bea")), (4, same()), (5, same())]);
    let rejection =
        |line: u64| Err(format!("line {line} has the same identifier; rows with the same identifier aren't imported"));
    let rows = read_rows_mapped(file, r#"{"duplicates":"none"}"#).unwrap();
    assert_eq!(rows, [(2, rejection(4)), (3, name("Bea")), (4, rejection(2)), (5, rejection(2))]);
    // Rows may refer to the same lead in different ways.
    let mixed_keys = "id,original_identifier,first_name\n5,X,Ada\n,X,Bea\n5,,Cia\n6,Y,Dot\n";
    assert_eq!(read_rows(mixed_keys).unwrap(), [(2, name("Ada")), (3, same()), (4, same()), (5, name("Dot"))]);
    // The first valid row is accepted.
    let with_invalid_row = "original_identifier,first_name,email\n7,Ada,x\n7,Cia,\n7,Dot,\n";
    let rows = read_rows(with_invalid_row).unwrap();
    assert_eq!(rows[1..], [(3, name("Cia")), (4, Err("line 3 has the same identifier".to_owned()))]);
    let mut messages = Vec::new();
    read_all::<LeadRecord>(Cursor::new(file), &settings("{}"), |message| {
        messages.push(message);
        true
    })
    .unwrap();
    let ReaderMessage::FileProperties(properties) = &messages[0] else { panic!("{messages:?}") };
    assert_eq!(
        (properties.duplicate_rows, &properties.shared_keys),
        (2, &vec![SharedKey { lines: vec![2, 4, 5], rows: 3 }])
    );
}

#[test]
fn mapping_sets_columns_and_delimiter() {
    let mapping = r#"{"columns":{"No":"original_identifier","Vorname":"first_name","Notiz":null},"delimiter":";"}"#;
    let file = "No;Vorname;Notiz\n1;Ada;\"x;y\"\n2;\"a\tb\";\n";
    let control_character = "Vorname: the control character U+0009 is not allowed".to_owned();
    assert_eq!(read_rows_mapped(file, mapping).unwrap(), [(2, name("Ada")), (3, Err(control_character))]);
    // The file of rejected rows has the original columns after the reason columns.
    let corrected = "line,reason,No,Vorname,Notiz\n3,x,2,Bob,\n";
    assert_eq!(read_rows_mapped(corrected, &mapping.replace(';', ",")).unwrap(), [(2, name("Bob"))]);
    // Only in a file of rejected rows, an apostrophe before a formula is not part of the cell.
    let corrected = "line,reason,No,Vorname,'=A1\n3,x,2,'@ada,\n4,x,3,''@ada,\n5,x,4,'tis,\n";
    let formula_mapping = mapping.replace(';', ",").replace("Notiz", "=A1");
    assert_eq!(
        read_rows_mapped(corrected, &formula_mapping).unwrap(),
        [(2, name("@ada")), (3, name("'@ada")), (4, name("'tis"))]
    );
    assert_eq!(read_rows("id,first_name\n7,'@ada\n").unwrap(), [(2, name("'@ada"))]);
    let error = read_rows_mapped("No,Vorname,Notiz\n", mapping).unwrap_err();
    assert!(error.starts_with("header: expected columns separated by semicolons, found commas"), "{error}");
}

#[test]
fn rejected_call_details_have_a_header() {
    let row = |uniqueid: &str| {
        let call = "\"2026-05-01 11:30:00\",,\"2026-05-01 11:30:07\",7,0,\"BUSY\",\"DOCUMENTATION\"";
        format!("\"\",\"101\",\"202\",\"x\",\"\",\"SIP/101-1\",\"\",\"Dial\",\"\",{call},\"{uniqueid}\"\n")
    };
    let settings = ReadSettings { batch_rows: 10, ..settings(r#"{"format":"asterisk"}"#) };
    let mut messages = Vec::new();
    let file = [row("1777627800.1"), row(""), row("1777627800.2")].concat();
    read_all::<CallRecord>(Cursor::new(&file), &settings, |message| {
        messages.push(message);
        true
    })
    .unwrap();
    let [ReaderMessage::FileProperties(FileProperties { columns: names, .. }), ReaderMessage::Rows(batch)] =
        messages.as_slice()
    else {
        panic!("{messages:?}")
    };
    assert_eq!((names.len(), names[16].as_str()), (17, "uniqueid"));
    let lines: Vec<_> = batch.rows.iter().map(|row| (row.raw.line, row.record.is_ok())).collect();
    assert_eq!(lines, [(1, true), (2, false), (3, true)]);
    let error = read_all::<LeadRecord>(Cursor::new(&file), &settings, |_| true).unwrap_err();
    assert!(error.0.to_string().contains("can only be imported as calls"), "{error:?}");

    // Corrected rows follow a header line.
    let corrected = format!("line,reason,{}\r\n2,no id,{}", names.join(","), row("1777627800.3"));
    let mut messages = Vec::new();
    read_all::<CallRecord>(Cursor::new(&corrected), &settings, |message| {
        messages.push(message);
        true
    })
    .unwrap();
    let [ReaderMessage::FileProperties(FileProperties { columns: corrected_names, .. }), ReaderMessage::Rows(batch)] =
        messages.as_slice()
    else {
        panic!("{messages:?}")
    };
    assert_eq!(corrected_names, names);
    let calls: Vec<_> = batch.rows.iter().map(|row| (row.raw.line, row.raw.len(), row.record.is_ok())).collect();
    assert_eq!(calls, [(2, 17, true)]);
}

#[test]
fn reports_errors_of_bad_files() {
    let empty_file = "expected a header with the names of the columns, found an empty file";
    assert_eq!(read_rows(""), Err(empty_file.to_owned()));
    let error = read_rows_of_bytes(b"PK\x03\x04zip", "{}").unwrap_err();
    assert_eq!(error, "expected a CSV file, found binary data; save a workbook as CSV");
    for (file, found) in [
        ("id;first_name\n1;Ada\n", "semicolons"),
        ("id\tfirst_name\n1\tAda\n", "tabs"),
        ("id|first_name\n1|Ada\n", "vertical bars"),
    ] {
        assert_eq!(read_rows(file), Ok(vec![(2, name("Ada"))]));
        let message = format!(
            "header: expected columns separated by commas, found {found}; leave `delimiter` out of the mapping, or correct it"
        );
        assert_eq!(read_rows_mapped(file, r#"{"delimiter":","}"#), Err(message));
    }
    assert_eq!(read_rows("id,\"custom.a;b\"\n1,x\n").unwrap(), [(2, Ok(None))]);
    let error = read_rows("id,frist_name\n1,Ada\n").unwrap_err();
    assert!(error.starts_with("header: frist_name: ") && error.contains("first_name`?"), "{error}");
}

/// Returns the number of rows and the memory use of each batch of a file of leads.
fn read_batches(file: &str, batch_rows: usize, batch_bytes: usize) -> Vec<(usize, usize)> {
    let settings = ReadSettings { batch_rows, batch_bytes, ..settings(r#"{"columns":{"Notiz":null}}"#) };
    let mut batches = Vec::new();
    read_all::<LeadRecord>(Cursor::new(&file), &settings, |message| {
        if let ReaderMessage::Rows(batch) = message {
            batches.push((batch.rows.len(), batch.rows.iter().map(ReadRow::estimated_bytes).sum()));
        }
        true
    })
    .unwrap();
    batches
}

#[test]
fn batches_are_limited_by_rows_and_bytes() {
    let rows = |batches: Vec<(usize, usize)>| batches.into_iter().map(|(rows, _)| rows).collect::<Vec<_>>();
    let small = format!("id,Notiz\n{}", "1,x\n".repeat(5));
    assert_eq!(rows(read_batches(&small, 2, BATCH_BYTES)), [2, 2, 1]);
    assert_eq!(rows(read_batches(&small, 5, BATCH_BYTES)), [5], "there is no batch without rows");
    // A batch can be smaller than the row limit without being the last one.
    let lines = |rest: &str| (1..=5).map(|id| format!("{id},{rest}\n")).collect::<String>();
    let large = format!("id,Notiz\n{}", lines(&"x".repeat(1_000)));
    let batches = read_batches(&large, 100, 1_500);
    assert!(batches.iter().all(|(_, bytes)| *bytes < 2_500), "{batches:?}");
    assert_eq!(rows(batches), [2, 2, 1]);
    // Empty cells and diagnostics use memory as well.
    let empty = format!("id,Notiz\n{}", lines(&",".repeat(1_000)));
    assert_eq!(rows(read_batches(&empty, 100, 8_000)), [2, 2, 1]);
    let rejected = format!("id,Notiz\n{}", "x,\n".repeat(4));
    assert_eq!(rows(read_batches(&rejected, 100, 1_000)), [2, 2]);
}

#[test]
fn headers_are_limited_by_columns_and_bytes() {
    let names = |columns: usize, width: usize| (1..columns).map(move |column| format!("{column:0width$}"));
    let header = |columns, width| format!("id,{}\n", names(columns, width).collect::<Vec<_>>().join(","));
    let ignored_columns: Vec<_> = names(500, 60).map(|name| format!("\"{name}\":null")).collect();
    assert_eq!(
        read_rows_mapped(&header(500, 60), &format!("{{\"columns\":{{{}}}}}", ignored_columns.join(","))),
        Ok(vec![])
    );
    let too_large = |found: &str| {
        let limits = "expected at most 1000 columns with names of at most 32768 bytes together";
        Err(format!("header: {limits}, found {found}"))
    };
    assert_eq!(read_rows(&header(1_001, 8)), too_large("1001 with 8002"));
    assert_eq!(read_rows(&header(5, 10_000)), too_large("5 with 40002"));
    let unknown: Vec<_> = (0..1_000).map(|column| format!("unknown{column}")).collect();
    let error = read_rows(&format!("{}\n", unknown.join(","))).unwrap_err();
    assert_eq!(error.matches("; ").count(), 99, "{error}");
}
