//! Leads, and the names filters are made with: campaigns and statuses.

use std::collections::BTreeSet;

use gloo_net::http::Method;
use leadscribe_engine::api::{
    AuditEntry, Campaign, CampaignLead, CampaignLeadId, ExtendedLead, ExtendedLeadsResponse, FieldValuesResponse, Lead,
    LeadActionEntry, LeadActionId, LeadActionOutcome, LeadActionUndo, LeadId, LeadStatus, Page,
};

use serde::Deserialize;
use serde_json::json;

use super::list_query::file_url;
use super::{Answer, Api};
use crate::query::query_string;

/// Where a filter is sent; also what the curl line names.
pub const EXTENDED_DATA: &str = "/api/leads/extended-data";

/// Where all leads that match `filter` come from as a file, in a format the server names so; with just these columns, or all
/// where none are named.
pub fn export_url(filter: &str, format: &str, columns: &[String]) -> String {
    let columns = columns.iter().map(|name| ("column", name.as_str()));
    file_url("/api/leads", format, &[("filter", filter)].into_iter().chain(columns).collect::<Vec<_>>())
}

#[derive(Deserialize)]
struct NamedLeads {
    leads: Vec<NamedLead>,
}

/// A lead of whom only the name is known.
#[derive(Deserialize)]
pub struct NamedLead {
    pub id: LeadId,
    pub first_name: Option<String>,
    pub last_name: Option<String>,
}

impl Api {
    /// The leads that match `filter`, JSON text as the engine prints it.
    pub async fn leads(self, filter: String) -> Answer<ExtendedLeadsResponse> {
        self.ask(Method::PUT, EXTENDED_DATA, filter).await
    }

    /// What these leads are called, at most 1,000; deleted ones are left out.
    pub async fn lead_names(self, ids: &BTreeSet<LeadId>) -> Answer<Vec<NamedLead>> {
        let limit = format!("{};0", ids.len());
        let filter = json!({ "id": ids, "limit": limit, "_fields": ["id", "first_name", "last_name"] });
        let found: NamedLeads = self.ask(Method::PUT, EXTENDED_DATA, filter.to_string()).await?;
        Ok(found.leads)
    }

    /// One lead with all its campaigns.
    pub async fn lead(self, id: LeadId) -> Answer<ExtendedLead> {
        self.get(&format!("/api/leads/{id}")).await
    }

    /// Which values leads have in a text field, of those that start so the most frequent.
    pub async fn field_values(self, key: &str, prefix: &str) -> Answer<FieldValuesResponse> {
        self.get(&format!("/api/leads/values{}", query_string(&[("field", key), ("prefix", prefix)]))).await
    }

    /// How many leads have each value of a text field, of the 100 most frequent.
    pub async fn field_counts(self, key: &str) -> Answer<FieldValuesResponse> {
        self.get(&format!("/api/leads/values{}", query_string(&[("field", key), ("limit", "100")]))).await
    }

    /// Adds a lead; `fields` is JSON text.
    pub async fn create_lead(self, fields: String) -> Answer<Lead> {
        self.send(Method::POST, "/api/leads", Some(fields)).await
    }

    /// Deletes a lead; its calls stay.
    pub async fn delete_lead(self, id: LeadId) -> Answer<()> {
        self.exchange(Method::DELETE, &format!("/api/leads/{id}"), None).await.map(drop)
    }

    /// Puts a lead into a campaign; `fields` is JSON text.
    pub async fn create_campaign_lead(self, fields: String) -> Answer<CampaignLead> {
        self.send(Method::POST, "/api/campaign-leads", Some(fields)).await
    }

    /// A lead in a campaign.
    pub async fn campaign_lead(self, id: CampaignLeadId) -> Answer<CampaignLead> {
        self.get(&format!("/api/campaign-leads/{id}")).await
    }

    /// Takes a lead out of a campaign.
    pub async fn delete_campaign_lead(self, id: CampaignLeadId) -> Answer<()> {
        self.exchange(Method::DELETE, &format!("/api/campaign-leads/{id}"), None).await.map(drop)
    }

    /// Changes many leads at once; `action` is JSON text.
    pub async fn act_on_leads(self, action: String) -> Answer<LeadActionOutcome> {
        self.send(Method::POST, "/api/leads/actions", Some(action)).await
    }

    /// How many leads such an action would change.
    pub async fn preview_lead_action(self, action: String) -> Answer<LeadActionOutcome> {
        self.ask(Method::POST, "/api/leads/actions?dry_run=true", action).await
    }

    /// The newest actions after so many that are known.
    pub async fn lead_actions(self, known: u64) -> Answer<Page<LeadActionEntry>> {
        self.get(&format!("/api/leads/actions?limit=100;{known}")).await
    }

    /// Takes an action back, but for what was changed since.
    pub async fn undo_lead_action(self, id: LeadActionId) -> Answer<LeadActionUndo> {
        self.send(Method::POST, &format!("/api/leads/actions/{id}/undo"), None).await
    }

    /// Who changed a lead, newest first, at most `count` times back.
    pub async fn lead_history(self, id: LeadId, count: u64) -> Answer<Page<AuditEntry>> {
        self.get(&format!("/api/audit-log/leads/{id}?limit={count};0")).await
    }

    /// All campaigns, as far as a picker can show them.
    pub async fn campaigns(self) -> Answer<Page<Campaign>> {
        self.get("/api/campaigns?limit=1000;0").await
    }

    /// The statuses of campaign leads.
    pub async fn statuses(self) -> Answer<Page<LeadStatus>> {
        self.get("/api/statuses").await
    }
}
