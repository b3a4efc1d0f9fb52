//! Saved views: lists of leads as staff saved them.

use chrono::{DateTime, Utc};
use serde::{Deserialize, Serialize};

use super::{UserId, ViewId};

/// A list of leads as somebody saved it.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct SavedView {
    /// Its id.
    pub id: ViewId,
    /// What it is called; nobody has two of a name.
    pub name: String,
    /// The filter as JSON text, with the order of the leads and how many stand on a page.
    pub filter: String,
    /// Dates that are relative to the moment at which the view is opened, as the panel's address has them.
    pub dates: String,
    /// The columns as the panel's address has them; empty for the usual ones.
    pub columns: String,
    /// Whether all staff see it, or its owner alone.
    pub shared: bool,
    /// Whose it is; none when they were removed.
    pub owner_id: Option<UserId>,
    /// Their e-mail address.
    pub owner: Option<String>,
    /// When it was saved.
    pub created_at: DateTime<Utc>,
    /// When it was changed last.
    pub updated_at: DateTime<Utc>,
}

/// `POST /api/views` and `PUT /api/views/{view_id}`: a view as it is to be.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
#[serde(deny_unknown_fields)]
pub struct ViewRequest {
    /// What it is called, 1 to 100 characters.
    pub name: String,
    /// The filter as JSON text, with the order of the leads and how many stand on a page; at most 8,000 bytes.
    pub filter: String,
    /// Dates that are relative to the moment at which the view is opened, as the panel's address has them
    /// (`created_at:last-7-days`, separated by commas); at most 1,000 bytes. Of one inside of a group the filter has what it
    /// was when the view was saved, and its place there comes before it (`/_or/0/created_at:last-7-days`).
    #[serde(default)]
    pub dates: String,
    /// The columns as the panel's address has them, each with its width in pixels where somebody chose one
    /// (`lead:240,number,place,city`), at most 4,000 bytes; empty for the usual ones.
    #[serde(default)]
    pub columns: String,
    /// Whether all staff see it.
    #[serde(default)]
    pub shared: bool,
}
