//! The rows of a list that changes while somebody is in it.

use leptos::prelude::*;

use crate::focus;

/// What a row is known by as long as it is listed.
#[derive(Clone, Debug, PartialEq, Eq, Hash)]
pub enum RowKey {
    Id(i64),
    Url(String),
}

/// The rows of what is listed, or `awaited` in their place while the first answer is. `row` draws one, once, and is told what it is
/// about, now and when that changes: whatever comes, goes or changes, the keyboard stays at the row where it is.
pub fn live_rows<T: Clone + PartialEq + Send + Sync + 'static>(
    listed: Signal<Option<Vec<T>>>,
    awaited: ViewFn,
    key: fn(&T) -> RowKey,
    row: impl Fn(Memo<Option<T>>) -> AnyView + Send + Sync + 'static,
) -> AnyView {
    // So that not every row makes a list of its own to look itself up in.
    let listed = Memo::new(move |_| listed.get());
    let keys = Memo::new(move |_| listed.with(|listed| Some(listed.as_ref()?.iter().map(key).collect())));
    let row = Callback::new(move |own: RowKey| {
        row(Memo::new(move |before: Option<&Option<T>>| {
            let now = listed.with(|listed| listed.iter().flatten().find(|one| key(one) == own).cloned());
            // One that is listed no more is about to go.
            now.or_else(|| before.cloned().flatten())
        }))
    });
    keyed_rows(keys, awaited, row)
}

/// The rows of these keys, whatever they are about: compiled once for all lists.
fn keyed_rows(keys: Memo<Option<Vec<RowKey>>>, awaited: ViewFn, row: Callback<RowKey, AnyView>) -> AnyView {
    let is_awaited = Memo::new(move |_| keys.with(Option::is_none));
    let each = move || {
        focus::hold();
        keys.get().unwrap_or_default()
    };
    let rows = move || match is_awaited.get() {
        true => awaited.run(),
        false => view! { <For each key=RowKey::clone children=move |key| row.run(key) /> }.into_any(),
    };
    rows.into_any()
}
