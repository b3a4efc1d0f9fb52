//! Value suggestions for the filter editor, with the number of leads for each.

use leadscribe_engine::api::FieldValue;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::Api;
use crate::ui::filter_editor::{CountValues, SuggestValues};

/// Provides suggestions from the server to the filter editor.
pub fn provide_suggestions(api: Api) {
    provide_context(SuggestValues(Callback::new(
        move |(key, start, respond): (String, String, Callback<Vec<FieldValue>>)| {
            spawn_local(async move {
                // Without suggestions the user can still type.
                if let Ok(counts) = api.field_values(&key, &start).await {
                    respond.try_run(counts.values);
                }
            });
        },
    )));

    provide_context(CountValues(Callback::new(move |(key, respond): (String, Callback<Vec<FieldValue>>)| {
        spawn_local(async move {
            // Without counts the user can still choose.
            if let Ok(counts) = api.field_value_counts(&key).await {
                respond.try_run(counts.values);
            }
        });
    })));
}
