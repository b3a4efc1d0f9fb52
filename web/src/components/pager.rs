//! Which part of a list is shown, and ways to the others.

use leptos::html::Div;
use leptos::prelude::*;

use super::icon::{Glyph, Icon};
use crate::when::count;

/// A part of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Rows a page.
    pub size: u64,
    /// Rows before this page.
    pub offset: u64,
}

impl Window {
    /// `count;offset`, as the API takes it.
    pub fn limit(self) -> String {
        format!("{};{}", self.size, self.offset)
    }

    /// From `count;offset`; none when it is something else.
    pub fn from_limit(limit: &str) -> Option<Self> {
        let (size, offset) = limit.split_once(';')?;
        Some(Self { size: size.parse().ok()?, offset: offset.parse().ok()? })
    }

    fn last_offset(self, total: u64) -> u64 {
        total.saturating_sub(1).checked_div(self.size).map_or(0, |pages| pages * self.size)
    }
}

const SIZES: [u64; 4] = [25, 50, 100, 200];

/// The foot of a list.
#[component]
pub fn Pager(
    #[prop(into)] window: Signal<Window>,
    #[prop(into)] total: Signal<Option<u64>>,
    on_change: Callback<Window>,
) -> impl IntoView {
    let range = move || {
        let Window { size, offset } = window.get();
        match total.get() {
            None => "…".to_owned(),
            Some(0) => "0 of 0".to_owned(),
            Some(total) => {
                let end = (offset + size).min(total);
                if offset >= total || size == 0 {
                    format!("None of {}", count(total))
                } else {
                    format!("{}–{} of {}", count(offset + 1), count(end), count(total))
                }
            }
        }
    };
    let at_start = Signal::derive(move || window.get().offset == 0);
    let at_end = Signal::derive(move || {
        let window = window.get();
        total.get().is_none_or(|total| window.offset + window.size >= total)
    });
    let foot = NodeRef::<Div>::new();
    let go = move |offset: u64| {
        on_change.run(Window { offset, ..window.get_untracked() });
        // Another page is read from its first row.
        if let Some(list) = foot.get_untracked().and_then(|foot| foot.parent_element()) {
            list.scroll_into_view();
        }
    };
    let to_last = move || go(window.get_untracked().last_offset(total.get_untracked().unwrap_or(0)));
    let size_options = move || {
        let current = window.get().size;
        let mut sizes = SIZES.to_vec();
        if !sizes.contains(&current) {
            sizes.push(current);
            sizes.sort_unstable();
        }
        sizes
            .into_iter()
            .map(|size| view! { <option value=size.to_string() selected=size == current>{size}</option> })
            .collect_view()
    };
    view! {
        <div class="table-foot" node_ref=foot>
            <label class="page-size">
                "Rows"
                <select
                    class="select"
                    on:change:target=move |event| {
                        if let Ok(size) = event.target().value().parse() {
                            on_change.run(Window { size, offset: 0 });
                        }
                    }
                >
                    {size_options}
                </select>
            </label>
            <nav class="pager" aria-label="Pages">
                <PagerButton glyph=Glyph::First label="First page" disabled=at_start on_press=move || go(0) />
                <PagerButton
                    glyph=Glyph::Previous
                    label="Previous page"
                    disabled=at_start
                    on_press=move || {
                        let window = window.get_untracked();
                        go(window.offset.saturating_sub(window.size));
                    }
                />
                <span class="nowrap" data-test="range" aria-live="polite">
                    {range}
                </span>
                <PagerButton
                    glyph=Glyph::Next
                    label="Next page"
                    disabled=at_end
                    on_press=move || {
                        let window = window.get_untracked();
                        go(window.offset + window.size);
                    }
                />
                <PagerButton glyph=Glyph::Last label="Last page" disabled=at_end on_press=to_last />
            </nav>
        </div>
    }
}

#[component]
fn PagerButton(
    glyph: Glyph,
    label: &'static str,
    disabled: Signal<bool>,
    on_press: impl Fn() + 'static,
) -> impl IntoView {
    view! {
        <button
            type="button"
            class="button button-plain button-small button-icon"
            aria-label=label
            title=label
            disabled=disabled
            on:click=move |_| on_press()
        >
            <Icon glyph />
        </button>
    }
}
