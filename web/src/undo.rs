//! Taking back what was saved: the former values go back, unless somebody changed it since.

use std::future::Future;

use leadscribe_engine::filter::fields::CUSTOM_PREFIX;
use leptos::prelude::*;
use leptos::task::spawn_local;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::api::Answer;
use crate::components::toast::Toasts;
use crate::texts::common;

/// The member whose own members are changed one by one.
const CUSTOM_FIELDS: &str = "custom_fields";

/// What the server keeps by itself.
const KEPT: [&str; 4] = ["id", "created_at", "updated_at", "global_updated_at"];

/// Says what was saved, and offers to take it back for a while. `on_undone` is told when that was done, as long as it is there.
pub fn offer<T: 'static, F: Future<Output = Answer<T>> + 'static>(
    toasts: Toasts,
    saved: String,
    restore: impl Fn() -> F + Send + Sync + 'static,
    on_undone: Callback<()>,
) {
    toasts.undoable(saved, move || {
        let restored = restore();
        spawn_local(async move {
            match restored.await {
                Ok(_) => {
                    toasts.done(common::as_before());
                    on_undone.try_run(());
                }
                Err(error) => toasts.failed(&error),
            }
        });
    });
}

/// The change that makes of `after` what was `before`, as the body of a request.
pub fn back(before: &impl Serialize, after: &impl Serialize) -> String {
    let members = |thing: Value| if let Value::Object(members) = thing { members } else { Map::new() };
    let of = |thing: Result<Value, _>| members(thing.expect("wire types are made of texts, numbers and lists"));
    let (before, mut after) = (of(serde_json::to_value(before)), of(serde_json::to_value(after)));
    after.retain(|name, _| !KEPT.contains(&name.as_str()));
    Value::Object(differences(&before, &after)).to_string()
}

/// The members of `change`, the body of a request, that others changed too, from `before` to `now`; custom fields by their key in
/// filters.
pub fn changed_too(before: &impl Serialize, now: &impl Serialize, change: &str) -> Vec<String> {
    let members = |text: &str| serde_json::from_str::<Map<String, Value>>(text).unwrap_or_default();
    let (theirs, mine) = (members(&back(before, now)), members(change));
    let both = mine.iter().filter_map(|(name, value)| Some((name, value, theirs.get(name)?)));
    let names = both.flat_map(|(name, mine, theirs)| match (mine, theirs) {
        (Value::Object(mine), Value::Object(theirs)) if name == CUSTOM_FIELDS => {
            mine.keys().filter(|name| theirs.contains_key(*name)).map(|name| format!("{CUSTOM_PREFIX}{name}")).collect()
        }
        _ => vec![name.clone()],
    });
    names.collect()
}

/// The members of `after` that were others before, as they were; null for those that weren't there. Of the custom fields, those
/// that were others.
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
    fn what_two_changed_is_known() {
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

    #[test]
    fn what_was_changed_goes_back_and_nothing_else() {
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
