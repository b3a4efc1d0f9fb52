//! Optimistic updates of loaded resources. Leptos' `Resource` has no pending changes: writing to it replaces the server's value, which
//! a refused change couldn't restore.

use std::future::Future;

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::ApiResult;
use crate::state::ApiResource;

impl<T: Clone + PartialEq + Send + Sync> ApiResource<T> {
    /// Optimistic update: shows a change immediately while `request` requests it from the server. `on_success` merges the server's
    /// response. If the request fails, the former value is shown again. `on_settled` receives the outcome.
    pub fn update_optimistically<U: 'static>(
        self,
        change: impl Fn(&mut T) + Send + Sync + 'static,
        request: impl Future<Output = ApiResult<U>> + 'static,
        on_success: impl FnOnce(&mut T, U) + 'static,
        on_settled: impl FnOnce(ApiResult<()>) + 'static,
    ) {
        let Some(data) = self.data.get_untracked() else { return };
        let optimistic = self.optimistic.try_update_value(|optimistic| optimistic.apply(&data, Box::new(change)));
        let Some((number, data)) = optimistic else { return };
        self.data.set(Some(data));
        spawn_local(async move {
            let (on_success, outcome) = match request.await {
                Ok(value) => (Some(|server_value: &mut T| on_success(server_value, value)), Ok(())),
                Err(error) => (None, Err(error)),
            };
            // The page may have been closed or show another resource.
            let data = self.optimistic.try_update_value(|optimistic| optimistic.settle(number, on_success)).flatten();
            if data.is_some() && self.data.with_untracked(|current_data| *current_data != data) {
                self.data.set(data);
            }
            on_settled(outcome);
        });
    }
}
