//! Detects concurrent edits. If another session changed the same field, the save is refused and the user sees the other value.
//! Saving again overwrites it. Changes of other fields don't conflict and are kept.

use leadscribe_engine::filter::fields::CUSTOM_PREFIX;
use leptos::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::api::{Answer, Api, Shared};
use crate::components::shell::toast::Toasts;
use crate::undo::{self, CUSTOM_FIELDS};

/// A resource after it was saved.
pub struct Saved<T> {
    /// Value just before the save.
    before: T,
    pub now: T,
}

impl<T: Shared> Saved<T> {
    /// Shows that the save succeeded and offers to undo it, unless another session changes the resource first. Calls
    /// `on_undone` after the undo.
    pub fn offer_undo(&self, api: Api, toasts: Toasts, said: String, on_undone: Callback<()>) {
        let (former, now) = (undo::back(&self.before, &self.now), self.now.clone());
        undo::offer(toasts, said, move || api.change(&now, former.clone()), on_undone);
    }
}

/// Concurrent changes of the fields that the user wants to save. Shared, so it outlives the form that shows it.
#[derive(Clone)]
pub struct Meanwhile<T: 'static>(ArcRwSignal<Option<Found<T>>>);

struct Found<T> {
    now: T,
    /// Fields that another session changed too; custom fields by their key in filters. Empty once the user has seen them.
    fields: Vec<String>,
}

impl<T: Shared> Meanwhile<T> {
    /// Creates the state without a conflict.
    pub fn nothing() -> Self {
        Self(ArcRwSignal::new(None))
    }

    /// The resource as another session changed it, if a conflict was found.
    pub fn now(&self) -> Option<T> {
        self.0.with_untracked(|found| found.as_ref().map(|found| found.now.clone()))
    }

    /// True if there is a conflict to show.
    pub fn is_to_be_told(&self) -> bool {
        self.0.with_untracked(|found| found.as_ref().is_some_and(|found| !found.fields.is_empty()))
    }

    /// Lines of the conflict to show: `told` renders one for each field.
    pub fn lines(&self, told: impl Fn(&T, &str) -> String + Send + Sync + 'static) -> Signal<Vec<String>> {
        let found = self.0.clone();
        let lines = move |found: &Found<T>| found.fields.iter().map(|name| told(&found.now, name)).collect();
        Signal::derive(move || found.with(|found| found.as_ref().map(&lines)).unwrap_or_default())
    }

    /// Saves a change of the resource, which the user knows as `before`. Conflicts shown before this call count as confirmed.
    ///
    /// # Errors
    /// Another session changed the same fields, and the conflict is to be shown; or the server refused the change or couldn't
    /// be reached.
    pub async fn save(&self, api: Api, before: T, change: String) -> Answer<Saved<T>> {
        self.0.update(|found| found.iter_mut().for_each(|found| found.fields.clear()));
        let refusal = match api.change(&before, change.clone()).await {
            Ok(now) => return Ok(Saved { before, now }),
            Err(error) if error.is_changed_since() => error,
            Err(error) => return Err(error),
        };
        let now = api.read_again(&before).await?;
        let fields = changed_too(&before, &now, &change);
        if !fields.is_empty() {
            self.0.set(Some(Found { now, fields }));
            return Err(refusal);
        }
        let saved = api.change(&now, change).await?;
        Ok(Saved { before: now, now: saved })
    }
}

/// Returns the members of the request body `change` that another session changed too between `before` and `now`; custom fields
/// by their key in filters.
fn changed_too(before: &impl Serialize, now: &impl Serialize, change: &str) -> Vec<String> {
    let members = |text: &str| serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default();
    let (theirs, mine) = (members(&undo::back(before, now)), members(change));
    let both = mine.iter().filter_map(|(name, value)| Some((name, value, theirs.get(name)?)));
    let names = both.flat_map(|(name, mine, theirs)| match (mine, theirs) {
        (Value::Object(mine), Value::Object(theirs)) if name == CUSTOM_FIELDS => {
            mine.keys().filter(|name| theirs.contains_key(*name)).map(|name| format!("{CUSTOM_PREFIX}{name}")).collect()
        }
        _ => vec![name.clone()],
    });
    names.collect()
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn detects_conflicting_fields() {
        let before =
            json!({ "city": "Bonn", "zip": null, "updated_at": "a", "custom_fields": { "tier": "gold", "points": 5 } });
        let now =
            json!({ "city": "Köln", "zip": null, "updated_at": "b", "custom_fields": { "tier": "new", "points": 5 } });
        let both = |change: Value| changed_too(&before, &now, &change.to_string());
        assert_eq!(both(json!({ "zip": "53111", "custom_fields": { "points": 6 } })), [""; 0]);
        assert_eq!(
            both(json!({ "city": "Ulm", "custom_fields": { "tier": "x", "points": 6 } })),
            ["city", "custom.tier"]
        );
    }
}
