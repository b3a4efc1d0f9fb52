//! The rows of a list that changes while somebody is in it.

use leptos::prelude::*;

use crate::focus;

/// The rows of what has these ids, or `awaited` in their place while the first answer is. `row` draws one, once, and has to follow
/// itself what it is about: whatever comes, goes or changes, the keyboard stays at the row where it is. Compiled once for all lists.
pub fn live_rows(ids: Memo<Option<Vec<i64>>>, awaited: ViewFn, row: Callback<i64, AnyView>) -> AnyView {
    let is_awaited = Memo::new(move |_| ids.with(Option::is_none));
    let each = move || {
        focus::hold();
        ids.get().unwrap_or_default()
    };
    let rows = move || match is_awaited.get() {
        true => awaited.run(),
        false => view! { <For each key=|id| *id children=move |id| row.run(id) /> }.into_any(),
    };
    rows.into_any()
}
