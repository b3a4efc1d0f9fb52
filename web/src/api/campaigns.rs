//! Campaigns, how far they are, and what a change of one would do.

use gloo_net::http::Method;
use leadscribe_engine::api::{Campaign, CampaignId, CampaignPreview, CampaignProgress, Page};

use super::list_query::list_query;
use super::{Answer, Api, ListQuery};

list_query! {
    /// Which campaigns.
    CampaignQuery of "/api/campaigns":
    /// A part of the name.
    search,
}

impl Api {
    /// A page of campaigns.
    pub async fn campaign_page(self, wanted: CampaignQuery) -> Answer<Page<Campaign>> {
        self.get(&wanted.url()).await
    }

    /// How far the campaigns of the same page are.
    pub async fn campaign_progress(self, wanted: CampaignQuery) -> Answer<Page<CampaignProgress>> {
        self.get(&format!("/api/campaigns/progress{}", wanted.query_string())).await
    }

    /// One campaign.
    pub async fn campaign(self, id: CampaignId) -> Answer<Campaign> {
        self.get(&format!("/api/campaigns/{id}")).await
    }

    /// Creates a campaign; `body` is JSON text.
    pub async fn create_campaign(self, body: String) -> Answer<Campaign> {
        self.send(Method::POST, "/api/campaigns", Some(body)).await
    }

    /// What a change of the fields that `body`, JSON text, names would do.
    pub async fn preview_campaign(self, id: CampaignId, body: String) -> Answer<CampaignPreview> {
        self.ask(Method::POST, &format!("/api/campaigns/{id}/preview"), body).await
    }
}
