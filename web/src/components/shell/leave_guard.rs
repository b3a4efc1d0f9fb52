//! Asks before what somebody filled in is lost: when they follow a link, go back or forward, log out, or close the tab.

use leptos::prelude::*;
use leptos_router::hooks::use_navigate;

use crate::components::dialog::confirm::{ConfirmDialog, Doubt, Question};
use crate::crossroads::{Crossroads, Leaving};
use crate::log_out::LogOut;
use crate::texts::forms;

/// How they would leave.
#[derive(Clone, Debug, PartialEq)]
enum Way {
    /// To this place of the panel.
    Link(String),
    /// To where the browser's history leads.
    History,
    /// Out.
    LogOut,
}

/// Holds the page while something is unsaved.
#[component]
pub fn LeaveGuard(
    #[prop(into)] unsaved: Signal<bool>,
    /// The page stays, with what is unsaved, at every place that begins so.
    #[prop(optional)]
    stays_below: Option<&'static str>,
) -> impl IntoView {
    let doubt = Doubt::<Way>::new();
    let is_left_for =
        move |place: &str| stays_below.is_none_or(|below| place.strip_prefix(below).is_none_or(|rest| !is_part(rest)));
    let crossroads = expect_context::<Crossroads>();
    crossroads.hear(move |leaving| {
        if unsaved.try_get_untracked() != Some(true) {
            return false;
        }
        let way = match leaving {
            Leaving::Closing => return true,
            Leaving::Link(place) | Leaving::To(place) if is_left_for(place) => Way::Link(place.to_owned()),
            Leaving::History(place) if is_left_for(place) => Way::History,
            Leaving::LoggingOut => Way::LogOut,
            _ => return false,
        };
        doubt.ask(way);
        true
    });

    let (navigate, log_out) = (use_navigate(), LogOut::new());
    let leave = Callback::new(move |way: Way| {
        doubt.close();
        match way {
            Way::Link(place) => navigate(&place, Default::default()),
            Way::History => crossroads.back(),
            Way::LogOut => log_out.now(),
        }
    });
    view! { <ConfirmDialog doubt question on_confirm=leave /> }
}

/// Whether what follows the beginning of a place is a part of its own: `/imports` isn't the beginning of `/imports-of-others`.
fn is_part(rest: &str) -> bool {
    rest.is_empty() || rest.starts_with(['/', '?', '#'])
}

fn question(_: &Way) -> Question {
    Question {
        title: forms::leave_unsaved().to_owned(),
        text: forms::leave_unsaved_why().to_owned(),
        action: forms::leave(),
    }
}
