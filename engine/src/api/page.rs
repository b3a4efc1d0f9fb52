//! Pages of lists.

use serde::{Deserialize, Serialize};

/// One page of a list, with the total number of entries.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Page<T> {
    /// The entries of this page.
    pub items: Vec<T>,
    /// Total number of entries in the list.
    pub total: u64,
}
