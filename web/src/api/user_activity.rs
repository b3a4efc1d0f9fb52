//! User activity in the panel: number of input events and time of the last one.

use std::cell::Cell;

use chrono::TimeDelta;
use leadscribe_engine::api::Timestamp;
use leptos::ev;

use crate::browser::dom::listen_on_window;
use crate::i18n::datetime::now;

/// Time without input after which the user counts as idle. Requests are then marked as background requests.
const IDLE_TIMEOUT: TimeDelta = TimeDelta::minutes(5);

thread_local! {
    static EVENT_COUNT: Cell<u32> = const { Cell::new(0) };
    static LAST_ACTIVITY: Cell<Option<Timestamp>> = const { Cell::new(None) };
}

/// Listens for input events for the lifetime of the owner. Opening the panel counts as activity.
pub fn listen() {
    record_activity();
    listen_on_window(ev::keydown, |_| record_activity());
    listen_on_window(ev::pointerdown, |_| record_activity());
    listen_on_window(ev::touchstart, |_| record_activity());
    listen_on_window(ev::wheel, |_| record_activity());
}

fn record_activity() {
    EVENT_COUNT.set(EVENT_COUNT.get().wrapping_add(1));
    LAST_ACTIVITY.set(Some(now()));
}

/// Number of key, pointer, touch and wheel events so far.
pub fn event_count() -> u32 {
    EVENT_COUNT.get()
}

/// True if the panel is open but the user is idle.
pub fn is_user_idle() -> bool {
    LAST_ACTIVITY.get().is_some_and(|last_activity| now() - last_activity > IDLE_TIMEOUT)
}
