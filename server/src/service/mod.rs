//! Use cases shared by the API, the commands and the importers.
//!
//! A service uses the traits of [`crate::storage`] and the clock, never HTTP or an adapter.

pub mod bulk_writes;
pub mod call_submission;
pub mod calls;
pub mod campaign_leads;
pub mod campaigns;
pub mod change_feed;
pub mod credentials;
pub mod deliveries;
pub mod error;
pub mod imports;
pub mod known_devices;
pub mod lead_actions;
pub mod lead_export;
pub mod lead_lookup;
pub mod lead_matching;
pub mod leads;
pub mod list_export;
pub mod login_attempts;
pub mod metrics_collector;
pub mod operations;
pub mod overview;
pub mod passwords;
pub mod recordings;
pub mod retention;
pub mod secrets;
pub mod session_list;
pub mod sessions;
pub mod spool;
pub mod staff;
pub mod statuses;
pub mod storage_quota;
pub mod transcripts;
pub mod user_agent;
pub mod views;
