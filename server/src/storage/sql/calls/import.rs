//! Batch import of calls.

use std::collections::{HashMap, HashSet};

use leadscribe_engine::api::{Call, CallId, CampaignLead, CampaignLeadId, LeadId};
use leadscribe_engine::record::CallRecord;

use super::{
    call_references, check_times, contradicts_campaign_lead, find_by_identifier, identifier_taken_error,
    with_references_of, without_deleted_fallback_lead,
};
use crate::storage::sql::entity::Entity;
use crate::storage::sql::input_format::InputFormat;
use crate::storage::sql::record::{self, WriteBuffer, existing_ids, row_outcome};
use crate::storage::sql::references::ReferenceChecker;
use crate::storage::sql::undo_journal::JournalOwner;
use crate::storage::sql::{Bind, Session};
use crate::storage::{AuditContext, BatchOutcome, Result, RowOutcome, WriteError};

/// Inserts or updates calls by `id`, or by `original_identifier` if the row has no id.
///
/// The undo journal records the changes of `owner`, if any.
pub(in crate::storage::sql) fn import(
    session: &dyn Session,
    records: &[CallRecord],
    owner: Option<JournalOwner>,
    audit: &AuditContext,
) -> Result<BatchOutcome> {
    let mut batch = Batch::read(session, records, owner)?;
    let rows = records.iter().map(|record| row_outcome(batch.import(record, audit))).collect::<Result<_, _>>()?;
    batch.writes.flush()?;
    Ok(BatchOutcome { rows, ..BatchOutcome::default() })
}

/// Calls that the rows of a batch refer to, including the changes of earlier rows.
struct Batch<'s> {
    session: &'s dyn Session,
    calls: HashMap<CallId, Call>,
    /// Calls by identifier. Identifiers that rows of the batch add or remove are not cached; they are looked up in the database.
    ids_by_identifier: HashMap<String, Option<CallId>>,
    leads: HashSet<i64>,
    campaigns: HashSet<i64>,
    campaign_leads: HashMap<CampaignLeadId, CampaignLead>,
    writes: WriteBuffer<'s, Call>,
}

impl<'s> Batch<'s> {
    fn read(session: &'s dyn Session, records: &[CallRecord], owner: Option<JournalOwner>) -> Result<Self> {
        let ids_by_identifier = ids_by_identifier(session, records)?;
        let ids = records.iter().filter_map(|record| record.id).chain(ids_by_identifier.values().flatten().copied());
        let calls: Vec<Call> = record::find_all(session, ids.map(|id| id.0))?;
        let leads = records.iter().filter_map(|record| record.lead_id.unwrap_or(record.fallback_lead_id));
        let campaigns = records.iter().filter_map(|record| Some(record.campaign_id??.0));
        let campaign_leads = records.iter().filter_map(|record| Some(record.campaign_lead_id??.0));
        let campaign_leads: Vec<CampaignLead> = record::find_all(session, campaign_leads.collect::<HashSet<_>>())?;
        let mut leads = existing_ids(session, "leads", leads.map(|id| id.0))?;
        leads.extend(campaign_leads.iter().map(|campaign_lead| campaign_lead.lead_id.0));
        let mut campaigns = existing_ids(session, "campaigns", campaigns)?;
        campaigns.extend(campaign_leads.iter().map(|campaign_lead| campaign_lead.campaign_id.0));
        Ok(Self {
            session,
            calls: calls.into_iter().map(|call| (call.id, call)).collect(),
            ids_by_identifier,
            leads,
            campaigns,
            campaign_leads: campaign_leads.into_iter().map(|campaign_lead| (campaign_lead.id, campaign_lead)).collect(),
            writes: WriteBuffer::for_owner(session, owner),
        })
    }

    fn import(&mut self, record: &CallRecord, audit: &AuditContext) -> Result<RowOutcome, WriteError> {
        let Some(old) = self.find_for_record(record)?.cloned() else {
            let campaign_lead = record.campaign_lead_id.flatten().and_then(|id| self.campaign_leads.get(&id));
            let lead_exists = |lead: LeadId| Ok(self.leads.contains(&lead.0));
            let completed_record =
                without_deleted_fallback_lead(with_references_of(record, campaign_lead), lead_exists)?;
            let new = Call::from_record(&completed_record, audit.at)
                .map_err(|diagnostic| InputFormat::Row.write_error(diagnostic))?;
            self.check(None, &new)?;
            self.writes.insert(&new)?;
            self.invalidate_identifier(&new.original_identifier);
            if record.id.is_some() {
                self.calls.insert(new.id, new);
            }
            return Ok(RowOutcome::Inserted);
        };
        let new_campaign_lead_id = record
            .campaign_lead_id
            .flatten()
            .filter(|new_campaign_lead_id| old.campaign_lead_id != Some(*new_campaign_lead_id));
        let completed_record = with_references_of(
            record,
            new_campaign_lead_id.and_then(|new_campaign_lead_id| self.campaign_leads.get(&new_campaign_lead_id)),
        );
        let Some(new) = record::apply_record(&old, &completed_record, audit.at) else {
            return Ok(RowOutcome::Unchanged);
        };
        self.check(Some(&old), &new)?;
        let changes_identifier = new.original_identifier != old.original_identifier;
        if changes_identifier {
            // Buffered writes may run in any order, but another row may need the identifier that this row releases.
            self.writes.flush()?;
            self.invalidate_identifier(&old.original_identifier);
            self.invalidate_identifier(&new.original_identifier);
        }
        self.writes.change(&old, &new)?;
        if changes_identifier {
            self.writes.flush()?;
        }
        self.calls.insert(new.id, new);
        Ok(RowOutcome::Updated)
    }

