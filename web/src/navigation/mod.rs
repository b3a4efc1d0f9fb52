//! Locations in the panel, guards against losing unsaved input, and logging out.

pub mod guard;
pub mod location;
pub mod navigator;
pub mod settings_tabs;
