//! A bar at the lower edge of the window by which a table that is wider than its place is moved sideways: its own bar is below
//! its last row, often out of sight.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use wasm_bindgen::prelude::Closure;
use web_sys::ResizeObserver;

/// What is moved, and the bar; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct SideScroll {
    pub of: NodeRef<html::Div>,
    bar: NodeRef<html::Div>,
    /// How wide what is moved is, where that is wider than its place.
    wide: RwSignal<Option<i32>>,
    /// How far both are moved. What stands elsewhere was moved by somebody, and the other one follows; without this, one that
    /// followed would take the first back to where it was when the event was made.
    level: StoredValue<i32>,
}

impl SideScroll {
    /// For the only child of `of`.
    pub fn new(of: NodeRef<html::Div>) -> Self {
        let side = Self { of, bar: NodeRef::new(), wide: RwSignal::new(None), level: StoredValue::new(0) };
        let watching = StoredValue::new_local(None::<(ResizeObserver, Closure<dyn FnMut()>)>);
        Effect::new(move |_| {
            let Some(of) = of.get() else { return };
            let resized = Closure::new(move || side.measure());
            // Every browser that can run the panel has it.
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

    /// Whether what is moved fits into its place, so that there is nothing to move. Then it needn't scroll by itself, and the heads
    /// of a table stay in sight while the page scrolls.
    pub fn is_whole(self) -> bool {
        self.wide.with(Option::is_none)
    }

    /// To be called when what is moved was moved.
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

    /// The bar, to stand right below what it moves. It is for pointers alone: the keyboard goes from link to link.
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
