//! Whether the server can be reached, as a context for the whole panel.
//!
//! Who gets no answer says so by [`Connection::lose`]. The server is then looked for, less and less often, until it is there
//! again; who waits in [`Connection::found`] goes on then. A break of a moment is nobody's business.

use std::time::Duration;

use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::is_reachable;
use crate::gate::Gate;

/// How long the server is looked for before it is said that the connection is lost.
const SAID_AFTER: Duration = Duration::from_secs(2);

/// How long after the second look the third is taken; each pause is twice the one before.
const SHORTEST: Duration = Duration::from_secs(1);

/// The longest pause between two looks.
const LONGEST: Duration = Duration::from_secs(15);

/// The connection; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct Connection {
    /// Whether it has been lost for so long that it is said.
    said: RwSignal<bool>,
    /// The number of the loss, while the server is looked for.
    loss: StoredValue<Option<u64>>,
    losses: StoredValue<u64>,
    /// The looks that were planned before this number changed aren't taken.
    turn: StoredValue<u64>,
    waiting: Gate,
}

/// The connection of this panel.
pub fn use_connection() -> Connection {
    expect_context()
}

impl Connection {
    /// There, as far as is known. To be called once.
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
        // It is the document's, and comes up to the window.
        window_event_listener(ev::visibilitychange, move |_| connection.look_now());
        connection
    }

    /// Whether it is lost, and has been for a while.
    pub fn is_lost(self) -> bool {
        self.said.get()
    }

    /// Something brought no answer.
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

    /// Something brought an answer.
    pub fn find(self) {
        if self.loss.get_value().is_none() {
            return;
        }
        self.loss.set_value(None);
        self.turn.update_value(|turn| *turn += 1);
        self.said.set(false);
        self.waiting.open();
    }

    /// Waits until it is there again.
    pub async fn found(self) {
        self.lose();
        self.waiting.wait().await;
    }

    /// Looks at once, where the server is looked for.
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
