//! Features of the panel: their pages, components and form state.
//!
//! Features don't import one another; what two of them need is in [`crate::ui`] or below.

pub mod api_docs;
pub mod calls;
pub mod campaigns;
pub mod deliveries;
pub mod imports;
pub mod leads;
pub mod login;
pub mod settings;
pub mod shell;
pub mod today;
pub mod transcripts;
