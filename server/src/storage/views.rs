//! Store interface for saved views.

use async_trait::async_trait;
use leadscribe_engine::api::*;

use super::{AuditContext, Result, WriteError};

/// Maximum number of views of one owner: enough for users, and few enough to list without pages.
pub const MAX_VIEWS_PER_OWNER: i64 = 200;

/// User on whose behalf views are accessed.
#[derive(Clone, Copy, Debug)]
pub struct Viewer {
    /// Id of the user.
    pub id: UserId,
    /// True if the user may share views and change the shared views of others.
    pub can_share: bool,
}

/// Saved views. A view is visible to its owner and, if it is shared, to all staff. For other users it doesn't exist.
///
/// Writes are refused with `role_required` if the user shares a view or changes another owner's shared view without the right to share.
#[async_trait]
pub trait ViewStore: Send + Sync {
    /// All visible views, in no particular order.
    async fn views(&self, user: UserId) -> Result<Vec<SavedView>>;
    /// A single view; `None` if it isn't visible.
    async fn view(&self, id: ViewId, user: UserId) -> Result<Option<SavedView>>;
    /// Saves a view. Refused if its owner has another view with this name, or has [`MAX_VIEWS_PER_OWNER`].
    async fn create_view(
        &self,
        view: &ViewRequest,
        viewer: Viewer,
        audit: &AuditContext,
    ) -> Result<SavedView, WriteError>;
    /// Changes a view. `None` if it isn't visible; refused if its owner has another view with this name. If the view
    /// has no owner, the user becomes its owner. A view that the user deleted is created again under the same id, with
    /// the checks of [`ViewStore::create_view`]. With `expected_versions`, refused if its version isn't one of them,
    /// and a deleted view isn't created again.
    async fn update_view(
        &self,
        id: ViewId,
        view: &ViewRequest,
        viewer: Viewer,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<Option<SavedView>, WriteError>;
    /// Deletes a view. False if it isn't visible; refused if its version isn't one of `expected_versions`.
    async fn delete_view(
        &self,
        id: ViewId,
        viewer: Viewer,
        expected_versions: Option<Vec<Timestamp>>,
        audit: &AuditContext,
    ) -> Result<bool, WriteError>;
}
