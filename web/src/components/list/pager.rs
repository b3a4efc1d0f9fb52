//! Pager: the visible part of a list, and navigation to other parts.

use leptos::html::Div;
use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::texts::lead_table as texts;
use crate::when::count;

/// A page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Window {
    /// Rows per page.
    pub size: u64,
    /// Number of rows before this page.
    pub offset: u64,
}

impl Window {
    /// `count;offset`, as the API expects it.
    pub fn limit(self) -> String {
        format!("{};{}", self.size, self.offset)
    }

    /// Parses `count;offset`; `None` if the format is different.
    pub fn from_limit(limit: &str) -> Option<Self> {
        let (size, offset) = limit.split_once(';')?;
        Some(Self { size: size.parse().ok()?, offset: offset.parse().ok()? })
    }

    fn last_offset(self, total: u64) -> u64 {
        total.saturating_sub(1).checked_div(self.size).map_or(0, |pages| pages * self.size)
    }
}

const SIZES: [u64; 4] = [25, 50, 100, 200];

/// Value of the option without pages.
const ALL: &str = "all";

/// Footer of a list.
#[component]
pub fn Pager(
    #[prop(into)] window: Signal<Window>,
    #[prop(into)] total: Signal<Option<u64>>,
    on_change: Callback<Window>,
    /// True while the rows of the page are loading and older ones are shown.
    #[prop(optional)]
    stale: Signal<bool>,
    /// Switches to scrolling, if the list supports it.
    #[prop(optional_no_strip)]
    on_all: Option<Callback<()>>,
) -> impl IntoView {
    let range = move |before: Option<&String>| {
        if let Some(before) = before.filter(|_| stale.get()) {
            return before.clone();
        }
        let Window { size, offset } = window.get();
        match total.get() {
            None => "…".to_owned(),
            Some(0) => texts::range_of_nothing().to_owned(),
            Some(total) if offset >= total || size == 0 => texts::range_beyond(count(total)),
            Some(total) => range_text(offset, (offset + size).min(total), total),
        }
    };
    let range = Memo::new(range);
    let at_start = Signal::derive(move || window.get().offset == 0);
    let at_end = Signal::derive(move || {
        let window = window.get();
        total.get().is_none_or(|total| window.offset + window.size >= total)
    });
    let foot = NodeRef::<Div>::new();
    let go = move |offset: u64| {
        on_change.run(Window { offset, ..window.get_untracked() });
        // A new page starts at its first row.
        if let Some(list) = foot.get_untracked().and_then(|foot| foot.parent_element()) {
            list.scroll_into_view();
        }
    };
    let to_last = move || go(window.get_untracked().last_offset(total.get_untracked().unwrap_or(0)));
    let on_size = Callback::new(move |size: Option<u64>| match (size, on_all) {
        (Some(size), _) => on_change.run(Window { size, offset: 0 }),
        (None, Some(on_all)) => on_all.run(()),
        (None, None) => {}
    });
    view! {
        <div class="table-foot" node_ref=foot>
            <PageSize size=Signal::derive(move || Some(window.get().size)) all=on_all.is_some() on_size />
            <nav class="pager" aria-label=texts::pages()>
                <PagerButton glyph=Glyph::First label=texts::first_page() disabled=at_start on_press=move || go(0) />
                <PagerButton
                    glyph=Glyph::Previous
                    label=texts::previous_page()
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
                    label=texts::next_page()
                    disabled=at_end
                    on_press=move || {
                        let window = window.get_untracked();
                        go(window.offset + window.size);
                    }
                />
                <PagerButton glyph=Glyph::Last label=texts::last_page() disabled=at_end on_press=to_last />
            </nav>
        </div>
    }
}

/// Formats the rows from `start` up to `end` (exclusive, counted from 0): `51–100 of 5,012`.
pub fn range_text(start: u64, end: u64, total: u64) -> String {
    texts::range(count(start + 1), count(end), count(total))
}

/// Choice of the number of rows per page. `None` means scrolling through all rows, available with `all`.
#[component]
pub fn PageSize(size: Signal<Option<u64>>, all: bool, on_size: Callback<Option<u64>>) -> impl IntoView {
    let options = move || {
        let current = size.get();
        let mut sizes = SIZES.to_vec();
        if let Some(other) = current.filter(|size| !SIZES.contains(size)) {
            sizes.push(other);
            sizes.sort_unstable();
        }
        let sizes = sizes
            .into_iter()
            .map(|size| view! { <option value=size.to_string() selected=current == Some(size)>{size}</option> });
        let sizes = sizes.collect_view();
        let all = all.then(|| {
            view! {
                <option value=ALL selected=current.is_none()>
                    {texts::all_rows()}
                </option>
            }
        });
        view! {
            {sizes}
            {all}
        }
    };
    view! {
        <label class="page-size">
            {texts::rows()}
            <select
                class="select"
                data-test="page-size"
                on:change:target=move |event| {
                    match event.target().value().as_str() {
                        ALL => on_size.run(None),
                        size => _ = size.parse().map(|size| on_size.run(Some(size))),
                    }
                }
            >
                {options}
            </select>
        </label>
    }
}

/// Button that navigates to another part of a list.
#[component]
pub fn PagerButton(
    glyph: Glyph,
    #[prop(into)] label: Signal<String>,
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
