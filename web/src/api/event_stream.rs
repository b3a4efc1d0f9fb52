//! Event stream of changes on the server, as a context for the whole panel.
//!
//! A page whose data can change subscribes in its body:
//!
//! ```ignore
//! use_event_stream().reload_on(move |change| matches!(change, ChangeEvent::Delivery { delivery_id, .. } if *delivery_id == id), load);
//! ```
//!
//! `load` runs after each matching change; changes in quick succession are combined. It also runs whenever the stream
//! is opened, because earlier changes may have been missed. In `load`, call
//! [`ApiResource::refresh`](crate::state::resource::ApiResource::refresh), which changes nothing on the page if the
//! response is the same. [`EventStream::on_change`] passes every change on, for components that apply it without a
//! request.

use std::cell::Cell;
use std::rc::Rc;
use std::time::Duration;

use leadscribe_engine::api::ChangeEvent;
use leptos::ev;
use leptos::prelude::*;
use leptos::task::spawn_local;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, EventSource, MessageEvent};

use crate::api::{Api, Connection, SessionState, use_api, use_connection, use_session};
use crate::browser::dom::listen_on_window;

/// Time during which changes are combined into one reload.
const RELOAD_DELAY: Duration = Duration::from_millis(400);

/// Delay before the stream is requested again after the server refused it: the server may have too many streams or may
/// be starting.
const RECONNECT_DELAY: Duration = Duration::from_secs(10);

/// Event for the listeners.
#[derive(Clone, Copy)]
enum StreamEvent {
    /// The stream was opened: earlier changes may have been missed.
    Opened,
    Change(ChangeEvent),
}

type Listener = Rc<dyn Fn(StreamEvent)>;

/// Stream of changes. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct EventStream {
    source: StoredValue<Option<ChangeSource>, LocalStorage>,
    listeners: StoredValue<Vec<(u64, Listener)>, LocalStorage>,
    next_listener_number: StoredValue<u64>,
    api: Api,
    connection: Connection,
}

pub fn use_event_stream() -> EventStream {
    expect_context()
}

impl EventStream {
    /// Keeps the stream open while a user is logged in and the page is visible. Call once, next to the session and the
    /// connection.
    pub fn start() -> Self {
        let event_stream = Self {
            source: StoredValue::new_local(None),
            listeners: StoredValue::new_local(Vec::new()),
            next_listener_number: StoredValue::new(0),
            api: use_api(),
            connection: use_connection(),
        };
        let session = use_session();
        let is_visible = RwSignal::new(!document().hidden());
        // The event fires on the document and bubbles to the window.
        listen_on_window(ev::visibilitychange, move |_| is_visible.set(!document().hidden()));
        let is_logged_in = move || matches!(session.state(), SessionState::LoggedIn(_)) && !session.is_expired();
        let should_be_open = Memo::new(move |_| is_visible.get() && is_logged_in());
        Effect::new(move |_| {
            event_stream.source.set_value(None);
            if should_be_open.get() {
                event_stream.connect(should_be_open);
            }
        });
        event_stream
    }

    fn connect(self, should_be_open: Memo<bool>) {
        let reconnect_later = move || {
            let open = move || {
                if should_be_open.try_get_untracked() == Some(true) {
                    self.connect(should_be_open);
                }
            };
            // The session may have ended.
            spawn_local(self.api.verify_session());
            set_timeout(open, RECONNECT_DELAY);
        };
        let on_change = move |change| self.notify_listeners(StreamEvent::Change(change));
        let on_open = move || {
            self.connection.report_reachable();
            self.notify_listeners(StreamEvent::Opened);
        };
        let on_disconnect = move || self.connection.report_lost();
        self.source.set_value(ChangeSource::connect(on_open, on_change, reconnect_later, on_disconnect));
    }

    fn notify_listeners(self, event: StreamEvent) {
        // Cloned, because listeners may be added or removed during the loop.
        for (_, listener) in self.listeners.get_value() {
            listener(event);
        }
    }

