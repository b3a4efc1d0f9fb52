//! Requests for the statuses of campaign leads.

use gloo_net::http::Method;
use leadscribe_engine::api::{LeadStatus, Page, StatusOrderRequest, StatusRequest};

use super::{Api, ApiResult, to_json};

impl Api {
    /// Creates a status, or changes the one with this name.
    pub async fn put_status(self, status: LeadStatus) -> ApiResult<LeadStatus> {
        let LeadStatus { name, label, dialable } = status;
        self.send(Method::PUT, &status_url(&name), Some(to_json(&StatusRequest { label, dialable }))).await
    }

    /// Sets the order of the statuses.
    pub async fn order_statuses(self, names: Vec<String>) -> ApiResult<Page<LeadStatus>> {
        self.send(Method::PUT, "/api/statuses", Some(to_json(&StatusOrderRequest { names }))).await
    }

    pub async fn delete_status(self, name: String) -> ApiResult<()> {
        self.exchange(Method::DELETE, &status_url(&name), None).await.map(drop)
    }
}

fn status_url(name: &str) -> String {
    format!("/api/statuses/{}", String::from(js_sys::encode_uri_component(name)))
}
