//! Resumes a navigation that a blocker stopped.

use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use crate::navigation::guard::{NavigationEvent, NavigationGuard};
use crate::navigation::log_out::LogOut;

/// A navigation that a blocker stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum PendingNavigation {
    /// Navigation to this path of the panel.
    ToPath(String),
    /// Back or forward in the browser's history.
    History,
    /// Logout.
    LogOut,
}

impl PendingNavigation {
    /// Returns the stopped navigation. `None` for closing the tab, where the browser asks the user itself.
    pub fn from_event(event: NavigationEvent<'_>) -> Option<Self> {
        match event {
            NavigationEvent::ToPath(path) => Some(Self::ToPath(path.to_owned())),
            NavigationEvent::History(_) => Some(Self::History),
            NavigationEvent::LogOut => Some(Self::LogOut),
            NavigationEvent::CloseTab => None,
        }
    }
}

/// Resumes navigations. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct GuardedNavigator {
    navigate: Callback<String>,
    log_out: LogOut,
    navigation_guard: NavigationGuard,
}

impl GuardedNavigator {
    /// Call in a component below the router.
    pub fn new() -> Self {
        let navigate = use_navigate();
        let navigate = Callback::new(move |path: String| navigate(&path, Default::default()));
        Self { navigate, log_out: LogOut::new(), navigation_guard: expect_context() }
    }

    /// Navigates without asking the blockers.
    pub fn proceed(self, pending: PendingNavigation) {
        match pending {
            PendingNavigation::ToPath(path) => self.navigate.run(path),
            PendingNavigation::History => self.navigation_guard.go_back_unguarded(),
            PendingNavigation::LogOut => self.log_out.proceed(),
        }
    }

    /// Navigates, unless another page or dialog with unsaved work asks for confirmation first.
    pub fn retry(self, pending: PendingNavigation) {
        match pending {
            PendingNavigation::ToPath(path) if self.navigation_guard.blocks_path(&path) => {}
            PendingNavigation::ToPath(path) => self.navigate.run(path),
            PendingNavigation::History => self.navigation_guard.go_back(),
            PendingNavigation::LogOut => self.log_out.request(),
        }
    }
}
