//! Value suggestions for the filter editor, with the number of leads for each.

use leadscribe_engine::api::FieldValue;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::Api;
use crate::components::filter_editor::{Count, Suggest};

/// Provides suggestions from the server to the filter editor.
pub fn provide_suggestions(api: Api) {
    provide_context(Suggest(Callback::new(move |(key, start, tell): (String, String, Callback<Vec<FieldValue>>)| {
        spawn_local(async move {
            // Without suggestions the user can still type.
            if let Ok(found) = api.field_values(&key, &start).await {
                tell.try_run(found.values);
            }
        });
    })));

    provide_context(Count(Callback::new(move |(key, tell): (String, Callback<Vec<FieldValue>>)| {
        spawn_local(async move {
            // Without counts the user can still choose.
            if let Ok(found) = api.field_counts(&key).await {
                tell.try_run(found.values);
            }
        });
    })));
}
