//! Log-out action.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::{Api, use_api};
use crate::components::shell::toast::{Toasts, use_toasts};
use crate::crossroads::Crossroads;

/// Action that logs the user out.
#[derive(Clone, Copy)]
pub struct LogOut {
    api: Api,
    toasts: Toasts,
    crossroads: Crossroads,
}

impl LogOut {
    /// Creates the action. Call in a component.
    pub fn new() -> Self {
        Self { api: use_api(), toasts: use_toasts(), crossroads: expect_context() }
    }

    /// Logs out, unless a page or dialog with unsaved work asks for confirmation first.
    pub fn ask(self) {
        if !self.crossroads.holds_those_who_log_out() {
            self.now();
        }
    }

    /// Logs out without asking.
    pub fn now(self) {
        spawn_local(async move {
            if let Err(error) = self.api.log_out().await {
                self.toasts.failed(&error);
            }
        });
    }
}
