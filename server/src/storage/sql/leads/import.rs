//! Batch import of leads.

use std::collections::HashMap;

use leadscribe_engine::api::{ImportId, Lead, LeadId, LeadValues};
use leadscribe_engine::diagnostic::{Diagnostic, Location, conflict};
use leadscribe_engine::record::LeadRecord;

use crate::phone;
use crate::storage::sql::entity::Entity;
use crate::storage::sql::input_format::InputFormat;
use crate::storage::sql::lead_actions::add_to_campaign;
use crate::storage::sql::record::{self, WriteBuffer, row_outcome};
use crate::storage::sql::undo_journal::JournalOwner;
use crate::storage::sql::{Bind, Session};
use crate::storage::{AuditContext, BatchOutcome, Result, RowOutcome, StoreError, WriteError};

/// Options of an import of leads. The default is for leads that are written outside an import.
#[derive(Default)]
pub(in crate::storage::sql) struct LeadImportOptions<'a> {
    /// Id of the import, which created leads store.
    pub import: Option<ImportId>,
    /// Owner of the undo journal entries, if the journal records the changes.
    pub owner: Option<JournalOwner>,
    /// Default country of phone numbers, if neither the row nor the lead has one.
    pub region: Option<&'a str>,
    /// Campaign that the leads are added to, if any, and their initial values there.
    pub campaign_values: LeadValues,
}

/// Inserts or updates leads by `id`, or by `original_identifier` if the row has no id. Normalized phone numbers that a record doesn't set
/// are derived from number and country as of the earlier rows.
///
/// Leads of accepted rows are added to the campaign. All rows are rejected if the campaign or status no longer exists.
pub(in crate::storage::sql) fn import(
    session: &dyn Session,
    records: &[LeadRecord],
    options: &LeadImportOptions<'_>,
    audit: &AuditContext,
) -> Result<BatchOutcome> {
    if options.campaign_values.campaign_id.is_some()
        && let RowOutcome::Rejected(diagnostic) =
            row_outcome(add_to_campaign::check(session, &options.campaign_values).map(|()| RowOutcome::Unchanged))?
    {
        let rejection =
            RowOutcome::Rejected(Box::new(Diagnostic { location: Location::Column(String::new()), ..*diagnostic }));
        return Ok(BatchOutcome { rows: vec![rejection; records.len()], ..BatchOutcome::default() });
    }
    let mut batch = Batch {
        session,
        options,
        leads: HashMap::new(),
        ids_by_identifier: HashMap::new(),
        writes: WriteBuffer::for_owner(session, options.owner),
        existing_lead_ids: Vec::new(),
    };
    if options.campaign_values.campaign_id.is_some() {
        batch.writes.track_inserted_ids();
    }
    batch.read(records)?;
    let rows = records.iter().map(|record| row_outcome(batch.import(record, audit))).collect::<Result<_, _>>()?;
    batch.writes.flush()?;
    let leads_added = batch.add_to_campaign(audit)?;
    Ok(BatchOutcome { rows, leads_added, ..BatchOutcome::default() })
}

/// Leads of a batch, including the changes of earlier rows.
struct Batch<'s> {
    session: &'s dyn Session,
    options: &'s LeadImportOptions<'s>,
    leads: HashMap<LeadId, Lead>,
    /// Leads by original identifier; two of them if several leads have it. Identifiers that rows of the batch add or remove are not cached;
    /// they are looked up in the database.
    ids_by_identifier: HashMap<String, Vec<LeadId>>,
    writes: WriteBuffer<'s, Lead>,
    /// Existing leads of accepted rows.
    existing_lead_ids: Vec<i64>,
}

