//! All rows as columns in memory: the limit of what a program could reach, not a peer.

mod bits;
mod columns;
mod find;
mod scan;

use anyhow::Result;

pub use columns::Columns;

use crate::response::{CampaignLead, Lead, Writer};
use crate::steps::System;
use crate::workload::Query;

/// Result of a query: the total number of matches, and the indexes of the page's leads.
struct QueryResult {
    total: usize,
    leads: Vec<u32>,
}

impl QueryResult {
    /// Returns the page of all matches, which are sorted.
    fn page_of(all: &[u32], query: &Query) -> Self {
        let leads = all.iter().skip(query.offset).take(query.count).copied().collect();
        Self { total: all.len(), leads }
    }
}

impl System for Columns {
    type Client = ();

    fn connect(&self, _: &[&Query]) -> Result<()> {
        Ok(())
    }

    fn respond(&self, (): &mut (), _: usize, query: &Query, out: &mut Vec<u8>) -> Result<()> {
        let found = find::find(self, query);
        let mut writer = Writer::new(out, &self.campaigns);
        let non_zero = |seconds: u32| (seconds != 0).then_some(seconds);
        for place in &found.leads {
            let place = *place as usize;
            writer.open_lead(&Lead {
                id: place as i64 + 1,
                texts: std::array::from_fn(|column| self.text(place, column)),
                owner_id: self.owner[place].into(),
                score: self.score[place].into(),
                times: [self.created[place], self.updated[place], self.global[place]],
            });
            for row in self.rows_of(place) {
                writer.campaign_lead(&CampaignLead {
                    campaign_id: self.campaign[row].into(),
                    status: &self.statuses[usize::from(self.status[row])],
                    calls_count: self.calls[row].into(),
                    last_call_at: non_zero(self.last_call[row]),
                    frozen_until: non_zero(self.frozen[row]),
                    priority: self.priority[row].into(),
                    updated_at: self.row_updated[row],
                });
            }
            writer.close_lead();
        }
        writer.finish(found.total as i64);
        Ok(())
    }
}
