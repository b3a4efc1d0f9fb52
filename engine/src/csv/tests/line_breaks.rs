//! Tests multi-line cells, and stray quotes that look like them.

use proptest::prelude::*;

use super::*;

/// Returns the lines of the valid rows after the header, and of the rejected ones.
fn valid_and_rejected_lines(file: &str) -> (Vec<u64>, Vec<u64>) {
    let width = file.lines().next().unwrap_or_default().split(',').count();
    let rows = rows_after_header(file, width);
    let line_numbers =
        |is_valid: bool| rows.iter().filter(|row| row.2.is_none() == is_valid).map(|row| row.0).collect();
    (line_numbers(true), line_numbers(false))
}

/// Returns the rows after the header, fed as a whole and byte by byte.
fn rows_after_header(file: &str, width: usize) -> Vec<ReadRow> {
    let read = |chunk_size: usize| {
        let mut reader = RowReader::new(Encoding::Utf8, Delimiter::Comma, 0);
        let mut chunks = file.as_bytes().chunks(chunk_size);
        let (mut rows, mut has_ended) = (Vec::new(), false);
        loop {
            match (reader.next_row().expect("no line is too long"), chunks.next()) {
                (Some(row), chunk) => {
                    reader.set_width(width);
                    rows.push((row.line, row.texts(), row.error));
                    chunk.into_iter().for_each(|chunk| reader.feed(chunk));
                }
                (None, Some(chunk)) => reader.feed(chunk),
                (None, None) if has_ended => break rows,
                (None, None) => {
                    reader.end();
                    has_ended = true;
                }
            }
        }
    };
    let rows_at_once = read(file.len());
    assert_eq!(read(1), rows_at_once, "byte by byte: {file:?}");
    rows_at_once.into_iter().skip(1).collect()
}

#[test]
fn rejects_stray_quotes_around_short_rows() {
    let address = "original_identifier,first_name,address1,phone\n1,Ada,\"Yard 1\n2,Bea,Yard 2\n3,Cia,Yard 3\",030 3\n4,Dot,Yard 4,030 4\n";
    assert_eq!(valid_and_rejected_lines(address), (vec![5], vec![2, 3, 4]));
    let note = "id,first_name,phone,note\n1,Ada,030 1,\"call back\n2,Bea,030 2\n3,Cia,030 3\"\n4,Dot,030 4\n";
    assert_eq!(valid_and_rejected_lines(note), (vec![5], vec![2, 3, 4]));
    let names = "name,address\nAda,\"Yard 1\nBea,Yard 2\"\nCia,Yard 3\n";
    assert_eq!(valid_and_rejected_lines(names), (vec![4], vec![2, 3]));
    let blanks = "id, name, address\n1, Ada, \"Yard 1\n2, Bea, Yard 2\"\n3, Cia, Yard 3\n";
    assert_eq!(valid_and_rejected_lines(blanks), (vec![4], vec![2, 3]));
    let no_code = "id,name,address\n1,Ada,\"Yard 1\n,Bea,Yard 2\"\n3,Cia,Yard 3\n";
    assert_eq!(valid_and_rejected_lines(no_code), (vec![4], vec![2, 3]));
    let one_column = "phone\n\"030 1\n030 2\"\n030 3\n";
    assert_eq!(valid_and_rejected_lines(one_column), (vec![4], vec![2, 3]));
    let after_id = "id,name,address,phone\n1,\"Ada\n2\",Bea,Yard 2\n3,Cia,Yard 3,030 3\n";
    assert_eq!(valid_and_rejected_lines(after_id).1, [] as [u64; 0], "a record with all cells is one row");
    let short = "id,name,address,phone,note\n1,\"Ada\n2\",Bea,Yard 2\n3,Cia,Yard 3,030 3\n";
    assert_eq!(valid_and_rejected_lines(short), (vec![4], vec![2, 3]));
    let ids = "id,name,address\n\"1\n2\",Bea,Yard 2\n3,Cia,Yard 3\n";
    assert_eq!(valid_and_rejected_lines(ids), (vec![4], vec![2, 3]));
}