    fn subscribe(self, listener: impl Fn(StreamEvent) + 'static) {
        let number = self.next_listener_number.get_value();
        self.next_listener_number.set_value(number + 1);
        self.listeners.update_value(|listeners| listeners.push((number, Rc::new(listener))));
        on_cleanup(move || {
            self.listeners
                .update_value(|listeners| listeners.retain(|(listener_number, _)| *listener_number != number));
        });
    }

    /// Calls `callback` with every change for the lifetime of the calling component.
    pub fn on_change(self, callback: impl Fn(ChangeEvent) + 'static) {
        self.subscribe(move |event| {
            if let StreamEvent::Change(change) = event {
                callback(change);
            }
        });
    }

    /// Calls `load` after matching changes and when the stream is opened, for the lifetime of the calling component.
    pub fn reload_on(self, is_relevant: impl Fn(&ChangeEvent) -> bool + 'static, load: impl Fn() + Clone + 'static) {
        self.reload(true, is_relevant, load);
    }

    /// Like [`Self::reload_on`], but not when the stream is opened: for pages that also reload at an interval.
    pub fn reload_on_change(
        self,
        is_relevant: impl Fn(&ChangeEvent) -> bool + 'static,
        load: impl Fn() + Clone + 'static,
    ) {
        self.reload(false, is_relevant, load);
    }

    fn reload(
        self,
        on_open: bool,
        is_relevant: impl Fn(&ChangeEvent) -> bool + 'static,
        load: impl Fn() + Clone + 'static,
    ) {
        let (is_scheduled, owner_guard) = (Rc::new(Cell::new(false)), StoredValue::new(()));
        self.subscribe(move |event| {
            let is_relevant = match &event {
                StreamEvent::Opened => on_open,
                StreamEvent::Change(change) => is_relevant(change),
            };
            if !is_relevant || is_scheduled.replace(true) {
                return;
            }
            let (is_scheduled, load) = (is_scheduled.clone(), load.clone());
            let run_reload = move || {
                is_scheduled.set(false);
                if owner_guard.try_get_value().is_some() {
                    load();
                }
            };
            set_timeout(run_reload, RELOAD_DELAY);
        });
    }
}

/// An open event stream. Dropping it closes the stream. The browser reconnects it after a lost connection.
pub struct ChangeSource {
    source: EventSource,
    _closures: [Closure<dyn Fn(Event)>; 3],
}

impl ChangeSource {
    /// Opens the stream; `None` if the browser can't.
    ///
    /// `on_open` is called each time the stream is opened, `on_change` for each change. `on_disconnect` is called if
    /// the connection is lost or the server refused the stream. In the second case, the browser doesn't reconnect and
    /// `on_rejected` is called too.
    pub fn connect(
        on_open: impl Fn() + 'static,
        on_change: impl Fn(ChangeEvent) + 'static,
        on_rejected: impl Fn() + 'static,
        on_disconnect: impl Fn() + 'static,
    ) -> Option<Self> {
        let source = EventSource::new("/api/events").ok()?;
        let open_handler = event_closure(move |_| on_open());
        let message_handler = event_closure(move |event| {
            let text = event.dyn_into::<MessageEvent>().ok().and_then(|event| event.data().as_string());
            // A newer server may send changes that this panel doesn't know.
            if let Some(change) = text.and_then(|text| serde_json::from_str(&text).ok()) {
                on_change(change);
            }
        });
        let error_handler = event_closure({
            let source = source.clone();
            move |_| {
                on_disconnect();
                if source.ready_state() == EventSource::CLOSED {
                    on_rejected();
                }
            }
        });
        source.set_onopen(Some(open_handler.as_ref().unchecked_ref()));
        source.set_onmessage(Some(message_handler.as_ref().unchecked_ref()));
        source.set_onerror(Some(error_handler.as_ref().unchecked_ref()));
        Some(Self { source, _closures: [open_handler, message_handler, error_handler] })
    }
}

impl Drop for ChangeSource {
    fn drop(&mut self) {
        self.source.set_onopen(None);
        self.source.set_onmessage(None);
        self.source.set_onerror(None);
        self.source.close();
    }
}

fn event_closure(handler: impl Fn(Event) + 'static) -> Closure<dyn Fn(Event)> {
    Closure::new(handler)
}
