//! Expected results, computed in memory from the generator's columns, without SQL or the engine.

use std::thread;

use super::data::{CampaignLead, Data};
use super::workload::{Condition, Query};

/// Expected result.
pub struct Answer {
    /// Number of matching leads.
    pub total: u64,
    /// Leads of the page.
    pub leads: Vec<AnsweredLead>,
}

/// Lead of a page.
pub struct AnsweredLead {
    /// Id of the lead.
    pub id: u64,
    /// Ids of the campaigns whose campaign lead matches.
    pub matching: Vec<u64>,
    /// Ids of all its campaigns.
    pub all: Vec<u64>,
}

/// Computes the results of queries on all cores.
pub fn answers(data: &Data, queries: &[Query]) -> Vec<Answer> {
    let threads = thread::available_parallelism().map_or(1, usize::from);
    let share = queries.len().div_ceil(threads).max(1);
    let answer_all = |queries: &[Query]| queries.iter().map(|query| answer(data, query)).collect::<Vec<_>>();
    thread::scope(|scope| {
        let parts: Vec<_> = queries.chunks(share).map(|part| scope.spawn(move || answer_all(part))).collect();
        parts.into_iter().flat_map(|part| part.join().expect("comparing doesn't panic")).collect()
    })
}

fn answer(data: &Data, query: &Query) -> Answer {
    let (count, offset) = query.page();
    let mut answer = Answer { total: 0, leads: Vec::new() };
    let mut email = Vec::new();
    for place in 0..data.leads.len() {
        let mut about_lead = query.conditions.iter().filter(|condition| !condition.is_about_campaign_leads());
        if !about_lead.all(|condition| lead_matches(data, condition, place, &mut email)) {
            continue;
        }
        let rows = data.rows_of(place);
        let row_matches = |row: &&CampaignLead| query.conditions.iter().all(|condition| row_matches(condition, row));
        if query.is_about_campaign_leads() && !rows.iter().any(|row| row_matches(&row)) {
            continue;
        }
        if (offset..offset + count).contains(&(answer.total as usize)) {
            let matching = rows.iter().filter(row_matches).map(|row| u64::from(row.campaign)).collect();
            let all = rows.iter().map(|row| u64::from(row.campaign)).collect();
            answer.leads.push(AnsweredLead { id: place as u64 + 1, matching, all });
        }
        answer.total += 1;
    }
    answer
}

fn lead_matches(data: &Data, condition: &Condition, place: usize, email: &mut Vec<u8>) -> bool {
    let lead = &data.leads[place];
    match condition {
        Condition::Ids(ids) => ids.binary_search(&(place as u64 + 1)).is_ok(),
        Condition::FirstNames(names) => names.contains(&data.first_names[usize::from(lead.first_name)]),
        Condition::Updated(range) => range.contains(&lead.updated),
        Condition::GlobalUpdated(range) => range.contains(&lead.global_updated),
        Condition::City(city) => *city == lead.city,
        Condition::Zip(zip) => *zip == lead.zip,
        Condition::Source(source) => *source == lead.source,
        Condition::EmailContains(part) => {
            data.email(place, email);
            email.windows(part.len()).any(|window| window == part.as_bytes())
        }
        Condition::Any(branches) => branches.iter().any(|branch| lead_matches(data, branch, place, email)),
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
