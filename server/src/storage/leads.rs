//! Store interface for leads, campaign leads, campaigns and statuses.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::*;
use leadscribe_engine::callable::Callee;
use leadscribe_engine::filter::CheckedFilter;
use leadscribe_engine::filter::predicate::FieldRef;
use leadscribe_engine::record::{CampaignLeadRecord, CampaignRecord, LeadAction, LeadRecord};
use serde::{Deserialize, Serialize};

use super::{AuditContext, BatchOutcome, Result, SerializedLead, Slice, WriteError};

/// Period for which a lead action is listed and can be undone.
pub const ACTION_UNDO_RETENTION: TimeDelta = TimeDelta::days(7);

/// A lead with the campaign leads to show, by id.
#[derive(Clone, Debug, PartialEq)]
pub struct LookupLead {
    /// The lead.
    pub lead: SerializedLead,
    /// Campaign leads to show.
    pub campaign_leads: Vec<CampaignLead>,
    /// True if the lead is in any campaign, shown or not.
    pub is_in_campaign: bool,
}

/// Result of a lookup, from one snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct LookupResult {
    /// Leads of the page.
    pub leads: Vec<LookupLead>,
    /// Total number of matches.
    pub total: u64,
    /// True if more leads follow the page.
    pub has_more: bool,
    /// Campaigns of the shown campaign leads, by id.
    pub campaigns: Vec<Arc<Campaign>>,
    /// All statuses.
    pub statuses: Arc<[LeadStatus]>,
}

/// A campaign with a sample of its leads and all data that decides whether they can be called.
#[derive(Clone, Debug, PartialEq)]
pub struct CampaignSample {
    /// The campaign.
    pub campaign: Campaign,
    /// All statuses.
    pub statuses: Vec<LeadStatus>,
    /// Number of leads in the campaign.
    pub lead_count: u64,
    /// Sampled leads.
    pub sampled_leads: Vec<SampledLead>,
}

/// A lead of a [`CampaignSample`].
#[derive(Clone, Debug, PartialEq)]
pub struct SampledLead {
    /// Data of the lead that decides whether it can be called.
    pub callee: Callee<'static>,
    /// The lead in the campaign.
    pub campaign_lead: CampaignLead,
}

/// Condition on the lead of an upsert. The default permits everything.
#[derive(Clone, Debug, Default)]
pub struct UpsertCondition {
    /// Its version is one of these; a new lead has none.
    pub versions: Option<Vec<Timestamp>>,
    /// It exists, or it doesn't.
    pub existence: Option<bool>,
}

/// Result of creating or changing a lead.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct UpsertedLead {
    /// The lead as stored.
    pub lead: Lead,
    /// True if it was created.
    pub is_new: bool,
}

