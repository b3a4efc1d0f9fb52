//! Lead lookup in SQL, used when the lead index isn't available. Returns the total and one page with all its data, from one snapshot.
//!
//! It reads the total, then the ids of the page, then the rows of these ids, so that sorting never moves whole rows.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use leadscribe_engine::api::*;
use leadscribe_engine::callable::condition::Rules;
use leadscribe_engine::filter::predicate::{CampaignSelection, Cursor, FieldRef};
use leadscribe_engine::filter::{CheckedFilter, Formula, calls_today};

use super::rows::{self, CAMPAIGN_LEAD_COLUMNS};
use super::{Bind, Dialect, Session, campaigns, record, statuses};
use crate::storage::filter_sql::{SqlBuilder, pair_depends_on_lead};
use crate::storage::{LookupLead, LookupResult, Result, SerializedLead};

/// Returns the leads that match a filter.
pub(super) fn look_up(session: &dyn Session, filter: &CheckedFilter, now: Timestamp) -> Result<LookupResult> {
    let filter = &*resolve_verdicts(session, filter, now)?;
    let formula = Formula::split(&filter.predicate);
    let (sql, binds) = count_query(session.dialect(), &formula, now).finish_bounded()?;
    let total = session.query_value(&sql, &binds)?;

    let limit = filter.limit;
    let page_size = limit.count as usize;
    let (ids, has_more) = if page_size == 0 || limit.offset >= total {
        (Vec::new(), limit.offset < total)
    } else {
        let (sql, binds) = page_query(session.dialect(), filter, &formula, now).finish_bounded()?;
        let mut ids: Vec<i64> = session.query(&sql, &binds, |row| row.get(0))?;
        let has_more = ids.len() > page_size;
        ids.truncate(page_size);
        (ids, has_more)
    };
    page(session, filter, &ids, now).map(|result| LookupResult { total, has_more, ..result })
}

/// The filter with conditions on callability replaced by conditions on stored fields.
pub(super) fn resolve_verdicts<'f>(
    session: &dyn Session,
    filter: &'f CheckedFilter,
    now: Timestamp,
) -> Result<Cow<'f, CheckedFilter>> {
    if !filter.predicate.has_verdict_condition() {
        return Ok(Cow::Borrowed(filter));
    }
    let (campaigns, statuses) = (campaigns::all(session)?, statuses::list(session)?);
    let campaigns: Vec<_> = campaigns.iter().collect();
    let predicate = Rules { campaigns: &campaigns, statuses: &statuses, now }.resolve(&filter.predicate);
    Ok(Cow::Owned(CheckedFilter { predicate, ..filter.clone() }))
}

/// Most frequent values of a text field or custom field that start with `prefix`.
pub(super) fn field_values(
    session: &dyn Session,
    field: &FieldRef,
    prefix: &str,
    count: u32,
) -> Result<Vec<FieldValue>> {
    let mut sql = SqlBuilder::new(session.dialect());
    sql.push("SELECT value, count(*) FROM (").push_field_values(field, prefix);
    sql.push(") AS lead_values GROUP BY value ORDER BY 2 DESC, 1 LIMIT ").push_bind(Bind::Integer(i64::from(count)));
    let (sql, binds) = sql.finish();
    session.query(&sql, &binds, |row| Ok(FieldValue { value: row.get(0)?, leads: row.get(1)? }))
}

/// One lead with all its campaign leads.
pub(super) fn find_lead(session: &dyn Session, id: LeadId, now: Timestamp) -> Result<Option<LookupResult>> {
    let all_campaign_leads = read_campaign_leads(session, campaign_leads_query(session.dialect(), &[id.0]), now)?;
    let result = join_leads(session, &[id.0], all_campaign_leads)?;
    if result.is_empty() {
        return Ok(None);
    }
    with_references(session, result).map(|result| Some(LookupResult { total: 1, ..result }))
}

/// Leads with these ids, in the given order, with all data that the result of a filter includes.
pub(super) fn page(session: &dyn Session, filter: &CheckedFilter, ids: &[i64], now: Timestamp) -> Result<LookupResult> {
    if ids.is_empty() {
        return with_references(session, Vec::new());
    }
    let campaign_leads =
        read_campaign_leads(session, shown_campaign_leads_query(session.dialect(), filter, ids, now), now)?;
    with_references(session, join_leads(session, ids, campaign_leads)?)
}

/// Query for the campaign leads of these leads that are part of the filter's result.
pub(super) fn shown_campaign_leads_query(
    dialect: &'static dyn Dialect,
    filter: &CheckedFilter,
    leads: &[i64],
    now: Timestamp,
) -> SqlBuilder {
    let mut sql = campaign_leads_query(dialect, leads);
    let formula = Formula::split(&filter.predicate);
    if filter.campaigns == CampaignSelection::Matching && !formula.pair.is_empty() {
        sql.push(" AND ");
        if pair_depends_on_lead(&formula) {
            sql.push("EXISTS (SELECT 1 FROM leads l WHERE l.id = c.lead_id AND ");
            sql.push_pair(&formula, now).push(")");
        } else {
            sql.push_pair(&formula, now);
        }
    }
    sql
}

