//! Requests for leads and for the campaigns and statuses that filters refer to.

use std::collections::BTreeSet;

use gloo_net::http::Method;
use leadscribe_engine::api::{
    AuditEntry, Campaign, CampaignLead, CampaignLeadId, ExtendedLead, ExtendedLeadsResponse, FieldValuesResponse, Lead,
    LeadActionEntry, LeadActionId, LeadActionOutcome, LeadActionUndo, LeadId, LeadStatus, Page,
};

use serde::Deserialize;
use serde_json::json;

use super::list_query::file_url;
use super::{Api, ApiResult};
use crate::browser::query::query_string;

/// Path of lead queries; also used in the generated code.
pub const EXTENDED_DATA: &str = "/api/leads/extended-data";

/// URL of the leads that match `filter` as a file. `format` is the server's name of the format. All columns are exported if
/// none are named.
pub fn export_url(filter: &str, format: &str, columns: &[String]) -> String {
    let columns = columns.iter().map(|name| ("column", name.as_str()));
    file_url("/api/leads", format, &[("filter", filter)].into_iter().chain(columns).collect::<Vec<_>>())
}

#[derive(Deserialize)]
struct NamedLeads {
    leads: Vec<NamedLead>,
}

/// A lead of which only the name is loaded.
#[derive(Deserialize)]
pub struct NamedLead {
    pub id: LeadId,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
}

impl Api {
    /// Returns the leads that match `filter`, JSON text in the engine's canonical form.
    pub async fn leads(self, filter: String) -> ApiResult<ExtendedLeadsResponse> {
        self.send_read_only(Method::PUT, EXTENDED_DATA, filter).await
    }

    /// Returns the names of at most 1,000 leads, without deleted ones.
    pub async fn lead_names(self, ids: &BTreeSet<LeadId>) -> ApiResult<Vec<NamedLead>> {
        let limit = format!("{};0", ids.len());
        let filter = json!({ "id": ids, "limit": limit, "_fields": ["id", "first_name", "last_name"] });
        let response: NamedLeads = self.send_read_only(Method::PUT, EXTENDED_DATA, filter.to_string()).await?;
        Ok(response.leads)
    }

    /// Returns one lead with all its campaigns.
    pub async fn lead(self, id: LeadId) -> ApiResult<ExtendedLead> {
        self.get(&format!("/api/leads/{id}")).await
    }

    /// Returns the most frequent values of a text field that begin with `prefix`.
    pub async fn field_values(self, key: &str, prefix: &str) -> ApiResult<FieldValuesResponse> {
        self.get(&format!("/api/leads/values{}", query_string(&[("field", key), ("prefix", prefix)]))).await
    }

    /// Returns the 100 most frequent values of a text field with the number of leads.
    pub async fn field_value_counts(self, key: &str) -> ApiResult<FieldValuesResponse> {
        self.get(&format!("/api/leads/values{}", query_string(&[("field", key), ("limit", "100")]))).await
    }

    /// Creates a lead. `fields` is JSON text.
    pub async fn create_lead(self, fields: String) -> ApiResult<Lead> {
        self.send(Method::POST, "/api/leads", Some(fields)).await
    }

    /// Deletes a lead. Its calls are kept.
    pub async fn delete_lead(self, id: LeadId) -> ApiResult<()> {
        self.exchange(Method::DELETE, &format!("/api/leads/{id}"), None).await.map(drop)
    }

    /// Adds a lead to a campaign. `fields` is JSON text.
    pub async fn create_campaign_lead(self, fields: String) -> ApiResult<CampaignLead> {
        self.send(Method::POST, "/api/campaign-leads", Some(fields)).await
    }

    /// Returns a campaign lead.
    pub async fn campaign_lead(self, id: CampaignLeadId) -> ApiResult<CampaignLead> {
        self.get(&format!("/api/campaign-leads/{id}")).await
    }

    /// Removes a lead from a campaign.
    pub async fn delete_campaign_lead(self, id: CampaignLeadId) -> ApiResult<()> {
        self.exchange(Method::DELETE, &format!("/api/campaign-leads/{id}"), None).await.map(drop)
    }

    /// Changes many leads at once. `action` is JSON text.
    pub async fn run_lead_action(self, action: String) -> ApiResult<LeadActionOutcome> {
        self.send(Method::POST, "/api/leads/actions", Some(action)).await
    }

    /// Returns how many leads such an action would change.
    pub async fn preview_lead_action(self, action: String) -> ApiResult<LeadActionOutcome> {
        self.send_read_only(Method::POST, "/api/leads/actions?dry_run=true", action).await
    }

    /// Returns the next page of lead actions, newest first. `loaded_count` is the number of actions loaded so far.
    pub async fn lead_actions(self, loaded_count: u64) -> ApiResult<Page<LeadActionEntry>> {
        self.get(&format!("/api/leads/actions?limit=100;{loaded_count}")).await
    }

    /// Undoes an action, except for leads that were changed since.
    pub async fn undo_lead_action(self, id: LeadActionId) -> ApiResult<LeadActionUndo> {
        self.send(Method::POST, &format!("/api/leads/actions/{id}/undo"), None).await
    }

    /// Returns the last `count` changes of a lead, newest first.
    pub async fn lead_history(self, id: LeadId, count: u64) -> ApiResult<Page<AuditEntry>> {
        self.get(&format!("/api/audit-log/leads/{id}?limit={count};0")).await
    }

    /// Returns the first 1,000 campaigns, for pickers.
    pub async fn campaigns(self) -> ApiResult<Page<Campaign>> {
        self.get("/api/campaigns?limit=1000;0").await
    }

    /// Returns the statuses of campaign leads.
    pub async fn statuses(self) -> ApiResult<Page<LeadStatus>> {
        self.get("/api/statuses").await
    }
}
