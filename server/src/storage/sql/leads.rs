//! Single leads, and the implementation of the trait, which also covers campaign leads, statuses and look-ups.

use async_trait::async_trait;
use leadscribe_engine::api::*;
use leadscribe_engine::diagnostic::{Diagnostic, stored};
use leadscribe_engine::filter::CheckedFilter;
use leadscribe_engine::filter::fields::CUSTOM_PREFIX;
use leadscribe_engine::filter::predicate::FieldRef;
use leadscribe_engine::record::{CampaignLeadRecord, LeadAction, LeadRecord, MAX_CUSTOM_FIELDS};

use super::record::{self, Kept};
use super::references::{Lookup, Source};
use super::rows::{self, LEAD_COLUMNS};
use super::undo_journal::erase_values;
use super::{
    Bind, Database, Row, Session, SqlStore, audit, binds, campaign_leads, lead_actions, lead_index, look_up, statuses,
};
use crate::phone;
use crate::storage::{BatchOutcome, Found, LeadStore, Origin, Slice, StoreError, WriteError};

mod import;

pub(super) use import::{LeadImport, import};

impl Kept for Lead {
    type Record = LeadRecord;
    const NAME: &'static str = "lead";
    const KIND: ImportKind = ImportKind::Leads;
    const TABLE: &'static str = "leads";
    const WRITTEN: &'static str = LEAD_COLUMNS;
    /// Only `global_updated_at`. A new lead is in no campaign yet, so it starts equal to `updated_at`.
    const KEPT_BY_TRIGGERS: usize = 1;
    const FROM: &'static str = "leads";
    const READ: &'static str = LEAD_COLUMNS;
    const REFERRERS: &'static [(&'static str, &'static str, LeftReason)] =
        &[("campaign_leads", "lead_id", LeftReason::InCampaign), ("calls", "lead_id", LeftReason::HasCalls)];

    fn read(row: &dyn Row) -> Result<Self, StoreError> {
        rows::lead(row)
    }

    fn binds(&self) -> Vec<Bind> {
        let mut binds = rows::lead_binds(self).to_vec();
        binds.push(Bind::from(&self.global_updated_at));
        binds
    }

    fn id(&self) -> i64 {
        self.id.0
    }

    fn changed_at(&self) -> Option<Timestamp> {
        Some(self.updated_at)
    }

    fn lead(&self) -> Option<LeadId> {
        Some(self.id)
    }

    fn set_id(&mut self, id: i64) {
        self.id = LeadId(id);
    }

    fn made(record: &LeadRecord, now: Timestamp) -> Result<Self, Diagnostic> {
        Ok(record.create(record.id.unwrap_or_default(), now))
    }

    fn apply(&mut self, record: &LeadRecord) {
        record.apply(self);
    }

    fn stamp(&mut self, record: &LeadRecord, now: Timestamp) {
        self.updated_at = record.updated_at.unwrap_or(now);
    }

    /// A lead with too many custom fields, from before the limit existed, may keep them.
    fn may_become(&self, new: &Self, source: Source) -> Result<(), WriteError> {
        let (had, count) = (self.custom_fields.len(), new.custom_fields.len());
        if count <= MAX_CUSTOM_FIELDS.max(had) {
            return Ok(());
        }
        let added = new.custom_fields.keys().find(|name| !self.custom_fields.contains_key(*name));
        let member = match source {
            Source::Body => "custom_fields".to_owned(),
            Source::Row => format!("{CUSTOM_PREFIX}{}", added.map_or("", String::as_str)),
        };
        Err(source.refuse(&member, "too_many", stored::full_of_custom_fields(MAX_CUSTOM_FIELDS, count)))
    }

    fn check(&self, _old: Option<&Self>, _lookup: &Lookup<'_>, _source: Source) -> Result<(), WriteError> {
        Ok(())
    }

    fn refresh(&mut self, session: &dyn Session) -> Result<(), StoreError> {
        self.global_updated_at =
            session.value("SELECT global_updated_at FROM leads WHERE id = ?1", &binds![self.id.0])?;
        Ok(())
    }
}

pub(super) fn find(session: &dyn Session, id: LeadId) -> Result<Option<Lead>, StoreError> {
    record::find(session, id.0)
}

/// Deletes a lead and the journal data about it. The schema deletes its campaign leads and clears the references of its calls.
fn delete(session: &dyn Session, id: LeadId, by: &Origin) -> Result<bool, WriteError> {
    let of_it = "SELECT id FROM campaign_leads WHERE lead_id = ?1";
    let inside = session.query(of_it, &binds![id.0], |row| row.get(0))?;
    erase_values(session, ImportKind::CampaignLeads, inside)?;
    erase_values(session, ImportKind::Leads, vec![id.0])?;
    record::delete::<Lead>(session, id.0, by)
}

#[async_trait]
impl<D: Database> LeadStore for SqlStore<D> {
    async fn look_up(&self, filter: &CheckedFilter, now: Timestamp) -> Result<Found, StoreError> {
        if let Some(found) = lead_index::look_up(self.database(), &self.index, filter, now).await? {
            return Ok(found);
        }
        let filter = filter.clone();
        self.database.read(move |session| look_up::look_up(session, &filter, now)).await
    }

    async fn field_values(&self, field: &FieldRef, prefix: &str, count: u32) -> Result<Vec<FieldValue>, StoreError> {
        if let Some(known) = lead_index::field_values(self.database(), &self.index, field, prefix, count).await? {
            return Ok(known);
        }
        let (field, prefix) = (field.clone(), prefix.to_owned());
        self.database.read(move |session| look_up::field_values(session, &field, &prefix, count)).await
    }

