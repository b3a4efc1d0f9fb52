//! Sample data for a first look: campaigns, leads, campaign leads in every state, and calls with real recordings.
//!
//! The data are the same on every run but for the times, which lie around the moment of loading. The module `sample` makes
//! them without any I/O; [`load`] stores them through the same traits and services that an import uses.

mod calls;
mod campaign_leads;
mod campaigns;
mod countries;
mod leads;
mod load;
mod random;
mod recordings;
mod sample;

pub use load::load;
