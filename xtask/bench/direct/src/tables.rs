//! The peers' tables, read from the CSV files of the data set. No value needs quotes.

use std::fs::File;
use std::io::{BufRead, BufReader, Lines};
use std::iter::{Peekable, Skip};
use std::path::Path;

use anyhow::{Context, Result};

use crate::time;

/// Lines of a file after the header.
pub type Rows = Skip<Lines<BufReader<File>>>;

/// Column of the lead's id in `campaign_leads.csv`.
const LEAD_ID: usize = 0;
/// Column of `updated_at` in `campaign_leads.csv`.
const ROW_UPDATED_AT: usize = 7;
/// Column of `updated_at` in `leads.csv`.
const LEAD_UPDATED_AT: usize = 14;

/// Returns the rows of `<table>.csv`.
pub fn rows(dir: &str, table: &str) -> Result<Rows> {
    Ok(reader(dir, table)?.lines().skip(1))
}

/// Returns the column names of `<table>.csv`.
pub fn columns(dir: &str, table: &str) -> Result<Vec<String>> {
    let head = reader(dir, table)?.lines().next().context("the file is empty")??;
    Ok(head.split(',').map(String::from).collect())
}

fn reader(dir: &str, table: &str) -> Result<BufReader<File>> {
    let path = Path::new(dir).join(format!("{table}.csv"));
    let file = File::open(&path).with_context(|| format!("can't open {}", path.display()))?;
    Ok(BufReader::with_capacity(1 << 20, file))
}

/// Parses the time in a cell.
pub fn timestamp(cell: &str) -> Result<u32> {
    time::parse(cell).with_context(|| format!("expected a time, found {cell:?}"))
}

/// Leads with their `global_updated_at`, which no file contains: the latest time of the lead and its campaign leads.
/// Both files are ordered by lead, so one pass finds it.
pub struct Leads {
    leads: Rows,
    campaign_leads: Peekable<Rows>,
}

impl Leads {
    /// Opens both files.
    pub fn open(dir: &str) -> Result<Self> {
        Ok(Self { leads: rows(dir, "leads")?, campaign_leads: rows(dir, "campaign_leads")?.peekable() })
    }

    fn with_global(&mut self, line: String) -> Result<(String, u32)> {
        let mut cells = line.split(',');
        let id = cells.next();
        let mut global = timestamp(cells.nth(LEAD_UPDATED_AT - 1).context("a lead without updated_at")?)?;
        let is_of_lead =
            |row: &std::io::Result<String>| row.as_ref().is_ok_and(|row| row.split(',').nth(LEAD_ID) == id);
        while let Some(row) = self.campaign_leads.next_if(is_of_lead) {
            let row = row?;
            global = global.max(timestamp(row.split(',').nth(ROW_UPDATED_AT).context("a row without updated_at")?)?);
        }
        Ok((line, global))
    }
}

impl Iterator for Leads {
    type Item = Result<(String, u32)>;

    fn next(&mut self) -> Option<Self::Item> {
        match self.leads.next()? {
            Ok(line) => Some(self.with_global(line)),
            Err(error) => Some(Err(error.into())),
        }
    }
}
