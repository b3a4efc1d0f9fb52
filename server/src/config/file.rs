//! The file of the options, as TOML.

use anyhow::anyhow;
use toml::Table;

/// Reads the text of a file.
///
/// # Errors
/// Say where it is no TOML and why, never what stands there: it may be a secret.
pub(super) fn read(text: &str) -> anyhow::Result<Table> {
    toml::from_str(text).map_err(|error| {
        // Its `Display` would quote the line.
        let what = error.message();
        match error.span().and_then(|span| text.get(..span.start)) {
            Some(before) => {
                let line = before.matches('\n').count() + 1;
                let column = before.chars().rev().take_while(|c| *c != '\n').count() + 1;
                anyhow!("line {line}, column {column}: {what}")
            }
            None => anyhow!("{what}"),
        }
    })
}
