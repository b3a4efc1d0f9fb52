//! Pager: the range of visible rows, buttons for other pages, and the page size.

use std::collections::BTreeSet;

use leptos::html::Div;
use leptos::prelude::*;

use crate::api::Session;
use crate::browser::storage;
use crate::i18n::datetime::format_count;
use crate::i18n::texts::{common, leads as texts};
use crate::ui::Glyph;
use crate::ui::input::IconButton;

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

/// Footer of a list.
#[component]
pub fn Pager(
    #[prop(into)] window: Signal<PageWindow>,
    #[prop(into)] total: Signal<Option<u64>>,
    on_change: Callback<PageWindow>,
    /// True while the rows of the page are loading and the previous rows are still shown.
    #[prop(optional)]
    stale: Signal<bool>,
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
            Some(total) => {
                let (first, last) = (offset + 1, (offset + size).min(total));
                texts::range(format_count(first), format_count(last), format_count(total))
            }
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
    let button = |glyph, label: &'static str, disabled: Signal<bool>, offset: fn(PageWindow, u64) -> u64| {
        let on_press =
            move |()| go_to_offset(offset(window.get_untracked(), total.get_untracked().unwrap_or_default()));
        view! { <IconButton glyph label title=label disabled on_press /> }
    };
    // The URL may have another page size, which is added to the options.
    let size = Memo::new(move |_| window.get().size);
    let size_options = move || {
        let current = size.get();
        let sizes: BTreeSet<u64> = PAGE_SIZES.into_iter().chain([current]).collect();
        let option = |size: u64| view! { <option value=size.to_string() selected=current == size>{size}</option> };
        sizes.into_iter().map(option).collect_view()
    };
    let on_size = move |size: &str| {
        if let Ok(size) = size.parse() {
            on_change.run(PageWindow { size, offset: 0 });
        }
    };
    view! {
        <div class="table-footer" node_ref=footer>
            <label class="line">
                {texts::rows()}
                <select
                    class="select"
                    data-test="page-size"
                    on:change:target=move |event| on_size(&event.target().value())
                >
                    {size_options}
                </select>
            </label>
            <nav class="line pager" aria-label=common::pages()>
                {button(Glyph::First, texts::first_page(), at_start, |_, _| 0)}
                {button(Glyph::Previous, texts::previous_page(), at_start, |window, _| {
                    window.offset.saturating_sub(window.size)
                })}
                <span class="nowrap" data-test="range" aria-live="polite">
                    {range}
                </span>
                {button(Glyph::Next, texts::next_page(), at_end, |window, _| window.offset + window.size)}
                {button(Glyph::Last, texts::last_page(), at_end, PageWindow::last_offset)}
            </nav>
        </div>
    }
}

/// Text next to the title of a list; empty until the number is known.
#[component]
pub fn Total(total: Signal<Option<u64>>, format: fn(u64) -> String) -> impl IntoView {
    view! {
        <span class="secondary" data-test="total" aria-live="polite">
            {move || total.get().map(format)}
        </span>
    }
}

/// Page sizes to choose from. All lists of the API accept them.
const PAGE_SIZES: [u64; 4] = [25, 50, 100, 200];

/// Page size until the user chooses one.
const DEFAULT_PAGE_SIZE: u64 = 50;

/// Name of the lead list in the storage.
pub const LEADS_LIST: &str = "leads";

/// Page size of a list whose URL has none. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct PageSize {
    storage_key: StoredValue<String>,
    size: RwSignal<u64>,
}

impl PageSize {
    /// Loads the current user's page size of the list with this name.
    pub fn load(list: &str) -> Self {
        let storage_key = storage_key(list);
        let size = RwSignal::new(stored_size(&storage_key));
        Self { storage_key: StoredValue::new(storage_key), size }
    }

    pub fn first_page(self) -> PageWindow {
        PageWindow { size: self.size.get(), offset: 0 }
    }

    /// Stores the page size that the user selected, if it differs from the current one.
    pub fn store_if_changed(self, current: PageWindow, selected: PageWindow) {
        if selected.size != current.size {
            self.storage_key.with_value(|key| storage::store(key, &selected.size));
            self.size.set(selected.size);
        }
    }
}

/// First page of the list with this name, in the current user's page size.
pub fn stored_first_page(list: &str) -> PageWindow {
    PageWindow { size: stored_size(&storage_key(list)), offset: 0 }
}

fn stored_size(storage_key: &str) -> u64 {
    storage::load(storage_key).filter(|size| PAGE_SIZES.contains(size)).unwrap_or(DEFAULT_PAGE_SIZE)
}

fn storage_key(list: &str) -> String {
    let user = use_context::<Session>().and_then(Session::current).map(|session| session.user.id.to_string());
    format!("leadscribe.page-size.{list}.{}", user.unwrap_or_default())
}
