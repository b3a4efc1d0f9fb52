//! Queries of the search benchmark: twelve shapes of filter and five without a suitable index, 32 variants each,
//! deterministic.

mod body;
mod shapes;

use std::ops::RangeInclusive;

pub use body::Dialect;
pub use shapes::queries;

/// Variants per shape.
pub const VARIANTS: usize = 32;

/// Query. Becomes a request body, and is evaluated in [`super::reference`].
pub struct Query {
    /// Name of its shape.
    pub shape: &'static str,
    /// Conditions, all of which must hold.
    pub conditions: Vec<Condition>,
    /// Length and offset of the page, if requested.
    pub limit: Option<(usize, usize)>,
}

/// Length and offset of the default page.
const DEFAULT_LIMIT: (usize, usize) = (200, 0);

impl Query {
    /// Returns length and offset of the page.
    pub fn page(&self) -> (usize, usize) {
        self.limit.unwrap_or(DEFAULT_LIMIT)
    }

    /// True if a lead without campaign leads can't match.
    pub fn is_about_campaign_leads(&self) -> bool {
        self.conditions.iter().any(Condition::is_about_campaign_leads)
    }
}

/// Key of a filter, with its value.
pub enum Condition {
    /// Ids of leads, in order.
    Ids(Vec<u64>),
    FirstNames(Vec<String>),
    /// Range of the lead's `updated_at`, in seconds.
    Updated(RangeInclusive<u32>),
    /// Range of `global_updated_at`, in seconds.
    GlobalUpdated(RangeInclusive<u32>),
    /// Number of the city.
    City(u16),
    /// Postal code.
    Zip(u32),
    /// Substring of the email address, in lower case.
    EmailContains(String),
    /// Index of the source in [`super::data::SOURCES`].
    Source(u8),
    /// Id of the campaign.
    Campaign(u8),
    /// Index of the campaign lead's status in [`super::data::STATUSES`].
    Status(u8),
    /// Range of the campaign lead's `updated_at`, in seconds.
    CampaignUpdated(RangeInclusive<u32>),
    /// Conditions on the lead, at least one of which must hold.
    Any(Vec<Condition>),
}

impl Condition {
    /// True if the condition is on the campaign lead rather than the lead.
    pub fn is_about_campaign_leads(&self) -> bool {
        matches!(self, Self::Campaign(_) | Self::Status(_) | Self::CampaignUpdated(_))
    }
}
