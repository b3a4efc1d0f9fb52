//! Keyboard navigation of a list from an input that keeps the focus, as in the ARIA combobox pattern.

use leptos::prelude::*;

use crate::browser::dom::scroll_into_view;

/// Number of options that PageDown and PageUp move by.
const PAGE_STEP: usize = 8;

/// Selection after the last option and before the first.
#[derive(Clone, Copy, Debug, PartialEq)]
pub enum EdgeBehavior {
    /// The option at the other end.
    Wrap,
    /// No option. The input's own text is used.
    ReturnToInput,
}

/// Selected option of a list. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Listbox {
    id: StoredValue<String>,
    count: Signal<usize>,
    selected: RwSignal<Option<usize>>,
    edge: EdgeBehavior,
}

impl Listbox {
    /// Creates a list with this id and number of options.
    pub fn new(id: impl Into<String>, count: Signal<usize>, edge: EdgeBehavior) -> Self {
        Self { id: StoredValue::new(id.into()), count, selected: RwSignal::new(None), edge }
    }

    pub fn id(self) -> String {
        self.id.get_value()
    }

    pub fn option_id(self, index: usize) -> String {
        self.id.with_value(|id| format!("{id}-{index}"))
    }

    /// Index of the selected option, clamped in case the list became shorter.
    pub fn selected_index(self) -> Option<usize> {
        self.selected.get().and_then(|index| Some(index.min(self.count.get().checked_sub(1)?)))
    }

    /// Id of the selected option, for `aria-activedescendant`.
    pub fn active_descendant(self) -> Option<String> {
        self.selected_index().map(|index| self.option_id(index))
    }

    pub fn aria_selected(self, index: usize) -> &'static str {
        if self.selected_index() == Some(index) { "true" } else { "false" }
    }

    /// Selects an option or none, and scrolls to it after rendering.
    pub fn select(self, index: Option<usize>) {
        self.selected.set(index);
        request_animation_frame(move || {
            let id = self.selected.try_get_untracked().flatten().map(|index| self.option_id(index));
            if let Some(option) = id.and_then(|id| document().get_element_by_id(&id)) {
                scroll_into_view(&option);
            }
        });
    }

    /// Handles a navigation key. Returns true if the key was handled.
    pub fn handle_key(self, key: &str) -> bool {
        let next = next_selection(key, untrack(|| self.selected_index()), self.count.get_untracked(), self.edge);
        if let Some(next) = next {
            self.select(next);
        }
        next.is_some()
    }
}

/// Selection after a key press, given the number of options; `None` if it isn't a navigation key.
fn next_selection(key: &str, selected: Option<usize>, count: usize, edge: EdgeBehavior) -> Option<Option<usize>> {
    let last = count.checked_sub(1);
    let wrap = |end| if selected.is_none() || edge == EdgeBehavior::Wrap { end } else { None };
    let next = match key {
        "ArrowDown" => selected.map(|index| index + 1).filter(|index| *index < count).or_else(|| wrap(last.map(|_| 0))),
        "ArrowUp" => selected.and_then(|index| index.checked_sub(1)).or_else(|| wrap(last)),
        "PageDown" => last.map(|last| last.min(selected.map_or(0, |index| index + PAGE_STEP))),
        "PageUp" => last.map(|_| selected.unwrap_or_default().saturating_sub(PAGE_STEP)),
        _ => return None,
    };
    Some(next)
}

#[cfg(test)]
mod tests {
    use crate::ui::input::listbox::*;

    fn press_keys(keys: &[&str], count: usize, edge: EdgeBehavior) -> Vec<Option<usize>> {
        let mut selected = None;
        let step = |key: &&str| {
            selected = next_selection(key, selected, count, edge).expect("the key moves the selection");
            selected
        };
        keys.iter().map(step).collect()
    }

    #[test]
    fn wraps_around_or_returns_to_typed_text() {
        let down = ["ArrowDown"; 4];
        assert_eq!(press_keys(&down, 2, EdgeBehavior::Wrap), [Some(0), Some(1), Some(0), Some(1)]);
        assert_eq!(press_keys(&down, 2, EdgeBehavior::ReturnToInput), [Some(0), Some(1), None, Some(0)]);
        let up = ["ArrowUp"; 4];
        assert_eq!(press_keys(&up, 2, EdgeBehavior::Wrap), [Some(1), Some(0), Some(1), Some(0)]);
        assert_eq!(press_keys(&up, 2, EdgeBehavior::ReturnToInput), [Some(1), Some(0), None, Some(1)]);
    }

    #[test]
    fn page_keys_stop_at_the_ends() {
        let keys = ["PageDown", "PageDown", "PageDown", "PageUp", "PageUp"];
        assert_eq!(press_keys(&keys, 12, EdgeBehavior::Wrap), [Some(0), Some(8), Some(11), Some(3), Some(0)]);
        assert_eq!(press_keys(&["ArrowDown", "ArrowUp", "PageDown"], 0, EdgeBehavior::Wrap), [None; 3]);
        assert_eq!(
            next_selection("Home", Some(1), 3, EdgeBehavior::Wrap),
            None,
            "Home moves the cursor in the typed text"
        );
    }
}
