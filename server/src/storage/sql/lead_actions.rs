//! Bulk actions on leads, each in one transaction, and their undo.

use std::borrow::Cow;
use std::collections::BTreeSet;

use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::{Diagnostic, Location, conflict};
use leadscribe_engine::filter::CheckedFilter;
use leadscribe_engine::record::{LeadAction, MAX_LEADS, Target};

use super::entity::Entity;
use super::input_format::InputFormat;
use super::record::{self, WriteBuffer, existing_ids};
use super::references;
use super::rows::{self, slice_binds};
use super::undo_journal::{Difference, JournalOwner};
use super::{Bind, Row, Session, audit, binds, lead_lookup};
use crate::storage::filter_sql::SqlBuilder;
use crate::storage::{AuditContext, Result, Slice, WriteError};

pub(super) mod add_to_campaign;
mod callability_change;
mod undo;

pub(super) use undo::undo;

/// Name of an action in the audit log.
const AUDIT_NAME: &str = "lead_action";

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
    new_campaign_leads: Vec<CampaignLead>,
    /// Counts; nothing is written yet.
    outcome: LeadActionOutcome,
}

/// Counts what an action would change.
pub(super) fn preview(
    session: &dyn Session,
    action: &LeadAction,
    now: Timestamp,
) -> Result<LeadActionOutcome, WriteError> {
    let plan = plan_action(session, action, now)?;
    let LeadValues { do_not_call, campaign_id, status, weight: _, assigned_user_id: _, freeze_until } = &action.values;
    let affects_callability =
        do_not_call.is_some() || campaign_id.is_some() || status.is_some() || freeze_until.is_some();
    let callable = match affects_callability {
        true => callability_change::callable_change(session, &plan, now)?,
        false => CallableChange::default(),
    };
    Ok(LeadActionOutcome { callable: Some(callable), ..plan.outcome })
}

/// Computes what an action would change.
fn plan_action(session: &dyn Session, action: &LeadAction, now: Timestamp) -> Result<Plan, WriteError> {
    let action = &*resolve_filter(session, action, now)?;
    if let Some(campaign) = action.campaign_id {
        references::check_campaign(session, campaign, InputFormat::Body)?;
    }
    add_to_campaign::check(session, &action.values)
        .map_err(|error| error.map_pointer(|pointer| Location::Pointer(format!("/set{pointer}"))))?;
    let SelectedLeads { ids, missing, next } = select_leads(session, action, now)?;

    let mut leads = Vec::new();
    if let Some(record) = action.values.lead_changes() {
        let old: Vec<Lead> = record::find_all(session, ids.iter().copied())?;
        leads = changes(old, &record, now).0;
    }
    let (mut campaign_leads, mut campaign_lead_counts) = (Vec::new(), ChangeCounts::default());
    if let Some(record) = action.values.campaign_lead_changes() {
        let old = affected_campaign_leads(session, action, &ids, now)?;
        let (changed, unchanged) = changes(old, &record, now);
        campaign_lead_counts = ChangeCounts { changed: changed.len() as u64, unchanged };
        campaign_leads = changed;
    }
    let mut new_campaign_leads = Vec::new();
    if let Some(campaign) = action.values.campaign_id {
        new_campaign_leads = add_to_campaign::new_campaign_leads(session, &action.values, campaign, &ids, now)?;
        campaign_lead_counts = ChangeCounts {
            changed: new_campaign_leads.len() as u64,
            unchanged: (ids.len() - new_campaign_leads.len()) as u64,
        };
    }

    let changed_lead_ids =
        campaign_leads.iter().map(|change| change.new.lead_id).chain(new_campaign_leads.iter().map(|new| new.lead_id));
    let changed: BTreeSet<_> = leads.iter().map(|change| change.new.id).chain(changed_lead_ids).collect();
    let changed = changed.len() as u64;
    let lead_counts = ChangeCounts { changed, unchanged: ids.len() as u64 - changed };
    let outcome = LeadActionOutcome {
        id: None,
        leads: lead_counts,
        campaign_leads: campaign_lead_counts,
        missing: missing as u64,
        next_after_id: next.map(LeadId),
        callable: None,
    };
    Ok(Plan { leads, campaign_leads, new_campaign_leads, outcome })
}

