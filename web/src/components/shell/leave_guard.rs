//! Guard for unsaved changes: asks for confirmation before following a link, going back or forward, logging out, or closing the tab.

use leptos::prelude::*;

use crate::components::dialog::confirm::{ConfirmDialog, Doubt, Question};
use crate::crossroads::{Crossroads, Leaving};
use crate::onward::{Onward, Way};
use crate::texts::forms;

/// Blocks leaving the page while there are unsaved changes.
#[component]
pub fn LeaveGuard(
    #[prop(into)] unsaved: Signal<bool>,
    /// Path prefix below which the page and its unsaved changes are kept.
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
        let leaves = match leaving {
            Leaving::To(place) | Leaving::History(place) => is_left_for(place),
            Leaving::LoggingOut | Leaving::Closing => true,
        };
        if let Some(way) = Way::of(leaving).filter(|_| leaves) {
            doubt.ask(way);
        }
        leaves
    });

    let onward = Onward::new();
    let leave = Callback::new(move |way: Way| {
        doubt.close();
        onward.go(way);
    });
    view! { <ConfirmDialog doubt question on_confirm=leave /> }
}

/// True if the rest after a path prefix starts a new segment: `/imports` is not a prefix of `/imports-of-others`.
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
