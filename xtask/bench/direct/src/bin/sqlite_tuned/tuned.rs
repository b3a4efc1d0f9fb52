//! Shapes that are faster with summary tables and special statements.

use anyhow::Result;
use direct::workload::{Query, integer, list, range, text};
use rusqlite::{Connection, ToSql};

use super::{Database, QueryResult, ids, walk_is_shorter};

const DAY_SECONDS: i64 = 86_400;

/// Runs a query, or returns `None` if the plain statements are best.
pub fn find(database: &Database, query: &Query) -> Result<Option<QueryResult>> {
    let keys = &query.keys;
    let on = &database.connection;
    let page = format!("LIMIT {} OFFSET {}", query.count, query.offset);
    Ok(Some(match query.names()[..] {
        ["campaign_id"] => {
            let campaign = integer(&keys["campaign_id"]);
            let total = "SELECT coalesce((SELECT n FROM campaign_count WHERE campaign_id = ?1), 0)";
            let found = format!("SELECT lead_id FROM campaign_leads WHERE campaign_id = ?1 ORDER BY lead_id {page}");
            (one(on, total, &[&campaign])?, ids(on, &found, [campaign])?)
        }
        ["campaign_id", "campaign_status"] => {
            let of: &[&dyn ToSql] = &[&integer(&keys["campaign_id"]), &text(&keys["campaign_status"])];
            let total =
                "SELECT coalesce((SELECT n FROM campaign_status_count WHERE campaign_id = ?1 AND status = ?2), 0)";
            let found = "SELECT lead_id FROM campaign_leads WHERE campaign_id = ?1 AND status = ?2 ORDER BY lead_id";
            (one(on, total, of)?, ids(on, &format!("{found} {page}"), of)?)
        }
        ["first_name"] => {
            let mut found = Vec::new();
            for name in list(&keys["first_name"]) {
                found.extend(ids(on, "SELECT id FROM leads WHERE first_name = ?1", [text(name)])?);
            }
            cut(found, query)
        }
        [key @ ("updated_at" | "global_updated_at")] => by_time(database, query, key)?,
        ["campaign_updated_at"] => {
            let (from, till) = range(&keys["campaign_updated_at"]);
            let sql = "SELECT lead_id FROM campaign_leads WHERE updated_at >= ?1 AND updated_at <= ?2";
            let mut found = ids(on, sql, [from, till])?;
            found.sort_unstable();
            found.dedup();
            cut(found, query)
        }
        ["campaign_id", "global_updated_at"] => {
            let (from, till) = range(&keys["global_updated_at"]);
            let of: &[&dyn ToSql] = &[&integer(&keys["campaign_id"]), &from, &till];
            let sql = "SELECT lead_id FROM campaign_leads
                WHERE campaign_id = ?1 AND lead_global >= ?2 AND lead_global <= ?3";
            cut(ids(on, sql, of)?, query)
        }
        _ => return Ok(None),
    }))
}

/// Sums whole days, and counts both edges in the index.
fn by_time(database: &Database, query: &Query, key: &str) -> Result<QueryResult> {
    let on = &database.connection;
    let (from, till) = range(&query.keys[key]);
    let (from, till) = (i64::from(from), i64::from(till));
    let (first_day, day_after) = (from / DAY_SECONDS + 1, (till + 1) / DAY_SECONDS);
    let edge = |from: i64, before: i64| {
        let sql = format!("SELECT count(*) FROM leads WHERE {key} >= ?1 AND {key} < ?2");
        one(on, &sql, &[&from, &before])
    };
    let total = if first_day < day_after {
        let days = "SELECT coalesce(sum(n), 0) FROM day_count WHERE kind = ?1 AND day >= ?2 AND day < ?3";
        one(on, days, &[&key, &first_day, &day_after])?
            + edge(from, first_day * DAY_SECONDS)?
            + edge(day_after * DAY_SECONDS, till + 1)?
    } else {
        edge(from, till + 1)?
    };
    if total as usize <= query.offset {
        return Ok((total, Vec::new()));
    }
    if walk_is_shorter(database, query, total as usize) {
        let sql = format!(
            "SELECT id FROM leads INDEXED BY leads_cover WHERE +{key} >= ?1 AND +{key} <= ?2 ORDER BY id
             LIMIT {} OFFSET {}",
            query.count, query.offset
        );
        Ok((total, ids(on, &sql, [from, till])?))
    } else {
        let sql = format!("SELECT id FROM leads WHERE {key} >= ?1 AND {key} <= ?2");
        Ok(cut(ids(on, &sql, [from, till])?, query))
    }
}

fn one(connection: &Connection, sql: &str, params: &[&dyn ToSql]) -> Result<i64> {
    Ok(connection.prepare_cached(sql)?.query_row(params, |row| row.get(0))?)
}

/// Returns the page of all matches.
fn cut(mut found: Vec<i64>, query: &Query) -> QueryResult {
    let total = found.len() as i64;
    found.sort_unstable();
    (total, found.into_iter().skip(query.offset).take(query.count).collect())
}
