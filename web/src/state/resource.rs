//! Data loaded from the server: the last response, whether a request is running, and the last error.

use std::future::{Future, poll_fn};
use std::task::Poll;

use derive_where::derive_where;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::{ApiError, ApiResult};
use crate::state::optimistic::OptimisticState;

/// State of a loaded resource. The last response stays visible during a new request and after a failed one.
///
/// Leptos' `LocalResource` replaces the last response with an error, and has no loading state outside of `Suspense`. It
/// can't refresh unnoticed, cancel a request that waits for the connection, or keep changes that wait for the server.
#[derive_where(Clone, Copy)]
pub struct ApiResource<T: Send + Sync + 'static> {
    /// The last response, with the pending optimistic changes.
    pub data: RwSignal<Option<T>>,
    /// Error of the last request.
    pub error: RwSignal<Option<ApiError>>,
    pub is_loading: RwSignal<bool>,
    pub(super) optimistic: StoredValue<OptimisticState<T>>,
    /// Number of the last request, and of the first one whose response isn't outdated.
    request_numbers: StoredValue<(u64, u64)>,
}

impl<T: Clone + PartialEq + Send + Sync> ApiResource<T> {
    /// Creates the state before the first request; shown as loading.
    pub fn new() -> Self {
        Self {
            data: RwSignal::new(None),
            error: RwSignal::new(None),
            is_loading: RwSignal::new(true),
            optimistic: StoredValue::default(),
            request_numbers: StoredValue::new((0, 0)),
        }
    }

    /// Starts a request and returns its state.
    pub fn requested(request: impl Future<Output = ApiResult<T>> + 'static) -> Self {
        let resource = Self::new();
        resource.load(request);
        resource
    }

    /// Starts a request, and returns the state with a callback that starts it again.
    pub fn loaded<F: Future<Output = ApiResult<T>> + 'static>(
        request: impl Fn() -> F + Send + Sync + 'static,
    ) -> (Self, Callback<()>) {
        let resource = Self::new();
        let load = Callback::new(move |()| resource.load(request()));
        load.run(());
        (resource, load)
    }

    /// Starts a request and cancels all others.
    pub fn load(self, request: impl Future<Output = ApiResult<T>> + 'static) {
        self.cancel_requests();
        self.is_loading.set(true);
        self.start(request, false);
    }

    /// Refreshes in the background: no loading state, no update if the response is the same, and no error.
    pub fn refresh(self, request: impl Future<Output = ApiResult<T>> + 'static) {
        self.start(request, true);
    }

    fn cancel_requests(self) {
        self.request_numbers.update_value(|(last, first_current)| *first_current = *last + 1);
    }

    /// Starts a request. It is cancelled, even while it waits for the connection, if a later one is answered first.
    fn start(self, request: impl Future<Output = ApiResult<T>> + 'static, is_refresh: bool) {
        self.request_numbers.update_value(|(last, _)| *last += 1);
        // The page may have been closed.
        let Some((number, _)) = self.request_numbers.try_get_value() else { return };
        let mut request = Box::pin(request);
        let response = poll_fn(move |context| match self.request_numbers.try_get_value() {
            Some((_, first_current)) if number >= first_current => request.as_mut().poll(context).map(Some),
            _ => Poll::Ready(None),
        });
        spawn_local(async move {
            match response.await {
                Some(Ok(value)) => {
                    self.request_numbers.update_value(|(_, first_current)| *first_current = number);
                    let is_same = is_refresh && self.data.with_untracked(|data| data.as_ref() == Some(&value));
                    let shown = self.optimistic.try_update_value(|optimistic| optimistic.receive(value)).flatten();
                    if shown.is_some() && !is_same {
                        self.data.set(shown);
                    }
                    self.error.set(None);
                }
                Some(Err(error)) if !is_refresh => self.error.set(Some(error)),
                _ => return,
            }
            self.is_loading.maybe_update(std::mem::take);
        });
    }

    /// Drops the response, the running requests and the pending optimistic changes.
    pub fn clear(self) {
        self.cancel_requests();
        self.optimistic.update_value(OptimisticState::discard);
        self.data.set(None);
        self.error.set(None);
        self.is_loading.set(false);
    }

    /// Returns the last response.
    pub fn get(self) -> Option<T> {
        self.data.get()
    }

    /// Passes the last response to a function.
    pub fn with<U>(self, read: impl FnOnce(Option<&T>) -> U) -> U {
        self.data.with(|data| read(data.as_ref()))
    }

    /// True if there is no response because the request failed.
    pub fn has_failed(self) -> bool {
        self.error.with(Option::is_some) && self.data.with(Option::is_none)
    }

    /// True if there is neither a response nor an error yet.
    pub fn is_pending(self) -> bool {
        self.error.with(Option::is_none) && self.data.with(Option::is_none)
    }
}

#[cfg(test)]
mod tests {
    use any_spawner::Executor;

    use crate::state::resource::*;

    #[test]
    fn shows_the_response_of_the_latest_request() {
        // Another test may have initialized the executor.
        _ = Executor::init_futures_executor();
        Owner::new().with(|| {
            let resource = ApiResource::new();
            let ready = |text| std::future::ready(Ok(text));
            resource.load(std::future::pending());
            resource.refresh(ready("refreshed"));
            Executor::poll_local();
            assert_eq!((resource.get(), resource.is_loading.get()), (Some("refreshed"), false));
            resource.refresh(ready("outdated"));
            resource.load(ready("loaded"));
            Executor::poll_local();
            assert_eq!(resource.get(), Some("loaded"));
        });
    }
}
