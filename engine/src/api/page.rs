//! Pages of lists.

use serde::{Deserialize, Serialize};

/// One page of a list, and how many there are in all.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[cfg_attr(feature = "openapi", derive(utoipa::ToSchema))]
pub struct Page<T> {
    /// The entries of this page.
    pub items: Vec<T>,
    /// How many entries the whole list has.
    pub total: u64,
}
