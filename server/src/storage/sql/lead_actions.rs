//! Bulk actions on leads, each in one transaction, and their undo.

use std::borrow::Cow;
use std::collections::BTreeSet;

use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::{Diagnostic, Place, stored};
use leadscribe_engine::filter::CheckedFilter;
use leadscribe_engine::record::{LeadAction, MAX_LEADS, Target};

use super::record::{self, Kept, Writes, existing};
use super::references::{self, Source};
use super::rows::{self, slice_binds};
use super::undo_journal::{Difference, Owner};
use super::{Bind, Row, Session, audit, binds, look_up};
use crate::storage::filter_sql::Sql;
use crate::storage::{Origin, Slice, StoreError, WriteError};

mod effect;
pub(super) mod put_in;
mod undo;

pub(super) use undo::undo;

/// Name of an action in the audit log.
const NAME: &str = "lead_action";

/// Old and new value of a record.
struct Change<T> {
    old: T,
    new: T,
}

/// Planned effect of an action.
struct Plan {
    leads: Vec<Change<Lead>>,
    campaign_leads: Vec<Change<CampaignLead>>,
    /// New campaign leads, without ids yet.
    made: Vec<CampaignLead>,
    /// Counts; nothing is written yet.
    outcome: LeadActionOutcome,
}

/// Counts what an action would change.
pub(super) fn count(
    session: &dyn Session,
    action: &LeadAction,
    now: Timestamp,
) -> Result<LeadActionOutcome, WriteError> {
    let plan = plan(session, action, now)?;
    let LeadValues { do_not_call, campaign_id, status, weight: _, assigned_user_id: _, freeze_until } = &action.set;
    let lets_call = do_not_call.is_some() || campaign_id.is_some() || status.is_some() || freeze_until.is_some();
    let callable = match lets_call {
        true => effect::of(session, &plan, now)?,
        false => CallableChange::default(),
    };
    Ok(LeadActionOutcome { callable: Some(callable), ..plan.outcome })
}

/// Computes what an action would change.
fn plan(session: &dyn Session, action: &LeadAction, now: Timestamp) -> Result<Plan, WriteError> {
    let action = &*resolved(session, action, now)?;
    if let Some(campaign) = action.campaign_id {
        references::campaign(session, campaign, Source::Body)?;
    }
    put_in::check(session, &action.set).map_err(|refusal| within(refusal, "/set"))?;
    let Chosen { ids, missing, next } = choose(session, action, now)?;

    let mut leads = Vec::new();
    if let Some(record) = action.set.of_lead() {
        let old: Vec<Lead> = record::find_all(session, ids.iter().copied())?;
        leads = changes(old, &record, now).0;
    }
    let (mut campaign_leads, mut of_campaigns) = (Vec::new(), ChangeCounts::default());
    if let Some(record) = action.set.of_campaign_lead() {
        let old = campaign_leads_of(session, action, &ids, now)?;
        let (changed, unchanged) = changes(old, &record, now);
        of_campaigns = ChangeCounts { changed: changed.len() as u64, unchanged };
        campaign_leads = changed;
    }
    let mut made = Vec::new();
    if let Some(campaign) = action.set.campaign_id {
        made = put_in::made(session, &action.set, campaign, &ids, now)?;
        of_campaigns = ChangeCounts { changed: made.len() as u64, unchanged: (ids.len() - made.len()) as u64 };
    }

    let inside = campaign_leads.iter().map(|change| change.new.lead_id).chain(made.iter().map(|new| new.lead_id));
    let changed: BTreeSet<_> = leads.iter().map(|change| change.new.id).chain(inside).collect();
    let changed = changed.len() as u64;
    let leads_counted = ChangeCounts { changed, unchanged: ids.len() as u64 - changed };
    let outcome = LeadActionOutcome {
        id: None,
        leads: leads_counted,
        campaign_leads: of_campaigns,
        missing: missing as u64,
        next: next.map(LeadId),
        callable: None,
    };
    Ok(Plan { leads, campaign_leads, made, outcome })
}

