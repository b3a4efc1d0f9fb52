//! Tests whole files: cells, line numbers and rejected rows.

use proptest::prelude::*;

use super::*;
use crate::record::Delimiter;

mod line_breaks;

/// Line, cells, and the reason for rejecting the row.
type ReadRow = (u64, Vec<String>, Option<RowError>);

/// Returns the rows of a file that is fed in chunks of `chunk_size` bytes.
fn read_in_chunks(file: &[u8], width: usize, chunk_size: usize) -> Vec<ReadRow> {
    let mut reader = RowReader::new(Encoding::Utf8, Delimiter::Comma, 0);
    reader.set_width(width);
    let mut rows = Vec::new();
    let mut chunks = file.chunks(chunk_size);
    loop {
        match reader.next_row().expect("no line is too long") {
            Some(row) => rows.push((row.line, row.texts(), row.error)),
            None => match chunks.next() {
                Some(chunk) => reader.feed(chunk),
                None => break,
            },
        }
    }
    reader.end();
    while let Some(row) = reader.next_row().expect("no line is too long") {
        rows.push((row.line, row.texts(), row.error));
    }
    rows
}

fn read_rows(file: &str, width: usize) -> Vec<ReadRow> {
    let rows = read_in_chunks(file.as_bytes(), width, file.len().max(1));
    for chunk_size in [1, 3] {
        assert_eq!(read_in_chunks(file.as_bytes(), width, chunk_size), rows, "in chunks of {chunk_size}: {file:?}");
    }
    rows
}

/// Returns the valid rows: line and cells.
fn valid_rows(file: &str, width: usize) -> Vec<(u64, String)> {
    read_rows(file, width).into_iter().filter(|row| row.2.is_none()).map(|row| (row.0, row.1.join("|"))).collect()
}

/// Returns the rejected rows: line and reason.
fn rejected_rows(file: &str, width: usize) -> Vec<(u64, RowError)> {
    read_rows(file, width).into_iter().filter_map(|row| Some((row.0, row.2?))).collect()
}

fn expected_rows(rows: &[(u64, &str)]) -> Vec<(u64, String)> {
    rows.iter().map(|(line, cells)| (*line, (*cells).to_owned())).collect()
}

#[test]
fn counts_lines_with_any_line_endings() {
    for end in ["\n", "\r\n", "\r"] {
        let file = ["id,name", "", "1,Ada", "2,\"a\nb\"", "", "3,Joan"].join(end);
        let rows = expected_rows(&[(1, "id|name"), (3, "1|Ada"), (4, "2|a\nb"), (7, "3|Joan")]);
        assert_eq!(valid_rows(&file, 2), rows, "{end:?}");
        assert_eq!(valid_rows(&(file + end), 2), rows, "{end:?}");
    }
    assert_eq!(
        valid_rows("id,n\r1,a\n2,b\r\n3,c\n\r4,d", 2),
        expected_rows(&[(1, "id|n"), (2, "1|a"), (3, "2|b"), (4, "3|c"), (6, "4|d")])
    );
}

#[test]
fn ignores_end_of_file_markers() {
    for end in ["\u{1a}", "\n\u{1a}", "\r\n\u{1a}\r\n", "\n\0\0\0", "\u{1a}\0\0"] {
        assert_eq!(valid_rows(&format!("id,n\n1,\"a\"{end}"), 2), expected_rows(&[(1, "id|n"), (2, "1|a")]), "{end:?}");
    }
}

#[test]
fn accepts_blanks_around_quoted_cells() {
    let file = "1, \"Smith, John\" ,\"said \"\"no\"\"\"\t\n2,\u{a0}\"x\",y\n3,\"a\nb\"\u{a0},y\n";
    assert_eq!(valid_rows(file, 3), expected_rows(&[(1, "1|Smith, John|said \"no\""), (2, "2|x|y"), (3, "3|a\nb|y")]));
}

