//! Shapes that are faster with summary tables and special statements.

use anyhow::Result;
use direct::workload::{Query, integer, list, range, text};
use rusqlite::{Connection, ToSql};

use super::{Database, QueryResult, ids, is_id_scan_cheaper};

const DAY_SECONDS: i64 = 86_400;

/// Runs a query, or returns `None` if the plain statements are best.
pub fn find(database: &Database, query: &Query) -> Result<Option<QueryResult>> {
    let keys = &query.keys;
    let connection = &database.connection;
    let page = format!("LIMIT {} OFFSET {}", query.count, query.offset);
    Ok(Some(match query.names()[..] {
        ["campaign_id"] => {
            let campaign = integer(&keys["campaign_id"]);
            let total = "SELECT coalesce((SELECT n FROM campaign_count WHERE campaign_id = ?1), 0)";
            let page_query =
                format!("SELECT lead_id FROM campaign_leads WHERE campaign_id = ?1 ORDER BY lead_id {page}");
            (query_integer(connection, total, &[&campaign])?, ids(connection, &page_query, [campaign])?)
        }
        ["campaign_id", "campaign_status"] => {
            let params: &[&dyn ToSql] = &[&integer(&keys["campaign_id"]), &text(&keys["campaign_status"])];
            let total =
                "SELECT coalesce((SELECT n FROM campaign_status_count WHERE campaign_id = ?1 AND status = ?2), 0)";
            let page_query =
                "SELECT lead_id FROM campaign_leads WHERE campaign_id = ?1 AND status = ?2 ORDER BY lead_id";
            (query_integer(connection, total, params)?, ids(connection, &format!("{page_query} {page}"), params)?)
        }
        ["first_name"] => {
            let mut found = Vec::new();
            for name in list(&keys["first_name"]) {
                found.extend(ids(connection, "SELECT id FROM leads WHERE first_name = ?1", [text(name)])?);
            }
            paginate(found, query)
        }
        [key @ ("updated_at" | "global_updated_at")] => by_time(database, query, key)?,
        ["campaign_updated_at"] => {
            let (from, till) = range(&keys["campaign_updated_at"]);
            let sql = "SELECT lead_id FROM campaign_leads WHERE updated_at >= ?1 AND updated_at <= ?2";
            let mut found = ids(connection, sql, [from, till])?;
            found.sort_unstable();
            found.dedup();
            paginate(found, query)
        }
        ["campaign_id", "global_updated_at"] => {
            let (from, till) = range(&keys["global_updated_at"]);
            let params: &[&dyn ToSql] = &[&integer(&keys["campaign_id"]), &from, &till];
            let sql = "SELECT lead_id FROM campaign_leads
                WHERE campaign_id = ?1 AND lead_global >= ?2 AND lead_global <= ?3";
            paginate(ids(connection, sql, params)?, query)
        }
        _ => return Ok(None),
    }))
}

/// Sums whole days, and counts both edges in the index.
fn by_time(database: &Database, query: &Query, key: &str) -> Result<QueryResult> {
    let connection = &database.connection;
    let (from, till) = range(&query.keys[key]);
    let (from, till) = (i64::from(from), i64::from(till));
    let (first_day, day_after) = (from / DAY_SECONDS + 1, (till + 1) / DAY_SECONDS);
    let count_between = |from: i64, before: i64| {
        let sql = format!("SELECT count(*) FROM leads WHERE {key} >= ?1 AND {key} < ?2");
        query_integer(connection, &sql, &[&from, &before])
    };
    let total = if first_day < day_after {
        let days = "SELECT coalesce(sum(n), 0) FROM day_count WHERE kind = ?1 AND day >= ?2 AND day < ?3";
        query_integer(connection, days, &[&key, &first_day, &day_after])?
            + count_between(from, first_day * DAY_SECONDS)?
            + count_between(day_after * DAY_SECONDS, till + 1)?
    } else {
        count_between(from, till + 1)?
    };
    if total as usize <= query.offset {
        return Ok((total, Vec::new()));
    }
    if is_id_scan_cheaper(database, query, total as usize) {
        let sql = format!(
            "SELECT id FROM leads INDEXED BY leads_cover WHERE +{key} >= ?1 AND +{key} <= ?2 ORDER BY id
             LIMIT {} OFFSET {}",
            query.count, query.offset
        );
        Ok((total, ids(connection, &sql, [from, till])?))
    } else {
        let sql = format!("SELECT id FROM leads WHERE {key} >= ?1 AND {key} <= ?2");
        Ok(paginate(ids(connection, &sql, [from, till])?, query))
    }
}

fn query_integer(connection: &Connection, sql: &str, params: &[&dyn ToSql]) -> Result<i64> {
    Ok(connection.prepare_cached(sql)?.query_row(params, |row| row.get(0))?)
}

/// Returns the page of all matches.
fn paginate(mut found: Vec<i64>, query: &Query) -> QueryResult {
    let total = found.len() as i64;
    found.sort_unstable();
    (total, found.into_iter().skip(query.offset).take(query.count).collect())
}
