//! Saving what others may change meanwhile, so that nobody's change is overwritten unknowingly: who saves a field that somebody
//! else changed is told what it is by now, and puts their own in its place by saving once more, or not at all. What others
//! changed of other fields is no matter, and stays.

use leadscribe_engine::filter::fields::CUSTOM_PREFIX;
use leptos::prelude::*;
use serde::Serialize;
use serde_json::{Map, Value};

use crate::api::{Answer, Api, Shared};
use crate::components::shell::toast::Toasts;
use crate::undo::{self, CUSTOM_FIELDS};

/// A thing that was saved.
pub struct Saved<T> {
    /// As it was just before.
    before: T,
    pub now: T,
}

impl<T: Shared> Saved<T> {
    /// Says that it is saved, and offers to take that back, unless somebody changes it meanwhile. `on_undone` is told when that
    /// was done.
    pub fn offer_undo(&self, api: Api, toasts: Toasts, said: String, on_undone: Callback<()>) {
        let (former, now) = (undo::back(&self.before, &self.now), self.now.clone());
        undo::offer(toasts, said, move || api.change(&now, former.clone()), on_undone);
    }
}

/// What others made of the fields that somebody wants to save. It is there as long as anybody has it, though the form that it
/// is told in be gone.
#[derive(Clone)]
pub struct Meanwhile<T: 'static>(ArcRwSignal<Option<Found<T>>>);

struct Found<T> {
    now: T,
    /// The fields that they changed too, custom fields by their key in filters; none once that is known.
    fields: Vec<String>,
}

impl<T: Shared> Meanwhile<T> {
    /// Nothing.
    pub fn nothing() -> Self {
        Self(ArcRwSignal::new(None))
    }

    /// The thing as others made it, where that was found.
    pub fn now(&self) -> Option<T> {
        self.0.with_untracked(|found| found.as_ref().map(|found| found.now.clone()))
    }

    /// Whether there is anything to be told.
    pub fn is_to_be_told(&self) -> bool {
        self.0.with_untracked(|found| found.as_ref().is_some_and(|found| !found.fields.is_empty()))
    }

    /// What there is to be told: a line for each field, as `told` says it.
    pub fn lines(&self, told: impl Fn(&T, &str) -> String + Send + Sync + 'static) -> Signal<Vec<String>> {
        let found = self.0.clone();
        let lines = move |found: &Found<T>| found.fields.iter().map(|name| told(&found.now, name)).collect();
        Signal::derive(move || found.with(|found| found.as_ref().map(&lines)).unwrap_or_default())
    }

    /// Saves a change of what whoever saves knows as `before`; what was told until now is known.
    ///
    /// # Errors
    /// Others changed the same fields, which is to be told then; or the server refused it, or couldn't be asked.
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

/// The members of `change`, the body of a request, that others changed too, from `before` to `now`; custom fields by their key in
/// filters.
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
}
