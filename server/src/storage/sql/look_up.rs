//! The look-up: which leads match, how many in all, and the page with all that belongs to it, from one snapshot.
//!
//! First the total, then the ids of the page, then the rows of these ids: so sorting never moves whole rows, and the
//! total tells which way to the page is the shorter one.

use std::collections::{BTreeSet, HashMap, HashSet};

use leadscribe_engine::api::*;
use leadscribe_engine::filter::fields::FieldId;
use leadscribe_engine::filter::predicate::{CampaignsShown, Cursor, Predicate};
use leadscribe_engine::filter::{CheckedFilter, calls_today};
use rusqlite::Connection;

use super::dialect::{Sqlite, bind_all, id_list};
use super::rows::{self, CAMPAIGN_COLUMNS, CAMPAIGN_LEAD_COLUMNS, LEAD_COLUMNS};
use super::statuses;
use crate::storage::filter_sql::{Bind, Formula, Sql, about_lead};
use crate::storage::{Found, FoundLead};

/// Leads that match a filter.
pub(super) fn look_up(snapshot: &Connection, filter: &CheckedFilter, now: Timestamp) -> rusqlite::Result<Found> {
    let search = Search { snapshot, filter, formula: Formula::of(&filter.predicate), now };
    let total = search.total()?;
    let mut ids = search.page(total)?;
    let wanted = filter.limit.count as usize;
    let more = ids.len() > wanted;
    ids.truncate(wanted);

    let shown = search.campaign_leads(&ids)?;
    let leads = with_leads(snapshot, &ids, shown)?;
    finish(snapshot, leads, total, more)
}

/// One lead with all its campaign leads.
pub(super) fn one(snapshot: &Connection, id: LeadId, now: Timestamp) -> rusqlite::Result<Option<Found>> {
    if super::leads::find(snapshot, id)?.is_none() {
        return Ok(None);
    }
    let mut sql = Sql::new(&Sqlite);
    push_campaign_leads(&mut sql, &[id.0]);
    let shown = read_campaign_leads(snapshot, sql, now)?;
    let leads = with_leads(snapshot, &[id.0], shown)?;
    finish(snapshot, leads, 1, false).map(Some)
}

/// A filter on its way to ids.
struct Search<'a> {
    snapshot: &'a Connection,
    filter: &'a CheckedFilter,
    formula: Formula,
    now: Timestamp,
}

/// What the leads of a page are found through.
enum Way {
    /// The index the planner thinks best for the tests; then the ids are sorted.
    Index,
    /// The order of the ids, until the page is full.
    Walk,
}

