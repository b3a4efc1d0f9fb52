//! Single leads, and the implementation of [`LeadStore`], which also covers campaign leads, statuses and lookups.

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::{Diagnostic, Location, conflict};
use leadscribe_engine::filter::CheckedFilter;
use leadscribe_engine::filter::fields::CUSTOM_PREFIX;
use leadscribe_engine::filter::predicate::FieldRef;
use leadscribe_engine::record::{CampaignLeadRecord, LeadAction, LeadRecord, MAX_CUSTOM_FIELDS};

use super::entity::{Entity, timestamped_entity_methods};
use super::input_format::InputFormat;
use super::record;
use super::references::ReferenceChecker;
use super::rows::{self, LEAD_COLUMNS};
use super::undo_journal::erase_values;
use super::{
    Bind, Database, Row, Session, SqlStore, audit, binds, campaign_leads, idempotency, lead_actions, lead_index,
    lead_lookup, statuses,
};
use crate::phone;
use crate::storage::{
    AuditContext, BatchOutcome, LeadStore, LookupResult, Result, Slice, UpsertCondition, UpsertedLead, WriteError,
};

mod import;

pub(super) use import::{LeadImportOptions, import};

impl Entity for Lead {
    type Record = LeadRecord;
    const AUDIT_NAME: &'static str = "lead";
    const IMPORT_KIND: ImportKind = ImportKind::Leads;
    const TABLE: &'static str = "leads";
    const WRITTEN_COLUMNS: &'static str = LEAD_COLUMNS;
    /// Only `global_updated_at`. A new lead is in no campaign yet, so it starts equal to `updated_at`.
    const TRIGGER_COLUMN_COUNT: usize = 1;
    const FROM: &'static str = "leads";
    const READ_COLUMNS: &'static str = LEAD_COLUMNS;
    const REFERRERS: &'static [(&'static str, &'static str, UndoSkipReason)] =
        &[("campaign_leads", "lead_id", UndoSkipReason::InCampaign), ("calls", "lead_id", UndoSkipReason::HasCalls)];
    const UNIQUE_MEMBERS: &'static [&'static str] = &["original_identifier"];

    timestamped_entity_methods!(LeadId, LeadRecord);

    fn read(row: &dyn Row) -> Result<Self> {
        rows::read_lead(row)
    }

    fn binds(&self) -> Vec<Bind> {
        rows::lead_binds(self)
    }

    fn related_lead(&self) -> Option<LeadId> {
        Some(self.id)
    }

    fn from_record(record: &LeadRecord, now: Timestamp) -> Result<Self, Diagnostic> {
        Ok(record.create(record.id.unwrap_or_default(), now))
    }

    /// A lead with too many custom fields, from before the limit existed, may keep them.
    fn check_transition(&self, new: &Self, input_format: InputFormat) -> Result<(), WriteError> {
        let (old_count, count) = (self.custom_fields.len(), new.custom_fields.len());
        if count <= MAX_CUSTOM_FIELDS.max(old_count) {
            return Ok(());
        }
        let added_field = new.custom_fields.keys().find(|name| !self.custom_fields.contains_key(*name));
        let member = match input_format {
            InputFormat::Body => "custom_fields".to_owned(),
            InputFormat::Row => format!("{CUSTOM_PREFIX}{}", added_field.map_or("", String::as_str)),
        };
        Err(input_format.refuse(&member, "too_many", conflict::too_many_custom_fields(MAX_CUSTOM_FIELDS, count)))
    }

    /// Leads from before identifiers had to be unique may keep theirs.
    fn check(
        &self,
        old: Option<&Self>,
        checker: &ReferenceChecker<'_>,
        input_format: InputFormat,
    ) -> Result<(), WriteError> {
        let Some(identifier) = &self.original_identifier else { return Ok(()) };
        if old.is_some_and(|old| old.original_identifier == self.original_identifier) {
            return Ok(());
        }
        match find_by_identifier(checker.session, identifier)?.into_iter().find(|other| *other != self.id) {
            None => Ok(()),
            Some(other) => {
                let detail = conflict::lead_identifier_taken(other.0, identifier.as_str());
                Err(input_format.refuse("original_identifier", "taken", detail))
            }
        }
    }

    fn refresh(&mut self, session: &dyn Session) -> Result<()> {
        self.global_updated_at =
            session.query_value("SELECT global_updated_at FROM leads WHERE id = ?1", &binds![self.id.0])?;
        Ok(())
    }
}

pub(super) fn find(session: &dyn Session, id: LeadId) -> Result<Option<Lead>> {
    record::find(session, id.0)
}

/// Ids of the leads with this original identifier. Only leads from before identifiers had to be unique can share one.
fn find_by_identifier(session: &dyn Session, identifier: &str) -> Result<Vec<LeadId>> {
    let sql = "SELECT id FROM leads WHERE original_identifier = ?1 ORDER BY id LIMIT 100";
    session.query(sql, &binds![identifier], |row| Ok(LeadId(row.get(0)?)))
}