    async fn lead(&self, id: LeadId, now: Timestamp) -> Result<Option<Found>, StoreError> {
        self.database.read(move |session| look_up::one(session, id, now)).await
    }

    async fn lead_history(&self, id: LeadId, slice: Slice) -> Result<Page<AuditEntry>, StoreError> {
        self.database.read(move |session| audit::of_lead(session, id, slice)).await
    }

    async fn create_lead(&self, record: LeadRecord, by: &Origin) -> Result<Lead, WriteError> {
        let by = by.clone();
        self.database.write(move |session| record::create(session, &record, &by)).await
    }

    async fn update_lead(
        &self,
        id: LeadId,
        record: LeadRecord,
        region: Option<&str>,
        unchanged: Option<Timestamp>,
        by: &Origin,
    ) -> Result<Option<Lead>, WriteError> {
        let (region, by) = (region.map(str::to_owned), by.clone());
        let change = move |session: &dyn Session| {
            let Some(old) = find(session, id)? else { return Ok(None) };
            // Runs inside the transaction, so that no other change to number or country intervenes.
            let record = phone::normalized(&record, Some(&old), region.as_deref());
            record::change_found(session, old, &record, unchanged, &by).map(Some)
        };
        self.database.write(change).await
    }

    async fn delete_lead(&self, id: LeadId, by: &Origin) -> Result<bool, WriteError> {
        let by = by.clone();
        self.database.write(move |session| delete(session, id, &by)).await
    }

    async fn import_leads(&self, rows: Vec<LeadRecord>, by: &Origin) -> Result<BatchOutcome, StoreError> {
        let by = by.clone();
        let outcome = self.database.write(move |session| import(session, &rows, &LeadImport::default(), &by)).await?;
        self.after_import().await;
        Ok(outcome)
    }

    async fn change_leads(&self, action: &LeadAction, by: &Origin) -> Result<LeadActionOutcome, WriteError> {
        let (action, by) = (action.clone(), by.clone());
        let outcome = self.database.write(move |session| lead_actions::carry_out(session, &action, &by)).await?;
        self.prune_lead_changes().await;
        Ok(outcome)
    }

    async fn count_leads_to_change(
        &self,
        action: &LeadAction,
        now: Timestamp,
    ) -> Result<LeadActionOutcome, WriteError> {
        let action = action.clone();
        let counted = self.database.read(move |session| match lead_actions::count(session, &action, now) {
            Err(WriteError::Store(error)) => Err(error),
            counted => Ok(counted),
        });
        counted.await?
    }

    async fn lead_actions(&self, undone: Option<bool>, slice: Slice) -> Result<Page<LeadActionEntry>, StoreError> {
        self.database.read(move |session| lead_actions::list(session, undone, slice)).await
    }

    async fn undo_lead_action(&self, id: LeadActionId, by: &Origin) -> Result<Option<LeadActionUndo>, WriteError> {
        let by = by.clone();
        let undone = self.database.write(move |session| lead_actions::undo(session, id, &by)).await?;
        self.prune_lead_changes().await;
        Ok(undone)
    }

    async fn campaign_lead(&self, id: CampaignLeadId) -> Result<Option<CampaignLead>, StoreError> {
        self.database.read(move |session| record::find(session, id.0)).await
    }

    async fn create_campaign_lead(&self, record: CampaignLeadRecord, by: &Origin) -> Result<CampaignLead, WriteError> {
        let by = by.clone();
        self.database.write(move |session| record::create(session, &record, &by)).await
    }

    async fn update_campaign_lead(
        &self,
        id: CampaignLeadId,
        record: CampaignLeadRecord,
        unchanged: Option<Timestamp>,
        by: &Origin,
    ) -> Result<Option<CampaignLead>, WriteError> {
        let by = by.clone();
        self.database.write(move |session| record::change(session, id.0, &record, unchanged, &by)).await
    }

    async fn delete_campaign_lead(&self, id: CampaignLeadId, by: &Origin) -> Result<bool, WriteError> {
        let by = by.clone();
        let delete = move |session: &dyn Session| {
            erase_values(session, ImportKind::CampaignLeads, vec![id.0])?;
            record::delete::<CampaignLead>(session, id.0, &by)
        };
        self.database.write(delete).await
    }

    async fn import_campaign_leads(
        &self,
        rows: Vec<CampaignLeadRecord>,
        by: &Origin,
    ) -> Result<BatchOutcome, StoreError> {
        let by = by.clone();
        let outcome = self.database.write(move |session| campaign_leads::import(session, &rows, None, &by)).await?;
        self.after_import().await;
        Ok(outcome)
    }

    async fn statuses(&self) -> Result<Vec<LeadStatus>, StoreError> {
        self.database.read(|session| statuses::all(session)).await
    }

    async fn put_status(&self, status: LeadStatus, by: &Origin) -> Result<(), WriteError> {
        let by = by.clone();
        self.database.write(move |session| statuses::put(session, &status, &by)).await
    }

    async fn order_statuses(&self, names: Vec<String>, by: &Origin) -> Result<(), WriteError> {
        let by = by.clone();
        self.database.write(move |session| statuses::order(session, &names, &by)).await
    }

    async fn delete_status(&self, name: &str, by: &Origin) -> Result<bool, WriteError> {
        let (name, by) = (name.to_owned(), by.clone());
        self.database.write(move |session| statuses::delete(session, &name, &by)).await
    }
}
