//! Paginated list: the query in the address, the loaded page and navigation between pages.

use leadscribe_engine::api::Page;
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::api::{ApiError, ListQuery};
use crate::components::input::search_input::is_typed_on;
use crate::components::list::pager::Window;
use crate::order::ListOrder;
use crate::query::use_query;
use crate::remote::Remote;

/// State of a paginated list. A `Copy` handle. The page component requests the data.
pub struct Paged<Q: Send + Sync + 'static, T: Send + Sync + 'static> {
    /// Query in the address.
    pub wanted: Memo<Q>,
    /// Loaded page.
    pub found: Remote<Page<T>>,
    /// Window of the list that the loaded page covers.
    pub window: Signal<Window>,
    /// Navigates to another query.
    pub show: Callback<Q>,
}

impl<Q: Send + Sync, T: Send + Sync> Clone for Paged<Q, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Q: Send + Sync, T: Send + Sync> Copy for Paged<Q, T> {}

impl<Q: ListQuery, T: Clone + Send + Sync> Paged<Q, T> {
    /// Creates the state before the first request. A page has `rows` rows unless the address has a limit, and `address` builds
    /// the address of a query. Successive changes of the text that `typed` returns replace the history entry instead of adding
    /// one per letter.
    pub fn new(rows: u64, address: impl Fn(&Q) -> String + Send + Sync + 'static, typed: fn(&Q) -> &str) -> Self {
        let (query, navigate) = (use_query(), use_navigate());
        let wanted = Memo::new(move |_| Q::from_pairs(|name| query.get(name)));
        let first = Window { size: rows, offset: 0 };
        let window = Signal::derive(move || wanted.with(|wanted| Window::from_limit(wanted.limit())).unwrap_or(first));
        let show = Callback::new(move |query: Q| {
            let replace = wanted.with_untracked(|before| is_typed_on(typed(before), typed(&query)));
            navigate(&address(&query), NavigateOptions { scroll: false, replace, ..Default::default() });
        });
        Self { wanted, found: Remote::new(), window, show }
    }

    /// Query to request: the query in the address, limited to the current page.
    pub fn part(self) -> Q {
        self.wanted.get_untracked().limited(self.window.get_untracked().limit())
    }

    /// Sort order of the list; `usual` is the default.
    pub fn order(self, usual: &'static str) -> ListOrder {
        ListOrder::of(self.wanted, usual, self.show)
    }

    /// Navigates to another page.
    pub fn on_page(self) -> Callback<Window> {
        let Self { wanted, show, .. } = self;
        Callback::new(move |window: Window| show.run(wanted.get_untracked().limited(window.limit())))
    }

    /// Navigates to the first page.
    pub fn on_first(self) -> Callback<()> {
        Callback::new(move |()| self.show.run(self.wanted.get_untracked().first_part()))
    }

    /// Navigates to the whole list.
    pub fn on_reset(self) -> Callback<()> {
        Callback::new(move |()| self.show.run(Q::default()))
    }

    /// Total number of items in the list.
    pub fn total(self) -> Signal<Option<u64>> {
        Signal::derive(move || self.found.with(|page| page.map(|page| page.total)))
    }

    /// Items on the page.
    pub fn items(self) -> Signal<Option<Vec<T>>> {
        Signal::derive(move || self.found.with(|page| page.map(|page| page.items.clone())))
    }

    /// True if the page has no items.
    pub fn is_empty(self) -> Memo<bool> {
        Memo::new(move |_| self.found.with(|page| page.is_some_and(|page| page.items.is_empty())))
    }

    /// True if the page is past the end of the list.
    pub fn is_behind(self) -> Memo<bool> {
        Memo::new(move |_| self.found.with(|page| page.is_some_and(|page| page.items.is_empty() && page.total > 0)))
    }

    /// True if the shown page is about to be replaced.
    pub fn is_stale(self) -> Signal<bool> {
        Signal::derive(move || self.found.is_loading() && self.found.with(|page| page.is_some()))
    }

    /// Error of the last request.
    pub fn error(self) -> Signal<Option<ApiError>> {
        Signal::derive(move || self.found.error())
    }

    /// Faults of the query.
    pub fn faults(self) -> Signal<Vec<Diagnostic>> {
        Signal::derive(move || self.found.error().map(|error| error.faults().to_vec()).unwrap_or_default())
    }
}