/// Query for the ids of matching leads above `after`, in order, at most `limit`.
pub(super) fn matching_ids_query(
    dialect: &'static dyn Dialect,
    filter: &CheckedFilter,
    after: Option<LeadId>,
    limit: usize,
    now: Timestamp,
) -> SqlBuilder {
    let mut sql = SqlBuilder::new(dialect);
    sql.push("SELECT l.id FROM leads l WHERE ");
    if let Some(after) = after {
        sql.push("l.id > ").push_bind(Bind::Integer(after.0)).push(" AND ");
    }
    sql.push_formula(&Formula::split(&filter.predicate), now);
    sql.push(" ORDER BY l.id LIMIT ").push_bind(Bind::from(&(limit as u64)));
    sql
}

/// Query that counts the matches.
fn count_query(dialect: &'static dyn Dialect, formula: &Formula, now: Timestamp) -> SqlBuilder {
    let mut sql = SqlBuilder::new(dialect);
    sql.push("SELECT count(*) FROM leads l WHERE ");
    sql.push_formula(formula, now);
    sql
}

/// Query for the ids of the page, plus one more if the list continues.
fn page_query(dialect: &'static dyn Dialect, filter: &CheckedFilter, formula: &Formula, now: Timestamp) -> SqlBuilder {
    let mut sql = SqlBuilder::new(dialect);
    sql.push("SELECT l.id FROM leads l WHERE ");
    sql.push_formula(formula, now);
    if let Some(cursor @ Cursor::After(_)) = &filter.cursor {
        sql.push(" AND ").push_lead_after(&filter.order, cursor);
    }
    sql.push_lead_order(&filter.order);
    sql.push(" LIMIT ").push_bind(Bind::Integer(i64::from(filter.limit.count) + 1));
    sql.push(" OFFSET ").push_bind(Bind::from(&filter.limit.offset));
    sql
}

/// Query for the campaign leads of these leads.
pub(super) fn campaign_leads_query(dialect: &'static dyn Dialect, leads: &[i64]) -> SqlBuilder {
    let mut sql = SqlBuilder::new(dialect);
    sql.push("SELECT ").push(CAMPAIGN_LEAD_COLUMNS).push(" FROM campaign_leads c WHERE ");
    sql.push_any_of("c.lead_id", leads.iter().map(Bind::from).collect());
    sql
}

fn read_campaign_leads(session: &dyn Session, sql: SqlBuilder, now: Timestamp) -> Result<Vec<CampaignLead>> {
    let (sql, binds) = sql.finish_bounded()?;
    session.query(&sql, &binds, |row| {
        let mut campaign_lead = rows::read_campaign_lead(row)?;
        campaign_lead.calls_today = calls_today(&campaign_lead, now);
        Ok(campaign_lead)
    })
}

/// Leads with these ids, in the given order, with their campaign leads from `shown_campaign_leads`.
fn join_leads(session: &dyn Session, ids: &[i64], shown_campaign_leads: Vec<CampaignLead>) -> Result<Vec<LookupLead>> {
    let leads: Vec<Lead> = record::find_all(session, ids.iter().copied())?;
    let mut leads: HashMap<i64, Lead> = leads.into_iter().map(|lead| (lead.id.0, lead)).collect();
    let mut by_lead: HashMap<i64, Vec<CampaignLead>> = HashMap::with_capacity(ids.len());
    for campaign_lead in shown_campaign_leads {
        by_lead.entry(campaign_lead.lead_id.0).or_default().push(campaign_lead);
    }
    let leads_without_shown: Vec<i64> = ids.iter().copied().filter(|id| !by_lead.contains_key(id)).collect();
    let in_campaign = leads_in_any_campaign(session, leads_without_shown)?;

    let lookup_leads = ids.iter().filter_map(|id| {
        let lead = leads.remove(id)?;
        let mut campaign_leads = by_lead.remove(id).unwrap_or_default();
        campaign_leads.sort_unstable_by_key(|campaign_lead| campaign_lead.id);
        let in_campaign = !campaign_leads.is_empty() || in_campaign.contains(id);
        Some(LookupLead { lead: SerializedLead::from(&lead), campaign_leads, is_in_campaign: in_campaign })
    });
    Ok(lookup_leads.collect())
}

fn leads_in_any_campaign(session: &dyn Session, leads: Vec<i64>) -> Result<HashSet<i64>> {
    if leads.is_empty() {
        return Ok(HashSet::new());
    }
    let has_lead = session.dialect().is_any_of("c.lead_id", "?1");
    let sql = format!("SELECT c.lead_id FROM campaign_leads c WHERE {has_lead}");
    Ok(session.query(&sql, &[Bind::ids(leads)], |row| row.get(0))?.into_iter().collect())
}

/// Adds the campaigns and statuses that the leads refer to.
fn with_references(session: &dyn Session, leads: Vec<LookupLead>) -> Result<LookupResult> {
    let ids: BTreeSet<i64> = leads
        .iter()
        .flat_map(|lookup_lead| &lookup_lead.campaign_leads)
        .map(|campaign_lead| campaign_lead.campaign_id.0)
        .collect();
    let mut campaigns: Vec<Campaign> = record::find_all(session, ids)?;
    campaigns.sort_unstable_by_key(|campaign| campaign.id);
    let campaigns = campaigns.into_iter().map(Arc::new).collect();
    Ok(LookupResult { leads, campaigns, statuses: statuses::list(session)?.into(), ..LookupResult::default() })
}
