//! Connection state of the panel, as a context.
//!
//! A request that gets no response calls [`Connection::report_lost`]. The panel then polls the server with increasing
//! delays. Once the server answers, tasks that wait in [`Connection::wait_until_reachable`] continue. Short
//! interruptions are not shown.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::is_reachable;
use crate::browser::scheduler::{Debounce, Notifier};

/// Time without connection before the panel shows it as lost.
const LOST_NOTICE_DELAY: Duration = Duration::from_secs(2);

/// Delay after the first attempt. Each later delay is twice the previous one.
const MIN_POLL_DELAY: Duration = Duration::from_secs(1);

/// Maximum delay between two attempts.
const MAX_POLL_DELAY: Duration = Duration::from_secs(15);

/// Connection state. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Connection {
    /// True while the server is polled.
    is_lost: StoredValue<bool>,
    /// True if the connection has been lost long enough to be shown as lost.
    is_shown_as_lost: RwSignal<bool>,
    notice_timer: Debounce,
    poll_timer: Debounce,
    reconnected: Notifier,
}

pub fn use_connection() -> Connection {
    expect_context()
}

impl Connection {
    /// Assumes that the server can be reached. Call once.
    pub fn start() -> Self {
        let connection = Self {
            is_lost: StoredValue::new(false),
            is_shown_as_lost: RwSignal::new(false),
            notice_timer: Debounce::new(),
            poll_timer: Debounce::new(),
            reconnected: Notifier::default(),
        };
        window_event_listener(ev::offline, move |_| connection.report_lost());
        window_event_listener(ev::online, move |_| connection.poll_now());
        // The event fires on the document and bubbles to the window.
        window_event_listener(ev::visibilitychange, move |_| connection.poll_now());
        connection
    }

    /// True if the connection is shown as lost.
    pub fn is_lost(self) -> bool {
        self.is_shown_as_lost.get()
    }

    /// Reports that a request got no response.
    pub fn report_lost(self) {
        if !self.is_lost.get_value() {
            self.is_lost.set_value(true);
            self.notice_timer.schedule(LOST_NOTICE_DELAY, move || self.is_shown_as_lost.set(true));
            self.poll_now();
        }
    }

    /// Reports that a request got a response.
    pub fn report_reachable(self) {
        if self.is_lost.get_value() {
            self.is_lost.set_value(false);
            self.notice_timer.cancel();
            self.poll_timer.cancel();
            self.is_shown_as_lost.set(false);
            self.reconnected.notify_all();
        }
    }

    /// Waits until the server can be reached again.
    pub async fn wait_until_reachable(self) {
        self.report_lost();
        self.reconnected.wait().await;
    }

    /// Polls immediately if the connection is lost.
    fn poll_now(self) {
        if self.is_lost.get_value() {
            self.poll_after(Duration::ZERO);
        }
    }

    fn poll_after(self, delay: Duration) {
        let poll = move || {
            spawn_local(async move {
                match is_reachable().await {
                    true => self.report_reachable(),
                    false if self.is_lost.get_value() => {
                        self.poll_after((delay * 2).clamp(MIN_POLL_DELAY, MAX_POLL_DELAY));
                    }
                    false => {}
                }
            });
        };
        self.poll_timer.schedule(delay, poll);
    }
}
