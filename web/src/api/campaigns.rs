//! Requests for campaigns, their progress and previews of changes.

use gloo_net::http::Method;
use leadscribe_engine::api::{Campaign, CampaignId, CampaignPreview, CampaignProgress, Page};

use super::list_query::list_query;
use super::{Answer, Api, ListQuery};

list_query! {
    /// Query of the campaign list.
    CampaignQuery of "/api/campaigns":
    /// Substring of the name.
    search,
}

impl Api {
    /// Returns a page of campaigns.
    pub async fn campaign_page(self, wanted: CampaignQuery) -> Answer<Page<Campaign>> {
        self.get(&wanted.url()).await
    }

    /// Returns the progress of the campaigns on the same page.
    pub async fn campaign_progress(self, wanted: CampaignQuery) -> Answer<Page<CampaignProgress>> {
        self.get(&format!("/api/campaigns/progress{}", wanted.query_string())).await
    }

    /// Returns one campaign.
    pub async fn campaign(self, id: CampaignId) -> Answer<Campaign> {
        self.get(&format!("/api/campaigns/{id}")).await
    }

    /// Creates a campaign. `body` is JSON text.
    pub async fn create_campaign(self, body: String) -> Answer<Campaign> {
        self.send(Method::POST, "/api/campaigns", Some(body)).await
    }

    /// Returns the effects of a change. `body` is JSON text with the fields to change.
    pub async fn preview_campaign(self, id: CampaignId, body: String) -> Answer<CampaignPreview> {
        self.ask(Method::POST, &format!("/api/campaigns/{id}/preview"), body).await
    }
}
