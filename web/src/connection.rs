//! Connection state of the panel, as a context.
//!
//! A request without an answer reports it with [`Connection::lose`]. The panel then polls the server with increasing delays
//! until it answers; tasks that wait in [`Connection::found`] continue then. Short interruptions are not shown.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::is_reachable;
use crate::gate::Gate;

/// Time without connection before the panel shows it as lost.
const SAID_AFTER: Duration = Duration::from_secs(2);

/// Delay after the first attempt. Each later delay is twice the previous one.
const SHORTEST: Duration = Duration::from_secs(1);

/// Maximum delay between two attempts.
const LONGEST: Duration = Duration::from_secs(15);

/// Connection state. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Connection {
    /// True if the connection has been lost long enough to be shown as lost.
    said: RwSignal<bool>,
    /// Number of the current loss, while the server is polled.
    loss: StoredValue<Option<u64>>,
    losses: StoredValue<u64>,
    /// Incremented to cancel attempts that were scheduled before.
    turn: StoredValue<u64>,
    waiting: Gate,
}

/// Returns the connection of this panel.
pub fn use_connection() -> Connection {
    expect_context()
}

impl Connection {
    /// Assumes that the server can be reached. Call once.
    pub fn start() -> Self {
        let connection = Self {
            said: RwSignal::new(false),
            loss: StoredValue::new(None),
            losses: StoredValue::new(0),
            turn: StoredValue::new(0),
            waiting: Gate::new(),
        };
        window_event_listener(ev::offline, move |_| connection.lose());
        window_event_listener(ev::online, move |_| connection.look_now());
        // The event fires on the document and bubbles to the window.
        window_event_listener(ev::visibilitychange, move |_| connection.look_now());
        connection
    }

    /// True if the connection is shown as lost.
    pub fn is_lost(self) -> bool {
        self.said.get()
    }

    /// Reports a request without an answer.
    pub fn lose(self) {
        if self.loss.get_value().is_some() {
            return;
        }
        let number = self.losses.get_value() + 1;
        self.losses.set_value(number);
        self.loss.set_value(Some(number));
        let say = move || {
            if self.loss.get_value() == Some(number) {
                self.said.set(true);
            }
        };
        set_timeout(say, SAID_AFTER);
        self.look_now();
    }

    /// Reports a request with an answer.
    pub fn find(self) {
        if self.loss.get_value().is_none() {
            return;
        }
        self.loss.set_value(None);
        self.turn.update_value(|turn| *turn += 1);
        self.said.set(false);
        self.waiting.open();
    }

    /// Waits until the server can be reached again.
    pub async fn found(self) {
        self.lose();
        self.waiting.wait().await;
    }

    /// Tries immediately if the connection is lost.
    fn look_now(self) {
        if self.loss.get_value().is_some() {
            self.turn.update_value(|turn| *turn += 1);
            self.look(self.turn.get_value(), Duration::ZERO);
        }
    }

    fn look(self, turn: u64, pause: Duration) {
        let look = move || {
            if self.turn.get_value() != turn {
                return;
            }
            spawn_local(async move {
                let is_there = is_reachable().await;
                match self.turn.get_value() == turn {
                    false => {}
                    true if is_there => self.find(),
                    true => self.look(turn, (pause * 2).clamp(SHORTEST, LONGEST)),
                }
            });
        };
        set_timeout(look, pause);
    }
}
