//! Navigation guard: lets a page or dialog with unsaved work block leaving it.

use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use leptos_router::location::Location;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, Event, MouseEvent};

use crate::place;

/// A navigation that is about to happen.
#[derive(Clone, Copy)]
pub enum Leaving<'a> {
    /// Navigation to this path of the panel, by a link or by the program.
    To(&'a str),
    /// Back or forward in the browser's history, to this path of the panel.
    History(&'a str),
    /// Log-out.
    LoggingOut,
    /// The tab is closed or reloaded.
    Closing,
}

/// Asks registered blockers before each navigation: links, back and forward, log-out, closing and reloading the tab. Browsers
/// call listeners of the window in the order of registration, so the guard registers before the router does.
#[derive(Clone, Copy)]
pub struct Crossroads {
    hearers: StoredValue<Vec<(u64, Heard)>, LocalStorage>,
    /// The router's location; set when the first blocker is registered.
    location: StoredValue<Option<Location>, LocalStorage>,
    /// True while a navigation that was already confirmed is running.
    is_settled: StoredValue<bool>,
}

/// A blocker: returns true to block the navigation. Its number identifies it for removal.
type Heard = Rc<dyn Fn(Leaving<'_>) -> bool>;

impl Crossroads {
    /// Installs the listeners. Call once, before the router is created.
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
        // The window can register listeners for any event. This one uses the capture phase: it runs before the handlers of the
        // clicked element.
        let pressed = pressed.into_js_value();
        _ = window().add_event_listener_with_callback_and_bool("click", pressed.unchecked_ref(), true);
        crossroads
    }

    /// True if a blocker stops the navigation to `place` until the user confirms it.
    pub fn holds(self, place: &str) -> bool {
        self.tell(Leaving::To(place))
    }

    /// True if a blocker stops the log-out until the user confirms it.
    pub fn holds_those_who_log_out(self) -> bool {
        self.tell(Leaving::LoggingOut)
    }

    /// Goes back without asking the blockers.
    pub fn back(self) {
        self.is_settled.set_value(true);
        self.back_if_nobody_holds();
    }

    /// Goes back. Blockers are asked when the browser reports the navigation.
    pub fn back_if_nobody_holds(self) {
        // Without a history there is nothing to go back to.
        if let Ok(history) = window().history() {
            _ = history.back();
        }
    }

    /// Registers a blocker for the lifetime of the calling component.
    pub fn hear(self, heard: impl Fn(Leaving<'_>) -> bool + 'static) {
        self.add(Rc::new(heard));
    }

    fn add(self, heard: Heard) {
        self.location.set_value(Some(use_location()));
        // The next page can mount before the previous one is cleaned up, so numbers are not reused.
        let number = self.hearers.with_value(|all| all.last().map_or(0, |(last, _)| last + 1));
        self.hearers.update_value(|all| all.push((number, heard)));
        on_cleanup(move || self.hearers.update_value(|all| all.retain(|(other, _)| *other != number)));
    }

    fn tell(self, leaving: Leaving<'_>) -> bool {
        // Cloned, because a blocker may unregister itself. The blocker registered last is asked first.
        self.hearers.get_value().iter().rev().any(|(_, heard)| heard(leaving))
    }

    /// Handles `popstate`: returns true if a blocker stops the navigation that the browser has already done.
    fn holds_back(self) -> bool {
        let is_settled = self.is_settled.try_update_value(std::mem::take) != Some(false);
        let Some(from) = self.location.with_value(|location| location.as_ref().map(place::routed)) else {
            return false;
        };
        let to = place::in_sight();
        // A change within the same page doesn't leave it.
        if is_settled || from == to || !self.tell(Leaving::History(&to)) {
            return false;
        }
        // Pushes the old path again, so that the history still contains the blocked target.
        place::enter(&from);
        true
    }
}

/// Path of the panel that this click navigates to in the same tab, if any.
fn followed(event: &Event) -> Option<String> {
    let press = event.dyn_ref::<MouseEvent>()?;
    if press.button() != 0 || press.ctrl_key() || press.meta_key() || press.shift_key() || press.alt_key() {
        return None;
    }
    let link = event.target()?.dyn_into::<Element>().ok()?.closest("a[href]").ok()??;
    let place = link.get_attribute("href").filter(|place| place.starts_with('/') && !place.starts_with("/api/"))?;
    (!link.has_attribute("target") && !link.has_attribute("download")).then_some(place)
}
