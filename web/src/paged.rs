//! A list that is shown page by page: what the address asks for, the page that was found, and the ways to others.

use leadscribe_engine::api::Page;
use leadscribe_engine::fault::Fault;
use leptos::prelude::*;
use leptos_router::NavigateOptions;
use leptos_router::hooks::use_navigate;

use crate::api::{ApiError, ListQuery};
use crate::components::input::search_input::is_typed_on;
use crate::components::list::pager::Window;
use crate::order::ListOrder;
use crate::query::use_query;
use crate::remote::Remote;

/// The state of such a list; a handle that can be copied anywhere. Its page asks for what it finds.
pub struct Paged<Q: Send + Sync + 'static, T: Send + Sync + 'static> {
    /// What the address asks for.
    pub wanted: Memo<Q>,
    /// The page that was found.
    pub found: Remote<Page<T>>,
    /// Which part of the list that is.
    pub window: Signal<Window>,
    /// Goes to where another query is shown.
    pub show: Callback<Q>,
}

impl<Q: Send + Sync, T: Send + Sync> Clone for Paged<Q, T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<Q: Send + Sync, T: Send + Sync> Copy for Paged<Q, T> {}

impl<Q: ListQuery, T: Clone + Send + Sync> Paged<Q, T> {
    /// Nothing asked yet. A page has `rows` where the address doesn't say how many, and a query is shown at its `address`. What is
    /// `typed` letter by letter leaves one place in the browser's history, not one for each letter.
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

    /// What to ask for: of what the address asks for, the part that is shown.
    pub fn part(self) -> Q {
        self.wanted.get_untracked().limited(self.window.get_untracked().limit())
    }

    /// The order of the list, `usual` where the address names none.
    pub fn order(self, usual: &'static str) -> ListOrder {
        ListOrder::of(self.wanted, usual, self.show)
    }

    /// Goes to another part.
    pub fn on_page(self) -> Callback<Window> {
        let Self { wanted, show, .. } = self;
        Callback::new(move |window: Window| show.run(wanted.get_untracked().limited(window.limit())))
    }

    /// Goes to the first part.
    pub fn on_first(self) -> Callback<()> {
        Callback::new(move |()| self.show.run(self.wanted.get_untracked().first_part()))
    }

    /// Goes to the whole list.
    pub fn on_reset(self) -> Callback<()> {
        Callback::new(move |()| self.show.run(Q::default()))
    }

    /// How many the whole list has.
    pub fn total(self) -> Signal<Option<u64>> {
        Signal::derive(move || self.found.with(|page| page.map(|page| page.total)))
    }

    /// What is on the page.
    pub fn items(self) -> Signal<Option<Vec<T>>> {
        Signal::derive(move || self.found.with(|page| page.map(|page| page.items.clone())))
    }

    /// Whether nothing is on the page.
    pub fn is_empty(self) -> Memo<bool> {
        Memo::new(move |_| self.found.with(|page| page.is_some_and(|page| page.items.is_empty())))
    }

    /// Whether the page lies behind the last one.
    pub fn is_behind(self) -> Memo<bool> {
        Memo::new(move |_| self.found.with(|page| page.is_some_and(|page| page.items.is_empty() && page.total > 0)))
    }

    /// Whether what is shown is about to be replaced.
    pub fn is_stale(self) -> Signal<bool> {
        Signal::derive(move || self.found.is_loading() && self.found.with(|page| page.is_some()))
    }

    /// Why it couldn't be found.
    pub fn error(self) -> Signal<Option<ApiError>> {
        Signal::derive(move || self.found.error())
    }

    /// What is wrong with the query.
    pub fn faults(self) -> Signal<Vec<Fault>> {
        Signal::derive(move || self.found.error().map(|error| error.faults().to_vec()).unwrap_or_default())
    }
}
