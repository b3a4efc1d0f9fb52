//! Navigation guard: lets a page or dialog with unsaved work block leaving it. Leptos' router has no such guard.

use std::rc::Rc;

use leptos::ev;
use leptos::prelude::*;
use leptos_router::hooks::use_location;
use leptos_router::location::Location;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::{Element, Event, MouseEvent};

use crate::navigation::location;

/// A navigation that is about to happen.
#[derive(Clone, Debug, PartialEq)]
pub enum Navigation {
    /// Navigation to this path of the panel, by a link or by the program.
    ToPath(String),
    /// Back or forward in the browser's history, to this path of the panel.
    History(String),
    LogOut,
    /// The tab is closed or reloaded. The browser asks the user itself.
    CloseTab,
}

/// Asks registered blockers before each navigation: links, back and forward, logout, closing and reloading the tab.
/// Browsers call listeners of the window in the order of registration, so the guard registers before the router does.
#[derive(Clone, Copy)]
pub struct NavigationGuard {
    /// Blockers, each with a number that identifies it for removal.
    blockers: StoredValue<Vec<(u64, Blocker)>, LocalStorage>,
    /// The router's location; set when the first blocker is registered.
    router_location: StoredValue<Option<Location>, LocalStorage>,
    /// True while a navigation that was already confirmed is running.
    is_confirmed: StoredValue<bool>,
}

/// Returns true to block the navigation.
type Blocker = Rc<dyn Fn(&Navigation) -> bool>;

impl NavigationGuard {
    /// Installs the listeners. Call once, before the router is created.
    pub fn install() -> Self {
        let guard = Self {
            blockers: StoredValue::new_local(Vec::new()),
            router_location: StoredValue::new_local(None),
            is_confirmed: StoredValue::new(false),
        };
        window_event_listener(ev::popstate, move |event| {
            if guard.revert_blocked_popstate() {
                event.stop_immediate_propagation();
            }
        });
        window_event_listener(ev::beforeunload, move |event| {
            if guard.blocks(&Navigation::CloseTab) {
                event.prevent_default();
            }
        });
        let on_click = Closure::<dyn Fn(Event)>::new(move |event: Event| {
            if clicked_path(&event).is_some_and(|path| guard.blocks(&Navigation::ToPath(path))) {
                event.prevent_default();
                event.stop_propagation();
            }
        });
        // The window can register listeners for any event. This one uses the capture phase: it runs before the handlers
        // of the clicked element.
        let on_click = on_click.into_js_value();
        _ = window().add_event_listener_with_callback_and_bool("click", on_click.unchecked_ref(), true);
        guard
    }

    /// True if a blocker stops the navigation until the user confirms it.
    pub fn blocks(self, navigation: &Navigation) -> bool {
        // Cloned, because a blocker may unregister itself. The blocker registered last is asked first.
        self.blockers.get_value().iter().rev().any(|(_, blocker)| blocker(navigation))
    }

    /// Goes back without asking the blockers.
    pub fn go_back_unguarded(self) {
        self.is_confirmed.set_value(true);
        self.go_back();
    }

    /// Goes back. Blockers are asked when the browser reports the navigation.
    pub fn go_back(self) {
        // Without a history there is nothing to go back to.
        if let Ok(history) = window().history() {
            _ = history.back();
        }
    }

    /// Registers a blocker for the lifetime of the calling component.
    pub fn add_blocker(self, blocker: impl Fn(&Navigation) -> bool + 'static) {
        self.router_location.set_value(Some(use_location()));
        // The next page can mount before the previous one is cleaned up, so the count of blockers isn't a unique
        // number.
        let number = self.blockers.with_value(|blockers| blockers.last().map_or(0, |(last, _)| last + 1));
        self.blockers.update_value(|blockers| blockers.push((number, Rc::new(blocker))));
        on_cleanup(move || self.blockers.update_value(|blockers| blockers.retain(|(other, _)| *other != number)));
    }

    /// Handles `popstate`: returns true if a blocker stops the navigation that the browser has already done.
    fn revert_blocked_popstate(self) -> bool {
        let is_confirmed = self.is_confirmed.try_update_value(std::mem::take) != Some(false);
        let Some(from) = self.router_location.with_value(|location| location.as_ref().map(location::router_location))
        else {
            return false;
        };
        let to = location::browser_location();
        // A change within the same page doesn't leave it.
        if is_confirmed || from == to || !self.blocks(&Navigation::History(to)) {
            return false;
        }
        // Pushes the old path again, so that the history still contains the blocked target.
        location::push_history(&from);
        true
    }
}

/// Path of the panel that this click navigates to in the same tab, if any.
fn clicked_path(event: &Event) -> Option<String> {
    let mouse_event = event.dyn_ref::<MouseEvent>()?;
    if mouse_event.button() != 0
        || mouse_event.ctrl_key()
        || mouse_event.meta_key()
        || mouse_event.shift_key()
        || mouse_event.alt_key()
    {
        return None;
    }
    let link = event.target()?.dyn_into::<Element>().ok()?.closest("a[href]").ok()??;
    let path = link.get_attribute("href").filter(|path| path.starts_with('/') && !path.starts_with("/api/"))?;
    (!link.has_attribute("target") && !link.has_attribute("download")).then_some(path)
}
