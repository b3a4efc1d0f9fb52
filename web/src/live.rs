//! Event stream of changes on the server, as a context for the whole panel.
//!
//! A page that shows data that can change subscribes in its body:
//!
//! ```ignore
//! use_live().reload(move |change| matches!(change, Change::Delivery { delivery_id, .. } if *delivery_id == id), load);
//! ```
//!
//! `load` runs after each matching change; changes in quick succession are combined. It also runs whenever the stream is
//! opened, because earlier changes may have been missed. Use [`Remote::refresh`](crate::remote::Remote::refresh) for it, which
//! leaves the screen alone if nothing changed. [`Live::each`] passes every change on, for components that apply it without a
//! request.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use leadscribe_engine::api::Change;
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::{Api, Events, use_api};
use crate::connection::{Connection, use_connection};
use crate::session::{SessionState, use_session};

/// Time during which changes are combined into one reload.
const TOGETHER: Duration = Duration::from_millis(400);

/// Delay before the stream is requested again after a refusal: the server may have too many streams or may be starting.
const AGAIN: Duration = Duration::from_secs(10);

/// Event for the listeners.
#[derive(Clone, Copy)]
enum News {
    /// The stream was opened: earlier changes may have been missed.
    Open,
    Change(Change),
}

type Listener = Rc<dyn Fn(News)>;

/// Stream of changes. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Live {
    stream: StoredValue<Option<Events>, LocalStorage>,
    listeners: StoredValue<Vec<(u64, Listener)>, LocalStorage>,
    next: StoredValue<u64>,
    api: Api,
    connection: Connection,
}

/// Returns the stream of this panel.
pub fn use_live() -> Live {
    expect_context()
}

impl Live {
    /// Keeps the stream open while a user is logged in and the page is visible. Call once, next to the session and the connection.
    pub fn start() -> Self {
        let live = Self {
            stream: StoredValue::new_local(None),
            listeners: StoredValue::new_local(Vec::new()),
            next: StoredValue::new(0),
            api: use_api(),
            connection: use_connection(),
        };
        let session = use_session();
        let seen = RwSignal::new(!document().hidden());
        // The event fires on the document and bubbles to the window.
        window_event_listener(ev::visibilitychange, move |_| seen.set(!document().hidden()));
        let is_known = move || matches!(session.state(), SessionState::Staff(_)) && !session.is_over();
        let wanted = Memo::new(move |_| seen.get() && is_known());
        Effect::new(move |_| {
            live.stream.set_value(None);
            if wanted.get() {
                live.open(wanted);
            }
        });
        live
    }

    fn open(self, wanted: Memo<bool>) {
        let again = move || {
            let open = move || {
                if wanted.try_get_untracked() == Some(true) {
                    self.open(wanted);
                }
            };
            // The session may have ended.
            spawn_local(self.api.look_for_session());
            set_timeout(open, AGAIN);
        };
        let tell = move |change| self.tell(News::Change(change));
        let opened = move || {
            self.connection.find();
            self.tell(News::Open);
        };
        let broken = move || self.connection.lose();
        self.stream.set_value(Events::open(opened, tell, again, broken));
    }

    fn tell(self, news: News) {
        // Cloned, because listeners may be added or removed during the loop.
        for (_, listener) in self.listeners.get_value() {
            listener(news);
        }
    }

    fn listen(self, listener: impl Fn(News) + 'static) {
        let number = self.next.get_value();
        self.next.set_value(number + 1);
        self.listeners.update_value(|listeners| listeners.push((number, Rc::new(listener))));
        on_cleanup(move || {
            self.listeners.update_value(|listeners| listeners.retain(|(other, _)| *other != number));
        });
    }

    /// Calls `told` with every change for the lifetime of the calling component.
    pub fn each(self, told: impl Fn(Change) + 'static) {
        self.listen(move |news| {
            if let News::Change(change) = news {
                told(change);
            }
        });
    }

    /// Calls `load` after matching changes and when the stream is opened, for the lifetime of the calling component.
    pub fn reload(self, matters: impl Fn(&Change) -> bool + 'static, load: impl Fn() + Clone + 'static) {
        let (waiting, gone) = (Rc::new(Cell::new(false)), StoredValue::new(()));
        self.listen(move |news| {
            let matters = match &news {
                News::Open => true,
                News::Change(change) => matters(change),
            };
            if !matters || waiting.replace(true) {
                return;
            }
            let (waiting, load) = (waiting.clone(), load.clone());
            let due = move || {
                waiting.set(false);
                if gone.try_get_value().is_some() {
                    load();
                }
            };
            set_timeout(due, TOGETHER);
        });
    }
}
