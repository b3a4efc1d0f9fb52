//! Data loaded from the server: the last response, whether a request is running, and the last error.

use std::future::{Future, poll_fn};
use std::task::Poll;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::ApiError;
use crate::state::optimistic::OptimisticState;

/// State of a loaded resource. The last response stays visible during a new request. A response is dropped if a later request was
/// started.
pub struct ApiResource<T: Send + Sync + 'static> {
    data: RwSignal<Option<T>>,
    error: RwSignal<Option<ApiError>>,
    is_loading: RwSignal<bool>,
    optimistic: StoredValue<OptimisticState<T>>,
    request_number: StoredValue<u64>,
    /// Numbers of the last background refresh started and of the last one answered.
    refresh_numbers: StoredValue<(u64, u64)>,
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
            request_number: StoredValue::new(0),
            refresh_numbers: StoredValue::new((0, 0)),
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

    /// Starts a request.
    pub fn load(self, request: impl Future<Output = Result<T, ApiError>> + 'static) {
        let number = self.start_request();
        self.is_loading.set(true);
        spawn_local(async move {
            // The page may have been closed or have started another request.
            let is_current = move || self.request_number.try_get_value() == Some(number);
            let mut request = Box::pin(request);
            let response = poll_fn(|context| match is_current() {
                true => request.as_mut().poll(context).map(Some),
                // A request that waits for the connection is cancelled.
                false => Poll::Ready(None),
            });
            let Some(response) = response.await.filter(|_| is_current()) else { return };
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

    /// Starts a new request and returns its number. Cancels the running request and a scheduled refresh.
    fn start_request(self) -> u64 {
        self.pending_refresh.set_value(None);
        self.request_number.update_value(|number| *number += 1);
        self.request_number.get_value()
    }

    /// Shows the server's value, unless optimistic changes are pending.
    fn receive(self, value: T) {
        if let Some(value) = self.optimistic.try_update_value(|optimistic| optimistic.receive(value)).flatten() {
            self.data.set(Some(value));
        }
    }

    /// Drops the response, the running request and the pending optimistic changes.
    pub fn clear(self) {
        self.start_request();
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
}

impl<T: Send + Sync> ApiResource<T> {
    /// Applies a change that the server has made to the last response. Does nothing if the page was closed.
    pub fn update(self, update: impl FnOnce(&mut T)) {
        _ = self.data.try_update(|data| data.as_mut().map(update));
    }
}

impl<T: Clone + PartialEq + Send + Sync> ApiResource<T> {
    /// Optimistic update: shows a change immediately while `request` requests it from the server. `on_success` merges the server's
    /// response. If the request fails, the former value is shown again and `on_error` receives the error. `on_settled` receives
    /// whether the change was made.
    pub fn update_optimistically<U: 'static>(
        self,
        change: impl Fn(&mut T) + Send + Sync + 'static,
        request: impl Future<Output = Result<U, ApiError>> + 'static,
        on_success: impl FnOnce(&mut T, U) + 'static,
        on_error: impl FnOnce(&ApiError) + 'static,
        on_settled: impl FnOnce(bool) + 'static,
    ) {
        let Some(data) = self.data.get_untracked() else { return };
        let optimistic = self.optimistic.try_update_value(|optimistic| optimistic.apply(&data, Box::new(change)));
        let Some((number, data)) = optimistic else { return };
        self.data.set(Some(data));
        spawn_local(async move {
            let result = request.await;
            let is_success = result.is_ok();
            let on_success = match result {
                Ok(value) => Some(|server_value: &mut T| on_success(server_value, value)),
                Err(error) => {
                    on_error(&error);
                    None
                }
            };
            // The page may have been closed or show another resource.
            let data = self.optimistic.try_update_value(|optimistic| optimistic.settle(number, on_success)).flatten();
            if data.is_some() && self.data.with_untracked(|current_data| *current_data != data) {
                self.data.set(data);
            }
            on_settled(is_success);
        });
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
        let (number, refresh_number) = (self.request_number.get_value(), self.refresh_numbers.get_value().0 + 1);
        self.refresh_numbers.update_value(|(last_started, _)| *last_started = refresh_number);
        spawn_local(async move {
            let Ok(value) = request.await else { return };
            // A later refresh may have been answered first.
            let is_latest =
                self.refresh_numbers.try_get_value().is_some_and(|(_, last_answered)| last_answered < refresh_number);
            if self.request_number.try_get_value() != Some(number) || !is_latest {
                return;
            }
            self.refresh_numbers.update_value(|(_, last_answered)| *last_answered = refresh_number);
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
