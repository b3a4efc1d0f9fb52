//! The server's stream of what changes.

use leadscribe_engine::api::Change;
use wasm_bindgen::JsCast;
use wasm_bindgen::closure::Closure;
use web_sys::{Event, EventSource, MessageEvent};

/// An open stream; it is closed when this is dropped. Where the connection is lost the browser opens it again by itself.
pub struct Events {
    source: EventSource,
    _closures: [Closure<dyn Fn(Event)>; 3],
}

impl Events {
    /// Opens the stream; none where the browser can't. `on_open` is told each time it is open, `on_change` what changes,
    /// `on_refusal` that the server refused, after which nothing follows; `on_break`
    /// of either and of a lost connection.
    pub fn open(
        on_open: impl Fn() + 'static,
        on_change: impl Fn(Change) + 'static,
        on_refusal: impl Fn() + 'static,
        on_break: impl Fn() + 'static,
    ) -> Option<Self> {
        let source = EventSource::new("/api/events").ok()?;
        let opened = closure(move |_| on_open());
        let told = closure(move |event| {
            let text = event.dyn_into::<MessageEvent>().ok().and_then(|event| event.data().as_string());
            // What this panel doesn't know yet, a newer server tells others.
            if let Some(change) = text.and_then(|text| serde_json::from_str(&text).ok()) {
                on_change(change);
            }
        });
        let failed = closure({
            let source = source.clone();
            move |_| {
                on_break();
                if source.ready_state() == EventSource::CLOSED {
                    on_refusal();
                }
            }
        });
        source.set_onopen(Some(opened.as_ref().unchecked_ref()));
        source.set_onmessage(Some(told.as_ref().unchecked_ref()));
        source.set_onerror(Some(failed.as_ref().unchecked_ref()));
        Some(Self { source, _closures: [opened, told, failed] })
    }
}

impl Drop for Events {
    fn drop(&mut self) {
        self.source.set_onopen(None);
        self.source.set_onmessage(None);
        self.source.set_onerror(None);
        self.source.close();
    }
}

fn closure(react: impl Fn(Event) + 'static) -> Closure<dyn Fn(Event)> {
    Closure::new(react)
}