#[test]
fn rejects_cells_with_lines_that_could_be_rows() {
    let mail = "id,phone,note\n1,+493023125123,\"Mail of 3 May:\n7,+491713920055,wants a call\nThanks, Ada, bye\"\n2,+493023125124,x\n";
    assert_eq!(valid_and_rejected_lines(mail), (vec![5], vec![2, 3, 4]));
    let inner_quotes = "id,phone,note\n1,030 1,\"Mail \"of\" 3 May:\n7,030 7,wants a call\nThanks, bye\"\n2,030 2,x\n";
    assert_eq!(valid_and_rejected_lines(inner_quotes), (vec![5], vec![2, 3, 4]));
    let later_quotes = "id,phone,note\n1,030 1,\"Mail:\n7,030 7,wants a \"call\" today\nThanks, bye\"\n2,030 2,x\n";
    assert_eq!(valid_and_rejected_lines(later_quotes), (vec![5], vec![2, 3, 4]));
    let escapes = "id,phone,note\n1,030 1,\"say \\\"hi\\\"\n7,030 7,wants a call\nbye\"\n2,030 2,x\n";
    assert_eq!(valid_and_rejected_lines(escapes), (vec![5], vec![2, 3, 4]));
}

#[test]
fn complete_row_with_line_breaks_is_one_row() {
    let file = "name,note,mail,phone\nAda,,a@example.com,\nBea,\"met at fair,\n\"\"nice\"\"\",b@example.com,\nCia,x\n";
    let rows = [
        (1, "name|note|mail|phone"),
        (2, "Ada||a@example.com|"),
        (3, "Bea|met at fair,\n\"nice\"|b@example.com|"),
        (5, "Cia|x"),
    ];
    assert_eq!(valid_rows(file, 4), expected_rows(&rows));
}

#[test]
fn accepts_multi_line_prose() {
    for rows in [
        "1,Ada,\"Yard 1\nBerlin, Mitte, DE\"\n",
        "1,Ada,\"Yard 1\nBerlin,Mitte\"\n",
        "1,Ada,\"Yard 1\n10115 Berlin,Mitte\"\n",
        "1,Ada,\"Residence\n7, rue de Rivoli\"\n",
        "1,\"Call back:\n0171 234567\",x\n",
        "Ada,030 1,\"Yard 1\nBerlin, DE\n\nat the back, left\"\n",
        "1,Ada,\"a,b,c,d\ne,f,g,h\"\n",
    ] {
        assert_eq!(valid_and_rejected_lines(&format!("id,name,note\n{rows}")), (vec![2], vec![]), "{rows}");
    }
    let two_columns = "id,address\n1,\"Yard 1\nBerlin, DE\"\n2,\"Yard 2\nBerlin,DE\"\n";
    assert_eq!(valid_and_rejected_lines(two_columns), (vec![2, 4], vec![]));
    let all_quoted = "\"id\",\"phone\",\"note\"\n\"1\",\"030 1\",\"Mail:\n7,030 7,wants a call\"\n\"2\",,\"x\"\n";
    assert_eq!(valid_and_rejected_lines(all_quoted), (vec![2, 4], vec![]));
    let one_unquoted = all_quoted.replace("\"id\"", "id");
    assert_eq!(valid_and_rejected_lines(&one_unquoted), (vec![4], vec![2, 3]));
}

#[test]
fn unclosed_quote_keeps_following_short_rows() {
    let inches = "id,first_name,phone,note\n1,Ada,030 1,\"19 inch\n2,Bea,030 2\n3,Cia,030 3\n4,Dot,030 4,\"22 inch\n5,Eve,030 5\n";
    assert_eq!(valid_and_rejected_lines(inches), (vec![3, 4, 6], vec![2, 5]));
    let middle = "id,name,address,note,phone\n1,Ada,\"Yard 1,x,030 1\n2,Bea,Yard 2\n3,Cia\n4,Dot,Yard 4,y,030 4\n";
    assert_eq!(valid_and_rejected_lines(middle), (vec![3, 4, 5], vec![2]));
    let cut_off = "id,name,address,note,phone\n1,Ada,\"Yard 1\nBerlin,x,030 1\n2,Bea,Yard 2\n";
    assert_eq!(valid_and_rejected_lines(cut_off), (vec![4], vec![2, 3]));
}

