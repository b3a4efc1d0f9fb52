//! Handlers, by resource and verb. Each decodes a request, calls one service function and encodes the response.

pub mod api_keys;
pub mod audit;
pub mod calls;
pub mod campaign_leads;
pub mod campaigns;
pub mod changes;
pub mod deliveries;
pub mod events;
pub mod health;
pub mod imports;
pub mod lead_actions;
pub mod leads;
pub mod openapi;
pub mod overview;
pub mod recordings;
pub mod session;
pub mod sessions;
pub mod speech;
pub mod speech_tokens;
pub mod statuses;
pub mod transcripts;
pub mod users;
pub mod views;
pub mod webhooks;