/// Changes the lead with the record's original identifier, or creates one.
fn upsert(
    session: &dyn Session,
    record: &LeadRecord,
    region: Option<&str>,
    condition: &UpsertCondition,
    audit: &AuditContext,
) -> Result<UpsertedLead, WriteError> {
    let identifier = record.original_identifier.iter().flatten().next().map_or("", String::as_str);
    let ids = find_by_identifier(session, identifier)?;
    if let [first, second, ..] = ids[..] {
        let detail = conflict::ambiguous_identifier(identifier, first.0, second.0);
        let diagnostic = Diagnostic::new(Location::Parameter("original_identifier".to_owned()), "ambiguous", detail);
        let ids: Vec<_> = ids.iter().map(ToString::to_string).collect();
        let diagnostic = diagnostic.permitted(ids.iter().map(String::as_str)).suggest(conflict::use_id());
        return Err(WriteError::Refused(diagnostic));
    }
    let expected_versions = condition.versions.as_deref();
    if condition.existence.is_some_and(|expected| expected == ids.is_empty()) {
        return Err(record::edit_conflict());
    }
    match ids.first().map(|id| find(session, *id)).transpose()?.flatten() {
        Some(old) => {
            let record = phone::with_normalized_numbers(record, Some(&old), region);
            let lead = record::change_found(session, old, &record, expected_versions, audit)?;
            Ok(UpsertedLead { lead, is_new: false })
        }
        None => {
            record::check_version(None, expected_versions)?;
            let record = phone::with_normalized_numbers(record, None, region);
            Ok(UpsertedLead { lead: record::create::<Lead>(session, &record, audit)?, is_new: true })
        }
    }
}

/// Deletes a lead and the journal data about it. The schema deletes its campaign leads and clears the references of its calls.
fn delete(session: &dyn Session, id: LeadId, audit: &AuditContext) -> Result<bool, WriteError> {
    let sql = "SELECT id FROM campaign_leads WHERE lead_id = ?1";
    let campaign_lead_ids = session.query(sql, &binds![id.0], |row| row.get(0))?;
    erase_values(session, ImportKind::CampaignLeads, campaign_lead_ids)?;
    erase_values(session, ImportKind::Leads, vec![id.0])?;
    record::delete::<Lead>(session, id.0, audit)
}

#[async_trait]
impl<D: Database> LeadStore for SqlStore<D> {
    async fn look_up(&self, filter: &CheckedFilter, now: Timestamp) -> Result<LookupResult> {
        if let Some(result) = lead_index::look_up(self.database(), &self.index, filter, now).await? {
            return Ok(result);
        }
        let filter = filter.clone();
        self.database.read(move |session| lead_lookup::look_up(session, &filter, now)).await
    }

    async fn field_values(&self, field: &FieldRef, prefix: &str, limit: u32) -> Result<Vec<FieldValue>> {
        if let Some(values) = lead_index::field_values(self.database(), &self.index, field, prefix, limit).await? {
            return Ok(values);
        }
        let (field, prefix) = (field.clone(), prefix.to_owned());
        self.database.read(move |session| lead_lookup::field_values(session, &field, &prefix, limit)).await
    }

    async fn lead(&self, id: LeadId, now: Timestamp) -> Result<Option<LookupResult>> {
        self.database.read(move |session| lead_lookup::find_lead(session, id, now)).await
    }

    async fn lead_history(&self, id: LeadId, slice: Slice) -> Result<Page<AuditEntry>> {
        self.database.read(move |session| audit::lead_history(session, id, slice)).await
    }

    async fn create_lead(&self, record: LeadRecord, audit: &AuditContext) -> Result<Lead, WriteError> {
        let own_audit = audit.clone();
        self.create_record(audit, move |session| record::create(session, &record, &own_audit)).await
    }

    async fn create_leads(&self, records: Vec<LeadRecord>, audit: &AuditContext) -> Result<Vec<Lead>, WriteError> {
        let audit = audit.clone();
        let create_all = move |session: &dyn Session| {
            let create = |(index, record)| {
                let in_item = |pointer: &str| Location::Pointer(format!("/{index}{pointer}"));
                record::create(session, record, &audit).map_err(|error: WriteError| error.map_pointer(in_item))
            };
            idempotency::create_records(session, &audit, || records.iter().enumerate().map(create).collect())
        };
        let created = self.database.write(create_all).await?;
        self.refresh_statistics().await;
        Ok(created)
    }

    async fn upsert_lead(
        &self,
        record: LeadRecord,
        region: Option<&str>,
        condition: UpsertCondition,
        audit: &AuditContext,
    ) -> Result<UpsertedLead, WriteError> {
        let (region, audit) = (region.map(str::to_owned), audit.clone());
        self.database.write(move |session| upsert(session, &record, region.as_deref(), &condition, &audit)).await
    }

