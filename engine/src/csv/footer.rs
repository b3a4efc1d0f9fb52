//! The row count that `psql` and `sqlcmd` print below a table, such as `(3 rows)`.

/// Words after the number, in the languages of `psql`.
const ROW_WORDS: [&str; 16] = [
    "row",
    "rows",
    "row affected",
    "rows affected",
    "zeile",
    "zeilen",
    "ligne",
    "lignes",
    "fila",
    "filas",
    "riga",
    "righe",
    "linha",
    "linhas",
    "wiersz",
    "wierszy",
];

/// Returns true if a line is a row count in parentheses, with all other cells empty.
pub(super) fn is_row_count(line: &[u8], delimiter: u8) -> bool {
    let is_empty = |byte: &u8| byte.is_ascii_whitespace() || *byte == delimiter;
    let end = line.iter().rposition(|byte| !is_empty(byte)).map_or(0, |last| last + 1);
    let Some(content) = line[..end].trim_ascii_start().strip_prefix(b"(").and_then(|line| line.strip_suffix(b")"))
    else {
        return false;
    };
    let digit_count = content.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let word = content[digit_count..].strip_prefix(b" ").unwrap_or_default();
    digit_count > 0 && ROW_WORDS.iter().any(|row_word| word.eq_ignore_ascii_case(row_word.as_bytes()))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn recognizes_row_counts_in_parentheses() {
        for line in ["(1 row)", "(3 rows)", " (12 Zeilen) ", "(2 rows affected)", "(3 rows),,"] {
            assert!(is_row_count(line.as_bytes(), b','), "{line}");
        }
        for line in ["(rows)", "3 rows", "(3 rows", "(3 rows),x", "(3 brothers)", "(3)", "(030 rows 2)", ""] {
            assert!(!is_row_count(line.as_bytes(), b','), "{line}");
        }
    }
}
