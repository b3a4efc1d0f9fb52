//! Data loaded from the server: the last response, whether a request is running, and the last error.

use std::future::{Future, poll_fn};
use std::task::Poll;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::ApiError;
use crate::state::optimistic::OptimisticState;

/// State of a loaded resource. The last response stays visible during a new request and after a failed one. A response is dropped
/// if a later request was started.
///
/// Leptos' `LocalResource` replaces the last response by an error, and has no loading state outside of `Suspense`. It can't refresh
/// unnoticed, cancel a request that waits for the connection, or keep changes that wait for the server.
pub struct ApiResource<T: Send + Sync + 'static> {
    pub(super) data: RwSignal<Option<T>>,
    error: RwSignal<Option<ApiError>>,
    is_loading: RwSignal<bool>,
    pub(super) optimistic: StoredValue<OptimisticState<T>>,
    /// Number of the last request, and of the first one whose response isn't outdated.
    request_numbers: StoredValue<(u64, u64)>,
    /// Refresh to run after the current request, whose response may be older than the reason for the refresh.
    pending_refresh: StoredValue<Option<Box<dyn FnOnce()>>, LocalStorage>,
}

impl<T: Send + Sync> Clone for ApiResource<T> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<T: Send + Sync> Copy for ApiResource<T> {}

impl<T: Send + Sync> ApiResource<T> {
    /// Creates the state before the first request; shown as loading.
    pub fn new() -> Self {
        Self {
            data: RwSignal::new(None),
            error: RwSignal::new(None),
            is_loading: RwSignal::new(true),
            optimistic: StoredValue::new(OptimisticState::new()),
            request_numbers: StoredValue::new((0, 0)),
            pending_refresh: StoredValue::new_local(None),
        }
    }

    /// Starts a request, and returns the state with a callback that starts it again.
    pub fn loaded<F: Future<Output = Result<T, ApiError>> + 'static>(
        request: impl Fn() -> F + Send + Sync + 'static,
    ) -> (Self, Callback<()>) {
        let resource = Self::new();
        let load = Callback::new(move |()| resource.load(request()));
        load.run(());
        (resource, load)
    }

    /// Starts a request. Cancels the running request and a scheduled refresh.
    pub fn load(self, request: impl Future<Output = Result<T, ApiError>> + 'static) {
        let number = self.cancel_requests();
        self.is_loading.set(true);
        spawn_local(async move {
            let mut request = Box::pin(request);
            let response = poll_fn(|context| match self.is_outdated(number) {
                false => request.as_mut().poll(context).map(Some),
                // A request that waits for the connection is cancelled.
                true => Poll::Ready(None),
            });
            let Some(response) = response.await.filter(|_| !self.is_outdated(number)) else { return };
            match response {
                Ok(value) => {
                    self.receive(value);
                    self.error.set(None);
                }
                Err(error) => self.error.set(Some(error)),
            }
            self.is_loading.set(false);
            if let Some(pending_refresh) = self.pending_refresh.try_update_value(Option::take).flatten() {
                pending_refresh();
            }
        });
    }

    /// Makes the responses of all requests outdated. Returns the number of the next request.
    fn cancel_requests(self) -> u64 {
        self.pending_refresh.set_value(None);
        let number = self.request_numbers.get_value().0 + 1;
        self.request_numbers.set_value((number, number));
        number
    }

    /// True if a later request was started or answered, or if the page was closed.
    fn is_outdated(self, number: u64) -> bool {
        self.request_numbers.try_get_value().is_none_or(|(_, first_current)| number < first_current)
    }

    /// Shows the server's value, unless optimistic changes are pending.
    fn receive(self, value: T) {
        if let Some(value) = self.optimistic.try_update_value(|optimistic| optimistic.receive(value)).flatten() {
            self.data.set(Some(value));
        }
    }

    /// Drops the response, the running request and the pending optimistic changes.
    pub fn clear(self) {
        self.cancel_requests();
        self.optimistic.update_value(OptimisticState::discard);
        self.data.set(None);
        self.error.set(None);
        self.is_loading.set(false);
    }

    /// True while a request is running.
    pub fn is_loading(self) -> bool {
        self.is_loading.get()
    }

    /// Error of the last request.
    pub fn error(self) -> Option<ApiError> {
        self.error.get()
    }

    /// True if there is no response because the request failed.
    pub fn has_failed(self) -> bool {
        self.error.with(Option::is_some) && self.data.with(Option::is_none)
    }

    /// True if there is neither a response nor an error yet.
    pub fn is_pending(self) -> bool {
        self.error.with(Option::is_none) && self.data.with(Option::is_none)
    }

    /// Passes the last response to a function.
    pub fn with<U>(self, read: impl FnOnce(Option<&T>) -> U) -> U {
        self.data.with(|data| read(data.as_ref()))
    }

    /// Like [`ApiResource::with`], without subscribing to changes. `None` if the page was closed.
    pub fn try_with_untracked<U>(self, read: impl FnOnce(Option<&T>) -> U) -> Option<U> {
        self.data.try_with_untracked(|data| read(data.as_ref()))
    }

    /// Applies a change that the server has made to the last response. Does nothing if the page was closed.
    pub fn update(self, update: impl FnOnce(&mut T)) {
        _ = self.data.try_update(|data| data.as_mut().map(update));
    }
}

impl<T: PartialEq + Send + Sync> ApiResource<T> {
    /// Refreshes in the background: no loading state, no update if the response is the same, and the last response stays if the
    /// request fails. Waits for a running request. A request started later takes precedence.
    pub fn refresh(self, request: impl Future<Output = Result<T, ApiError>> + 'static) {
        match self.is_loading.try_get_untracked() {
            None => return,
            Some(true) => return self.pending_refresh.set_value(Some(Box::new(move || self.refresh(request)))),
            Some(false) => {}
        }
        self.request_numbers.update_value(|(last, _)| *last += 1);
        let (number, _) = self.request_numbers.get_value();
        spawn_local(async move {
            let Some(value) = request.await.ok().filter(|_| !self.is_outdated(number)) else { return };
            self.request_numbers.update_value(|(_, first_current)| *first_current = number);
            if self.data.with_untracked(|data| data.as_ref() != Some(&value)) {
                self.receive(value);
            }
            self.error.set(None);
        });
    }
}

impl<T: Clone + Send + Sync> ApiResource<T> {
    /// Returns the last response.
    pub fn get(self) -> Option<T> {
        self.data.get()
    }
}

#[cfg(test)]
mod tests {
    use any_spawner::Executor;

    use crate::state::resource::*;

    #[test]
    fn new_load_cancels_the_scheduled_refresh() {
        // Another test may have initialized the executor.
        _ = Executor::init_futures_executor();
        Owner::new().with(|| {
            let resource = ApiResource::<&str>::new();
            let data = || resource.try_with_untracked(|data_or_none| data_or_none.copied()).flatten();
            let ready = |data_or_none| std::future::ready(Ok(data_or_none));
            resource.load(ready("first"));
            resource.refresh(ready("first, again"));
            Executor::poll_local();
            assert_eq!(data(), Some("first, again"));

            resource.load(std::future::pending());
            resource.refresh(ready("second, again"));
            resource.load(ready("third"));
            Executor::poll_local();
            assert_eq!(data(), Some("third"));

            resource.load(std::future::pending());
            resource.refresh(ready("fourth, again"));
            resource.clear();
            resource.load(ready("fifth"));
            Executor::poll_local();
            assert_eq!(data(), Some("fifth"));
        });
    }
}