#[test]
fn damaged_quote_rejects_only_its_row() {
    let backslashes = "1,Ada,\"Screen 19\\\"\",030\n2,Bea,\"Screen 22\\\"\",031\n3,Cia,Yard,032\n";
    assert_eq!(valid_rows(backslashes, 4), expected_rows(&[(3, "3|Cia|Yard|032")]));
    assert_eq!(rejected_rows(backslashes, 4), [(1, RowError::TextAfterQuote), (2, RowError::UnclosedQuote)]);
    let unclosed = "4,Dot,\"Yard 1,030\n5,Eve,Yard 2,031\n6,Flo,\"Yard 3\",032\n";
    assert_eq!(valid_rows(unclosed, 4), expected_rows(&[(2, "5|Eve|Yard 2|031"), (3, "6|Flo|Yard 3|032")]));
    assert_eq!(rejected_rows(unclosed, 4), [(1, RowError::TextAfterQuote)]);
    let until_end = "1,a,b,c\n4,Dot,\"Yard 1,030\n5,Eve\n6,Flo,Yard,032\n";
    assert_eq!(valid_rows(until_end, 4), expected_rows(&[(1, "1|a|b|c"), (3, "5|Eve"), (4, "6|Flo|Yard|032")]));
    assert_eq!(rejected_rows(until_end, 4), [(2, RowError::UnclosedQuote)]);
    // In RFC 4180, two stray quotes join two rows into one cell.
    let pair = "4,Dot,\"Yard 1,030\n5,Eve,Yard 2\",031\n6,Flo,Yard,032\n";
    assert_eq!(valid_rows(pair, 4), expected_rows(&[(3, "6|Flo|Yard|032")]));
    assert_eq!(rejected_rows(pair, 4), [(1, RowError::SwallowedRows), (2, RowError::PartOfRowBefore(1))]);
    // A doubled quote in place of a closing one, and a missing opening quote, with a quoted delimiter.
    let short = "1,\"a, b\"\",c,d\n2,e,f,g \"\"h\"\"\"\n3,i,j,k\n";
    assert_eq!(valid_rows(short, 4), expected_rows(&[(3, "3|i|j|k")]));
    let mut long = String::from("id,first_name\n1,Ada\n2,\"Grace\n");
    long.push_str(&"3,Joan\n".repeat(300_000));
    let rows = read_in_chunks(long.as_bytes(), 2, 100_000);
    assert_eq!(rows.iter().filter(|row| row.2.is_some()).map(|row| row.0).collect::<Vec<_>>(), [3]);
    assert_eq!(rows.len(), 300_003);
}

#[test]
fn reads_multi_line_cells() {
    let file = "1,Ada,\"Street 1,\nback, left\nCity\",030\n2,Bea,\"x\n\ny\"\n3,Cia,Yard,031\n";
    assert_eq!(
        valid_rows(file, 4),
        expected_rows(&[(1, "1|Ada|Street 1,\nback, left\nCity|030"), (4, "2|Bea|x\n\ny"), (7, "3|Cia|Yard|031")])
    );
}

#[test]
fn rejects_lines_of_damaged_cells() {
    let file = "1,\"He said \"hi\" and\nleft, then 5\",x\n2,b,c\n";
    assert_eq!(valid_rows(file, 3), expected_rows(&[(3, "2|b|c")]));
    assert_eq!(rejected_rows(file, 3), [(1, RowError::TextAfterQuote), (2, RowError::PartOfRowBefore(1))]);
    let damaged = "1,Ada,\"Street 1\nCity,030\n2,Bea,x,031\n";
    assert_eq!(valid_rows(damaged, 4), expected_rows(&[(3, "2|Bea|x|031")]));
    assert_eq!(rejected_rows(damaged, 4), [(1, RowError::UnclosedQuote), (2, RowError::PartOfRowBefore(1))]);
    let escaped_line_ending = "1,Ada,Street 1\\\nCity,030\n2,Bea,x,031\n";
    assert_eq!(valid_rows(escaped_line_ending, 4), expected_rows(&[(3, "2|Bea|x|031")]));
    let lone_return = "id,a,b,c\n1,Ada,Str\reet,030\n2,Bea,x,031\n";
    assert_eq!(valid_rows(lone_return, 4), expected_rows(&[(1, "id|a|b|c"), (4, "2|Bea|x|031")]));
}

#[test]
fn accepts_unambiguous_backslash_escapes() {
    assert_eq!(
        valid_rows("1,\"C:\\\",x\n2,\"a\\\\\",y\n3,C:\\x,z\n", 3),
        expected_rows(&[(1, "1|C:\\|x"), (2, "2|a\\\\|y"), (3, "3|C:\\x|z")])
    );
    assert_eq!(rejected_rows("1,Smith\\, John,3\n", 4), [(1, RowError::Backslash)]);
    assert_eq!(rejected_rows("1,\"a\\\",\"b\",\"c\n", 4), [(1, RowError::UnclosedQuote)]);
    assert_eq!(rejected_rows("1,\"a\\\", \"\"b\",\"c\"\n", 4).len(), 1);
}

