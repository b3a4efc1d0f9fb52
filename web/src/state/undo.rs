//! Undo of saved changes: restores the former values, unless another session changed them since.

use std::future::Future;

use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::api::ApiResult;
use crate::i18n::texts::common;
use crate::state::Toasts;

/// Member that is compared key by key.
pub const CUSTOM_FIELDS: &str = "custom_fields";

/// Members that the server maintains or that change with time.
const SERVER_MAINTAINED_MEMBERS: [&str; 5] = ["id", "created_at", "updated_at", "global_updated_at", "calls_today"];

/// Shows that the change was saved and offers to undo it for a while. If the undo fails for a temporary reason, it is
/// offered again. Calls `on_undone` after the undo, if its owner still exists.
pub fn offer<T: 'static, F: Future<Output = ApiResult<T>> + 'static>(
    toasts: Toasts,
    saved_message: String,
    restore: impl Fn() -> F + Clone + Send + Sync + 'static,
    on_undone: Callback<()>,
) {
    toasts.show_undoable(saved_message.clone(), move || {
        let (saved_message, restore) = (saved_message.clone(), restore.clone());
        spawn_local(async move {
            match restore().await {
                Ok(_) => {
                    toasts.show_success(common::undone());
                    on_undone.try_run(());
                }
                Err(error) => {
                    toasts.show_error(&error);
                    if error.is_retryable() {
                        offer(toasts, saved_message, restore, on_undone);
                    }
                }
            }
        });
    });
}

/// Returns the request body that changes `after` back to `before`.
pub fn undo_body(before: &impl Serialize, after: &impl Serialize) -> String {
    let members = |json: Value| if let Value::Object(members) = json { members } else { Map::new() };
    let to_members = |json: Result<Value, _>| members(json.expect("wire types always serialize"));
    let (before, mut after) = (to_members(serde_json::to_value(before)), to_members(serde_json::to_value(after)));
    after.retain(|name, _| !SERVER_MAINTAINED_MEMBERS.contains(&name.as_str()));
    Value::Object(differences(&before, &after)).to_string()
}

/// Returns the former values of the members that changed; null for members that didn't exist. Custom fields are
/// compared one by one.
fn differences(before: &Map<String, Value>, after: &Map<String, Value>) -> Map<String, Value> {
    let mut changed = Map::new();
    for (name, current) in after {
        let before_value = before.get(name).unwrap_or(&Value::Null);
        let before_value = match (before_value, current) {
            _ if before_value == current => continue,
            (Value::Object(before_value), Value::Object(current)) if name == CUSTOM_FIELDS => {
                let mut nested = differences(before_value, current);
                let removed = before_value.iter().filter(|(name, _)| !current.contains_key(*name));
                nested.extend(removed.map(|(name, value)| (name.clone(), value.clone())));
                Value::Object(nested)
            }
            _ => before_value.clone(),
        };
        changed.insert(name.clone(), before_value);
    }
    changed
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use crate::state::undo::*;

    #[test]
    fn reverts_only_changed_members() {
        let before = json!({ "id": 7, "city": "Bonn", "zip": null, "do_not_call": false, "updated_at": "a",
            "calling_hours": { "start": "09:00", "end": "17:00" },
            "custom_fields": { "tier": "gold", "points": 5, "left": true } });
        let after = json!({ "id": 7, "city": null, "zip": "53111", "do_not_call": false, "updated_at": "b",
            "calling_hours": { "start": "09:00", "end": "20:00" },
            "custom_fields": { "tier": "silver", "points": 5, "new": 1 } });
        let change: Value = serde_json::from_str(&undo_body(&before, &after)).unwrap();
        let custom = json!({ "tier": "gold", "left": true, "new": null });
        let hours = json!({ "start": "09:00", "end": "17:00" });
        assert_eq!(change, json!({ "city": "Bonn", "zip": null, "calling_hours": hours, "custom_fields": custom }));
    }
}
