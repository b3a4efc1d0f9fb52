//! Undo of saved changes: restores the former values, unless another session changed them since.

use std::future::Future;
use std::sync::Arc;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::api::Answer;
use crate::components::shell::toast::Toasts;
use crate::texts::common;

/// Member that is compared key by key.
pub const CUSTOM_FIELDS: &str = "custom_fields";

/// Members that the server maintains or that change with time.
const KEPT: [&str; 5] = ["id", "created_at", "updated_at", "global_updated_at", "calls_today"];

/// Shows that the change was saved and offers to undo it for a while. If the undo fails for a reason that may pass, it is
/// offered again. Calls `on_undone` after the undo, if its owner still exists.
pub fn offer<T: 'static, F: Future<Output = Answer<T>> + 'static>(
    toasts: Toasts,
    saved: String,
    restore: impl Fn() -> F + Send + Sync + 'static,
    on_undone: Callback<()>,
) {
    offer_shared(toasts, saved, Arc::new(restore), on_undone);
}

/// Like [`offer`], with a shared closure so that the undo can be offered again.
fn offer_shared<T: 'static, F: Future<Output = Answer<T>> + 'static>(
    toasts: Toasts,
    saved: String,
    restore: Arc<impl Fn() -> F + Send + Sync + 'static>,
    on_undone: Callback<()>,
) {
    toasts.undoable(saved.clone(), move || {
        let (saved, restore) = (saved.clone(), restore.clone());
        spawn_local(async move {
            match restore().await {
                Ok(_) => {
                    toasts.done(common::as_before());
                    on_undone.try_run(());
                }
                Err(error) => {
                    toasts.failed(&error);
                    if error.may_pass() {
                        offer_shared(toasts, saved, restore, on_undone);
                    }
                }
            }
        });
    });
}

/// Returns the request body that changes `after` back to `before`.
pub fn back(before: &impl Serialize, after: &impl Serialize) -> String {
    let members = |thing: Value| if let Value::Object(members) = thing { members } else { Map::new() };
    let of = |thing: Result<Value, _>| members(thing.expect("wire types are made of texts, numbers and lists"));
    let (before, mut after) = (of(serde_json::to_value(before)), of(serde_json::to_value(after)));
    after.retain(|name, _| !KEPT.contains(&name.as_str()));
    Value::Object(differences(&before, &after)).to_string()
}

/// Returns the former values of the members that changed; null for members that didn't exist. Custom fields are compared one by
/// one.
fn differences(before: &Map<String, Value>, after: &Map<String, Value>) -> Map<String, Value> {
    let mut changed = Map::new();
    for (name, now) in after {
        let was = before.get(name).unwrap_or(&Value::Null);
        let was = match (was, now) {
            _ if was == now => continue,
            (Value::Object(was), Value::Object(now)) if name == CUSTOM_FIELDS => {
                let mut inside = differences(was, now);
                let gone = was.iter().filter(|(name, _)| !now.contains_key(*name));
                inside.extend(gone.map(|(name, value)| (name.clone(), value.clone())));
                Value::Object(inside)
            }
            _ => was.clone(),
        };
        changed.insert(name.clone(), was);
    }
    changed
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;

    #[test]
    fn reverts_only_changed_members() {
        let before = json!({ "id": 7, "city": "Bonn", "zip": null, "do_not_call": false, "updated_at": "a",
            "calling_hours": { "start": "09:00", "end": "17:00" },
            "custom_fields": { "tier": "gold", "points": 5, "left": true } });
        let after = json!({ "id": 7, "city": null, "zip": "53111", "do_not_call": false, "updated_at": "b",
            "calling_hours": { "start": "09:00", "end": "20:00" },
            "custom_fields": { "tier": "silver", "points": 5, "new": 1 } });
        let change: Value = serde_json::from_str(&back(&before, &after)).unwrap();
        let custom = json!({ "tier": "gold", "left": true, "new": null });
        let hours = json!({ "start": "09:00", "end": "17:00" });
        assert_eq!(change, json!({ "city": "Bonn", "zip": null, "calling_hours": hours, "custom_fields": custom }));
    }
}