#[test]
fn keeps_inch_marks_and_quoted_nicknames() {
    let file = "1,Screen 19\",TFT 21\"\n2,Ada \"the Great\" L.,x\n3,5'11\",y\n";
    assert_eq!(
        valid_rows(file, 3),
        expected_rows(&[(1, "1|Screen 19\"|TFT 21\""), (2, "2|Ada \"the Great\" L.|x"), (3, "3|5'11\"|y")])
    );
    assert_eq!(rejected_rows("1,x \"a,b\" y,3\n", 5), [(1, RowError::StrayQuotes)]);
}

#[test]
fn rejects_overlong_lines() {
    let mut reader = RowReader::new(Encoding::Utf8, Delimiter::Comma, 0);
    reader.feed(b"id\n");
    reader.feed(&vec![b'x'; MAX_ROW_BYTES + 1]);
    assert!(reader.next_row().is_ok_and(|row| row.is_some()));
    assert_eq!(reader.next_row(), Err(RowTooLong(2)));
}

fn detect(file: &str) -> Result<(Delimiter, u64), DialectError> {
    let mut detector = EncodingDetector::new(file.as_bytes()).expect("a supported encoding");
    detector.feed(file.as_bytes());
    let dialect = Dialect::detect(file.as_bytes(), true, detector.finish(), None, |name| name == "Etage")?;
    Ok((dialect.delimiter, dialect.skipped_lines))
}

#[test]
fn detects_the_delimiter() {
    for (file, delimiter) in [
        ("id,name\n1,a\n", Delimiter::Comma),
        ("id;name\n1;a,b\n2;c,d\n", Delimiter::Semicolon),
        ("id;name;\"size, in cm\"\n1;a;\n", Delimiter::Semicolon),
        ("x, y;z\n1;2\n3;4\n", Delimiter::Semicolon),
        ("Betrag;Notiz, intern\n1,5;a, b\n", Delimiter::Semicolon),
        ("id\tname\n1\ta\n", Delimiter::Tab),
        ("id|name\n1|a\n", Delimiter::Bar),
        ("id\n1\n", Delimiter::Comma),
        ("", Delimiter::Comma),
    ] {
        assert_eq!(detect(file), Ok((delimiter, 0)), "{file:?}");
    }
}

#[test]
fn skips_lines_before_the_header() {
    for (file, delimiter, lines) in [
        ("sep=;\r\nid;name\r\n1;a\r\n", Delimiter::Semicolon, 1),
        ("\u{feff}SEP=,\nid,name\n", Delimiter::Comma, 1),
        ("\"sep=;\"\nid;name\n", Delimiter::Semicolon, 1),
        ("\"sep=\"\";\"\"\"\nid;name\n", Delimiter::Semicolon, 1),
        ("sep=|\nid|name\n", Delimiter::Bar, 1),
        ("sep=\t\nid\tname\n", Delimiter::Tab, 1),
        ("\n\nsep=;\n\nid;name\n", Delimiter::Semicolon, 4),
        ("\n \nid,name\n1,a\n", Delimiter::Comma, 2),
        ("Kundenliste Mai 2026;;\n\nid;name;city\n1;a;b\n", Delimiter::Semicolon, 2),
        ("Report\nmade on 1 May, 2026\nid;name;city\n1;a;b\n", Delimiter::Semicolon, 2),
        ("Etage\n1, left\n2, right\n", Delimiter::Comma, 0),
        ("phone\n030 1, 030 2\n", Delimiter::Comma, 0),
    ] {
        assert_eq!(detect(file), Ok((delimiter, lines)), "{file:?}");
    }
    let record = |last: &str| {
        let call = "\"2026-05-01 11:30:00\",,\"2026-05-01 11:30:07\",7,0,\"BUSY\",\"DOCUMENTATION\",\"1777627800.1\"";
        format!("\"\",\"101\",\"202\",\"x\",\"\"\"Bar; Ada\"\" <101>\",\"SIP/101-1\",\"\",\"Dial\",\"{last}\",{call}\n")
    };
    let details = [record(""), record("a;b"), record("two\nlines; c;d")].concat();
    assert_eq!(detect(&details), Ok((Delimiter::Comma, 0)));
    assert_eq!(detect("sep=^\nid^name\n"), Err(DialectError::UnknownDelimiter("^".to_owned())));
}

/// A well-formed cell: its text, and true if it is quoted.
fn cell() -> impl Strategy<Value = (String, bool)> {
    (r#"[a-z0-9 ,"\n]{0,6}"#, any::<bool>()).prop_map(|(text, is_quoted)| {
        let needs_quotes = text.contains([',', '"', '\n']) || text.starts_with(' ') || text.ends_with(' ');
        (text, is_quoted || needs_quotes)
    })
}

