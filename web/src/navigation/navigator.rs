//! Navigation by the program, with or without asking the blockers.

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos_router::hooks::use_navigate;

use crate::api::{Api, use_api};
use crate::navigation::guard::{Navigation, NavigationGuard};
use crate::state::{Toasts, use_toasts};

/// Navigates and logs out. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Navigator {
    navigate: Callback<String>,
    api: Api,
    toasts: Toasts,
    guard: NavigationGuard,
}

impl Navigator {
    /// Call in a component below the router.
    pub fn new() -> Self {
        let navigate = use_navigate();
        let navigate = Callback::new(move |path: String| navigate(&path, Default::default()));
        Self { navigate, api: use_api(), toasts: use_toasts(), guard: expect_context() }
    }

    /// Navigates, unless a page or dialog with unsaved work asks for confirmation first.
    pub fn go(self, navigation: Navigation) {
        match navigation {
            // Blockers are asked when the browser reports the navigation.
            Navigation::History(_) => self.guard.go_back(),
            navigation if self.guard.blocks(&navigation) => {}
            navigation => self.proceed(navigation),
        }
    }

    /// Navigates without asking the blockers.
    pub fn proceed(self, navigation: Navigation) {
        match navigation {
            Navigation::ToPath(path) => self.navigate.run(path),
            Navigation::History(_) => self.guard.go_back_unguarded(),
            Navigation::LogOut => spawn_local(async move {
                if let Err(error) = self.api.log_out().await {
                    self.toasts.show_error(&error);
                }
            }),
            // Only the browser can close the tab.
            Navigation::CloseTab => {}
        }
    }
}
