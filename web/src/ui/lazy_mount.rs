//! Deferred mounting for parts of a page that aren't needed immediately.

use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::browser::scheduler::next_task;

/// Builds its children in a task of their own, so that the content before them is drawn and responds without delay. The parent must reserve
/// their space.
#[component]
pub fn LazyMount(children: Children) -> impl IntoView {
    let is_mounted = RwSignal::new(false);
    spawn_local(async move {
        next_task().await;
        // The page may be unmounted.
        _ = is_mounted.try_set(true);
    });
    let mut children = Some(children);
    // Untracked: signals read while building would rebuild the children, which can be built only once.
    move || is_mounted.get().then(|| children.take().map(|children| untrack(children)))
}