impl Search<'_> {
    fn total(&self) -> rusqlite::Result<u64> {
        let sql = self.counting();
        let (text, binds) = sql.finish();
        let mut statement = self.snapshot.prepare_cached(&text)?;
        bind_all(&mut statement, &binds)?;
        let mut rows = statement.raw_query();
        rows.next()?.map_or(Ok(0), |row| row.get(0))
    }

    /// The statement that counts the matches.
    fn counting(&self) -> Sql<'static> {
        let mut sql = Sql::new(&Sqlite);
        if self.formula.begins_with_campaign_leads() {
            let once = self.formula.names_one_campaign();
            // With a plus SQLite doesn't walk a whole index only to meet each lead's rows together.
            sql.push(if once { "SELECT count(*)" } else { "SELECT count(DISTINCT +c.lead_id)" });
            self.begin_with_campaign_leads(&mut sql, !self.formula.lead.is_empty());
        } else {
            sql.push("SELECT count(*) FROM leads l WHERE ");
            self.formula.condition(&mut sql, self.now);
        }
        sql
    }

    /// The ids of the page, and one more where leads follow it.
    fn page(&self, total: u64) -> rusqlite::Result<Vec<i64>> {
        let limit = self.filter.limit;
        if limit.count == 0 || limit.offset >= total {
            // With nothing to show, only whether leads follow: there are some unless the offset is past them.
            return Ok(if limit.offset < total { vec![0] } else { Vec::new() });
        }
        let sql = self.paging(self.way(total)?);
        let (text, binds) = sql.finish();
        let mut statement = self.snapshot.prepare_cached(&text)?;
        bind_all(&mut statement, &binds)?;
        let mut rows = statement.raw_query();
        let mut ids = Vec::with_capacity(limit.count.min(1_000) as usize + 1);
        while let Some(row) = rows.next()? {
            ids.push(row.get(0)?);
        }
        Ok(ids)
    }

    /// The statement that gives the ids of the page.
    fn paging(&self, way: Way) -> Sql<'static> {
        let mut sql = Sql::new(&Sqlite);
        let order = &self.filter.order;
        let by_id = matches!(order.as_slice(), [only] if only.field == FieldId::Id);
        let cursor = self.filter.cursor.as_ref().filter(|cursor| **cursor != Cursor::Start);
        if self.formula.begins_with_campaign_leads() && by_id && cursor.is_none() {
            let once = self.formula.names_one_campaign();
            sql.push(match way {
                _ if once => "SELECT c.lead_id",
                Way::Walk => "SELECT DISTINCT c.lead_id",
                Way::Index => "SELECT DISTINCT +c.lead_id",
            });
            self.begin_with_campaign_leads(&mut sql, !self.formula.lead.is_empty());
            sql.push(" ORDER BY 1").push(if order[0].descending { " DESC" } else { "" });
        } else {
            if self.formula.begins_with_campaign_leads() && self.formula.names_one_campaign() {
                sql.push("SELECT l.id");
                self.begin_with_campaign_leads(&mut sql, true);
            } else {
                sql.push("SELECT l.id FROM leads l");
                sql.push(if matches!(way, Way::Walk) { " NOT INDEXED WHERE " } else { " WHERE " });
                self.formula.condition(&mut sql, self.now);
            }
            if let Some(cursor) = cursor {
                sql.push(" AND ").after(order, cursor);
            }
            sql.order(order);
        }
        let limit = self.filter.limit;
        sql.push(" LIMIT ").bind(Bind::Integer(i64::from(limit.count) + 1));
        sql.push(" OFFSET ").bind(Bind::Integer(i64::try_from(limit.offset).unwrap_or(i64::MAX)));
        sql
    }

    /// `FROM` the campaign leads that satisfy the pair tests, joined with their leads when these are needed too.
    fn begin_with_campaign_leads(&self, sql: &mut Sql<'_>, with_leads: bool) {
        sql.push(" FROM campaign_leads c");
        if with_leads {
            // CROSS keeps the order: one campaign is narrower than a range of dates, but not than a name.
            let in_order = self.formula.names_one_campaign() && self.formula.asks_only_ranges_of_lead();
            sql.push(if in_order { " CROSS" } else { "" }).push(" JOIN leads l ON l.id = c.lead_id");
        }
        sql.push(" WHERE ");
        sql.all(self.formula.pair.iter().chain(&self.formula.lead), |sql, part| _ = sql.predicate(part, self.now));
    }

    /// Whether the page is reached sooner by walking the table than by sorting all matches.
    fn way(&self, total: u64) -> rusqlite::Result<Way> {
        let by_id = matches!(self.filter.order.as_slice(), [only] if only.field == FieldId::Id);
        if !by_id {
            return Ok(Way::Index);
        }
        let leads: i64 =
            self.snapshot.prepare_cached("SELECT coalesce(max(id), 0) FROM leads")?.query_row([], |row| row.get(0))?;
        // Matches lie evenly, as far as is known: a page ends after so many of them, each `leads / total` rows apart.
        let page_end = u128::from(self.filter.limit.offset) + u128::from(self.filter.limit.count);
        let walked = page_end * u128::from(leads.unsigned_abs()) / u128::from(total.max(1));
        Ok(if walked < u128::from(total) { Way::Walk } else { Way::Index })
    }

    /// The campaign leads that are shown with these leads.
    fn campaign_leads(&self, ids: &[i64]) -> rusqlite::Result<Vec<CampaignLead>> {
        if ids.is_empty() {
            return Ok(Vec::new());
        }
        let mut sql = Sql::new(&Sqlite);
        push_campaign_leads(&mut sql, ids);
        if self.filter.campaigns == CampaignsShown::Matching && !self.formula.pair.is_empty() {
            let about_both: &[Predicate] = &self.formula.pair;
            sql.push(" AND ");
            if about_both.iter().any(about_lead) {
                sql.push("EXISTS (SELECT 1 FROM leads l WHERE l.id = c.lead_id AND ");
                sql.all(about_both, |sql, part| _ = sql.predicate(part, self.now)).push(")");
            } else {
                sql.all(about_both, |sql, part| _ = sql.predicate(part, self.now));
            }
        }
        read_campaign_leads(self.snapshot, sql, self.now)
    }
}

