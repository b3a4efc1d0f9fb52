//! Search by index. The total of a time range takes two binary searches.

use serde_json::Value;

use super::bits::Bits;
use super::{Columns, QueryResult, scan};
use crate::workload::{Query, integer, list, range, text};

/// Number of column values that can be scanned in the time it takes to sort one match.
const SCANNED_FOR_SORTED: f64 = 4.0;

/// Searches by an index if possible, else by a full scan.
pub fn find(columns: &Columns, query: &Query) -> QueryResult {
    let keys = &query.keys;
    let none = Vec::new();
    match query.names()[..] {
        ["id"] => {
            let ids = list(&keys["id"]).iter().map(|id| integer(id) - 1);
            let mut places: Vec<_> = ids.filter_map(|place| u32::try_from(place).ok()).collect();
            places.retain(|place| (*place as usize) < columns.len());
            places.sort_unstable();
            places.dedup();
            QueryResult::page_of(&places, query)
        }
        ["first_name"] => by_names(columns, query),
        ["campaign_id"] => QueryResult::page_of(columns.by_campaign.get(&campaign(keys)).unwrap_or(&none), query),
        ["campaign_id", "campaign_status"] => {
            let status = columns.status_number(text(&keys["campaign_status"]));
            let list = status.and_then(|status| columns.by_campaign_status.get(&(campaign(keys), status)));
            QueryResult::page_of(list.unwrap_or(&none), query)
        }
        [key @ ("updated_at" | "global_updated_at")] => by_time(columns, query, key),
        ["campaign_updated_at"] => {
            let (from, till) = range(&keys["campaign_updated_at"]);
            let (values, leads) = &columns.by_row_updated;
            let mut bits = Bits::none(columns.len());
            for place in &leads[values.partition_point(|at| *at < from)..values.partition_point(|at| *at <= till)] {
                bits.insert(*place);
            }
            bits.page(query)
        }
        ["campaign_id", "global_updated_at"] => {
            let (from, till) = range(&keys["global_updated_at"]);
            let of_campaign = columns.by_campaign.get(&campaign(keys)).unwrap_or(&none).iter().copied();
            let kept = of_campaign.filter(|place| (from..=till).contains(&columns.global[*place as usize]));
            QueryResult::page_of(&kept.collect::<Vec<_>>(), query)
        }
        ["campaign_id", "first_name"] => {
            let campaign = campaign(keys);
            let mut found: Vec<_> = names(columns, &keys["first_name"]).flatten().copied().collect();
            found.retain(|place| columns.campaign[columns.rows_of(*place as usize)].contains(&campaign));
            found.sort_unstable();
            QueryResult::page_of(&found, query)
        }
        _ => scan::find(columns, query),
    }
}

fn campaign(keys: &serde_json::Map<String, Value>) -> u8 {
    u8::try_from(integer(&keys["campaign_id"])).unwrap_or(0)
}

/// Returns the leads of each name.
fn names<'a>(columns: &'a Columns, of: &'a Value) -> impl Iterator<Item = &'a Vec<u32>> {
    let known = list(of).iter().filter_map(|name| columns.names.get(text(name)));
    known.map(|name| &columns.by_name[usize::from(*name)])
}

/// Merges only until the page is full.
fn by_names(columns: &Columns, query: &Query) -> QueryResult {
    let mut lists: Vec<_> = names(columns, &query.keys["first_name"]).map(Vec::as_slice).collect();
    let total = lists.iter().map(|list| list.len()).sum();
    let mut merged = Vec::new();
    while merged.len() < query.offset + query.count {
        let next = lists.iter_mut().filter(|list| !list.is_empty()).min_by_key(|list| list[0]);
        let Some(list) = next else { break };
        merged.push(list[0]);
        *list = &list[1..];
    }
    QueryResult { total, leads: merged.into_iter().skip(query.offset).collect() }
}

fn by_time(columns: &Columns, query: &Query, key: &str) -> QueryResult {
    let (column, (values, leads)) = match key {
        "updated_at" => (&columns.updated, &columns.by_updated),
        _ => (&columns.global, &columns.by_global),
    };
    let (from, till) = range(&query.keys[key]);
    let found = &leads[values.partition_point(|at| *at < from)..values.partition_point(|at| *at <= till)];
    let total = found.len();
    let upto = query.offset + query.count;
    if total <= query.offset {
        return QueryResult { total, leads: Vec::new() };
    }
    let walked = upto as f64 * columns.len() as f64 / total as f64;
    if walked > total as f64 * SCANNED_FOR_SORTED {
        let mut found = found.to_vec();
        if found.len() > upto {
            found.select_nth_unstable(upto - 1);
            found.truncate(upto);
        }
        found.sort_unstable();
        return QueryResult { total, leads: found.split_off(query.offset) };
    }
    if query.offset > 0 {
        return QueryResult { total, ..Bits::of_column(column, |at| at >= from && at <= till).page(query) };
    }
    let matches = column.iter().zip(0..).filter(|(at, _)| (from..=till).contains(*at));
    QueryResult { total, leads: matches.map(|(_, place)| place).take(query.count).collect() }
}
