//! Commands that print documents generated from the code.

use std::io::{self, Write};

use leadscribe_engine::{filter, record};

use crate::config;
use crate::http::{openapi, problem};

/// `leadscribe openapi`.
pub fn openapi() -> io::Result<()> {
    print(&openapi::json())
}

/// `leadscribe filter-reference`.
pub fn filter_reference() -> io::Result<()> {
    print(filter::reference::field_table_markdown().as_bytes())
}

/// `leadscribe column-reference`.
pub fn column_reference() -> io::Result<()> {
    print(record::column_tables_markdown().as_bytes())
}

/// `leadscribe config-reference`.
pub fn config_reference() -> io::Result<()> {
    print(config::reference_markdown().as_bytes())
}

/// `leadscribe problem-reference`.
pub fn problem_reference() -> io::Result<()> {
    print(problem::table_markdown().as_bytes())
}

/// Prints to standard output. A reader that stops early (`| head`) is not an error.
fn print(text: &[u8]) -> io::Result<()> {
    match io::stdout().lock().write_all(text) {
        Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
        result => result,
    }
}
