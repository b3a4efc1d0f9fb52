//! The right answers, worked out in memory from the generator's own columns: no SQL and nothing of the engine.

use super::data::{CampaignLead, Data, Lead};
use super::workload::Query;

/// What an answer must hold.
#[derive(Debug, PartialEq, Eq)]
pub struct Answer {
    /// How many leads match.
    pub total: u64,
    /// The page: each lead's id, with the ids of the campaigns shown.
    pub leads: Vec<(u64, Vec<u64>)>,
}

/// Answers a query.
pub fn answer(data: &Data, query: &Query) -> Answer {
    let (count, offset) = query.limit.unwrap_or((200, 0));
    let mut answer = Answer { total: 0, leads: Vec::new() };
    let mut rows = data.campaign_leads.as_slice();
    for (place, lead) in data.leads.iter().enumerate() {
        let id = place as u64 + 1;
        let (of_lead, rest) = rows.split_at(rows.partition_point(|row| row.lead <= id));
        rows = rest;
        if !lead_matches(data, query, id, lead) {
            continue;
        }
        let shown: Vec<_> = of_lead.iter().filter(|row| row_matches(query, row)).map(|row| row.campaign).collect();
        let about_rows = query.campaign.is_some() || query.status.is_some() || query.campaign_updated.is_some();
        if about_rows && shown.is_empty() {
            continue;
        }
        if (offset..offset + count).contains(&(answer.total as usize)) {
            answer.leads.push((id, shown));
        }
        answer.total += 1;
    }
    answer
}

fn lead_matches(data: &Data, query: &Query, id: u64, lead: &Lead) -> bool {
    query.ids.as_ref().is_none_or(|ids| ids.contains(&id))
        && query.first_names.as_ref().is_none_or(|names| names.contains(&data.first_names[lead.first_name]))
        && query.updated.as_ref().is_none_or(|range| range.contains(&lead.updated))
        && query.global_updated.as_ref().is_none_or(|range| range.contains(&lead.global_updated))
}

fn row_matches(query: &Query, row: &CampaignLead) -> bool {
    query.campaign.is_none_or(|campaign| campaign == row.campaign)
        && query.status.is_none_or(|status| status == row.status)
        && query.campaign_updated.as_ref().is_none_or(|range| range.contains(&row.updated))
}
