//! Lead look-up in SQL, used when the lead index can't answer. Returns the total and one page with all its data, from one snapshot.
//!
//! It reads the total, then the ids of the page, then the rows of these ids, so that sorting never moves whole rows.

use std::borrow::Cow;
use std::collections::{BTreeSet, HashMap, HashSet};
use std::sync::Arc;

use leadscribe_engine::api::*;
use leadscribe_engine::callable::condition::Rules;
use leadscribe_engine::filter::predicate::{CampaignsShown, Cursor, FieldRef};
use leadscribe_engine::filter::{CheckedFilter, Formula, calls_today};
use leadscribe_lead_index::PackedLead;

use super::rows::{self, CAMPAIGN_LEAD_COLUMNS};
use super::{Bind, Dialect, Session, campaigns, record, statuses};
use crate::storage::filter_sql::{Sql, pair_is_about_lead};
use crate::storage::{Found, FoundLead, StoreError};

/// Returns the leads that match a filter.
pub(super) fn look_up(session: &dyn Session, filter: &CheckedFilter, now: Timestamp) -> Result<Found, StoreError> {
    let filter = &*resolved(session, filter, now)?;
    let formula = Formula::of(&filter.predicate);
    let (sql, binds) = counting(session.dialect(), &formula, now).finish_bounded()?;
    let total = session.value(&sql, &binds)?;

    let limit = filter.limit;
    let wanted = limit.count as usize;
    let (ids, more) = if wanted == 0 || limit.offset >= total {
        (Vec::new(), limit.offset < total)
    } else {
        let (sql, binds) = paging(session.dialect(), filter, &formula, now).finish_bounded()?;
        let mut ids: Vec<i64> = session.query(&sql, &binds, |row| row.get(0))?;
        let more = ids.len() > wanted;
        ids.truncate(wanted);
        (ids, more)
    };
    page(session, filter, &ids, now).map(|found| Found { total, more, ..found })
}

/// The filter with conditions on callability replaced by conditions on stored fields.
pub(super) fn resolved<'f>(
    session: &dyn Session,
    filter: &'f CheckedFilter,
    now: Timestamp,
) -> Result<Cow<'f, CheckedFilter>, StoreError> {
    if !filter.predicate.asks_for_verdict() {
        return Ok(Cow::Borrowed(filter));
    }
    let (campaigns, statuses) = (campaigns::all(session)?, statuses::all(session)?);
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
) -> Result<Vec<FieldValue>, StoreError> {
    let mut sql = Sql::new(session.dialect());
    sql.push("SELECT had, count(*) FROM (").values(field, prefix);
    sql.push(") AS leads_with GROUP BY had ORDER BY 2 DESC, 1 LIMIT ").bind(Bind::Integer(i64::from(count)));
    let (sql, binds) = sql.finish();
    session.query(&sql, &binds, |row| Ok(FieldValue { value: row.get(0)?, leads: row.get(1)? }))
}

/// One lead with all its campaign leads.
pub(super) fn one(session: &dyn Session, id: LeadId, now: Timestamp) -> Result<Option<Found>, StoreError> {
    let shown = read_campaign_leads(session, campaign_leads(session.dialect(), &[id.0]), now)?;
    let found = with_leads(session, &[id.0], shown)?;
    if found.is_empty() {
        return Ok(None);
    }
    refer(session, found).map(|found| Some(Found { total: 1, ..found }))
}

/// Leads with these ids, in the given order, with all data that the answer to a filter includes.
pub(super) fn page(
    session: &dyn Session,
    filter: &CheckedFilter,
    ids: &[i64],
    now: Timestamp,
) -> Result<Found, StoreError> {
    if ids.is_empty() {
        return refer(session, Vec::new());
    }
    let shown = read_campaign_leads(session, shown(session.dialect(), filter, ids, now), now)?;
    refer(session, with_leads(session, ids, shown)?)
}

/// Query for the campaign leads of these leads that the answer to a filter includes.
pub(super) fn shown(dialect: &'static dyn Dialect, filter: &CheckedFilter, leads: &[i64], now: Timestamp) -> Sql {
    let mut sql = campaign_leads(dialect, leads);
    let formula = Formula::of(&filter.predicate);
    if filter.campaigns == CampaignsShown::Matching && !formula.pair.is_empty() {
        sql.push(" AND ");
        if pair_is_about_lead(&formula) {
            sql.push("EXISTS (SELECT 1 FROM leads l WHERE l.id = c.lead_id AND ");
            sql.pair(&formula, now).push(")");
        } else {
            sql.pair(&formula, now);
        }
    }
    sql
}

