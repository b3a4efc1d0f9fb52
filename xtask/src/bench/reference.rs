//! Expected results, computed in memory from the generator's columns, without SQL or the engine.

use std::thread;

use super::data::{CampaignLead, Data};
use super::workload::{Condition, Query};

pub struct ExpectedResult {
    /// Number of matching leads.
    pub total: u64,
    /// Leads of the page.
    pub leads: Vec<ExpectedLead>,
}

/// Lead of a page.
pub struct ExpectedLead {
    /// Id of the lead.
    pub id: u64,
    /// Ids of the campaigns whose campaign lead matches.
    pub matching_campaigns: Vec<u64>,
    /// Ids of all its campaigns.
    pub all_campaigns: Vec<u64>,
}

/// Computes the results of queries on all cores.
pub fn expected_results(data: &Data, queries: &[Query]) -> Vec<ExpectedResult> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let chunk_length = queries.len().div_ceil(threads).max(1);
    let evaluate_all = |queries: &[Query]| queries.iter().map(|query| expected_result(data, query)).collect::<Vec<_>>();
    thread::scope(|scope| {
        let workers: Vec<_> =
            queries.chunks(chunk_length).map(|part| scope.spawn(move || evaluate_all(part))).collect();
        workers.into_iter().flat_map(|part| part.join().expect("comparing doesn't panic")).collect()
    })
}

fn expected_result(data: &Data, query: &Query) -> ExpectedResult {
    let (count, offset) = query.page();
    let mut result = ExpectedResult { total: 0, leads: Vec::new() };
    let mut email = Vec::new();
    for index in 0..data.leads.len() {
        let mut lead_conditions = query.conditions.iter().filter(|condition| !condition.is_about_campaign_leads());
        if !lead_conditions.all(|condition| lead_matches(data, condition, index, &mut email)) {
            continue;
        }
        let rows = data.campaign_leads_of(index);
        let row_matches = |row: &&CampaignLead| query.conditions.iter().all(|condition| row_matches(condition, row));
        if query.is_about_campaign_leads() && !rows.iter().any(|row| row_matches(&row)) {
            continue;
        }
        if (offset..offset + count).contains(&(result.total as usize)) {
            let matching_campaigns = rows.iter().filter(row_matches).map(|row| u64::from(row.campaign)).collect();
            let all_campaigns = rows.iter().map(|row| u64::from(row.campaign)).collect();
            result.leads.push(ExpectedLead { id: index as u64 + 1, matching_campaigns, all_campaigns });
        }
        result.total += 1;
    }
    result
}

fn lead_matches(data: &Data, condition: &Condition, index: usize, email: &mut Vec<u8>) -> bool {
    let lead = &data.leads[index];
    match condition {
        Condition::Ids(ids) => ids.binary_search(&(index as u64 + 1)).is_ok(),
        Condition::FirstNames(names) => names.contains(&data.first_names[usize::from(lead.first_name)]),
        Condition::Updated(range) => range.contains(&lead.updated),
        Condition::GlobalUpdated(range) => range.contains(&lead.global_updated),
        Condition::City(city) => *city == lead.city,
        Condition::Zip(zip) => *zip == lead.zip,
        Condition::Source(source) => *source == lead.source,
        Condition::EmailContains(part) => {
            data.write_email(index, email);
            email.windows(part.len()).any(|window| window == part.as_bytes())
        }
        Condition::Any(branches) => branches.iter().any(|branch| lead_matches(data, branch, index, email)),
        Condition::Campaign(_) | Condition::Status(_) | Condition::CampaignUpdated(_) => true,
    }
}

fn row_matches(condition: &Condition, row: &CampaignLead) -> bool {
    match condition {
        Condition::Campaign(campaign) => *campaign == row.campaign,
        Condition::Status(status) => *status == row.status,
        Condition::CampaignUpdated(range) => range.contains(&row.updated),
        _ => true,
    }
}
