//! Asks before what somebody filled in is lost: when they follow a link, go back or forward, or close the tab.

use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use leptos_router::hooks::{use_location, use_navigate};
use wasm_bindgen::prelude::Closure;
use wasm_bindgen::{JsCast, JsValue};
use web_sys::{Element, Event, MouseEvent};

use crate::components::dialog::confirm::{ConfirmDialog, Doubt, Question};
use crate::texts::forms;

/// How they would leave.
#[derive(Clone, Debug, PartialEq)]
enum Way {
    /// To this place of the panel.
    Link(String),
    /// To where the browser's history leads.
    History,
}

/// How somebody is about to leave.
enum Leaving<'a> {
    /// By the browser's history.
    History(&'a Event),
    /// To this place of the panel, without a link.
    To(&'a str),
}

/// Hears of every way to leave that isn't a link, and of going back or forward before the router does: browsers tell listeners
/// of the window in the order in which they came, and the router, which comes first on a page, would have left it already.
#[derive(Clone, Copy)]
pub struct Crossroads(StoredValue<Vec<(u64, Heard)>, LocalStorage>);

/// What is told, and says whether it holds them; by its number it is found again.
type Heard = Rc<dyn Fn(&Leaving<'_>) -> bool>;

impl Crossroads {
    /// To be called before there is a router.
    pub fn before_router() -> Self {
        let crossroads = Self(StoredValue::new_local(Vec::new()));
        window_event_listener(ev::popstate, move |event| _ = crossroads.tell(&Leaving::History(&event)));
        crossroads
    }

    /// Whether the page holds those who want to go to `place` until they have said that what is unsaved may be lost; then it
    /// takes them there itself.
    pub fn holds(self, place: &str) -> bool {
        self.tell(&Leaving::To(place))
    }

    fn tell(self, leaving: &Leaving<'_>) -> bool {
        // A listener may leave while it is told.
        self.0.get_value().iter().any(|(_, heard)| heard(leaving))
    }

    /// Tells the component that calls this, for as long as it is there.
    fn hear(self, heard: impl Fn(&Leaving<'_>) -> bool + 'static) {
        // A page may come before the last one has gone.
        let number = self.0.with_value(|all| all.last().map_or(0, |(last, _)| last + 1));
        self.0.update_value(|all| all.push((number, Rc::new(heard))));
        on_cleanup(move || self.0.update_value(|all| all.retain(|(other, _)| *other != number)));
    }
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
    let is_leaving = StoredValue::new(false);
    let holds = move || unsaved.try_get_untracked() == Some(true) && is_leaving.try_get_value() == Some(false);
    let holds_from = move |place: &str| {
        holds() && stays_below.is_none_or(|below| place.strip_prefix(below).is_none_or(|rest| !is_part(rest)))
    };
    // The page may stay for another thing of the same kind, which is held again.
    Effect::new(move |_| {
        if !unsaved.get() {
            is_leaving.set_value(false);
        }
    });

    let closing = window_event_listener(ev::beforeunload, move |event| {
        if holds() {
            event.prevent_default();
        }
    });
    on_cleanup(move || closing.remove());
    first_to_see_presses(move |event| {
        if let Some(place) = followed(&event).filter(|place| holds_from(place)) {
            event.prevent_default();
            event.stop_propagation();
            doubt.ask(Way::Link(place));
        }
    });
    let location = use_location();
    expect_context::<Crossroads>().hear(move |leaving| {
        let event = match leaving {
            // The browser has left already.
            Leaving::History(event) if holds_from(&window().location().pathname().unwrap_or_default()) => event,
            Leaving::To(place) if holds_from(place) => {
                doubt.ask(Way::Link((*place).to_owned()));
                return true;
            }
            _ => return false,
        };
        event.stop_immediate_propagation();
        // The place is entered again, so that the browser's history leads back to where they went.
        let place = format!(
            "{}?{}",
            location.pathname.get_untracked(),
            location.search.get_untracked().trim_start_matches('?')
        );
        if let Ok(history) = window().history() {
            // A place of the same site is never refused.
            let _ = history.push_state_with_url(&JsValue::NULL, "", Some(place.trim_end_matches('?')));
        }
        doubt.ask(Way::History);
        true
    });

    let navigate = use_navigate();
    let leave = Callback::new(move |way: Way| {
        doubt.close();
        is_leaving.set_value(true);
        match way {
            Way::Link(place) => navigate(&place, Default::default()),
            // Without a history nobody could have gone back.
            Way::History => _ = window().history().and_then(|history| history.back()),
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

/// Where a press leads, if it follows a link to another place of the panel in this tab.
fn followed(event: &Event) -> Option<String> {
    let press = event.dyn_ref::<MouseEvent>()?;
    if press.button() != 0 || press.ctrl_key() || press.meta_key() || press.shift_key() || press.alt_key() {
        return None;
    }
    let link = event.target()?.dyn_into::<Element>().ok()?.closest("a[href]").ok()??;
    let place = link.get_attribute("href").filter(|place| place.starts_with('/') && !place.starts_with("/api/"))?;
    (!link.has_attribute("target") && !link.has_attribute("download")).then_some(place)
}

/// Sees every press before the router does, for as long as the component is there that calls this.
fn first_to_see_presses(seen: impl FnMut(Event) + 'static) {
    let listener = StoredValue::new_local(Closure::<dyn FnMut(Event)>::new(seen));
    let each = move |bind: fn(&web_sys::Window, &js_sys::Function)| {
        // It is there as long as the component, and a window takes listeners for every event.
        _ = listener.try_with_value(|listener| bind(&window(), listener.as_ref().unchecked_ref()));
    };
    each(|window, listener| _ = window.add_event_listener_with_callback_and_bool("click", listener, true));
    on_cleanup(move || {
        each(|window, listener| _ = window.remove_event_listener_with_callback_and_bool("click", listener, true));
    });
}