/// Query for the ids of matching leads above `after`, in order, at most `most`.
pub(super) fn matching(
    dialect: &'static dyn Dialect,
    filter: &CheckedFilter,
    after: Option<LeadId>,
    most: usize,
    now: Timestamp,
) -> Sql {
    let mut sql = Sql::new(dialect);
    sql.push("SELECT l.id FROM leads l WHERE ");
    if let Some(after) = after {
        sql.push("l.id > ").bind(Bind::Integer(after.0)).push(" AND ");
    }
    sql.formula(&Formula::of(&filter.predicate), now);
    sql.push(" ORDER BY l.id LIMIT ").bind(Bind::from(&(most as u64)));
    sql
}

/// Query that counts the matches.
fn counting(dialect: &'static dyn Dialect, formula: &Formula, now: Timestamp) -> Sql {
    let mut sql = Sql::new(dialect);
    sql.push("SELECT count(*) FROM leads l WHERE ");
    sql.formula(formula, now);
    sql
}

/// Query for the ids of the page, plus one more if the list continues.
fn paging(dialect: &'static dyn Dialect, filter: &CheckedFilter, formula: &Formula, now: Timestamp) -> Sql {
    let mut sql = Sql::new(dialect);
    sql.push("SELECT l.id FROM leads l WHERE ");
    sql.formula(formula, now);
    if let Some(cursor @ Cursor::After(_)) = &filter.cursor {
        sql.push(" AND ").after(&filter.order, cursor);
    }
    sql.order(&filter.order);
    sql.push(" LIMIT ").bind(Bind::Integer(i64::from(filter.limit.count) + 1));
    sql.push(" OFFSET ").bind(Bind::from(&filter.limit.offset));
    sql
}

/// Query for the campaign leads of these leads.
pub(super) fn campaign_leads(dialect: &'static dyn Dialect, leads: &[i64]) -> Sql {
    let mut sql = Sql::new(dialect);
    sql.push("SELECT ").push(CAMPAIGN_LEAD_COLUMNS).push(" FROM campaign_leads c WHERE ");
    sql.any_of("c.lead_id", leads.iter().map(Bind::from).collect());
    sql
}

fn read_campaign_leads(session: &dyn Session, sql: Sql, now: Timestamp) -> Result<Vec<CampaignLead>, StoreError> {
    let (sql, binds) = sql.finish_bounded()?;
    session.query(&sql, &binds, |row| {
        let mut campaign_lead = rows::campaign_lead(row)?;
        campaign_lead.calls_today = calls_today(&campaign_lead, now);
        Ok(campaign_lead)
    })
}

/// Leads with these ids, in the given order, with their campaign leads from `shown`.
fn with_leads(session: &dyn Session, ids: &[i64], shown: Vec<CampaignLead>) -> Result<Vec<FoundLead>, StoreError> {
    let leads: Vec<Lead> = record::find_all(session, ids.iter().copied())?;
    let mut leads: HashMap<i64, Lead> = leads.into_iter().map(|lead| (lead.id.0, lead)).collect();
    let mut of_lead: HashMap<i64, Vec<CampaignLead>> = HashMap::with_capacity(ids.len());
    for campaign_lead in shown {
        of_lead.entry(campaign_lead.lead_id.0).or_default().push(campaign_lead);
    }
    let unshown: Vec<i64> = ids.iter().copied().filter(|id| !of_lead.contains_key(id)).collect();
    let in_campaign = in_any_campaign(session, unshown)?;

    let found = ids.iter().filter_map(|id| {
        let lead = leads.remove(id)?;
        let mut campaign_leads = of_lead.remove(id).unwrap_or_default();
        campaign_leads.sort_unstable_by_key(|campaign_lead| campaign_lead.id);
        let in_campaign = !campaign_leads.is_empty() || in_campaign.contains(id);
        Some(FoundLead { lead: PackedLead::pack(&lead), campaign_leads, in_campaign })
    });
    Ok(found.collect())
}

/// Returns the leads that are in any campaign.
fn in_any_campaign(session: &dyn Session, leads: Vec<i64>) -> Result<HashSet<i64>, StoreError> {
    if leads.is_empty() {
        return Ok(HashSet::new());
    }
    let of_leads = session.dialect().is_any_of("c.lead_id", "?1");
    let sql = format!("SELECT c.lead_id FROM campaign_leads c WHERE {of_leads}");
    Ok(session.query(&sql, &[Bind::ids(leads)], |row| row.get(0))?.into_iter().collect())
}

/// Adds the campaigns and statuses that the leads refer to.
fn refer(session: &dyn Session, leads: Vec<FoundLead>) -> Result<Found, StoreError> {
    let ids: BTreeSet<i64> =
        leads.iter().flat_map(|found| &found.campaign_leads).map(|campaign_lead| campaign_lead.campaign_id.0).collect();
    let mut campaigns: Vec<Campaign> = record::find_all(session, ids)?;
    campaigns.sort_unstable_by_key(|campaign| campaign.id);
    let campaigns = campaigns.into_iter().map(Arc::new).collect();
    Ok(Found { leads, campaigns, statuses: statuses::all(session)?.into(), ..Found::default() })
}