/// The action with conditions on callability in its filter replaced by conditions on stored fields.
fn resolved<'a>(
    session: &dyn Session,
    action: &'a LeadAction,
    now: Timestamp,
) -> Result<Cow<'a, LeadAction>, StoreError> {
    let Target::Filter(filter) = &action.target else { return Ok(Cow::Borrowed(action)) };
    Ok(match look_up::resolved(session, filter, now)? {
        Cow::Borrowed(_) => Cow::Borrowed(action),
        Cow::Owned(filter) => Cow::Owned(LeadAction { target: Target::Filter(Box::new(filter)), ..action.clone() }),
    })
}

/// Records that change, and the number of those that already have the new values.
fn changes<T: Kept>(all: Vec<T>, record: &T::Record, now: Timestamp) -> (Vec<Change<T>>, u64) {
    let (mut changes, mut unchanged) = (Vec::new(), 0);
    for old in all {
        match record::changed(&old, record, now) {
            Some(new) => changes.push(Change { old, new }),
            None => unchanged += 1,
        }
    }
    (changes, unchanged)
}

/// Prefixes the member of a refusal with the outer member.
fn within(refusal: WriteError, outer: &str) -> WriteError {
    match refusal {
        WriteError::Refused(mut fault) => {
            if let Place::Pointer(pointer) = &mut fault.place {
                pointer.insert_str(0, outer);
            }
            WriteError::Refused(fault)
        }
        other => other,
    }
}

/// Leads of an action, or of one part of it.
struct Chosen {
    /// Ids of leads that exist.
    ids: Vec<i64>,
    /// Number of ids without a lead.
    missing: usize,
    /// Last lead of this part, if more leads follow.
    next: Option<i64>,
}

fn choose(session: &dyn Session, action: &LeadAction, now: Timestamp) -> Result<Chosen, WriteError> {
    match &action.target {
        Target::Leads(ids) => {
            let all = ids.iter().map(|id| id.0).filter(|id| action.after.is_none_or(|after| *id > after.0));
            let (wanted, next) = first(all.collect(), action.at_most);
            let found = existing(session, Lead::TABLE, wanted.iter().copied())?;
            let missing = wanted.len() - found.len();
            Ok(Chosen { ids: wanted.into_iter().filter(|id| found.contains(id)).collect(), missing, next })
        }
        Target::Filter(filter) => {
            let (ids, next) = first(matching(session, action, filter, now)?, action.at_most);
            Ok(Chosen { ids, missing: 0, next })
        }
    }
}

/// Returns the first `at_most` ids, and the last of them if more follow.
fn first(mut ids: Vec<i64>, at_most: Option<usize>) -> (Vec<i64>, Option<i64>) {
    let Some(most) = at_most.filter(|most| ids.len() > *most) else { return (ids, None) };
    ids.truncate(most);
    let last = ids.last().copied();
    (ids, last)
}

/// Ids of matching leads, if there aren't too many. For a part, includes one lead more than the part if there is one.
fn matching(
    session: &dyn Session,
    action: &LeadAction,
    filter: &CheckedFilter,
    now: Timestamp,
) -> Result<Vec<i64>, WriteError> {
    let most = action.at_most.unwrap_or(MAX_LEADS) + 1;
    let (sql, binds) = look_up::matching(session.dialect(), filter, action.after, most, now).finish_bounded()?;
    let ids: Vec<i64> = session.query(&sql, &binds, |row| row.get(0))?;
    if action.at_most.is_none() && ids.len() > MAX_LEADS {
        let fault = Diagnostic::new(Place::Pointer("/filter".to_owned()), "too_many", stored::many_match(MAX_LEADS));
        return Err(WriteError::Refused(fault.suggest(stored::narrow_or_part())));
    }
    Ok(ids)
}

