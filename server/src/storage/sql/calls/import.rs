//! Batch import of calls.

use std::collections::{HashMap, HashSet};

use leadscribe_engine::api::{Call, CallId, CampaignLead, CampaignLeadId, LeadId};
use leadscribe_engine::record::CallRecord;

use super::{check_times, contradicts, identified, parties, taken, with_parties, without_gone_lead};
use crate::storage::sql::record::{self, Kept, Writes, existing, row_outcome};
use crate::storage::sql::references::{Lookup, Source};
use crate::storage::sql::undo_journal::Owner;
use crate::storage::sql::{Bind, Session};
use crate::storage::{BatchOutcome, Origin, RowOutcome, StoreError, WriteError};

/// Inserts or updates calls by `id`, or by `original_identifier` if the row has no id.
///
/// The undo journal records the changes of `owner`, if any.
pub(in crate::storage::sql) fn import(
    session: &dyn Session,
    records: &[CallRecord],
    owner: Option<Owner>,
    by: &Origin,
) -> Result<BatchOutcome, StoreError> {
    let mut batch = Batch::read(session, records, owner)?;
    let rows = records.iter().map(|record| row_outcome(batch.import(record, by))).collect::<Result<_, _>>()?;
    batch.writes.flush()?;
    Ok(BatchOutcome { rows, ..BatchOutcome::default() })
}

/// Calls that the rows of a batch refer to, including the changes of earlier rows.
struct Batch<'s> {
    session: &'s dyn Session,
    calls: HashMap<CallId, Call>,
    /// Calls by identifier. Identifiers that rows of the batch add or remove are not cached; they are looked up in the database.
    identified: HashMap<String, Option<CallId>>,
    leads: HashSet<i64>,
    campaigns: HashSet<i64>,
    campaign_leads: HashMap<CampaignLeadId, CampaignLead>,
    writes: Writes<'s, Call>,
}

impl<'s> Batch<'s> {
    fn read(session: &'s dyn Session, records: &[CallRecord], owner: Option<Owner>) -> Result<Self, StoreError> {
        let identified = holders(session, records)?;
        let ids = records.iter().filter_map(|record| record.id).chain(identified.values().flatten().copied());
        let stored: Vec<Call> = record::find_all(session, ids.map(|id| id.0))?;
        let leads = records.iter().filter_map(|record| record.lead_id.unwrap_or(record.likely_lead));
        let campaigns = records.iter().filter_map(|record| Some(record.campaign_id??.0));
        let campaign_leads = records.iter().filter_map(|record| Some(record.campaign_lead_id??.0));
        let campaign_leads: Vec<CampaignLead> = record::find_all(session, campaign_leads.collect::<HashSet<_>>())?;
        let mut leads = existing(session, "leads", leads.map(|id| id.0))?;
        leads.extend(campaign_leads.iter().map(|inside| inside.lead_id.0));
        let mut campaigns = existing(session, "campaigns", campaigns)?;
        campaigns.extend(campaign_leads.iter().map(|inside| inside.campaign_id.0));
        Ok(Self {
            session,
            calls: stored.into_iter().map(|call| (call.id, call)).collect(),
            identified,
            leads,
            campaigns,
            campaign_leads: campaign_leads.into_iter().map(|inside| (inside.id, inside)).collect(),
            writes: Writes::of(session, owner),
        })
    }

    fn import(&mut self, record: &CallRecord, by: &Origin) -> Result<RowOutcome, WriteError> {
        let Some(old) = self.find_of(record)?.cloned() else {
            let inside = record.campaign_lead_id.flatten().and_then(|id| self.campaign_leads.get(&id));
            let is_there = |lead: LeadId| Ok(self.leads.contains(&lead.0));
            let completed = without_gone_lead(with_parties(record, inside), is_there)?;
            let new = Call::made(&completed, by.at).map_err(|fault| Source::Row.fault(fault))?;
            self.check(None, &new)?;
            self.writes.insert(&new)?;
            self.forget(&new.original_identifier);
            if record.id.is_some() {
                self.calls.insert(new.id, new);
            }
            return Ok(RowOutcome::Inserted);
        };
        let named = record.campaign_lead_id.flatten().filter(|named| old.campaign_lead_id != Some(*named));
        let completed = with_parties(record, named.and_then(|named| self.campaign_leads.get(&named)));
        let Some(new) = record::changed(&old, &completed, by.at) else { return Ok(RowOutcome::Unchanged) };
        self.check(Some(&old), &new)?;
        let gives_up = new.original_identifier != old.original_identifier;
        if gives_up {
            // Buffered writes may run in any order, but another row may need the identifier that this row releases.
            self.writes.flush()?;
            self.forget(&old.original_identifier);
            self.forget(&new.original_identifier);
        }
        self.writes.change(&old, &new)?;
        if gives_up {
            self.writes.flush()?;
        }
        self.calls.insert(new.id, new);
        Ok(RowOutcome::Updated)
    }