    /// Returns the call of a row: by id, else by identifier, else by an identifier that earlier versions assigned.
    fn find_for_record(&mut self, record: &CallRecord) -> Result<Option<&Call>> {
        let mut id = record.id;
        if id.is_none() {
            for identifier in identifiers(record) {
                id = self.find_id_by_identifier(identifier)?;
                if id.is_some() {
                    break;
                }
            }
        }
        match id {
            Some(id) => self.find(id),
            None => Ok(None),
        }
    }

    fn find_id_by_identifier(&mut self, identifier: &str) -> Result<Option<CallId>> {
        if let Some(cached) = self.ids_by_identifier.get(identifier) {
            return Ok(*cached);
        }
        self.writes.flush()?;
        let call_id = find_by_identifier(self.session, identifier)?;
        self.ids_by_identifier.insert(identifier.to_owned(), call_id);
        if let Some(call) = call_id.map(|id| record::find::<Call>(self.session, id.0)).transpose()?.flatten() {
            self.calls.insert(call.id, call);
        }
        Ok(call_id)
    }

    fn invalidate_identifier(&mut self, identifier: &Option<String>) {
        if let Some(identifier) = identifier {
            self.ids_by_identifier.remove(identifier);
        }
    }

    fn find(&mut self, id: CallId) -> Result<Option<&Call>> {
        if !self.calls.contains_key(&id)
            && let Some(inserted) = self.writes.find_inserted(id.0)?
        {
            self.calls.insert(id, inserted);
        }
        Ok(self.calls.get(&id))
    }

    fn check(&mut self, old: Option<&Call>, call: &Call) -> Result<(), WriteError> {
        if let Some(identifier) = &call.original_identifier
            && let Some(other) = self.find_id_by_identifier(identifier)?.filter(|other| *other != call.id)
        {
            return Err(identifier_taken_error(other, identifier, InputFormat::Row));
        }
        let is_known = |id: Option<i64>, existing: &HashSet<i64>| id.is_none_or(|id| existing.contains(&id));
        let are_references_known = is_known(call.lead_id.map(|id| id.0), &self.leads)
            && is_known(call.campaign_id.map(|id| id.0), &self.campaigns)
            && self.is_consistent(old, call);
        // References that were read for the batch are valid. All others are checked by the code for single calls, so
        // the errors are the same.
        if are_references_known {
            check_times(call, InputFormat::Row)
        } else {
            call.check(old, &ReferenceChecker::new(self.session), InputFormat::Row)
        }
    }

    /// True if the campaign lead is cached and belongs to the call's lead and campaign, or if the row doesn't change these.
    fn is_consistent(&self, old: Option<&Call>, call: &Call) -> bool {
        let campaign_lead = |id| self.campaign_leads.get(&id);
        call.campaign_lead_id.is_none_or(|id| {
            campaign_lead(id).is_some_and(|campaign_lead| !contradicts_campaign_lead(call, campaign_lead))
        }) || old.is_some_and(|old| call_references(old) == call_references(call))
    }
}

/// The identifiers of a call, its current one first.
fn identifiers(record: &CallRecord) -> impl Iterator<Item = &String> {
    let earlier = record.details.iter().flat_map(|details| &details.earlier_identifiers);
    record.original_identifier.iter().flatten().chain(earlier)
}

/// Calls whose identifier is in one of the rows.
fn ids_by_identifier(session: &dyn Session, records: &[CallRecord]) -> Result<HashMap<String, Option<CallId>>> {
    let identifiers: Vec<_> = records.iter().flat_map(identifiers).collect();
    if identifiers.is_empty() {
        return Ok(HashMap::new());
    }
    let has_identifier = session.dialect().is_any_of("original_identifier", "?1");
    let sql = format!("SELECT original_identifier, id FROM calls WHERE {has_identifier}");
    let list = Bind::List(identifiers.iter().map(|identifier| Bind::from(identifier.as_str())).collect());
    let rows = session.query(&sql, &[list], |row| Ok((row.get(0)?, Some(CallId(row.get(1)?)))))?;
    let mut ids_by_identifier: HashMap<_, _> =
        identifiers.into_iter().map(|identifier| (identifier.clone(), None)).collect();
    ids_by_identifier.extend(rows);
    Ok(ids_by_identifier)
}
