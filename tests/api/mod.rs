//! The routes over HTTP, one file per resource, the refusals included.

mod api_keys;
mod audit_log;
mod calls;
mod campaign_leads;
mod campaigns;
mod deliveries;
mod document;
mod events;
mod extended_leads;
mod health;
mod imports;
mod lead_actions;
mod lead_export;
mod lead_values;
mod leads;
mod openapi;
mod overview;
mod recordings;
mod session;
mod speech_recognition;
mod speech_tokens;
mod statuses;
mod sweep;
mod transcripts;
mod users;
mod wire;