    /// Returns the call of a row: by id, else by identifier, else by an identifier that earlier versions assigned.
    fn find_of(&mut self, record: &CallRecord) -> Result<Option<&Call>, StoreError> {
        let mut id = record.id;
        if id.is_none() {
            for identifier in identifiers(record) {
                id = self.holder(identifier)?;
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

    /// Returns the call with an identifier.
    fn holder(&mut self, identifier: &str) -> Result<Option<CallId>, StoreError> {
        if let Some(known) = self.identified.get(identifier) {
            return Ok(*known);
        }
        self.writes.flush()?;
        let found = identified(self.session, identifier)?;
        self.identified.insert(identifier.to_owned(), found);
        if let Some(call) = found.map(|id| record::find::<Call>(self.session, id.0)).transpose()?.flatten() {
            self.calls.insert(call.id, call);
        }
        Ok(found)
    }

    fn forget(&mut self, identifier: &Option<String>) {
        if let Some(identifier) = identifier {
            self.identified.remove(identifier);
        }
    }

    fn find(&mut self, id: CallId) -> Result<Option<&Call>, StoreError> {
        if !self.calls.contains_key(&id)
            && let Some(given) = self.writes.find_given(id.0)?
        {
            self.calls.insert(id, given);
        }
        Ok(self.calls.get(&id))
    }

    fn check(&mut self, old: Option<&Call>, call: &Call) -> Result<(), WriteError> {
        if let Some(identifier) = &call.original_identifier
            && let Some(other) = self.holder(identifier)?.filter(|other| *other != call.id)
        {
            return Err(taken(other, identifier, Source::Row));
        }
        let known = |id: Option<i64>, existing: &HashSet<i64>| id.is_none_or(|id| existing.contains(&id));
        let all_known = known(call.lead_id.map(|id| id.0), &self.leads)
            && known(call.campaign_id.map(|id| id.0), &self.campaigns)
            && self.agrees(old, call);
        // Rows read for the batch exist. The others are checked by the same code as single calls, so the refusals are the same.
        if all_known {
            check_times(call, Source::Row)
        } else {
            call.check(old, &Lookup::new(self.session), Source::Row)
        }
    }

    /// True if the campaign lead is cached and belongs to the call's lead and campaign, or if the row doesn't change these.
    fn agrees(&self, old: Option<&Call>, call: &Call) -> bool {
        let inside = |id| self.campaign_leads.get(&id);
        call.campaign_lead_id.is_none_or(|id| inside(id).is_some_and(|inside| !contradicts(call, inside)))
            || old.is_some_and(|old| parties(old) == parties(call))
    }
}

/// The identifiers of a call, its current one first.
fn identifiers(record: &CallRecord) -> impl Iterator<Item = &String> {
    let earlier = record.details.iter().flat_map(|details| &details.earlier_identifiers);
    record.original_identifier.iter().flatten().chain(earlier)
}

/// Calls that have an identifier of these rows.
fn holders(session: &dyn Session, records: &[CallRecord]) -> Result<HashMap<String, Option<CallId>>, StoreError> {
    let identifiers: Vec<_> = records.iter().flat_map(identifiers).collect();
    if identifiers.is_empty() {
        return Ok(HashMap::new());
    }
    let of_rows = session.dialect().is_any_of("original_identifier", "?1");
    let sql = format!("SELECT original_identifier, id FROM calls WHERE {of_rows}");
    let list = Bind::List(identifiers.iter().map(|identifier| Bind::from(identifier.as_str())).collect());
    let found = session.query(&sql, &[list], |row| Ok((row.get(0)?, Some(CallId(row.get(1)?)))))?;
    let mut holders: HashMap<_, _> = identifiers.into_iter().map(|identifier| (identifier.clone(), None)).collect();
    holders.extend(found);
    Ok(holders)
}
