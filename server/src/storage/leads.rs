//! What is asked of a store about leads, their campaign leads, campaigns and statuses.

use std::sync::Arc;

use async_trait::async_trait;
use chrono::TimeDelta;
use leadscribe_engine::api::*;
use leadscribe_engine::callable::Callee;
use leadscribe_engine::filter::CheckedFilter;
use leadscribe_engine::filter::predicate::FieldRef;
use leadscribe_engine::record::{CampaignLeadRecord, CampaignRecord, LeadAction, LeadRecord};
use leadscribe_lead_index::PackedLead;

use super::{BatchOutcome, Origin, Slice, StoreError, WriteError};

/// Period for which an action on many leads can be undone and is listed.
pub const ACTION_UNDO_KEPT: TimeDelta = TimeDelta::days(7);

/// A lead with those of its campaign leads that are shown, by id.
#[derive(Clone, Debug, PartialEq)]
pub struct FoundLead {
    /// The lead, ready to be written.
    pub lead: PackedLead,
    /// Its campaign leads.
    pub campaign_leads: Vec<CampaignLead>,
    /// Whether it is in any campaign, shown or not.
    pub in_campaign: bool,
}

/// The answer to a look-up, all of it from one snapshot.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Found {
    /// The page.
    pub leads: Vec<FoundLead>,
    /// How many match in all.
    pub total: u64,
    /// Whether leads follow the page.
    pub more: bool,
    /// The campaigns of the campaign leads shown, by id.
    pub campaigns: Vec<Arc<Campaign>>,
    /// All statuses.
    pub statuses: Arc<[LeadStatus]>,
}

/// A campaign with leads of it, and all that is needed to judge whether they can be called.
#[derive(Clone, Debug, PartialEq)]
pub struct CampaignSample {
    /// The campaign.
    pub campaign: Campaign,
    /// All statuses.
    pub statuses: Vec<LeadStatus>,
    /// How many leads are in the campaign.
    pub leads: u64,
    /// These of them.
    pub judged: Vec<SampledLead>,
}

/// A lead of a [`CampaignSample`].
#[derive(Clone, Debug, PartialEq)]
pub struct SampledLead {
    /// What a verdict asks of the lead.
    pub callee: Callee<'static>,
    /// The lead in the campaign.
    pub campaign_lead: CampaignLead,
}

/// Leads and campaign leads.
#[async_trait]
pub trait LeadStore: Send + Sync {
    /// The page and total of a filter, from one snapshot. `now` decides which day `calls_today` is about.
    async fn look_up(&self, filter: &CheckedFilter, now: Timestamp) -> Result<Found, StoreError>;
    /// One lead with all its campaign leads.
    async fn lead(&self, id: LeadId, now: Timestamp) -> Result<Option<Found>, StoreError>;
    /// What the audit log has about a lead and the campaign leads it has now, newest first; of no lead, nothing.
    async fn lead_history(&self, id: LeadId, slice: Slice) -> Result<Page<AuditEntry>, StoreError>;
    /// At most `count` of the texts in a text field or custom field that start with `prefix`, A to Z without case: those that
    /// most leads have, most first, and of those that as many have the first by their bytes. A lead has a value of its
    /// campaign leads once, in however many campaigns.
    async fn field_values(&self, field: &FieldRef, prefix: &str, count: u32) -> Result<Vec<FieldValue>, StoreError>;
    /// Stores a new lead; its id is taken from the record or given.
    async fn create_lead(&self, record: LeadRecord, by: &Origin) -> Result<Lead, WriteError>;
    /// Changes a lead; none when it doesn't exist, refused when it was changed at another time than `unchanged` says.
    /// Normalised phone numbers that the record doesn't give follow number and country as they are stored then; without a
    /// country they are of `region`.
    async fn update_lead(
        &self,
        id: LeadId,
        record: LeadRecord,
        region: Option<&str>,
        unchanged: Option<Timestamp>,
        by: &Origin,
    ) -> Result<Option<Lead>, WriteError>;
    /// Deletes a lead and its campaign leads; its calls stay, without it. False when it doesn't exist.
    async fn delete_lead(&self, id: LeadId, by: &Origin) -> Result<bool, WriteError>;
    /// Inserts or updates leads by `id`, or without one by `original_identifier`, in one transaction. Normalised phone
    /// numbers follow as with [`LeadStore::update_lead`], without a region.
    async fn import_leads(&self, rows: Vec<LeadRecord>, by: &Origin) -> Result<BatchOutcome, StoreError>;

