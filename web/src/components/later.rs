//! Parts of a page that need not be there at once.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::task::next_task;

/// Builds its children in a task of their own, so that what stands before them is drawn, and answers, without waiting for
/// them. What is around them keeps their place.
#[component]
pub fn Later(children: Children) -> impl IntoView {
    let is_time = RwSignal::new(false);
    spawn_local(async move {
        next_task().await;
        // The page may be gone.
        _ = is_time.try_set(true);
    });
    let mut children = Some(children);
    // What they read while they are built would have them built once more, which they can't be.
    move || is_time.get().then(|| children.take().map(|children| untrack(children)))
}