/// A change of a file's bytes.
#[derive(Clone, Debug)]
enum Damage {
    Insert(usize, &'static str),
    Remove(usize),
}

fn damage() -> impl Strategy<Value = Damage> {
    prop_oneof![
        (any::<usize>(), prop::sample::select(vec!["\"", "\"", "\\", "\\\"", "\"\"", " \"", "\" "]))
            .prop_map(|(at, text)| Damage::Insert(at, text)),
        any::<usize>().prop_map(Damage::Remove),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(2_000))]

    #[test]
    fn matches_the_csv_crate_on_well_formed_files(table in prop::collection::vec(prop::collection::vec(cell(), 4), 1..6)) {
        let line = |row: &Vec<(String, bool)>| {
            let cells = row.iter().map(|(text, is_quoted)| match is_quoted {
                true => format!("\"{}\"", text.replace('"', "\"\"")),
                false => text.clone(),
            });
            format!("{}\n", cells.collect::<Vec<_>>().join(","))
        };
        let file: String = table.iter().map(line).collect();
        let rows = read_in_chunks(file.as_bytes(), 0, 5);
        let mut reference = csv::ReaderBuilder::new().has_headers(false).flexible(true).from_reader(file.as_bytes());
        let expected: Vec<Vec<String>> = reference
            .records()
            .map(|record| record.expect("a well-formed record").iter().map(str::to_owned).collect::<Vec<_>>())
            .filter(|cells| cells.iter().any(|cell| !trim_cell(cell).is_empty()))
            .collect();
        prop_assert_eq!(rows.iter().map(|row| row.1.clone()).collect::<Vec<_>>(), expected);
        prop_assert!(rows.iter().all(|row| row.2.is_none()));
    }

    /// The cells of each row contain its letter. In a damaged file, no valid row has cells of two rows. Lines are valid unless they are
    /// damaged or between two damaged ones.
    #[test]
    fn cells_never_move_between_rows(
        styles in prop::collection::vec(prop::collection::vec(0..4_usize, 4), 3..12),
        damages in prop::collection::vec(damage(), 1..4),
    ) {
        let row = |(number, styles): (usize, &Vec<usize>)| {
            let letter = char::from(b'A' + u8::try_from(number).expect("there are few rows"));
            let cells = styles.iter().enumerate().map(|(column, style)| match style {
                0 => format!("{letter}{column}{letter}"),
                1 => format!("\"{letter}{column}{letter}\""),
                2 => format!("\"{letter}{column} \"\"{letter}\"\"\""),
                _ => format!("\"{letter}, {column}{letter}\""),
            });
            cells.collect::<Vec<_>>().join(",")
        };
        let rows: Vec<String> = styles.iter().enumerate().map(row).collect();
        let mut file: Vec<u8> = rows.join("\n").into_bytes();
        let mut damaged_lines = Vec::new();
        for damage in &damages {
            let (Damage::Insert(at, _) | Damage::Remove(at)) = damage;
            let at = at % file.len();
            // Removing a line ending joins two rows, which no reader can detect.
            if file[at] == b'\n' {
                continue;
            }
            let line = 1 + file[..at].iter().filter(|byte| **byte == b'\n').count() as u64;
            // Together, damages of adjacent lines can form one well-formed record, which no reader can detect.
            if damaged_lines.iter().any(|other: &u64| other.abs_diff(line) == 1) {
                continue;
            }
            damaged_lines.push(line);
            match damage {
                Damage::Insert(_, text) => drop(file.splice(at..at, text.bytes())),
                Damage::Remove(_) => drop(file.remove(at)),
            }
        }
        let read_rows = read_in_chunks(&file, 4, 7);
        for (line, cells, error) in &read_rows {
            if error.is_some() {
                continue;
            }
            let letters: Vec<char> = cells.concat().chars().filter(char::is_ascii_uppercase).collect();
            prop_assert!(letters.windows(2).all(|pair| pair[0] == pair[1]), "line {}: {:?}", line, cells);
        }
        let first_damaged = damaged_lines.iter().min().copied().unwrap_or(u64::MAX);
        let last_damaged = damaged_lines.iter().max().copied().unwrap_or_default();
        for line in (1..=rows.len() as u64).filter(|line| *line < first_damaged || *line > last_damaged) {
            let row = read_rows.iter().find(|row| row.0 == line);
            prop_assert!(row.is_some_and(|row| row.2.is_none()), "line {} of\n{}", line, String::from_utf8_lossy(&file));
        }
    }
}
