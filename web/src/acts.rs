//! User activity in the panel: number of input events and time of the last one.

use std::cell::Cell;

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;
use leptos::ev;
use leptos::prelude::*;

use crate::when::now;

/// Time without input after which the user counts as idle. Requests are then marked as unattended.
const THERE: TimeDelta = TimeDelta::minutes(5);

thread_local! {
    static ACTS: Cell<u32> = const { Cell::new(0) };
    static LAST: Cell<Option<Timestamp>> = const { Cell::new(None) };
}

/// Listens for input events for the lifetime of the owner. Opening the panel counts as activity.
pub fn listen() {
    note();
    let listeners = [
        window_event_listener(ev::keydown, |_| note()),
        window_event_listener(ev::pointerdown, |_| note()),
        window_event_listener(ev::touchstart, |_| note()),
        window_event_listener(ev::wheel, |_| note()),
    ];
    on_cleanup(move || listeners.into_iter().for_each(|listener| listener.remove()));
}

fn note() {
    ACTS.set(ACTS.get().wrapping_add(1));
    LAST.set(Some(now()));
}

/// Number of key, pointer, touch and wheel events so far.
pub fn count() -> u32 {
    ACTS.get()
}

/// True if the panel is open but the user is idle.
pub fn is_unattended() -> bool {
    LAST.get().is_some_and(|last| now() - last > THERE)
}
