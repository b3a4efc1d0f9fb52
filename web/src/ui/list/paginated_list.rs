//! Paginated list: the query in the URL, the loaded page and navigation between pages.

use std::future::Future;

use derive_where::derive_where;
use leadscribe_engine::api::Page;
use leadscribe_engine::diagnostic::Diagnostic;
use leptos::prelude::*;

use crate::api::{ApiError, ApiResult, ListQuery};
use crate::browser::query::{use_navigate_in_place, use_query};
use crate::state::ApiResource;
use crate::ui::input::continues_search;
use crate::ui::list::{ListOrder, PageSize, PageWindow};

/// State of a paginated list. A `Copy` handle. The page component requests the data.
#[derive_where(Clone, Copy)]
pub struct PaginatedList<Q: Send + Sync + 'static, T: Send + Sync + 'static> {
    /// Query in the URL.
    pub list_query: Memo<Q>,
    pub page_resource: ApiResource<Page<T>>,
    /// Window of the list that the loaded page covers.
    pub window: Signal<PageWindow>,
    pub show: Callback<Q>,
    page_size: PageSize,
}

impl<Q: ListQuery, T: Clone + PartialEq + Send + Sync> PaginatedList<Q, T> {
    /// Creates the state before the first request. `build_url` builds the URL of a query. Successive changes of the
    /// text that `search_text` returns replace the history entry instead of adding one per letter.
    pub fn new(build_url: impl Fn(&Q) -> String + Send + Sync + 'static, search_text: fn(&Q) -> &str) -> Self {
        let (url_query, navigate_in_place) = (use_query(), use_navigate_in_place());
        let list_query = Memo::new(move |_| Q::from_pairs(|name| url_query.get(name)));
        let page_size = PageSize::load(Q::PATH.trim_start_matches("/api/"));
        let window = Signal::derive(move || {
            list_query
                .with(|list_query| PageWindow::from_limit(list_query.limit()))
                .unwrap_or_else(|| page_size.first_page())
        });
        let show = Callback::new(move |url_query: Q| {
            let replace =
                list_query.with_untracked(|previous| continues_search(search_text(previous), search_text(&url_query)));
            navigate_in_place(&build_url(&url_query), replace);
        });
        Self { list_query, page_resource: ApiResource::new(), window, show, page_size }
    }

    /// Requests the page now and whenever the query changes. Returns a callback that requests it again.
    pub fn load_with<F>(self, request: impl Fn(Q) -> F + Send + Sync + 'static) -> Callback<()>
    where
        F: Future<Output = ApiResult<Page<T>>> + 'static,
    {
        let load = Callback::new(move |()| self.page_resource.load(request(self.page_query())));
        Effect::new(move |_| {
            self.list_query.track();
            load.run(());
        });
        load
    }

    /// Query to request: the query in the URL, limited to the current page.
    pub fn page_query(self) -> Q {
        self.list_query.get_untracked().with_limit(self.window.get_untracked().limit())
    }

    /// Sort order of the list.
    pub fn order(self, default_order: &'static str) -> ListOrder {
        ListOrder::for_query(self.list_query, default_order, self.show)
    }

    pub fn on_page(self) -> Callback<PageWindow> {
        let Self { list_query, window, show, page_size, .. } = self;
        Callback::new(move |selected: PageWindow| {
            page_size.store_if_changed(window.get_untracked(), selected);
            show.run(list_query.get_untracked().with_limit(selected.limit()));
        })
    }

    pub fn on_first_page(self) -> Callback<()> {
        Callback::new(move |()| self.show.run(self.list_query.get_untracked().first_page()))
    }

    /// Navigates to the whole list.
    pub fn on_reset(self) -> Callback<()> {
        Callback::new(move |()| self.show.run(Q::default()))
    }

    /// Total number of items in the list.
    pub fn total(self) -> Signal<Option<u64>> {
        Signal::derive(move || self.page_resource.with(|page| page.map(|page| page.total)))
    }

    pub fn items(self) -> Signal<Option<Vec<T>>> {
        Signal::derive(move || self.page_resource.with(|page| page.map(|page| page.items.clone())))
    }

    /// True if the page has no items.
    pub fn is_empty(self) -> Memo<bool> {
        Memo::new(move |_| self.page_resource.with(|page| page.is_some_and(|page| page.items.is_empty())))
    }

    /// True if the page is past the end of the list.
    pub fn is_past_end(self) -> Memo<bool> {
        Memo::new(move |_| {
            self.page_resource.with(|page| page.is_some_and(|page| page.items.is_empty() && page.total > 0))
        })
    }

    /// True if the shown page is about to be replaced.
    pub fn is_stale(self) -> Signal<bool> {
        Signal::derive(move || self.page_resource.is_loading.get() && self.page_resource.with(|page| page.is_some()))
    }

    pub fn error(self) -> Signal<Option<ApiError>> {
        Signal::derive(move || self.page_resource.error.get())
    }

    pub fn diagnostics(self) -> Signal<Vec<Diagnostic>> {
        Signal::derive(move || self.page_resource.error.get().map(|error| error.diagnostics()).unwrap_or_default())
    }
}