/// Campaign leads of these leads that the action affects.
fn campaign_leads_of(
    session: &dyn Session,
    action: &LeadAction,
    leads: &[i64],
    now: Timestamp,
) -> Result<Vec<CampaignLead>, StoreError> {
    if leads.is_empty() {
        return Ok(Vec::new());
    }
    let sql: Sql = match &action.target {
        Target::Leads(_) => look_up::campaign_leads(session.dialect(), leads),
        Target::Filter(filter) => look_up::shown(session.dialect(), filter, leads, now),
    };
    let (sql, binds) = sql.finish_bounded()?;
    let mut found = session.query(&sql, &binds, rows::campaign_lead)?;
    found.retain(|one| action.campaign_id.is_none_or(|campaign| one.campaign_id == campaign));
    Ok(found)
}

/// Runs an action. The undo journal records its changes.
pub(super) fn carry_out(
    session: &dyn Session,
    action: &LeadAction,
    by: &Origin,
) -> Result<LeadActionOutcome, WriteError> {
    let Plan { leads, campaign_leads, made, mut outcome } = plan(session, action, by.at)?;
    if leads.is_empty() && campaign_leads.is_empty() && made.is_empty() {
        return Ok(outcome);
    }
    let id = LeadActionId(session.value(
        "INSERT INTO lead_actions (at, actor, set_values, leads, campaign_leads) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
        &binds![by.at, by.actor, Bind::json(&action.set), outcome.leads.changed, outcome.campaign_leads.changed],
    )?);
    outcome.id = Some(id);

    audit::record(session, &format!("{NAME}.create"), &format!("{NAME}:{id}"), by)?;
    update(session, &leads, id, by)?;
    update(session, &campaign_leads, id, by)?;
    let mut writes = Writes::of(session, Some(Owner::Action(id)));
    writes.keep_ids();
    made.iter().try_for_each(|one| writes.insert(one))?;
    writes.flush()?;
    record::log_all::<CampaignLead>(session, "create", &writes.into_inserted(), by)?;
    Ok(outcome)
}

/// Writes the changed records and their audit entries.
fn update<T: Kept>(
    session: &dyn Session,
    changes: &[Change<T>],
    id: LeadActionId,
    by: &Origin,
) -> Result<(), StoreError> {
    let (mut writes, mut logged) = (Writes::of(session, Some(Owner::Action(id))), Vec::with_capacity(changes.len()));
    for Change { old, new } in changes {
        let difference = Difference::of(old, new)?;
        logged.push(record::change_of::<T>(new.id(), &difference));
        writes.change_by(new, difference)?;
    }
    writes.flush()?;
    record::log_updates::<T>(session, &logged, by)
}

/// Slice of the actions that haven't expired, newest first; optionally only those that were or weren't undone.
pub(super) fn list(
    session: &dyn Session,
    undone: Option<bool>,
    slice: Slice,
) -> Result<Page<LeadActionEntry>, StoreError> {
    let from = match undone {
        None => "FROM lead_actions",
        Some(true) => "FROM lead_actions WHERE undone_at IS NOT NULL",
        Some(false) => "FROM lead_actions WHERE undone_at IS NULL",
    };
    let total = session.value(&format!("SELECT count(*) {from}"), &[])?;
    let columns = "id, at, actor, set_values, leads, campaign_leads, undone_at";
    let sql = format!("SELECT {columns} {from} ORDER BY id DESC LIMIT ?1 OFFSET ?2");
    Ok(Page { items: session.query(&sql, &slice_binds(slice), entry)?, total })
}

fn entry(row: &dyn Row) -> Result<LeadActionEntry, StoreError> {
    Ok(LeadActionEntry {
        id: LeadActionId(row.get(0)?),
        at: row.get(1)?,
        actor: row.get(2)?,
        set: row.json(3)?,
        leads: row.get(4)?,
        campaign_leads: row.get(5)?,
        undone_at: row.get(6)?,
    })
}
