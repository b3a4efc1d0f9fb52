//! Event stream of changes on the server.

use leadscribe_engine::api::ChangeEvent;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, EventSource, MessageEvent};

/// An open event stream. Dropping it closes the stream. The browser reconnects it after a lost connection.
pub struct ChangeSource {
    source: EventSource,
    _closures: [Closure<dyn Fn(Event)>; 3],
}

impl ChangeSource {
    /// Opens the stream; `None` if the browser can't.
    ///
    /// `on_open` is called each time the stream is opened, `on_change` for each change. `on_rejected` is called if the server
    /// refused the stream, which ends it. `on_disconnect` is called after the server refused it and after a lost connection.
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
