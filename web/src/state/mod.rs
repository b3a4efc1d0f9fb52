//! State of pages and forms: loaded data, mutations, optimistic updates, edit conflicts, undo and toasts.

pub mod edit_conflict;
pub mod file_upload;
pub mod form_json;
pub mod form_state;
pub mod lead_search;
pub mod mutation;
pub mod optimistic;
pub mod optimistic_update;
pub mod resource;
pub mod theme;
pub mod toasts;
pub mod undo;
