//! What is asked of a store about saved views.

use async_trait::async_trait;
use leadscribe_engine::api::*;

use super::{Origin, StoreError, WriteError};

/// Most views of one owner: enough to keep, few enough to be listed at once.
pub const MAX_VIEWS: i64 = 200;

/// Who asks for views.
#[derive(Clone, Copy, Debug)]
pub struct Viewer {
    /// The member of staff.
    pub id: UserId,
    /// Whether they may share views, and change what others share.
    pub may_share: bool,
}

/// Saved views. Each is seen by its owner, and by all staff where it is shared; to others there is none.
///
/// Refused with `role_required` is whoever shares a view and may not, and whoever changes a shared one that isn't theirs
/// and may not share.
#[async_trait]
pub trait ViewStore: Send + Sync {
    /// All that are seen, in no particular order.
    async fn views(&self, by: UserId) -> Result<Vec<SavedView>, StoreError>;
    /// One; none when it isn't seen.
    async fn view(&self, id: ViewId, by: UserId) -> Result<Option<SavedView>, StoreError>;
    /// Saves one; refused when its owner has one of this name, or has [`MAX_VIEWS`].
    async fn create_view(&self, view: &ViewRequest, viewer: Viewer, by: &Origin) -> Result<SavedView, WriteError>;
    /// Changes one; none when it isn't seen. Refused when its owner has another of this name. Who changes one that nobody
    /// owns any more becomes its owner. One that they deleted themselves is saved again under the same id, as by
    /// [`ViewStore::create_view`].
    async fn update_view(
        &self,
        id: ViewId,
        view: &ViewRequest,
        viewer: Viewer,
        by: &Origin,
    ) -> Result<Option<SavedView>, WriteError>;
    /// Removes one; false when it isn't seen.
    async fn delete_view(&self, id: ViewId, viewer: Viewer, by: &Origin) -> Result<bool, WriteError>;
}
