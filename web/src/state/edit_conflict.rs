//! Detects concurrent edits. If another session changed the same field, the save is refused and the user sees the other
//! value. Saving again overwrites it. Changes of other fields don't conflict and are kept.

use leadscribe_engine::filter::fields::CUSTOM_PREFIX;
use leptos::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::api::{Api, ApiResult, VersionedResource};
use crate::state::undo::CUSTOM_FIELDS;
use crate::state::{Toasts, undo};

/// A resource after it was saved.
pub struct SaveResult<T> {
    /// Value just before the save.
    previous: T,
    pub current: T,
}

impl<T: VersionedResource> SaveResult<T> {
    /// Shows that the save succeeded and offers to undo it, unless another session changes the resource first. Calls
    /// `on_undone` after the undo.
    pub fn offer_undo(&self, api: Api, toasts: Toasts, message: String, on_undone: Callback<()>) {
        let (undo_change, current) = (undo::undo_body(&self.previous, &self.current), self.current.clone());
        undo::offer(toasts, message, move || api.update_versioned(&current, undo_change.clone()), on_undone);
    }
}

/// Concurrent changes of the fields that the user wants to save. Shared, so it outlives the form that shows it.
#[derive(Clone)]
pub struct EditConflict<T: 'static>(ArcRwSignal<Option<ConflictState<T>>>);

struct ConflictState<T> {
    current: T,
    /// Fields that another session changed too; custom fields by their key in filters. Empty once the user has seen
    /// them.
    fields: Vec<String>,
}

impl<T: VersionedResource> EditConflict<T> {
    /// Creates the state without a conflict.
    pub fn none() -> Self {
        Self(ArcRwSignal::new(None))
    }

    /// The resource as another session changed it, if a conflict was found.
    pub fn current(&self) -> Option<T> {
        self.0.with_untracked(|conflict| conflict.as_ref().map(|conflict| conflict.current.clone()))
    }

    /// True if there is a conflict to show.
    pub fn is_unconfirmed(&self) -> bool {
        self.0.with_untracked(|conflict| conflict.as_ref().is_some_and(|conflict| !conflict.fields.is_empty()))
    }

    /// Lines of the conflict to show: `render` renders one for each field.
    pub fn lines(&self, render: impl Fn(&T, &str) -> String + Send + Sync + 'static) -> Signal<Vec<String>> {
        let conflict = self.0.clone();
        let lines = move |conflict: &ConflictState<T>| {
            conflict.fields.iter().map(|name| render(&conflict.current, name)).collect()
        };
        Signal::derive(move || conflict.with(|conflict| conflict.as_ref().map(&lines)).unwrap_or_default())
    }

    /// Saves a change of the resource, which the user knows as `base`. Conflicts shown before this call count as
    /// confirmed.
    ///
    /// # Errors
    /// Another session changed the same fields, and the conflict is to be shown; or the server refused the change or
    /// couldn't be reached.
    pub async fn save(&self, api: Api, base: T, change: String) -> ApiResult<SaveResult<T>> {
        self.0.update(|conflict| conflict.iter_mut().for_each(|conflict| conflict.fields.clear()));
        let conflict_error = match api.update_versioned(&base, change.clone()).await {
            Ok(current) => return Ok(SaveResult { previous: base, current }),
            Err(error) if error.is_edit_conflict() => error,
            Err(error) => return Err(error),
        };
        let current = api.reload(&base).await?;
        let fields = conflicting_fields(&base, &current, &change);
        if !fields.is_empty() {
            self.0.set(Some(ConflictState { current, fields }));
            return Err(conflict_error);
        }
        let updated = api.update_versioned(&current, change).await?;
        Ok(SaveResult { previous: current, current: updated })
    }
}

/// Returns the members of the request body `change` that another session changed too between `base` and `current`;
/// custom fields by their key in filters.
fn conflicting_fields(base: &impl Serialize, current: &impl Serialize, change: &str) -> Vec<String> {
    let members = |text: &str| serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default();
    let (other_members, own_members) = (members(&undo::undo_body(base, current)), members(change));
    let changed_by_both = own_members.iter().filter_map(|(name, value)| Some((name, value, other_members.get(name)?)));
    let names = changed_by_both.flat_map(|(name, own_value, other_value)| match (own_value, other_value) {
        (Value::Object(own_members), Value::Object(other_members)) if name == CUSTOM_FIELDS => own_members
            .keys()
            .filter(|name| other_members.contains_key(*name))
            .map(|name| format!("{CUSTOM_PREFIX}{name}"))
            .collect(),
        _ => vec![name.clone()],
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::state::edit_conflict::*;

    #[test]
    fn detects_conflicting_fields() {
        let base =
            json!({ "city": "Bonn", "zip": null, "updated_at": "a", "custom_fields": { "tier": "gold", "points": 5 } });
        let current =
            json!({ "city": "Köln", "zip": null, "updated_at": "b", "custom_fields": { "tier": "new", "points": 5 } });
        let conflicts = |change: Value| conflicting_fields(&base, &current, &change.to_string());
        assert_eq!(conflicts(json!({ "zip": "53111", "custom_fields": { "points": 6 } })), [""; 0]);
        assert_eq!(
            conflicts(json!({ "city": "Ulm", "custom_fields": { "tier": "x", "points": 6 } })),
            ["city", "custom.tier"]
        );
    }
}
