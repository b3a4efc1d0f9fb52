//! Calls by the batch.

use std::collections::{HashMap, HashSet};

use leadscribe_engine::api::{Call, CallId};
use leadscribe_engine::record::CallRecord;

use super::check_times;
use crate::storage::sql::Session;
use crate::storage::sql::record::{self, Kept, Writes, existing, row_outcome};
use crate::storage::sql::references::Source;
use crate::storage::{BatchOutcome, Origin, RowOutcome, StoreError, WriteError};

/// Inserts or updates calls by `id`.
pub(super) fn import(session: &dyn Session, records: &[CallRecord], by: &Origin) -> Result<BatchOutcome, StoreError> {
    let mut batch = Batch::read(session, records)?;
    let rows = records.iter().map(|record| row_outcome(batch.import(record, by))).collect::<Result<_, _>>()?;
    batch.writes.flush()?;
    Ok(BatchOutcome { rows, new_statuses: Vec::new() })
}

/// What the rows of a batch are about and refer to, as the rows so far leave it.
struct Batch<'s> {
    session: &'s dyn Session,
    calls: HashMap<CallId, Call>,
    leads: HashSet<i64>,
    campaigns: HashSet<i64>,
    campaign_leads: HashSet<i64>,
    writes: Writes<'s, Call>,
}

impl<'s> Batch<'s> {
    fn read(session: &'s dyn Session, records: &[CallRecord]) -> Result<Self, StoreError> {
        let stored: Vec<Call> = record::find_all(session, records.iter().filter_map(|record| Some(record.id?.0)))?;
        let leads = records.iter().filter_map(|record| Some(record.lead_id??.0));
        let campaigns = records.iter().filter_map(|record| Some(record.campaign_id??.0));
        let campaign_leads = records.iter().filter_map(|record| Some(record.campaign_lead_id??.0));
        Ok(Self {
            session,
            calls: stored.into_iter().map(|call| (call.id, call)).collect(),
            leads: existing(session, "leads", leads)?,
            campaigns: existing(session, "campaigns", campaigns)?,
            campaign_leads: existing(session, "campaign_leads", campaign_leads)?,
            writes: Writes::new(session),
        })
    }

    fn import(&mut self, record: &CallRecord, by: &Origin) -> Result<RowOutcome, WriteError> {
        let Some(old) = record.id.map(|id| self.find(id)).transpose()?.flatten() else {
            let new = Call::made(record, by.at).map_err(|fault| Source::Row.fault(fault))?;
            self.check(&new)?;
            self.writes.insert(&new);
            if record.id.is_some() {
                self.calls.insert(new.id, new);
            }
            return Ok(RowOutcome::Inserted);
        };
        let Some(new) = record::changed(old, record, by.at) else { return Ok(RowOutcome::Unchanged) };
        self.check(&new)?;
        self.writes.update(&new)?;
        self.calls.insert(new.id, new);
        Ok(RowOutcome::Updated)
    }

    fn find(&mut self, id: CallId) -> Result<Option<&Call>, StoreError> {
        if !self.calls.contains_key(&id)
            && let Some(given) = self.writes.find_given(id.0)?
        {
            self.calls.insert(id, given);
        }
        Ok(self.calls.get(&id))
    }

    fn check(&self, call: &Call) -> Result<(), WriteError> {
        let known = |id: Option<i64>, existing: &HashSet<i64>| id.is_none_or(|id| existing.contains(&id));
        let all_known = known(call.lead_id.map(|id| id.0), &self.leads)
            && known(call.campaign_id.map(|id| id.0), &self.campaigns)
            && known(call.campaign_lead_id.map(|id| id.0), &self.campaign_leads);
        // What was read for the batch is known to exist; the rest is asked for, to be refused in the same words.
        if all_known { check_times(call, Source::Row) } else { call.check(self.session, Source::Row) }
    }
}
