//! Pager: the visible part of a list, and navigation to other parts.

use leptos::html::Div;
use leptos::prelude::*;

use crate::components::icon::{Glyph, Icon};
use crate::datetime::format_count;
use crate::texts::lead_table as texts;

/// A page of a list.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct PageWindow {
    /// Rows per page.
    pub size: u64,
    /// Number of rows before this page.
    pub offset: u64,
}

impl PageWindow {
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

const PAGE_SIZES: [u64; 4] = [25, 50, 100, 200];

/// Value of the option without pages.
const ALL_ROWS_OPTION: &str = "all";

/// Footer of a list.
#[component]
pub fn Pager(
    #[prop(into)] window: Signal<PageWindow>,
    #[prop(into)] total: Signal<Option<u64>>,
    on_change: Callback<PageWindow>,
    /// True while the rows of the page are loading and older ones are shown.
    #[prop(optional)]
    stale: Signal<bool>,
    /// Switches to scrolling, if the list supports it.
    #[prop(optional_no_strip)]
    on_show_all: Option<Callback<()>>,
) -> impl IntoView {
    let range = move |previous: Option<&String>| {
        if let Some(previous) = previous.filter(|_| stale.get()) {
            return previous.clone();
        }
        let PageWindow { size, offset } = window.get();
        match total.get() {
            None => "…".to_owned(),
            Some(0) => texts::empty_range().to_owned(),
            Some(total) if offset >= total || size == 0 => texts::range_past_end(format_count(total)),
            Some(total) => range_text(offset, (offset + size).min(total), total),
        }
    };
    let range = Memo::new(range);
    let at_start = Signal::derive(move || window.get().offset == 0);
    let at_end = Signal::derive(move || {
        let window = window.get();
        total.get().is_none_or(|total| window.offset + window.size >= total)
    });
    let footer = NodeRef::<Div>::new();
    let go_to_offset = move |offset: u64| {
        on_change.run(PageWindow { offset, ..window.get_untracked() });
        // A new page starts at its first row.
        if let Some(list) = footer.get_untracked().and_then(|footer| footer.parent_element()) {
            list.scroll_into_view();
        }
    };
    let go_to_last = move || go_to_offset(window.get_untracked().last_offset(total.get_untracked().unwrap_or(0)));
    let on_size = Callback::new(move |size: Option<u64>| match (size, on_show_all) {
        (Some(size), _) => on_change.run(PageWindow { size, offset: 0 }),
        (None, Some(on_show_all)) => on_show_all.run(()),
        (None, None) => {}
    });
    view! {
        <div class="table-footer" node_ref=footer>
            <PageSizeSelect size=Signal::derive(move || Some(window.get().size)) offers_all=on_show_all.is_some() on_size />
            <nav class="pager" aria-label=texts::pages()>
                <PagerButton glyph=Glyph::First label=texts::first_page() disabled=at_start on_press=move || go_to_offset(0) />
                <PagerButton
                    glyph=Glyph::Previous
                    label=texts::previous_page()
                    disabled=at_start
                    on_press=move || {
                        let window = window.get_untracked();
                        go_to_offset(window.offset.saturating_sub(window.size));
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
                        go_to_offset(window.offset + window.size);
                    }
                />
                <PagerButton glyph=Glyph::Last label=texts::last_page() disabled=at_end on_press=go_to_last />
            </nav>
        </div>
    }
}

/// Formats the rows from `start` up to `end` (exclusive, counted from 0): `51–100 of 5,012`.
pub fn range_text(start: u64, end: u64, total: u64) -> String {
    texts::range(format_count(start + 1), format_count(end), format_count(total))
}

/// Choice of the number of rows per page. `None` means scrolling through all rows, available with `offers_all`.
#[component]
pub fn PageSizeSelect(size: Signal<Option<u64>>, offers_all: bool, on_size: Callback<Option<u64>>) -> impl IntoView {
    let options = move || {
        let current = size.get();
        let mut sizes = PAGE_SIZES.to_vec();
        if let Some(custom_size) = current.filter(|size| !PAGE_SIZES.contains(size)) {
            sizes.push(custom_size);
            sizes.sort_unstable();
        }
        let sizes = sizes
            .into_iter()
            .map(|size| view! { <option value=size.to_string() selected=current == Some(size)>{size}</option> });
        let sizes = sizes.collect_view();
        let offers_all = offers_all.then(|| {
            view! {
                <option value=ALL_ROWS_OPTION selected=current.is_none()>
                    {texts::all_rows()}
                </option>
            }
        });
        view! {
            {sizes}
            {offers_all}
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
                        ALL_ROWS_OPTION => on_size.run(None),
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
