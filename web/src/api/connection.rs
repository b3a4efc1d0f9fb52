//! Connection state of the panel, as a context.
//!
//! A request without a response reports it with [`Connection::report_lost`]. The panel then polls the server with increasing delays
//! until it answers; tasks that wait in [`Connection::wait_until_reachable`] continue then. Short interruptions are not shown.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::is_reachable;
use crate::browser::notifier::Notifier;

/// Time without connection before the panel shows it as lost.
const LOST_NOTICE_DELAY: Duration = Duration::from_secs(2);

/// Delay after the first attempt. Each later delay is twice the previous one.
const MIN_POLL_DELAY: Duration = Duration::from_secs(1);

/// Maximum delay between two attempts.
const MAX_POLL_DELAY: Duration = Duration::from_secs(15);

/// Connection state. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Connection {
    /// True if the connection has been lost long enough to be shown as lost.
    is_shown_as_lost: RwSignal<bool>,
    /// Number of the current loss, while the server is polled.
    current_loss: StoredValue<Option<u64>>,
    loss_count: StoredValue<u64>,
    /// Incremented to cancel attempts that were scheduled before.
    poll_number: StoredValue<u64>,
    reconnected: Notifier,
}

/// Returns the connection of this panel.
pub fn use_connection() -> Connection {
    expect_context()
}

impl Connection {
    /// Assumes that the server can be reached. Call once.
    pub fn start() -> Self {
        let connection = Self {
            is_shown_as_lost: RwSignal::new(false),
            current_loss: StoredValue::new(None),
            loss_count: StoredValue::new(0),
            poll_number: StoredValue::new(0),
            reconnected: Notifier::new(),
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

    /// Reports a request without a response.
    pub fn report_lost(self) {
        if self.current_loss.get_value().is_some() {
            return;
        }
        let number = self.loss_count.get_value() + 1;
        self.loss_count.set_value(number);
        self.current_loss.set_value(Some(number));
        let show_lost = move || {
            if self.current_loss.get_value() == Some(number) {
                self.is_shown_as_lost.set(true);
            }
        };
        set_timeout(show_lost, LOST_NOTICE_DELAY);
        self.poll_now();
    }

    /// Reports a request with a response.
    pub fn report_reachable(self) {
        if self.current_loss.get_value().is_none() {
            return;
        }
        self.current_loss.set_value(None);
        self.poll_number.update_value(|poll_number| *poll_number += 1);
        self.is_shown_as_lost.set(false);
        self.reconnected.notify_all();
    }

    /// Waits until the server can be reached again.
    pub async fn wait_until_reachable(self) {
        self.report_lost();
        self.reconnected.wait().await;
    }

    /// Tries immediately if the connection is lost.
    fn poll_now(self) {
        if self.current_loss.get_value().is_some() {
            self.poll_number.update_value(|poll_number| *poll_number += 1);
            self.schedule_poll(self.poll_number.get_value(), Duration::ZERO);
        }
    }

    fn schedule_poll(self, poll_number: u64, delay: Duration) {
        let poll = move || {
            if self.poll_number.get_value() != poll_number {
                return;
            }
            spawn_local(async move {
                let has_answered = is_reachable().await;
                match self.poll_number.get_value() == poll_number {
                    false => {}
                    true if has_answered => self.report_reachable(),
                    true => self.schedule_poll(poll_number, (delay * 2).clamp(MIN_POLL_DELAY, MAX_POLL_DELAY)),
                }
            });
        };
        set_timeout(poll, delay);
    }
}