impl Batch<'_> {
    /// Reads the leads that these rows refer to.
    fn read(&mut self, records: &[LeadRecord]) -> Result<()> {
        self.read_identifiers(records.iter().filter_map(identifier))?;
        let found = records.iter().filter(|record| record.id.is_none()).filter_map(identifier);
        let found_ids = found.flat_map(|identifier| &self.ids_by_identifier[identifier]).copied();
        let ids: Vec<_> = records.iter().filter_map(|record| record.id).chain(found_ids).collect();
        self.read_leads(&ids)
    }

    fn read_leads(&mut self, ids: &[LeadId]) -> Result<()> {
        let stored_leads: Vec<Lead> = record::find_all(self.session, ids.iter().map(|id| id.0))?;
        self.leads.extend(stored_leads.into_iter().map(|lead| (lead.id, lead)));
        Ok(())
    }

    fn read_identifiers<'r>(&mut self, identifiers: impl Iterator<Item = &'r String>) -> Result<()> {
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
        let rows = self.session.query(&sql, &[list], |row| {
            let mut lead_ids = vec![LeadId(row.get(1)?), LeadId(row.get(2)?)];
            lead_ids.dedup();
            Ok((row.get(0)?, lead_ids))
        })?;
        self.ids_by_identifier.extend(identifiers.into_iter().map(|identifier| (identifier.clone(), Vec::new())));
        self.ids_by_identifier.extend(rows);
        Ok(())
    }

    fn import(&mut self, record: &LeadRecord, audit: &AuditContext) -> Result<RowOutcome, WriteError> {
        let Some(old) = self.find(record)?.cloned() else {
            let record = phone::with_normalized_numbers(record, None, self.options.region);
            let import_id = self.options.import;
            let new = Lead { import_id, ..record.create(record.id.unwrap_or_default(), audit.at) };
            self.check_identifier_is_free(&new)?;
            self.writes.insert(&new)?;
            self.invalidate_identifier(&new.original_identifier);
            if record.id.is_some() {
                self.leads.insert(new.id, new);
            }
            return Ok(RowOutcome::Inserted);
        };
        let record = phone::with_normalized_numbers(record, Some(&old), self.options.region);
        let record = record.with_stored_types(&old);
        let Some(new) = record::apply_record(&old, &record, audit.at) else {
            self.existing_lead_ids.push(old.id.0);
            return Ok(RowOutcome::Unchanged);
        };
        old.check_transition(&new, InputFormat::Row)?;
        if new.original_identifier != old.original_identifier {
            self.check_identifier_is_free(&new)?;
            self.invalidate_identifier(&old.original_identifier);
            self.invalidate_identifier(&new.original_identifier);
        }
        self.existing_lead_ids.push(old.id.0);
        self.writes.change(&old, &new)?;
        self.leads.insert(new.id, new);
        Ok(RowOutcome::Updated)
    }

    /// Puts the leads of all accepted rows into the campaign unless they are already in it. Returns how many were added.
    fn add_to_campaign(self, audit: &AuditContext) -> Result<u64> {
        let Some(campaign) = self.options.campaign_values.campaign_id else { return Ok(0) };
        let mut leads = self.writes.into_inserted_ids();
        leads.extend(self.existing_lead_ids);
        leads.sort_unstable();
        leads.dedup();
        let new_campaign_leads = match add_to_campaign::new_campaign_leads(
            self.session,
            &self.options.campaign_values,
            campaign,
            &leads,
            audit.at,
        ) {
            Ok(new_campaign_leads) => new_campaign_leads,
            Err(WriteError::Store(error)) => return Err(error),
            Err(WriteError::Refused(diagnostic)) => {
                return Err(StoreError::Failed(diagnostic.message.to_string().into()));
            }
        };
        let mut writes = WriteBuffer::for_owner(self.session, self.options.owner);
        new_campaign_leads.iter().try_for_each(|campaign_lead| writes.insert(campaign_lead))?;
        writes.flush()?;
        Ok(new_campaign_leads.len() as u64)
    }

    /// Returns the lead of a row: by id, or the only one with its original identifier.
    fn find(&mut self, record: &LeadRecord) -> Result<Option<&Lead>, WriteError> {
        let id = match (record.id, identifier(record)) {
            (Some(id), _) => {
                if !self.leads.contains_key(&id)
                    && let Some(inserted) = self.writes.find_inserted(id.0)?
                {
                    self.leads.insert(id, inserted);
                }
                Some(id)
            }
            (None, Some(identifier)) => self.find_id_by_identifier(identifier)?,
            (None, None) => None,
        };
        Ok(id.and_then(|id| self.leads.get(&id)))
    }

    /// Returns the only lead with this original identifier.
    fn find_id_by_identifier(&mut self, identifier: &String) -> Result<Option<LeadId>, WriteError> {
        match *self.ids_by_identifier(identifier)? {
            [] => Ok(None),
            [id] => {
                if !self.leads.contains_key(&id) {
                    self.read_leads(&[id])?;
                }
                Ok(Some(id))
            }
            ref several => {
                let detail = conflict::ambiguous_identifier(identifier.as_str(), several[0].0, several[1].0);
                let diagnostic = Diagnostic::new(InputFormat::Row.location("original_identifier"), "ambiguous", detail);
                Err(WriteError::Refused(diagnostic.suggest(conflict::use_id())))
            }
        }
    }

    /// Returns the leads with this original identifier, or two of them if there are more.
    fn ids_by_identifier(&mut self, identifier: &String) -> Result<&[LeadId]> {
        if !self.ids_by_identifier.contains_key(identifier) {
            self.writes.flush()?;
            self.read_identifiers(std::iter::once(identifier))?;
        }
        Ok(&self.ids_by_identifier[identifier])
    }

    /// Rejects an original identifier that another lead has.
    fn check_identifier_is_free(&mut self, new: &Lead) -> Result<(), WriteError> {
        let Some(identifier) = &new.original_identifier else { return Ok(()) };
        match self.ids_by_identifier(identifier)?.iter().find(|other| **other != new.id) {
            Some(other) => Err(InputFormat::Row.refuse(
                "original_identifier",
                "taken",
                conflict::lead_identifier_taken(other.0, identifier.as_str()),
            )),
            None => Ok(()),
        }
    }

    fn invalidate_identifier(&mut self, identifier: &Option<String>) {
        if let Some(identifier) = identifier {
            self.ids_by_identifier.remove(identifier);
        }
    }
}

/// Original identifier of a row, which finds its lead if the row has no id.
fn identifier(record: &LeadRecord) -> Option<&String> {
    record.original_identifier.as_ref()?.as_ref()
}
