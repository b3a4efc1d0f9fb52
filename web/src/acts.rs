//! What somebody does at the panel: how often, and when last.

use std::cell::Cell;

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;
use leptos::ev;
use leptos::prelude::*;

use crate::when::now;

/// For how long after a key or a press somebody is taken to be there, and what is asked of the server to be asked for them.
const THERE: TimeDelta = TimeDelta::minutes(5);

thread_local! {
    static ACTS: Cell<u32> = const { Cell::new(0) };
    static LAST: Cell<Option<Timestamp>> = const { Cell::new(None) };
}

/// Listens as long as the owner is there. Whoever opens the panel does something.
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

/// How often somebody pressed, typed or scrolled.
pub fn count() -> u32 {
    ACTS.get()
}

/// Whether nobody is at the panel that is open.
pub fn is_unattended() -> bool {
    LAST.get().is_some_and(|last| now() - last > THERE)
}
