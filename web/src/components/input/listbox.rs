//! Keyboard navigation of a list from an input that keeps the focus, as in the ARIA combobox pattern.

use leptos::prelude::*;

use crate::dom::bring_into_sight;

/// Number of options that PageDown and PageUp move by.
const PAGE: usize = 8;

/// Selection after the last option and before the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum Beyond {
    /// The option at the other end.
    OtherEnd,
    /// No option: the typed text.
    Typed,
}

/// Selected option of a list. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Listbox {
    id: StoredValue<String>,
    count: Signal<usize>,
    chosen: RwSignal<Option<usize>>,
    beyond: Beyond,
}

impl Listbox {
    /// Creates a list with this id and number of options.
    pub fn new(id: impl Into<String>, count: Signal<usize>, beyond: Beyond) -> Self {
        Self { id: StoredValue::new(id.into()), count, chosen: RwSignal::new(None), beyond }
    }

    pub fn id(self) -> String {
        self.id.get_value()
    }

    pub fn option_id(self, place: usize) -> String {
        self.id.with_value(|id| format!("{id}-{place}"))
    }

    /// Index of the selected option, clamped in case the list became shorter.
    pub fn chosen(self) -> Option<usize> {
        self.chosen.get().and_then(|place| Some(place.min(self.count.get().checked_sub(1)?)))
    }

    /// Id of the selected option, for `aria-activedescendant`.
    pub fn active(self) -> Option<String> {
        self.chosen().map(|place| self.option_id(place))
    }

    /// Value for `aria-selected`.
    pub fn is_chosen(self, place: usize) -> &'static str {
        if self.chosen() == Some(place) { "true" } else { "false" }
    }

    /// Selects an option or none, and scrolls to it after rendering.
    pub fn choose(self, place: Option<usize>) {
        self.chosen.set(place);
        request_animation_frame(move || {
            let id = self.chosen.try_get_untracked().flatten().map(|place| self.option_id(place));
            if let Some(option) = id.and_then(|id| document().get_element_by_id(&id)) {
                bring_into_sight(&option);
            }
        });
    }

    /// Handles a navigation key. Returns true if the key was handled.
    pub fn step(self, key: &str) -> bool {
        let next = stepped(key, untrack(|| self.chosen()), self.count.get_untracked(), self.beyond);
        if let Some(next) = next {
            self.choose(next);
        }
        next.is_some()
    }
}

/// Selection after a key press, given the number of options; `None` if it isn't a navigation key.
fn stepped(key: &str, chosen: Option<usize>, count: usize, beyond: Beyond) -> Option<Option<usize>> {
    let last = count.checked_sub(1);
    let around = |end| if chosen.is_none() || beyond == Beyond::OtherEnd { end } else { None };
    let next = match key {
        "ArrowDown" => chosen.map(|place| place + 1).filter(|place| *place < count).or_else(|| around(last.map(|_| 0))),
        "ArrowUp" => chosen.and_then(|place| place.checked_sub(1)).or_else(|| around(last)),
        "PageDown" => last.map(|last| last.min(chosen.map_or(0, |place| place + PAGE))),
        "PageUp" => last.map(|_| chosen.unwrap_or_default().saturating_sub(PAGE)),
        _ => return None,
    };
    Some(next)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn walk(keys: &[&str], count: usize, beyond: Beyond) -> Vec<Option<usize>> {
        let mut chosen = None;
        let step = |key: &&str| {
            chosen = stepped(key, chosen, count, beyond).expect("a key that steps");
            chosen
        };
        keys.iter().map(step).collect()
    }

    #[test]
    fn wraps_around_or_returns_to_typed_text() {
        let down = ["ArrowDown"; 4];
        assert_eq!(walk(&down, 2, Beyond::OtherEnd), [Some(0), Some(1), Some(0), Some(1)]);
        assert_eq!(walk(&down, 2, Beyond::Typed), [Some(0), Some(1), None, Some(0)]);
        let up = ["ArrowUp"; 4];
        assert_eq!(walk(&up, 2, Beyond::OtherEnd), [Some(1), Some(0), Some(1), Some(0)]);
        assert_eq!(walk(&up, 2, Beyond::Typed), [Some(1), Some(0), None, Some(1)]);
    }

    #[test]
    fn page_keys_stop_at_the_ends() {
        let keys = ["PageDown", "PageDown", "PageDown", "PageUp", "PageUp"];
        assert_eq!(walk(&keys, 12, Beyond::OtherEnd), [Some(0), Some(8), Some(11), Some(3), Some(0)]);
        assert_eq!(walk(&["ArrowDown", "ArrowUp", "PageDown"], 0, Beyond::OtherEnd), [None; 3]);
        assert_eq!(stepped("Home", Some(1), 3, Beyond::OtherEnd), None, "Home goes to the start of what is typed");
    }
}
