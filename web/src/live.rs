//! What changes while somebody watches, as a context for the whole panel.
//!
//! A page that shows something that changes says so in its body:
//!
//! ```ignore
//! use_live().reload(move |change| matches!(change, Change::Delivery { delivery_id, .. } if *delivery_id == id), load);
//! ```
//!
//! `load` is then run when the server tells of such a change, several at once together, and whenever the stream is open
//! (again), since nothing of what happened before is told. Let it be [`Remote::refresh`](crate::remote::Remote::refresh),
//! which changes nothing on the screen when nothing changed. [`Live::each`] tells every change, for those who show it
//! without asking the server.

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

/// Changes that come so close together are one reason to load.
const TOGETHER: Duration = Duration::from_millis(400);

/// How long after a refusal the stream is asked for again: it may be full, or the server may be starting.
const AGAIN: Duration = Duration::from_secs(10);

/// What is told.
#[derive(Clone, Copy)]
enum News {
    /// The stream is open: changes may have been missed before.
    Open,
    Change(Change),
}

type Listener = Rc<dyn Fn(News)>;

/// The stream of changes; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct Live {
    stream: StoredValue<Option<Events>, LocalStorage>,
    listeners: StoredValue<Vec<(u64, Listener)>, LocalStorage>,
    next: StoredValue<u64>,
    api: Api,
    connection: Connection,
}

/// The changes of this panel.
pub fn use_live() -> Live {
    expect_context()
}

impl Live {
    /// Keeps the stream open while somebody is logged in and the page is in sight. To be called once, beside the session
    /// and the connection.
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
        // It is the document's, and comes up to the window.
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
            // It may be that the session is over.
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
        // A listener may leave, and others come, while they are told.
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

    /// Tells every change to the component that calls this, for as long as it is there.
    pub fn each(self, told: impl Fn(Change) + 'static) {
        self.listen(move |news| {
            if let News::Change(change) = news {
                told(change);
            }
        });
    }

    /// Loads after changes that matter, and when the stream is open, for as long as the component is there that calls
    /// this.
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
