//! Sample data for a demo: campaigns, leads, campaign leads in every state, and calls with real recordings.
//!
//! The data is the same on every run, except for times, which are relative to the time of loading. The module `sample` creates it without
//! I/O; [`load`] stores it through the same traits and services as an import.

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
