//! On to where somebody wanted to go who was held on the way.

use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use crate::crossroads::{Crossroads, Leaving};
use crate::log_out::LogOut;

/// A way on which somebody was held.
#[derive(Clone, Debug, PartialEq)]
pub enum Way {
    /// To this place of the panel.
    To(String),
    /// To where the browser's history leads.
    History,
    /// Out.
    LogOut,
}

impl Way {
    /// That of those who are leaving; none for those who close the tab, whom the browser itself asks.
    pub fn of(leaving: Leaving<'_>) -> Option<Self> {
        match leaving {
            Leaving::To(place) => Some(Self::To(place.to_owned())),
            Leaving::History(_) => Some(Self::History),
            Leaving::LoggingOut => Some(Self::LogOut),
            Leaving::Closing => None,
        }
    }
}

/// Goes on; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct Onward {
    navigate: Callback<String>,
    log_out: LogOut,
    crossroads: Crossroads,
}

impl Onward {
    /// To be called in a component below the router.
    pub fn new() -> Self {
        let navigate = use_navigate();
        let navigate = Callback::new(move |place: String| navigate(&place, Default::default()));
        Self { navigate, log_out: LogOut::new(), crossroads: expect_context() }
    }

    /// Goes, whatever is lost.
    pub fn go(self, way: Way) {
        match way {
            Way::To(place) => self.navigate.run(place),
            Way::History => self.crossroads.back(),
            Way::LogOut => self.log_out.now(),
        }
    }

    /// Goes, unless something else would be lost by that: then its page or dialog asks first.
    pub fn ask(self, way: Way) {
        match way {
            Way::To(place) if self.crossroads.holds(&place) => {}
            Way::To(place) => self.navigate.run(place),
            Way::History => self.crossroads.back_if_nobody_holds(),
            Way::LogOut => self.log_out.ask(),
        }
    }
}
