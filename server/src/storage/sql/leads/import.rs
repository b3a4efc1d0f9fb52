//! Batch import of leads.

use std::collections::HashMap;

use leadscribe_engine::api::{ImportId, Lead, LeadId, LeadValues};
use leadscribe_engine::diagnostic::{Diagnostic, Place, stored};
use leadscribe_engine::record::LeadRecord;

use crate::phone;
use crate::storage::sql::lead_actions::put_in;
use crate::storage::sql::record::{self, Kept, Writes, row_outcome};
use crate::storage::sql::references::Source;
use crate::storage::sql::undo_journal::Owner;
use crate::storage::sql::{Bind, Session};
use crate::storage::{BatchOutcome, Origin, RowOutcome, StoreError, WriteError};

/// Options of an import of leads. The default is for leads that are written outside an import.
#[derive(Default)]
pub(in crate::storage::sql) struct LeadImport<'a> {
    /// Import id that created leads store.
    pub import: Option<ImportId>,
    /// Owner of the undo journal entries, if the journal records the changes.
    pub owner: Option<Owner>,
    /// Default country of phone numbers, if neither the row nor the lead has one.
    pub region: Option<&'a str>,
    /// Campaign that the leads are put into, if any, and their initial values there.
    pub put_in: LeadValues,
}

/// Inserts or updates leads by `id`, or by `original_identifier` if the row has no id. Normalized phone numbers that a record doesn't set
/// are derived from number and country as of the earlier rows.
///
/// Leads of accepted rows are put into the campaign. All rows are refused if the campaign or status no longer exists.
pub(in crate::storage::sql) fn import(
    session: &dyn Session,
    records: &[LeadRecord],
    how: &LeadImport<'_>,
    by: &Origin,
) -> Result<BatchOutcome, StoreError> {
    if how.put_in.campaign_id.is_some()
        && let RowOutcome::Rejected(fault) =
            row_outcome(put_in::check(session, &how.put_in).map(|()| RowOutcome::Unchanged))?
    {
        let refusal = RowOutcome::Rejected(Diagnostic { place: Place::Column(String::new()), ..fault });
        return Ok(BatchOutcome { rows: vec![refusal; records.len()], ..BatchOutcome::default() });
    }
    let mut batch = Batch {
        session,
        how,
        leads: HashMap::new(),
        holders: HashMap::new(),
        writes: Writes::of(session, how.owner),
        found: Vec::new(),
    };
    if how.put_in.campaign_id.is_some() {
        batch.writes.keep_ids();
    }
    batch.read(records)?;
    let rows = records.iter().map(|record| row_outcome(batch.import(record, by))).collect::<Result<_, _>>()?;
    batch.writes.flush()?;
    let put_in = batch.put_in(by)?;
    Ok(BatchOutcome { rows, put_in, ..BatchOutcome::default() })
}

/// Leads of a batch, including the changes of earlier rows.
struct Batch<'s> {
    session: &'s dyn Session,
    how: &'s LeadImport<'s>,
    leads: HashMap<LeadId, Lead>,
    /// Leads by original identifier; two of them if several leads have it. Identifiers that rows of the batch add or remove are not cached;
    /// they are looked up in the database.
    holders: HashMap<String, Vec<LeadId>>,
    writes: Writes<'s, Lead>,
    /// Existing leads of accepted rows.
    found: Vec<i64>,
}

