//! A bar at the lower edge of the window by which a table that is wider than its place is moved sideways: its own bar is below
//! its last row, out of sight.

use leptos::prelude::*;
use leptos::{ev, html};

/// What is scrolled, and the bar; a handle that can be copied anywhere.
#[derive(Clone, Copy)]
pub struct SideScroll {
    pub of: NodeRef<html::Div>,
    bar: NodeRef<html::Div>,
    /// How wide what is scrolled is, where that is wider than its place.
    wide: RwSignal<Option<i32>>,
}

impl SideScroll {
    /// Of a table that may be as wide as it was no longer when what `again` looks at changes.
    pub fn new(again: impl Fn() + Send + Sync + 'static) -> Self {
        let side = Self { of: NodeRef::new(), bar: NodeRef::new(), wide: RwSignal::new(None) };
        Effect::new(move |_| {
            again();
            // The rows are drawn first.
            request_animation_frame(move || side.measure());
        });
        let resized = window_event_listener(ev::resize, move |_| side.measure());
        on_cleanup(move || resized.remove());
        side
    }

    fn measure(self) {
        if let Some(of) = self.of.try_get_untracked().flatten() {
            let wide = Some(of.scroll_width()).filter(|wide| *wide > of.client_width());
            if self.wide.get_untracked() != wide {
                self.wide.set(wide);
            }
        }
    }

    /// Lets the bar follow somebody who moves the table otherwise.
    pub fn follow(self) {
        if let (Some(of), Some(bar)) = (self.of.get_untracked(), self.bar.get_untracked()) {
            bar.set_scroll_left(of.scroll_left());
        }
    }

    /// The bar, which is for pointers alone: the keyboard goes from link to link.
    pub fn bar(self) -> AnyView {
        let pull = move |_| {
            if let (Some(of), Some(bar)) = (self.of.get_untracked(), self.bar.get_untracked()) {
                of.set_scroll_left(bar.scroll_left());
            }
        };
        let wide = move || format!("{}px", self.wide.get().unwrap_or_default());
        view! {
            <div
                node_ref=self.bar
                class="side-scroll"
                aria-hidden="true"
                tabindex="-1"
                hidden=move || self.wide.with(Option::is_none)
                data-test="side-scroll"
                on:scroll=pull
            >
                <div style:width=wide></div>
            </div>
        }
        .into_any()
    }
}
