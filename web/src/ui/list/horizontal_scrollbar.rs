//! Horizontal scrollbar at the bottom of the window for a table that is wider than its container. The table's own
//! scrollbar is below its last row and often not visible.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::ResizeObserver;

/// The scrolled element and the scrollbar. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct HorizontalScrollbar {
    pub container: NodeRef<html::Div>,
    scrollbar: NodeRef<html::Div>,
    /// Width of the content, if it is wider than its container.
    content_width: RwSignal<Option<i32>>,
    /// Scroll position of both elements. An element at another position was scrolled by the user, and the other one
    /// follows. Without this, the following element would scroll the first one back to its position at the time of the
    /// event.
    scroll_left: StoredValue<i32>,
}

impl HorizontalScrollbar {
    /// Creates a scrollbar for the only child of the container.
    pub fn new() -> Self {
        let scrollbar = Self {
            container: NodeRef::new(),
            scrollbar: NodeRef::new(),
            content_width: RwSignal::new(None),
            scroll_left: StoredValue::new(0),
        };
        let observer_guard = StoredValue::new_local(None::<(ResizeObserver, Closure<dyn FnMut()>)>);
        Effect::new(move |_| {
            let Some(container) = scrollbar.container.get() else { return };
            let on_resize = Closure::new(move || scrollbar.measure());
            // All supported browsers have it.
            let Ok(observer) = ResizeObserver::new(on_resize.as_ref().unchecked_ref()) else { return };
            observer.observe(&container);
            if let Some(child) = container.first_element_child() {
                observer.observe(&child);
            }
            observer_guard.set_value(Some((observer, on_resize)));
        });
        on_cleanup(move || {
            if let Some((observer, _)) = observer_guard.try_update_value(Option::take).flatten() {
                observer.disconnect();
            }
        });
        scrollbar
    }

    fn measure(self) {
        let Some(container) = self.container.try_get_untracked().flatten() else { return };
        let content_width =
            Some(container.scroll_width()).filter(|content_width| *content_width > container.client_width());
        if self.content_width.get_untracked() != content_width {
            self.content_width.set(content_width);
        }
    }

    /// True if the content fits its container. Then the container doesn't scroll, and the table header stays visible
    /// while the page scrolls.
    pub fn fits(self) -> bool {
        self.content_width.with(Option::is_none)
    }

    /// Must be called when the content is scrolled.
    pub fn sync(self) {
        self.sync_positions(self.container, self.scrollbar);
    }

    fn sync_positions(self, source: NodeRef<html::Div>, target: NodeRef<html::Div>) {
        let (Some(source), Some(target)) = (source.get_untracked(), target.get_untracked()) else { return };
        if self.scroll_left.get_value() != source.scroll_left() {
            self.scroll_left.set_value(source.scroll_left());
            target.set_scroll_left(source.scroll_left());
        }
    }

    /// The scrollbar, to be placed directly below the content. For pointers only: keyboard users move from link to
    /// link.
    pub fn bar(self) -> AnyView {
        let width = move || format!("{}px", self.content_width.get().unwrap_or_default());
        view! {
            <div
                node_ref=self.scrollbar
                class="horizontal-scrollbar"
                aria-hidden="true"
                tabindex="-1"
                hidden=move || self.content_width.with(Option::is_none)
                data-test="horizontal-scrollbar"
                on:scroll=move |_| self.sync_positions(self.scrollbar, self.container)
            >
                <div style:width=width></div>
            </div>
        }
        .into_any()
    }
}
