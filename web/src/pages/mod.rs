//! Pages, one file per route. They load data through [`crate::api`] and pass it to components.

pub mod api_reference;
pub mod call;
pub mod calls;
pub mod campaign;
pub mod campaigns;
pub mod deliveries;
pub mod delivery;
pub mod imports;
pub mod lead;
pub mod leads;
pub mod login;
pub mod not_found;
pub mod palette;
pub mod send_calls;
pub mod session_expired;
pub mod settings;
pub mod today;
pub mod transcripts;
