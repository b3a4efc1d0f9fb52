//! Saved views: lead lists saved by staff.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{UserId, ViewId};

/// A saved lead list.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SavedView {
    /// Id of the view.
    pub id: ViewId,
    /// Name of the view, unique per user.
    pub name: String,
    /// The filter as JSON text, including sort order and page size.
    pub filter: String,
    /// Dates relative to the time at which the view is opened, in the format of the panel's URL.
    pub dates: String,
    /// Columns, in the format of the panel's URL; empty for the default columns.
    pub columns: String,
    /// True if the view is shared with all staff, false if only its owner sees it.
    pub shared: bool,
    /// Owner; null if the user was deleted.
    pub owner_id: Option<UserId>,
    /// Email address of the owner.
    pub owner: Option<String>,
    /// Time of creation.
    pub created_at: DateTime<Utc>,
    /// Time of the latest change.
    pub updated_at: DateTime<Utc>,
}

/// `POST /api/views` and `PUT /api/views/{view_id}`: create or replace a view.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ViewRequest {
    /// Name, 1 to 100 characters.
    pub name: String,
    /// The filter as JSON text, including sort order and page size; at most 8,000 bytes.
    pub filter: String,
    /// Dates relative to the time at which the view is opened, in the format of the panel's URL: `created_at:last-7-days`, separated by
    /// commas; at most 1,000 bytes. A date inside a group is prefixed by its path (`/_or/0/created_at:last-7-days`), and the filter
    /// contains its value from the time of saving.
    #[serde(default)]
    pub dates: String,
    /// Columns in the format of the panel's URL, each with its width in pixels if the user changed it (`lead:240,number,place,city`); at
    /// most 4,000 bytes. Empty for the default columns.
    #[serde(default)]
    pub columns: String,
    /// True to share the view with all staff.
    #[serde(default)]
    pub shared: bool,
}
