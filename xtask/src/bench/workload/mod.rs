//! The queries of the look-up: twelve shapes of filter and five without an index of their own, 32 variants each, the same
//! everywhere.

mod body;
mod shapes;

use std::ops::RangeInclusive;

pub use body::Dialect;
pub use shapes::queries;

/// Variants of each shape.
pub const VARIANTS: usize = 32;

/// A query and what it means, for [`super::reference`].
pub struct Query {
    /// Which shape it is of.
    pub shape: &'static str,
    /// All of them hold.
    pub conditions: Vec<Condition>,
    /// Length and begin of the page, if asked for.
    pub limit: Option<(usize, usize)>,
}

/// Length and begin of a page that isn't asked for.
const DEFAULT_LIMIT: (usize, usize) = (200, 0);

impl Query {
    /// Length and begin of the page.
    pub fn page(&self) -> (usize, usize) {
        self.limit.unwrap_or(DEFAULT_LIMIT)
    }

    /// Whether a lead without campaign leads can't match.
    pub fn is_about_campaign_leads(&self) -> bool {
        self.conditions.iter().any(Condition::is_about_campaign_leads)
    }
}

/// One key of a filter.
pub enum Condition {
    /// Ids of leads, in order.
    Ids(Vec<u64>),
    /// First names.
    FirstNames(Vec<String>),
    /// Seconds of the lead's `updated_at`.
    Updated(RangeInclusive<u32>),
    /// Seconds of `global_updated_at`.
    GlobalUpdated(RangeInclusive<u32>),
    /// Number of the city.
    City(u16),
    /// The postal code.
    Zip(u32),
    /// What the address has in it, in small letters.
    EmailContains(String),
    /// Place of the source in [`super::data::SOURCES`].
    Source(u8),
    /// The campaign's id.
    Campaign(u8),
    /// Place of the campaign lead's status in [`super::data::STATUSES`].
    Status(u8),
    /// Seconds of the campaign lead's `updated_at`.
    CampaignUpdated(RangeInclusive<u32>),
    /// One of them holds; each is about the lead.
    Any(Vec<Condition>),
}

impl Condition {
    /// Whether it is about the campaign lead, and not the lead.
    pub fn is_about_campaign_leads(&self) -> bool {
        matches!(self, Self::Campaign(_) | Self::Status(_) | Self::CampaignUpdated(_))
    }
}
