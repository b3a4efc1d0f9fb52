//! Leads, and the names filters are made with: campaigns and statuses.

use gloo_net::http::Method;
use leadscribe_engine::api::{Campaign, ExtendedLead, ExtendedLeadsResponse, LeadId, LeadStatus, Page};

use super::{Answer, Api};

/// Where a filter is sent; also what the curl line names.
pub const EXTENDED_DATA: &str = "/api/leads/extended-data";

impl Api {
    /// The leads that match `filter`, JSON text as the engine prints it.
    pub async fn leads(self, filter: String) -> Answer<ExtendedLeadsResponse> {
        self.send(Method::PUT, EXTENDED_DATA, Some(filter)).await
    }

    /// One lead with all its campaigns.
    pub async fn lead(self, id: LeadId) -> Answer<ExtendedLead> {
        self.get(&format!("/api/leads/{id}")).await
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