#[test]
fn reports_lone_carriage_returns() {
    let file = "id,name,phone\n1,Ada\r,030 1\n2,Bea,030 2\n3\n";
    let errors: Vec<_> = rows_after_header(file, 3).into_iter().map(|row| (row.0, row.2)).collect();
    let lone_return = Some(RowError::LoneCarriageReturn);
    assert_eq!(errors, [(2, lone_return), (3, lone_return), (4, None), (5, None)]);
}

#[test]
fn row_count_footer_ends_the_file() {
    let file = "id,name\n1,Ada\n2,Bea\n";
    for footer in ["(2 rows)", "(2 rows)\n\n", "(2 Zeilen)\r\n", "(2 rows affected)\n\u{1a}"] {
        assert_eq!(valid_and_rejected_lines(&format!("{file}{footer}")), (vec![2, 3], vec![]), "{footer:?}");
    }
    assert_eq!(valid_and_rejected_lines(&format!("{file}(2 rows)\n3,Cia\n")), (vec![2, 3, 4, 5], vec![]));
    assert_eq!(valid_and_rejected_lines(&format!("{file}Total,5\n")), (vec![2, 3, 4], vec![]));
}

/// A row: number of missing cells, and styles of the lines of its note.
fn row() -> impl Strategy<Value = (usize, Vec<usize>)> {
    (0..3_usize, prop::collection::vec(0..4_usize, 0..3))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(4_000))]

    /// The cells of each row contain its letter. Some rows are short, some have a multi-line note, and quotes are inserted where cells
    /// begin or end on the first line of a row.
    #[test]
    fn lines_inside_cells_never_become_rows(
        table in prop::collection::vec(row(), 2..8),
        quotes in prop::collection::vec((any::<usize>(), any::<bool>()), 0..4),
        has_codes in any::<bool>(),
    ) {
        let mut file = String::from("id,name,note,phone,more\n");
        let mut starts = Vec::new();
        for (number, (missing, note)) in table.iter().enumerate() {
            starts.push(1 + file.matches('\n').count() as u64);
            let letter = char::from(b'A' + u8::try_from(number).expect("there are few rows"));
            let cell = |column: usize| if has_codes { format!("{letter}{column}") } else { format!("{letter}x") };
            let mut cells: Vec<String> = (0..5 - missing).map(cell).collect();
            if !note.is_empty() {
                let lines = note.iter().map(|style| match style {
                    0 => format!("{letter} text"),
                    1 => format!("{letter}, {letter}, and {letter}"),
                    2 => format!("{letter}7,{letter}8"),
                    _ => format!("{letter}7,{letter}8,{letter}9,{letter},{letter}"),
                });
                cells[2] = format!("\"{letter}\n{}\"", lines.collect::<Vec<_>>().join("\n"));
            }
            file += &(cells.join(",") + "\n");
        }
        for (at, is_end) in &quotes {
            let lines = file.split_inclusive('\n').enumerate().filter(|(number, _)| starts.contains(&(*number as u64 + 1)));
            let first_lines: Vec<&str> = lines.map(|(_, line)| line).collect();
            let line = first_lines[at % first_lines.len()];
            let line_start = line.as_ptr() as usize - file.as_ptr() as usize;
            let ends: Vec<usize> = line.match_indices([',', '\n']).map(|(end, _)| end).collect();
            let cell = at / first_lines.len() % ends.len();
            let start = if cell == 0 { 0 } else { ends[cell - 1] + 1 };
            // A quote at the end of a note's first line closes the note there, so its other lines become rows. A quote after the first cell
            // of a row can't be distinguished from the end of a two-line cell.
            let is_end = *is_end && cell > 0 && !(cell + 1 == ends.len() && line.contains('"'));
            file.insert(line_start + if is_end { ends[cell] } else { start }, '"');
        }
        for (line, cells, error) in rows_after_header(&file, 5) {
            if error.is_some() {
                continue;
            }
            let letters: Vec<char> = cells.concat().chars().filter(char::is_ascii_uppercase).collect();
            prop_assert!(letters.windows(2).all(|pair| pair[0] == pair[1]), "line {}: {:?} of\n{}", line, cells, file);
            prop_assert!(starts.contains(&line), "line {} is inside a cell of\n{}", line, file);
        }
    }
}