/// The action with conditions on callability in its filter replaced by conditions on stored fields.
fn resolve_filter<'a>(session: &dyn Session, action: &'a LeadAction, now: Timestamp) -> Result<Cow<'a, LeadAction>> {
    let Target::Filter(filter) = &action.target else { return Ok(Cow::Borrowed(action)) };
    Ok(match lead_lookup::resolve_verdicts(session, filter, now)? {
        Cow::Borrowed(_) => Cow::Borrowed(action),
        Cow::Owned(filter) => Cow::Owned(LeadAction { target: Target::Filter(Box::new(filter)), ..action.clone() }),
    })
}

/// Records that change, and the number of those that already have the new values.
fn changes<T: Entity>(entities: Vec<T>, record: &T::Record, now: Timestamp) -> (Vec<Change<T>>, u64) {
    let (mut changes, mut unchanged) = (Vec::new(), 0);
    for old in entities {
        match record::apply_record(&old, record, now) {
            Some(new) => changes.push(Change { old, new }),
            None => unchanged += 1,
        }
    }
    (changes, unchanged)
}

/// Leads of an action, or of one part of it.
struct SelectedLeads {
    /// Ids of leads that exist.
    ids: Vec<i64>,
    /// Number of ids without a lead.
    missing: usize,
    /// Last lead of this part, if more leads follow.
    next: Option<i64>,
}

fn select_leads(session: &dyn Session, action: &LeadAction, now: Timestamp) -> Result<SelectedLeads, WriteError> {
    match &action.target {
        Target::Leads(ids) => {
            let remaining = ids.iter().map(|id| id.0).filter(|id| action.after_id.is_none_or(|after| *id > after.0));
            let (selected, next) = take_first(remaining.collect(), action.max_leads);
            let existing_lead_ids = existing_ids(session, Lead::TABLE, selected.iter().copied())?;
            let missing = selected.len() - existing_lead_ids.len();
            Ok(SelectedLeads {
                ids: selected.into_iter().filter(|id| existing_lead_ids.contains(id)).collect(),
                missing,
                next,
            })
        }
        Target::Filter(filter) => {
            let (ids, next) = take_first(find_matching(session, action, filter, now)?, action.max_leads);
            Ok(SelectedLeads { ids, missing: 0, next })
        }
    }
}

/// Returns the first `max_leads` ids, and the last of them if more follow.
fn take_first(mut ids: Vec<i64>, max_leads: Option<usize>) -> (Vec<i64>, Option<i64>) {
    let Some(limit) = max_leads.filter(|limit| ids.len() > *limit) else { return (ids, None) };
    ids.truncate(limit);
    let last = ids.last().copied();
    (ids, last)
}

/// Ids of matching leads, if there aren't too many. With `max_leads`, includes one more lead if more leads match.
fn find_matching(
    session: &dyn Session,
    action: &LeadAction,
    filter: &CheckedFilter,
    now: Timestamp,
) -> Result<Vec<i64>, WriteError> {
    let limit = action.max_leads.unwrap_or(MAX_LEADS) + 1;
    let (sql, binds) =
        lead_lookup::matching_ids_query(session.dialect(), filter, action.after_id, limit, now).finish_bounded()?;
    let ids: Vec<i64> = session.query(&sql, &binds, |row| row.get(0))?;
    if action.max_leads.is_none() && ids.len() > MAX_LEADS {
        let diagnostic =
            Diagnostic::new(Location::Pointer("/filter".to_owned()), "too_many", conflict::too_many_matches(MAX_LEADS));
        return Err(WriteError::Refused(diagnostic.suggest(conflict::narrow_or_batch())));
    }
    Ok(ids)
}

