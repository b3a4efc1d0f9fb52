//! Form of a lead's state in a campaign.

pub mod draft;
pub mod form;
