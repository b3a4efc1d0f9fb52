//! Requests for saved views.

use gloo_net::http::Method;
use leadscribe_engine::api::{Page, SavedView, ViewId, ViewRequest};

use super::{Api, ApiResult, to_json};

impl Api {
    /// Returns all views that the user can see, sorted by name.
    pub async fn views(self) -> ApiResult<Page<SavedView>> {
        self.get("/api/views").await
    }

    pub async fn view(self, id: ViewId) -> ApiResult<SavedView> {
        self.get(&format!("/api/views/{id}")).await
    }

    pub async fn create_view(self, view: ViewRequest) -> ApiResult<SavedView> {
        self.post("/api/views", &view).await
    }

    pub async fn update_view(self, id: ViewId, view: ViewRequest) -> ApiResult<SavedView> {
        self.send(Method::PUT, &format!("/api/views/{id}"), Some(to_json(&view))).await
    }

    pub async fn delete_view(self, id: ViewId) -> ApiResult<()> {
        self.exchange(Method::DELETE, &format!("/api/views/{id}"), None).await.map(drop)
    }
}
