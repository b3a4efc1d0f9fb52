//! State of pages and forms: loaded data, mutations, optimistic updates, edit conflicts, undo and toasts.

mod edit_conflict;
pub mod form_state;
pub mod lead_search;
mod mutation;
pub mod optimistic;
pub mod resource;
mod theme;
mod toasts;
pub mod undo;

pub use edit_conflict::{EditConflict, SaveResult};
pub use form_state::FormState;
pub use mutation::{FileUpload, Mutation};
pub use resource::ApiResource;
pub use theme::{Theme, ThemeChoice, use_theme};
pub use toasts::{ActionProgress, Toast, Toasts, use_toasts};
