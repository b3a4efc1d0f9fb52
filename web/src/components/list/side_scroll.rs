//! Horizontal scrollbar at the bottom of the window for a table that is wider than its container. The table's own scrollbar is below its
//! last row and often not visible.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::ResizeObserver;

/// The scrolled element and the scrollbar. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct SideScroll {
    pub of: NodeRef<html::Div>,
    bar: NodeRef<html::Div>,
    /// Width of the content, if it is wider than its container.
    wide: RwSignal<Option<i32>>,
    /// Scroll position of both elements. An element at another position was scrolled by the user, and the other one follows. Without this,
    /// the following element would scroll the first one back to its position at the time of the event.
    level: StoredValue<i32>,
}

impl SideScroll {
    /// Creates a scrollbar for the only child of `of`.
    pub fn new(of: NodeRef<html::Div>) -> Self {
        let side = Self { of, bar: NodeRef::new(), wide: RwSignal::new(None), level: StoredValue::new(0) };
        let watching = StoredValue::new_local(None::<(ResizeObserver, Closure<dyn FnMut()>)>);
        Effect::new(move |_| {
            let Some(of) = of.get() else { return };
            let resized = Closure::new(move || side.measure());
            // All supported browsers have it.
            let Ok(observer) = ResizeObserver::new(resized.as_ref().unchecked_ref()) else { return };
            observer.observe(&of);
            if let Some(child) = of.first_element_child() {
                observer.observe(&child);
            }
            watching.set_value(Some((observer, resized)));
        });
        on_cleanup(move || {
            if let Some((observer, _)) = watching.try_update_value(Option::take).flatten() {
                observer.disconnect();
            }
        });
        side
    }

    fn measure(self) {
        let Some(of) = self.of.try_get_untracked().flatten() else { return };
        let wide = Some(of.scroll_width()).filter(|wide| *wide > of.client_width());
        if self.wide.get_untracked() != wide {
            self.wide.set(wide);
        }
    }

    /// True if the content fits its container. Then the container doesn't scroll, and the table header stays visible while
    /// the page scrolls.
    pub fn is_whole(self) -> bool {
        self.wide.with(Option::is_none)
    }

    /// Must be called when the content is scrolled.
    pub fn follow(self) {
        self.level_with(self.of, self.bar);
    }

    fn level_with(self, moved: NodeRef<html::Div>, other: NodeRef<html::Div>) {
        let (Some(moved), Some(other)) = (moved.get_untracked(), other.get_untracked()) else { return };
        if self.level.get_value() != moved.scroll_left() {
            self.level.set_value(moved.scroll_left());
            other.set_scroll_left(moved.scroll_left());
        }
    }

    /// The scrollbar, to be placed directly below the content. For pointers only: keyboard users move from link to link.
    pub fn bar(self) -> AnyView {
        let width = move || format!("{}px", self.wide.get().unwrap_or_default());
        view! {
            <div
                node_ref=self.bar
                class="side-scroll"
                aria-hidden="true"
                tabindex="-1"
                hidden=move || self.wide.with(Option::is_none)
                data-test="side-scroll"
                on:scroll=move |_| self.level_with(self.bar, self.of)
            >
                <div style:width=width></div>
            </div>
        }
        .into_any()
    }
}
