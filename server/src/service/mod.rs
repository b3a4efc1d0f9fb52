//! Use cases shared by the API, the commands and the importers.
//!
//! A service uses the traits of [`crate::storage`] and the clock, never HTTP or an adapter.

pub mod allowance;
pub mod attempts;
pub mod bulk_writes;
pub mod calls;
pub mod campaign_leads;
pub mod campaigns;
pub mod changes;
pub mod credentials;
pub mod deliveries;
pub mod devices;
pub mod error;
pub mod export_leads;
pub mod export_lists;
pub mod imports;
pub mod lead_actions;
pub mod leads;
pub mod look_up_leads;
pub mod operations;
pub mod overview;
pub mod own_sessions;
pub mod parties;
pub mod passwords;
pub mod recordings;
pub mod retention;
pub mod secrets;
pub mod sessions;
pub mod spool;
pub mod staff;
pub mod statuses;
pub mod submit_calls;
pub mod transcripts;
pub mod user_agent;
pub mod views;
pub mod vital_signs;
