//! The values that the filter editor suggests, and how many leads have each.

use leadscribe_engine::api::FieldValue;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::Api;
use crate::components::filter_editor::{Count, Suggest};

/// Lets the filter editor below ask the server for values.
pub fn provide_suggestions(api: Api) {
    provide_context(Suggest(Callback::new(move |(key, start, tell): (String, String, Callback<Vec<FieldValue>>)| {
        spawn_local(async move {
            // Where nothing can be suggested, one types all the same.
            if let Ok(found) = api.field_values(&key, &start).await {
                tell.try_run(found.values);
            }
        });
    })));

    provide_context(Count(Callback::new(move |(key, tell): (String, Callback<Vec<FieldValue>>)| {
        spawn_local(async move {
            // Where nothing can be counted, one picks all the same.
            if let Ok(found) = api.field_counts(&key).await {
                tell.try_run(found.values);
            }
        });
    })));
}
