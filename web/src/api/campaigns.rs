//! Requests for campaigns, their progress and previews of changes.

use gloo_net::http::Method;
use leadscribe_engine::api::{Campaign, CampaignId, CampaignPreview, CampaignProgress, Page};

use super::list_query::list_query;
use super::{Api, ApiResult, ListQuery};

list_query! {
    /// Query of the campaign list.
    CampaignQuery of "/api/campaigns":
    /// Substring of the name.
    search,
}

impl Api {
    /// Returns a page of campaigns.
    pub async fn campaign_page(self, query: CampaignQuery) -> ApiResult<Page<Campaign>> {
        self.get(&query.url()).await
    }

    /// Returns the progress of the campaigns on the same page.
    pub async fn campaign_progress(self, query: CampaignQuery) -> ApiResult<Page<CampaignProgress>> {
        self.get(&format!("/api/campaigns/progress{}", query.query_string())).await
    }

    /// Returns one campaign.
    pub async fn campaign(self, id: CampaignId) -> ApiResult<Campaign> {
        self.get(&format!("/api/campaigns/{id}")).await
    }

    /// Creates a campaign. `body` is JSON text.
    pub async fn create_campaign(self, body: String) -> ApiResult<Campaign> {
        self.send(Method::POST, "/api/campaigns", Some(body)).await
    }

    /// Returns the effects of a change. `body` is JSON text with the fields to change.
    pub async fn preview_campaign(self, id: CampaignId, body: String) -> ApiResult<CampaignPreview> {
        self.send_read_only(Method::POST, &format!("/api/campaigns/{id}/preview"), body).await
    }
}
