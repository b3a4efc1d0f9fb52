//! Logout action.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::{Api, use_api};
use crate::navigation::guard::NavigationGuard;
use crate::state::toasts::{Toasts, use_toasts};

/// Action that logs the user out.
#[derive(Clone, Copy)]
pub struct LogOut {
    api: Api,
    toasts: Toasts,
    navigation_guard: NavigationGuard,
}

impl LogOut {
    /// Creates the action. Call in a component.
    pub fn new() -> Self {
        Self { api: use_api(), toasts: use_toasts(), navigation_guard: expect_context() }
    }

    /// Logs out, unless a page or dialog with unsaved work asks for confirmation first.
    pub fn request(self) {
        if !self.navigation_guard.blocks_log_out() {
            self.proceed();
        }
    }

    /// Logs out without asking.
    pub fn proceed(self) {
        spawn_local(async move {
            if let Err(error) = self.api.log_out().await {
                self.toasts.show_error(&error);
            }
        });
    }
}