fn push_campaign_leads(sql: &mut Sql<'_>, ids: &[i64]) {
    sql.push("SELECT ").push(CAMPAIGN_LEAD_COLUMNS).push(" FROM campaign_leads c WHERE ");
    sql.any_of("c.lead_id", ids.iter().map(|id| Bind::Integer(*id)).collect());
}

fn read_campaign_leads(snapshot: &Connection, sql: Sql<'_>, now: Timestamp) -> rusqlite::Result<Vec<CampaignLead>> {
    let (text, binds) = sql.finish();
    let mut statement = snapshot.prepare_cached(&text)?;
    bind_all(&mut statement, &binds)?;
    let mut rows = statement.raw_query();
    let mut found = Vec::new();
    while let Some(row) = rows.next()? {
        let mut campaign_lead = rows::campaign_lead(row)?;
        campaign_lead.calls_today = calls_today(&campaign_lead, now);
        found.push(campaign_lead);
    }
    Ok(found)
}

/// The leads of these ids, in their order, with those of `shown` that belong to them.
fn with_leads(snapshot: &Connection, ids: &[i64], shown: Vec<CampaignLead>) -> rusqlite::Result<Vec<FoundLead>> {
    if ids.is_empty() {
        return Ok(Vec::new());
    }
    let mut leads: HashMap<i64, Lead> = snapshot
        .prepare_cached(&format!("SELECT {LEAD_COLUMNS} FROM leads WHERE id IN (SELECT value FROM rarray(?1))"))?
        .query_map([id_list(ids.iter().copied())], |row| rows::lead(row).map(|lead| (lead.id.0, lead)))?
        .collect::<Result<_, _>>()?;
    let mut of_lead: HashMap<i64, Vec<CampaignLead>> = HashMap::with_capacity(ids.len());
    for campaign_lead in shown {
        of_lead.entry(campaign_lead.lead_id.0).or_default().push(campaign_lead);
    }
    let unshown: Vec<i64> = ids.iter().copied().filter(|id| !of_lead.contains_key(id)).collect();
    let in_campaign = if unshown.is_empty() { HashSet::new() } else { in_any_campaign(snapshot, &unshown)? };

    let found = ids.iter().filter_map(|id| {
        let lead = leads.remove(id)?;
        let mut campaign_leads = of_lead.remove(id).unwrap_or_default();
        campaign_leads.sort_unstable_by_key(|campaign_lead| campaign_lead.id);
        let in_campaign = !campaign_leads.is_empty() || in_campaign.contains(id);
        Some(FoundLead { lead, campaign_leads, in_campaign })
    });
    Ok(found.collect())
}

fn in_any_campaign(snapshot: &Connection, ids: &[i64]) -> rusqlite::Result<HashSet<i64>> {
    snapshot
        .prepare_cached("SELECT c.lead_id FROM campaign_leads c WHERE c.lead_id IN (SELECT value FROM rarray(?1))")?
        .query_map([id_list(ids.iter().copied())], |row| row.get(0))?
        .collect()
}

/// Adds the campaigns and statuses that the leads refer to.
fn finish(snapshot: &Connection, leads: Vec<FoundLead>, total: u64, more: bool) -> rusqlite::Result<Found> {
    let ids: BTreeSet<i64> =
        leads.iter().flat_map(|found| &found.campaign_leads).map(|campaign_lead| campaign_lead.campaign_id.0).collect();
    let campaigns = snapshot
        .prepare_cached(&format!(
            "SELECT {CAMPAIGN_COLUMNS} FROM campaigns WHERE id IN (SELECT value FROM rarray(?1)) ORDER BY id"
        ))?
        .query_map([id_list(ids)], rows::campaign)?
        .collect::<Result<_, _>>()?;
    Ok(Found { leads, total, more, campaigns, statuses: statuses::all(snapshot)? })
}

/// How SQLite would find the page of a filter, for tests.
#[cfg(test)]
pub(super) fn plan(snapshot: &Connection, filter: &CheckedFilter, now: Timestamp) -> rusqlite::Result<String> {
    let search = Search { snapshot, filter, formula: Formula::of(&filter.predicate), now };
    let counting = search.counting().finish().0;
    let paging = search.paging(search.way(search.total()?)?).finish().0;
    Ok(super::dialect::plan(snapshot, &counting)? + &super::dialect::plan(snapshot, &paging)?)
}
