//! Requests for saved views.

use gloo_net::http::Method;
use leadscribe_engine::api::{Page, SavedView, ViewId, ViewRequest};

use super::{Answer, Api, json};

impl Api {
    /// Returns all views that the user can see, sorted by name.
    pub async fn views(self) -> Answer<Page<SavedView>> {
        self.get("/api/views").await
    }

    pub async fn view(self, id: ViewId) -> Answer<SavedView> {
        self.get(&format!("/api/views/{id}")).await
    }

    pub async fn create_view(self, view: ViewRequest) -> Answer<SavedView> {
        self.post("/api/views", &view).await
    }

    pub async fn update_view(self, id: ViewId, view: ViewRequest) -> Answer<SavedView> {
        self.send(Method::PUT, &format!("/api/views/{id}"), Some(json(&view))).await
    }

    pub async fn delete_view(self, id: ViewId) -> Answer<()> {
        self.exchange(Method::DELETE, &format!("/api/views/{id}"), None).await.map(drop)
    }
}
