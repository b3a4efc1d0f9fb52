//! Optimistic updates: the last value from the server, with the pending changes applied on top.

/// A change of a value. It is applied again when the underlying value changes.
pub type Change<T> = Box<dyn Fn(&mut T) + Send + Sync>;

/// Changes that wait for the server's answer.
pub struct Assumed<T> {
    /// Last value from the server, while changes are pending.
    said: Option<T>,
    changes: Vec<(u64, Change<T>)>,
    next: u64,
}

impl<T> Assumed<T> {
    /// Creates a state without pending changes.
    pub const fn none() -> Self {
        Self { said: None, changes: Vec::new(), next: 0 }
    }

    /// True if no change is pending, so the server's value is shown as it is.
    pub fn is_none(&self) -> bool {
        self.changes.is_empty()
    }

    /// Takes a new value from the server. Returns it if it can be shown; while changes are pending, the value is stored until
    /// they are settled.
    pub fn say(&mut self, value: T) -> Option<T> {
        if self.is_none() {
            return Some(value);
        }
        self.said = Some(value);
        None
    }

    /// Drops all pending changes, because a different value is shown now.
    pub fn forget(&mut self) {
        self.said = None;
        self.changes.clear();
    }
}

impl<T: Clone> Assumed<T> {
    /// Adds a change to the shown value. Returns the change's number and the new value to show.
    pub fn assume(&mut self, shown: &T, change: Change<T>) -> (u64, T) {
        if self.is_none() {
            self.said = Some(shown.clone());
        }
        let mut changed = shown.clone();
        change(&mut changed);
        self.next += 1;
        self.changes.push((self.next, change));
        (self.next, changed)
    }

    /// Settles the change with this number. `made` applies the server's answer to the value; `None` if the server refused the
    /// change. Returns the value to show: the server's value with the remaining changes applied. Returns `None` if the change
    /// was dropped.
    pub fn settle(&mut self, number: u64, made: Option<impl FnOnce(&mut T)>) -> Option<T> {
        let place = self.changes.iter().position(|(waiting, _)| *waiting == number)?;
        drop(self.changes.remove(place));
        let mut said = self.said.take()?;
        if let Some(made) = made {
            made(&mut said);
        }
        let mut shown = said.clone();
        self.changes.iter().for_each(|(_, change)| change(&mut shown));
        self.said = (!self.is_none()).then_some(said);
        Some(shown)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn add(text: &'static str) -> Change<String> {
        Box::new(move |shown| shown.push_str(text))
    }

    const REFUSED: Option<fn(&mut String)> = None;

    #[test]
    fn reverts_only_the_refused_change() {
        let mut assumed = Assumed::none();
        let (first, shown) = assumed.assume(&"a".to_owned(), add("b"));
        let (second, shown) = assumed.assume(&shown, add("c"));
        assert_eq!(shown, "abc");
        assert_eq!(assumed.settle(first, REFUSED).as_deref(), Some("ac"));
        // The server's result replaces the assumed one.
        assert_eq!(assumed.settle(second, Some(|said: &mut String| said.push('C'))).as_deref(), Some("aC"));
        assert!(assumed.is_none());
    }

    #[test]
    fn settles_changes_in_any_order() {
        let mut assumed = Assumed::none();
        let (first, shown) = assumed.assume(&"a".to_owned(), add("b"));
        let (second, _) = assumed.assume(&shown, add("c"));
        assert_eq!(assumed.settle(second, Some(|said: &mut String| said.push('c'))).as_deref(), Some("acb"));
        assert_eq!(assumed.settle(first, REFUSED).as_deref(), Some("ac"));
    }

    #[test]
    fn refused_change_reverts_to_the_latest_server_value() {
        let mut assumed = Assumed::none();
        assert_eq!(assumed.say("a".to_owned()).as_deref(), Some("a"));
        let (number, _) = assumed.assume(&"a".to_owned(), add("b"));
        assert_eq!(assumed.say("z".to_owned()), None);
        assert_eq!(assumed.settle(number, REFUSED).as_deref(), Some("z"));
        assert_eq!(assumed.say("y".to_owned()).as_deref(), Some("y"));
    }

    #[test]
    fn ignores_answers_to_dropped_changes() {
        let made = |text: &'static str| Some(move |said: &mut String| said.push_str(text));
        let mut assumed = Assumed::none();
        let (former, _) = assumed.assume(&"a".to_owned(), add("b"));
        assumed.forget();
        assert_eq!(assumed.say("x".to_owned()).as_deref(), Some("x"), "it is shown at once");
        assert_eq!(assumed.settle(former, made("b")), None);
        assert!(assumed.is_none());
        let (number, shown) = assumed.assume(&"x".to_owned(), add("y"));
        assert_eq!((shown.as_str(), assumed.settle(former, made("b"))), ("xy", None));
        assert_eq!(assumed.settle(number, made("Y")).as_deref(), Some("xY"));
    }
}