impl Batch<'_> {
    /// Reads the leads that these rows refer to.
    fn read(&mut self, records: &[LeadRecord]) -> Result<(), StoreError> {
        self.read_holders(records.iter().filter_map(identifier))?;
        let holders = self.holders.values().flatten().copied();
        let ids: Vec<_> = records.iter().filter_map(|record| record.id).chain(holders).collect();
        self.read_leads(&ids)
    }

    fn read_leads(&mut self, ids: &[LeadId]) -> Result<(), StoreError> {
        let found: Vec<Lead> = record::find_all(self.session, ids.iter().map(|id| id.0))?;
        self.leads.extend(found.into_iter().map(|lead| (lead.id, lead)));
        Ok(())
    }

    fn read_holders<'r>(&mut self, identifiers: impl Iterator<Item = &'r String>) -> Result<(), StoreError> {
        let identifiers: Vec<_> = identifiers.collect();
        if identifiers.is_empty() {
            return Ok(());
        }
        // Two leads are enough to detect an ambiguous identifier.
        let sql = format!(
            "SELECT original_identifier, min(id), max(id) FROM leads WHERE {} GROUP BY original_identifier",
            self.session.dialect().is_any_of("original_identifier", "?1")
        );
        let list = Bind::List(identifiers.iter().map(|identifier| Bind::from(*identifier)).collect());
        let found = self.session.query(&sql, &[list], |row| {
            let mut holders = vec![LeadId(row.get(1)?), LeadId(row.get(2)?)];
            holders.dedup();
            Ok((row.get(0)?, holders))
        })?;
        self.holders.extend(identifiers.into_iter().map(|identifier| (identifier.clone(), Vec::new())));
        self.holders.extend(found);
        Ok(())
    }

    fn import(&mut self, record: &LeadRecord, by: &Origin) -> Result<RowOutcome, WriteError> {
        let Some(old) = self.find(record)?.cloned() else {
            let record = phone::normalized(record, None, self.how.region);
            let import_id = self.how.import;
            let new = Lead { import_id, ..record.create(record.id.unwrap_or_default(), by.at) };
            self.writes.insert(&new)?;
            self.forget(&new.original_identifier);
            if record.id.is_some() {
                self.leads.insert(new.id, new);
            }
            return Ok(RowOutcome::Inserted);
        };
        let record = phone::normalized(record, Some(&old), self.how.region);
        let record = record.with_types_of(&old);
        let Some(new) = record::changed(&old, &record, by.at) else {
            self.found.push(old.id.0);
            return Ok(RowOutcome::Unchanged);
        };
        old.may_become(&new, Source::Row)?;
        self.found.push(old.id.0);
        if new.original_identifier != old.original_identifier {
            self.forget(&old.original_identifier);
            self.forget(&new.original_identifier);
        }
        self.writes.change(&old, &new)?;
        self.leads.insert(new.id, new);
        Ok(RowOutcome::Updated)
    }

    /// Puts the leads of all accepted rows into the campaign unless they are already in it. Returns how many were added.
    fn put_in(self, by: &Origin) -> Result<u64, StoreError> {
        let Some(campaign) = self.how.put_in.campaign_id else { return Ok(0) };
        let mut leads = self.writes.into_inserted();
        leads.extend(self.found);
        leads.sort_unstable();
        leads.dedup();
        let made = match put_in::made(self.session, &self.how.put_in, campaign, &leads, by.at) {
            Ok(made) => made,
            Err(WriteError::Store(error)) => return Err(error),
            Err(WriteError::Refused(fault)) => return Err(StoreError::Failed(fault.message.to_string().into())),
        };
        let mut writes = Writes::of(self.session, self.how.owner);
        made.iter().try_for_each(|one| writes.insert(one))?;
        writes.flush()?;
        Ok(made.len() as u64)
    }

    /// Returns the lead of a row: by id, or the only one with its original identifier.
    fn find(&mut self, record: &LeadRecord) -> Result<Option<&Lead>, WriteError> {
        let id = match (record.id, identifier(record)) {
            (Some(id), _) => {
                if !self.leads.contains_key(&id)
                    && let Some(given) = self.writes.find_given(id.0)?
                {
                    self.leads.insert(id, given);
                }
                Some(id)
            }
            (None, Some(identifier)) => self.holder(identifier)?,
            (None, None) => None,
        };
        Ok(id.and_then(|id| self.leads.get(&id)))
    }

    /// Returns the only lead with an original identifier.
    fn holder(&mut self, identifier: &String) -> Result<Option<LeadId>, WriteError> {
        if !self.holders.contains_key(identifier) {
            self.writes.flush()?;
            self.read_holders(std::iter::once(identifier))?;
            self.read_leads(&self.holders[identifier].clone())?;
        }
        match self.holders[identifier].as_slice() {
            [] => Ok(None),
            [one] => Ok(Some(*one)),
            several => {
                let detail = stored::identifies_several(identifier.as_str(), several[0].0, several[1].0);
                let fault = Diagnostic::new(Source::Row.place("original_identifier"), "ambiguous", detail);
                Err(WriteError::Refused(fault.suggest(stored::give_id())))
            }
        }
    }

    fn forget(&mut self, identifier: &Option<String>) {
        if let Some(identifier) = identifier {
            self.holders.remove(identifier);
        }
    }
}

/// Identifier that finds the lead of a row without an id.
fn identifier(record: &LeadRecord) -> Option<&String> {
    if record.id.is_some() {
        return None;
    }
    record.original_identifier.as_ref()?.as_ref()
}