    async fn update_lead(
        &self,
        id: LeadId,
        record: LeadRecord,
        region: Option<&str>,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<Option<Lead>, WriteError> {
        let (region, audit) = (region.map(str::to_owned), audit.clone());
        let change = move |session: &dyn Session| {
            let Some(old) = find(session, id)? else { return Ok(None) };
            // Runs inside the transaction, so that no other change to number or country intervenes.
            let record = phone::with_normalized_numbers(&record, Some(&old), region.as_deref());
            record::change_found(session, old, &record, expected_versions.as_deref(), &audit).map(Some)
        };
        self.database.write(change).await
    }

    async fn delete_lead(
        &self,
        id: LeadId,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<bool, WriteError> {
        let audit = audit.clone();
        let delete = move |session: &dyn Session| {
            record::check_version_to_delete::<Lead>(session, id.0, expected_versions.as_deref())?;
            delete(session, id, &audit)
        };
        self.database.write(delete).await
    }

    async fn import_leads(&self, rows: Vec<LeadRecord>, audit: &AuditContext) -> Result<BatchOutcome> {
        let audit = audit.clone();
        let outcome =
            self.database.write(move |session| import(session, &rows, &LeadImportOptions::default(), &audit)).await?;
        self.refresh_statistics().await;
        Ok(outcome)
    }

    async fn run_lead_action(
        &self,
        action: &LeadAction,
        audit: &AuditContext,
    ) -> Result<LeadActionOutcome, WriteError> {
        let (action, own_audit) = (action.clone(), audit.clone());
        self.create(audit, move |session| lead_actions::run(session, &action, &own_audit)).await
    }

    async fn preview_lead_action(&self, action: &LeadAction, now: Timestamp) -> Result<LeadActionOutcome, WriteError> {
        let action = action.clone();
        let result = self.database.read(move |session| match lead_actions::preview(session, &action, now) {
            Err(WriteError::Store(error)) => Err(error),
            result => Ok(result),
        });
        result.await?
    }

    async fn lead_actions(&self, undone: Option<bool>, slice: Slice) -> Result<Page<LeadActionEntry>> {
        self.database.read(move |session| lead_actions::list(session, undone, slice)).await
    }

    async fn undo_lead_action(
        &self,
        id: LeadActionId,
        audit: &AuditContext,
    ) -> Result<Option<LeadActionUndo>, WriteError> {
        let audit = audit.clone();
        self.database.write(move |session| lead_actions::undo(session, id, &audit)).await
    }

    async fn campaign_lead(&self, id: CampaignLeadId) -> Result<Option<CampaignLead>> {
        self.database.read(move |session| record::find(session, id.0)).await
    }

    async fn create_campaign_lead(
        &self,
        record: CampaignLeadRecord,
        audit: &AuditContext,
    ) -> Result<CampaignLead, WriteError> {
        let own_audit = audit.clone();
        self.create_record(audit, move |session| record::create(session, &record, &own_audit)).await
    }

    async fn update_campaign_lead(
        &self,
        id: CampaignLeadId,
        record: CampaignLeadRecord,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<Option<CampaignLead>, WriteError> {
        let audit = audit.clone();
        self.database
            .write(move |session| record::change(session, id.0, &record, expected_versions.as_deref(), &audit))
            .await
    }

    async fn delete_campaign_lead(
        &self,
        id: CampaignLeadId,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<bool, WriteError> {
        let audit = audit.clone();
        let delete = move |session: &dyn Session| {
            record::check_version_to_delete::<CampaignLead>(session, id.0, expected_versions.as_deref())?;
            erase_values(session, ImportKind::CampaignLeads, vec![id.0])?;
            record::delete::<CampaignLead>(session, id.0, &audit)
        };
        self.database.write(delete).await
    }

    async fn import_campaign_leads(&self, rows: Vec<CampaignLeadRecord>, audit: &AuditContext) -> Result<BatchOutcome> {
        let audit = audit.clone();
        let outcome = self.database.write(move |session| campaign_leads::import(session, &rows, None, &audit)).await?;
        self.refresh_statistics().await;
        Ok(outcome)
    }

    async fn statuses(&self) -> Result<Vec<LeadStatus>> {
        self.database.read(|session| statuses::list(session)).await
    }

    async fn put_status(&self, status: LeadStatus, audit: &AuditContext) -> Result<(), WriteError> {
        let audit = audit.clone();
        self.database.write(move |session| statuses::put(session, &status, &audit)).await
    }

    async fn reorder_statuses(&self, names: Vec<String>, audit: &AuditContext) -> Result<(), WriteError> {
        let audit = audit.clone();
        self.database.write(move |session| statuses::reorder(session, &names, &audit)).await
    }

    async fn delete_status(&self, name: &str, audit: &AuditContext) -> Result<bool, WriteError> {
        let (name, audit) = (name.to_owned(), audit.clone());
        self.database.write(move |session| statuses::delete(session, &name, &audit)).await
    }
}