/// Leads and campaign leads.
#[async_trait]
pub trait LeadStore: Send + Sync {
    /// Page and total of a filter, from one snapshot. `now` determines the day that `calls_today` refers to.
    async fn look_up(&self, filter: &CheckedFilter, now: Timestamp) -> Result<LookupResult>;
    /// A single lead with all its campaign leads.
    async fn lead(&self, id: LeadId, now: Timestamp) -> Result<Option<LookupResult>>;
    /// Audit entries about a lead and its current campaign leads, newest first; empty if the lead doesn't exist.
    async fn lead_history(&self, id: LeadId, slice: Slice) -> Result<Page<AuditEntry>>;
    /// At most `limit` texts of a text field or custom field that start with `prefix`, ignoring ASCII case. The most frequent come first;
    /// ties are ordered by bytes. A value that a lead has in several campaigns counts once.
    async fn field_values(&self, field: &FieldRef, prefix: &str, limit: u32) -> Result<Vec<FieldValue>>;
    /// Stores a new lead, with the record's id or an assigned one.
    async fn create_lead(&self, record: LeadRecord, audit: &AuditContext) -> Result<Lead, WriteError>;
    /// Stores new leads, all or none. A refusal points into the item of the lead.
    async fn create_leads(&self, records: Vec<LeadRecord>, audit: &AuditContext) -> Result<Vec<Lead>, WriteError>;
    /// Changes the lead with the record's original identifier, as [`LeadStore::update_lead`] does, or creates one. Refused if several leads
    /// have the identifier, or unless the condition is true.
    async fn upsert_lead(
        &self,
        record: LeadRecord,
        region: Option<&str>,
        condition: UpsertCondition,
        audit: &AuditContext,
    ) -> Result<UpsertedLead, WriteError>;
    /// Changes a lead. `None` if it doesn't exist; refused if its version isn't one of `expected_versions`. Normalized phone numbers
    /// that the record doesn't set are derived from the stored number and country; the default country is `region`.
    async fn update_lead(
        &self,
        id: LeadId,
        record: LeadRecord,
        region: Option<&str>,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<Option<Lead>, WriteError>;
    /// Deletes a lead and its campaign leads. Its calls stay, without a lead. False if it doesn't exist; refused if its version isn't one
    /// of `expected_versions`.
    async fn delete_lead(
        &self,
        id: LeadId,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<bool, WriteError>;
    /// Inserts or updates leads by `id`, or by `original_identifier` if a row has no id, in one transaction. Normalized phone numbers are
    /// derived as in [`LeadStore::update_lead`], without a region.
    async fn import_leads(&self, rows: Vec<LeadRecord>, audit: &AuditContext) -> Result<BatchOutcome>;

    /// Runs an action on many leads in one transaction. It can be undone until it is purged
    /// ([`ImportStore::purge_undo_journal`](super::ImportStore::purge_undo_journal)).
    async fn run_lead_action(&self, action: &LeadAction, audit: &AuditContext)
    -> Result<LeadActionOutcome, WriteError>;
    /// Counts what an action would change now. Writes nothing.
    async fn preview_lead_action(&self, action: &LeadAction, now: Timestamp) -> Result<LeadActionOutcome, WriteError>;
    /// Stored actions, newest first. `undone` selects those that were undone, or those that weren't.
    async fn lead_actions(&self, undone: Option<bool>, slice: Slice) -> Result<Page<LeadActionEntry>>;
    /// Restores the values that an action changed and deletes the campaign leads that it created, except for records that were changed,
    /// used or deleted since. `None` if the action doesn't exist; refused if it was already undone.
    async fn undo_lead_action(
        &self,
        id: LeadActionId,
        audit: &AuditContext,
    ) -> Result<Option<LeadActionUndo>, WriteError>;

    /// A single campaign lead.
    async fn campaign_lead(&self, id: CampaignLeadId) -> Result<Option<CampaignLead>>;
    /// Puts a lead into a campaign.
    async fn create_campaign_lead(
        &self,
        record: CampaignLeadRecord,
        audit: &AuditContext,
    ) -> Result<CampaignLead, WriteError>;
    /// Changes a campaign lead. `None` if it doesn't exist; refused if its version isn't one of `expected_versions`.
    async fn update_campaign_lead(
        &self,
        id: CampaignLeadId,
        record: CampaignLeadRecord,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<Option<CampaignLead>, WriteError>;
    /// Removes a lead from a campaign. False if the campaign lead doesn't exist; refused if its version isn't one of `expected_versions`.
    async fn delete_campaign_lead(
        &self,
        id: CampaignLeadId,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<bool, WriteError>;
    /// Inserts or updates campaign leads by `id`, or by lead and campaign if a row has no id, in one transaction.
    async fn import_campaign_leads(&self, rows: Vec<CampaignLeadRecord>, audit: &AuditContext) -> Result<BatchOutcome>;

    /// All statuses, in the order that staff defined.
    async fn statuses(&self) -> Result<Vec<LeadStatus>>;
    /// Creates a status, or changes the one with this name.
    async fn put_status(&self, status: LeadStatus, audit: &AuditContext) -> Result<(), WriteError>;
    /// Reorders the statuses. Refused unless each is named once.
    async fn reorder_statuses(&self, names: Vec<String>, audit: &AuditContext) -> Result<(), WriteError>;
    /// Deletes a status. False if it doesn't exist; refused while campaign leads use it.
    async fn delete_status(&self, name: &str, audit: &AuditContext) -> Result<bool, WriteError>;
}

/// Filter and order of a list of campaigns.
#[derive(Clone, Debug, Default)]
pub struct CampaignQuery {
    /// Text in the name, ignoring ASCII case.
    pub search: Option<String>,
    /// Order of the list.
    pub order: Order<CampaignOrder>,
}

/// Campaigns.
#[async_trait]
pub trait CampaignStore: Send + Sync {
    /// Slice of the campaigns that match the query.
    async fn campaigns(&self, query: &CampaignQuery, slice: Slice) -> Result<Page<Campaign>>;
    /// Progress of the campaigns that [`CampaignStore::campaigns`] returns for the same arguments, in the same order.
    async fn campaign_progress(&self, query: &CampaignQuery, slice: Slice) -> Result<Page<CampaignProgress>>;
    /// A campaign with all its leads, or with `max_leads` leads spread evenly if there are more. `max_leads` must be at least 1. `None` if
    /// the campaign doesn't exist.
    async fn campaign_sample(&self, id: CampaignId, max_leads: u32) -> Result<Option<CampaignSample>>;
    /// A single campaign.
    async fn campaign(&self, id: CampaignId) -> Result<Option<Campaign>>;
    /// Stores a new campaign, with the record's id or an assigned one.
    async fn create_campaign(&self, record: CampaignRecord, audit: &AuditContext) -> Result<Campaign, WriteError>;
    /// Changes a campaign. `None` if it doesn't exist; refused if its version isn't one of `expected_versions`.
    async fn update_campaign(
        &self,
        id: CampaignId,
        record: CampaignRecord,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<Option<Campaign>, WriteError>;
    /// Deletes a campaign. False if it doesn't exist; refused while leads are in it, or if its version isn't one of `expected_versions`.
    async fn delete_campaign(
        &self,
        id: CampaignId,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<bool, WriteError>;
    /// Inserts or updates campaigns by `id`, or by name if a row has no id, in one transaction.
    async fn import_campaigns(&self, rows: Vec<CampaignRecord>, audit: &AuditContext) -> Result<BatchOutcome>;
}
