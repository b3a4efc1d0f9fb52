//! Where people leave a page: what would be lost by that hears of it before they have gone, and may hold them.

use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use leptos_router::location::Location;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, Event, MouseEvent};

use crate::place;

/// How somebody is about to leave.
#[derive(Clone, Copy)]
pub enum Leaving<'a> {
    /// To this place of the panel.
    To(&'a str),
    /// By the browser's history, which leads to this place.
    History(&'a str),
    /// By logging out.
    LoggingOut,
    /// The tab is closed, or loads its page anew.
    Closing,
}

/// Hears of every way to leave, and of links, going back and going forward before the router does: browsers tell listeners of the
/// window in the order in which they came, and the router, which comes first on a page, would have left it already.
#[derive(Clone, Copy)]
pub struct Crossroads {
    hearers: StoredValue<Vec<(u64, Heard)>, LocalStorage>,
    /// Where the router is, once somebody hears.
    location: StoredValue<Option<Location>, LocalStorage>,
    /// Whether those who go back next were asked already.
    is_settled: StoredValue<bool>,
}

/// What is told, and says whether it holds them; by its number it is found again.
type Heard = Rc<dyn Fn(Leaving<'_>) -> bool>;

impl Crossroads {
    /// To be called before there is a router.
    pub fn before_router() -> Self {
        let crossroads = Self {
            hearers: StoredValue::new_local(Vec::new()),
            location: StoredValue::new_local(None),
            is_settled: StoredValue::new(false),
        };
        window_event_listener(ev::popstate, move |event| {
            if crossroads.holds_back() {
                event.stop_immediate_propagation();
            }
        });
        window_event_listener(ev::beforeunload, move |event| {
            if crossroads.tell(Leaving::Closing) {
                event.prevent_default();
            }
        });
        let pressed = Closure::<dyn Fn(Event)>::new(move |event: Event| {
            if followed(&event).is_some_and(|place| crossroads.holds(&place)) {
                event.prevent_default();
                event.stop_propagation();
            }
        });
        // A window takes listeners for every event. This one sees presses before those do that they are meant for.
        let pressed = pressed.into_js_value();
        _ = window().add_event_listener_with_callback_and_bool("click", pressed.unchecked_ref(), true);
        crossroads
    }

    /// Whether those who want to go to `place` are held until they have said that what would be lost may be.
    pub fn holds(self, place: &str) -> bool {
        self.tell(Leaving::To(place))
    }

    /// Whether those who want to log out are held in the same way.
    pub fn holds_those_who_log_out(self) -> bool {
        self.tell(Leaving::LoggingOut)
    }

    /// Goes back, which nobody is told any more.
    pub fn back(self) {
        self.is_settled.set_value(true);
        self.back_if_nobody_holds();
    }

    /// Goes back, of which those hear who may hold somebody.
    pub fn back_if_nobody_holds(self) {
        // Without a history nobody could have gone.
        if let Ok(history) = window().history() {
            _ = history.back();
        }
    }

    /// Tells the component that calls this, for as long as it is there, and which says whether it holds them.
    pub fn hear(self, heard: impl Fn(Leaving<'_>) -> bool + 'static) {
        self.add(Rc::new(heard));
    }

    fn add(self, heard: Heard) {
        self.location.set_value(Some(use_location()));
        // A page may come before the last one has gone.
        let number = self.hearers.with_value(|all| all.last().map_or(0, |(last, _)| last + 1));
        self.hearers.update_value(|all| all.push((number, heard)));
        on_cleanup(move || self.hearers.update_value(|all| all.retain(|(other, _)| *other != number)));
    }

    fn tell(self, leaving: Leaving<'_>) -> bool {
        // A hearer may leave while it is told. What came last stands before the others.
        self.hearers.get_value().iter().rev().any(|(_, heard)| heard(leaving))
    }

    /// Whether those are held whom the browser's history has led elsewhere.
    fn holds_back(self) -> bool {
        let is_settled = self.is_settled.try_update_value(std::mem::take) != Some(false);
        let Some(from) = self.location.with_value(|location| location.as_ref().map(place::routed)) else {
            return false;
        };
        let to = place::in_sight();
        // To another part of the same page nobody leaves it.
        if is_settled || from == to || !self.tell(Leaving::History(&to)) {
            return false;
        }
        // The place is entered again, so that the history leads back to where they went.
        place::enter(&from);
        true
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
