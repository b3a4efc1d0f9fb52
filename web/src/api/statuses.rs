//! Requests for the statuses of campaign leads.

use gloo_net::http::Method;
use leadscribe_engine::api::{LeadStatus, Page, StatusOrderRequest, StatusRequest};

use super::{Answer, Api, json};

impl Api {
    /// Creates a status, or changes the one with this name.
    pub async fn put_status(self, status: LeadStatus) -> Answer<LeadStatus> {
        let LeadStatus { name, label, dialable } = status;
        self.send(Method::PUT, &one(&name), Some(json(&StatusRequest { label, dialable }))).await
    }

    /// Sets the order of the statuses.
    pub async fn order_statuses(self, names: Vec<String>) -> Answer<Page<LeadStatus>> {
        self.send(Method::PUT, "/api/statuses", Some(json(&StatusOrderRequest { names }))).await
    }

    pub async fn delete_status(self, name: String) -> Answer<()> {
        self.exchange(Method::DELETE, &one(&name), None).await.map(drop)
    }
}

fn one(name: &str) -> String {
    format!("/api/statuses/{}", String::from(js_sys::encode_uri_component(name)))
}