/// Campaign leads of these leads that the action affects.
fn affected_campaign_leads(
    session: &dyn Session,
    action: &LeadAction,
    leads: &[i64],
    now: Timestamp,
) -> Result<Vec<CampaignLead>> {
    if leads.is_empty() {
        return Ok(Vec::new());
    }
    let sql: SqlBuilder = match &action.target {
        Target::Leads(_) => lead_lookup::campaign_leads_query(session.dialect(), leads),
        Target::Filter(filter) => lead_lookup::shown_campaign_leads_query(session.dialect(), filter, leads, now),
    };
    let (sql, binds) = sql.finish_bounded()?;
    let mut campaign_leads = session.query(&sql, &binds, rows::read_campaign_lead)?;
    campaign_leads
        .retain(|campaign_lead| action.campaign_id.is_none_or(|campaign| campaign_lead.campaign_id == campaign));
    Ok(campaign_leads)
}

/// Runs an action. The undo journal records its changes.
pub(super) fn run(
    session: &dyn Session,
    action: &LeadAction,
    audit: &AuditContext,
) -> Result<LeadActionOutcome, WriteError> {
    let Plan { leads, campaign_leads, new_campaign_leads, mut outcome } = plan_action(session, action, audit.at)?;
    if leads.is_empty() && campaign_leads.is_empty() && new_campaign_leads.is_empty() {
        return Ok(outcome);
    }
    let id = LeadActionId(session.query_value(
        "INSERT INTO lead_actions (at, actor, changed_values, leads, campaign_leads) VALUES (?1, ?2, ?3, ?4, ?5) RETURNING id",
        &binds![audit.at, audit.actor, Bind::json(&action.values), outcome.leads.changed, outcome.campaign_leads.changed],
    )?);
    outcome.id = Some(id);

    audit::record(session, &format!("{AUDIT_NAME}.create"), &format!("{AUDIT_NAME}:{id}"), audit)?;
    write_changes(session, &leads, id, audit)?;
    write_changes(session, &campaign_leads, id, audit)?;
    let mut writes = WriteBuffer::for_owner(session, Some(JournalOwner::Action(id)));
    writes.track_inserted_ids();
    new_campaign_leads.iter().try_for_each(|campaign_lead| writes.insert(campaign_lead))?;
    writes.flush()?;
    record::log_changes::<CampaignLead>(session, "create", &writes.into_inserted_ids(), audit)?;
    Ok(outcome)
}

/// Writes the changed records and their audit entries.
fn write_changes<T: Entity>(
    session: &dyn Session,
    changes: &[Change<T>],
    id: LeadActionId,
    audit: &AuditContext,
) -> Result<()> {
    let (mut writes, mut audited_changes) =
        (WriteBuffer::for_owner(session, Some(JournalOwner::Action(id))), Vec::with_capacity(changes.len()));
    for Change { old, new } in changes {
        let difference = Difference::between(old, new)?;
        audited_changes.push(record::audited_change::<T>(new.id(), &difference));
        writes.change_with_difference(new, difference)?;
    }
    writes.flush()?;
    record::log_updates::<T>(session, &audited_changes, audit)
}

/// Slice of the actions that haven't expired, newest first; optionally only those that were or weren't undone.
pub(super) fn list(session: &dyn Session, undone: Option<bool>, slice: Slice) -> Result<Page<LeadActionEntry>> {
    let from = match undone {
        None => "FROM lead_actions",
        Some(true) => "FROM lead_actions WHERE undone_at IS NOT NULL",
        Some(false) => "FROM lead_actions WHERE undone_at IS NULL",
    };
    let total = session.query_value(&format!("SELECT count(*) {from}"), &[])?;
    let columns = "id, at, actor, changed_values, leads, campaign_leads, undone_at";
    let sql = format!("SELECT {columns} {from} ORDER BY id DESC LIMIT ?1 OFFSET ?2");
    Ok(Page { items: session.query(&sql, &slice_binds(slice), read_entry)?, total })
}

fn read_entry(row: &dyn Row) -> Result<LeadActionEntry> {
    Ok(LeadActionEntry {
        id: LeadActionId(row.get(0)?),
        performed_at: row.get(1)?,
        actor: row.get(2)?,
        set: row.json(3)?,
        leads: row.get(4)?,
        campaign_leads: row.get(5)?,
        undone_at: row.get(6)?,
    })
}