    /// Carries out an action on many leads in one transaction. It can be undone until it is purged
    /// ([`ImportStore::purge_undo_journal`](super::ImportStore::purge_undo_journal)).
    async fn change_leads(&self, action: &LeadAction, by: &Origin) -> Result<LeadActionOutcome, WriteError>;
    /// What an action would do now. Changes nothing.
    async fn count_leads_to_change(&self, action: &LeadAction, now: Timestamp)
    -> Result<LeadActionOutcome, WriteError>;
    /// The actions that are kept, newest first: with `undone` only those that were undone, or weren't.
    async fn lead_actions(&self, undone: Option<bool>, slice: Slice) -> Result<Page<LeadActionEntry>, StoreError>;
    /// Restores the values that an action changed and deletes the campaign leads that it created, except for records that were
    /// changed, used or deleted since. None if there is no such action; refused if it was undone already.
    async fn undo_lead_action(&self, id: LeadActionId, by: &Origin) -> Result<Option<LeadActionUndo>, WriteError>;

    /// One campaign lead.
    async fn campaign_lead(&self, id: CampaignLeadId) -> Result<Option<CampaignLead>, StoreError>;
    /// Puts a lead into a campaign.
    async fn create_campaign_lead(&self, record: CampaignLeadRecord, by: &Origin) -> Result<CampaignLead, WriteError>;
    /// Changes a campaign lead; none when it doesn't exist, refused when it was changed at another time than `unchanged` says.
    async fn update_campaign_lead(
        &self,
        id: CampaignLeadId,
        record: CampaignLeadRecord,
        unchanged: Option<Timestamp>,
        by: &Origin,
    ) -> Result<Option<CampaignLead>, WriteError>;
    /// Takes a lead out of a campaign. False when there is no such campaign lead.
    async fn delete_campaign_lead(&self, id: CampaignLeadId, by: &Origin) -> Result<bool, WriteError>;
    /// Inserts or updates campaign leads by `id`, or without one by lead and campaign, in one transaction.
    async fn import_campaign_leads(
        &self,
        rows: Vec<CampaignLeadRecord>,
        by: &Origin,
    ) -> Result<BatchOutcome, StoreError>;

    /// All statuses, in the order staff keep them.
    async fn statuses(&self) -> Result<Vec<LeadStatus>, StoreError>;
    /// Adds a status, or changes the one of this name.
    async fn put_status(&self, status: LeadStatus, by: &Origin) -> Result<(), WriteError>;
    /// Puts the statuses in this order; refused unless each is named once.
    async fn order_statuses(&self, names: Vec<String>, by: &Origin) -> Result<(), WriteError>;
    /// Removes a status; refused while campaign leads have it. False when there is none of this name.
    async fn delete_status(&self, name: &str, by: &Origin) -> Result<bool, WriteError>;
}

/// Which campaigns a list is about, and in which order.
#[derive(Clone, Debug, Default)]
pub struct CampaignQuery {
    /// Whose name contains this (A to Z without case).
    pub search: Option<String>,
    /// In which order.
    pub order: Order<CampaignOrder>,
}

/// Campaigns.
#[async_trait]
pub trait CampaignStore: Send + Sync {
    /// A slice of the campaigns that meet the query.
    async fn campaigns(&self, query: &CampaignQuery, slice: Slice) -> Result<Page<Campaign>, StoreError>;
    /// How far the campaigns are that [`CampaignStore::campaigns`] gives for the same, in the same order.
    async fn campaign_progress(
        &self,
        query: &CampaignQuery,
        slice: Slice,
    ) -> Result<Page<CampaignProgress>, StoreError>;
    /// A campaign with its leads, or where there are more than `most`, at least 1, with so many from everywhere among them;
    /// none when there is no such campaign.
    async fn campaign_sample(&self, id: CampaignId, most: u32) -> Result<Option<CampaignSample>, StoreError>;
    /// One campaign.
    async fn campaign(&self, id: CampaignId) -> Result<Option<Campaign>, StoreError>;
    /// Stores a new campaign; its id is taken from the record or given.
    async fn create_campaign(&self, record: CampaignRecord, by: &Origin) -> Result<Campaign, WriteError>;
    /// Changes a campaign; none when it doesn't exist, refused when it was changed at another time than `unchanged` says.
    async fn update_campaign(
        &self,
        id: CampaignId,
        record: CampaignRecord,
        unchanged: Option<Timestamp>,
        by: &Origin,
    ) -> Result<Option<Campaign>, WriteError>;
    /// Deletes a campaign; refused while leads are in it. False when it doesn't exist.
    async fn delete_campaign(&self, id: CampaignId, by: &Origin) -> Result<bool, WriteError>;
    /// Inserts or updates campaigns by `id`, or without one by name, in one transaction.
    async fn import_campaigns(&self, rows: Vec<CampaignRecord>, by: &Origin) -> Result<BatchOutcome, StoreError>;
}
