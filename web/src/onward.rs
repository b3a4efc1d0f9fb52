//! Resumes a navigation that a blocker stopped.

use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use crate::crossroads::{Crossroads, Leaving};
use crate::log_out::LogOut;

/// A navigation that a blocker stopped.
#[derive(Clone, Debug, PartialEq)]
pub enum Way {
    /// Navigation to this path of the panel.
    To(String),
    /// Back or forward in the browser's history.
    History,
    /// Log-out.
    LogOut,
}

impl Way {
    /// Returns the stopped navigation. `None` for closing the tab, where the browser asks the user itself.
    pub fn of(leaving: Leaving<'_>) -> Option<Self> {
        match leaving {
            Leaving::To(place) => Some(Self::To(place.to_owned())),
            Leaving::History(_) => Some(Self::History),
            Leaving::LoggingOut => Some(Self::LogOut),
            Leaving::Closing => None,
        }
    }
}

/// Resumes navigations. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Onward {
    navigate: Callback<String>,
    log_out: LogOut,
    crossroads: Crossroads,
}

impl Onward {
    /// Call in a component below the router.
    pub fn new() -> Self {
        let navigate = use_navigate();
        let navigate = Callback::new(move |place: String| navigate(&place, Default::default()));
        Self { navigate, log_out: LogOut::new(), crossroads: expect_context() }
    }

    /// Navigates without asking the blockers.
    pub fn go(self, way: Way) {
        match way {
            Way::To(place) => self.navigate.run(place),
            Way::History => self.crossroads.back(),
            Way::LogOut => self.log_out.now(),
        }
    }

    /// Navigates, unless another page or dialog with unsaved work asks for confirmation first.
    pub fn ask(self, way: Way) {
        match way {
            Way::To(place) if self.crossroads.holds(&place) => {}
            Way::To(place) => self.navigate.run(place),
            Way::History => self.crossroads.back_if_nobody_holds(),
            Way::LogOut => self.log_out.ask(),
        }
    }
}
