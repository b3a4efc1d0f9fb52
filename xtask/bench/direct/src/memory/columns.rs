//! Columns and their indexes.

use std::collections::HashMap;
use std::ops::Range;

use anyhow::{Context, Result};

use crate::response::{Campaign, TEXTS};
use crate::tables;

/// SortedColumn column: its values, and the index of each value's lead.
pub(super) type SortedColumn = (Vec<u32>, Vec<u32>);

/// All data. A lead's index is its id minus one; times are seconds since 1970, 0 for none.
#[derive(Default)]
pub struct Columns {
    pub(super) texts: Vec<u8>,
    /// For each lead, the start of each of its texts, and the end of the last one.
    pub(super) text_at: Vec<u32>,
    pub(super) first_name: Vec<u16>,
    pub(super) owner: Vec<u32>,
    pub(super) score: Vec<u8>,
    pub(super) created: Vec<u32>,
    pub(super) updated: Vec<u32>,
    pub(super) global: Vec<u32>,
    /// Number of each first name.
    pub(super) names: HashMap<String, u16>,

    /// Start of the campaign leads of each lead.
    pub(super) rows_at: Vec<u32>,
    pub(super) lead_of: Vec<u32>,
    pub(super) campaign: Vec<u8>,
    pub(super) status: Vec<u8>,
    pub(super) calls: Vec<u8>,
    pub(super) priority: Vec<u8>,
    pub(super) last_call: Vec<u32>,
    pub(super) frozen: Vec<u32>,
    pub(super) row_updated: Vec<u32>,
    pub(super) statuses: Vec<String>,
    pub(super) campaigns: Vec<Campaign>,

    pub(super) by_updated: SortedColumn,
    pub(super) by_global: SortedColumn,
    pub(super) by_row_updated: SortedColumn,
    pub(super) by_name: Vec<Vec<u32>>,
    pub(super) by_campaign: HashMap<u8, Vec<u32>>,
    pub(super) by_campaign_status: HashMap<(u8, u8), Vec<u32>>,
}

impl Columns {
    /// Reads the CSV files in `dir`.
    pub fn load(dir: &str) -> Result<Self> {
        let mut columns = Self::default();
        for line in tables::rows(dir, "campaigns")? {
            let line = line?;
            let cells: Vec<_> = line.split(',').collect();
            let campaign =
                Campaign { name: cells[1].into(), active: cells[2] == "active", max_calls: cells[3].parse()? };
            columns.campaigns.push(campaign);
        }
        for line in tables::rows(dir, "leads")? {
            columns.add_lead(&line?)?;
        }
        columns.global.clone_from(&columns.updated);
        columns.rows_at = vec![0; columns.len() + 1];
        for line in tables::rows(dir, "campaign_leads")? {
            columns.add_row(&line?)?;
        }
        for place in 0..columns.len() {
            columns.rows_at[place + 1] += columns.rows_at[place];
        }
        columns.by_updated = sorted(columns.updated.iter().copied().zip(0..));
        columns.by_global = sorted(columns.global.iter().copied().zip(0..));
        columns.by_row_updated = sorted(columns.row_updated.iter().copied().zip(columns.lead_of.iter().copied()));
        Ok(columns)
    }

    fn add_lead(&mut self, line: &str) -> Result<()> {
        let cells: Vec<_> = line.split(',').collect();
        let place = self.len() as u32;
        let next = u16::try_from(self.names.len()).context("too many first names")?;
        let name = *self.names.entry(cells[1].into()).or_insert(next);
        if name == next {
            self.by_name.push(Vec::new());
        }
        self.by_name[usize::from(name)].push(place);
        self.first_name.push(name);
        for cell in &cells[1..=TEXTS.len()] {
            self.text_at.push(u32::try_from(self.texts.len()).context("too many leads")?);
            self.texts.extend(cell.as_bytes());
        }
        self.text_at.push(u32::try_from(self.texts.len()).context("too many leads")?);
        self.owner.push(cells[11].parse()?);
        self.score.push(cells[12].parse()?);
        self.created.push(tables::timestamp(cells[13])?);
        self.updated.push(tables::timestamp(cells[14])?);
        Ok(())
    }

    fn add_row(&mut self, line: &str) -> Result<()> {
        let cells: Vec<_> = line.split(',').collect();
        let lead = cells[0].parse::<u32>()? - 1;
        let optional_timestamp = |cell: &str| if cell.is_empty() { Ok(0) } else { tables::timestamp(cell) };
        let updated = tables::timestamp(cells[7])?;
        let campaign = cells[1].parse()?;
        let known = self.statuses.iter().position(|status| status == cells[2]);
        let status = known.unwrap_or_else(|| {
            self.statuses.push(cells[2].into());
            self.statuses.len() - 1
        });
        let status = u8::try_from(status).context("too many statuses")?;
        self.rows_at[lead as usize + 1] += 1;
        self.lead_of.push(lead);
        self.campaign.push(campaign);
        self.status.push(status);
        self.calls.push(cells[3].parse()?);
        self.last_call.push(optional_timestamp(cells[4])?);
        self.frozen.push(optional_timestamp(cells[5])?);
        self.priority.push(cells[6].parse()?);
        self.row_updated.push(updated);
        let global = &mut self.global[lead as usize];
        *global = updated.max(*global);
        self.by_campaign.entry(campaign).or_default().push(lead);
        self.by_campaign_status.entry((campaign, status)).or_default().push(lead);
        Ok(())
    }

    /// Returns the number of leads.
    pub(super) fn len(&self) -> usize {
        self.updated.len()
    }

    /// Returns the text in `column`, in the order of [`TEXTS`].
    pub(super) fn text(&self, place: usize, column: usize) -> &str {
        let at = place * (TEXTS.len() + 1) + column;
        let bytes = &self.texts[self.text_at[at] as usize..self.text_at[at + 1] as usize];
        std::str::from_utf8(bytes).expect("it was read as text")
    }

    /// Returns the indexes of a lead's campaign leads.
    pub(super) fn rows_of(&self, place: usize) -> Range<usize> {
        self.rows_at[place] as usize..self.rows_at[place + 1] as usize
    }

    /// Returns the number of a status.
    pub(super) fn status_number(&self, status: &str) -> Option<u8> {
        self.statuses.iter().position(|known| known == status).map(|place| place as u8)
    }
}

fn sorted(values: impl Iterator<Item = (u32, u32)>) -> SortedColumn {
    let mut pairs: Vec<_> = values.collect();
    pairs.sort_unstable();
    pairs.into_iter().unzip()
}
