//! Views that are loaded when they are first shown.

use std::future::Future;

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_split::SplitLoaderError;
use send_wrapper::SendWrapper;

use super::ChunkLoadError;
use crate::browser::scheduler::next_task;

/// Declares a function that renders a view from another WebAssembly module, which it loads if necessary:
///
/// ```text
/// lazy_view!(module: pub fn name(Props) = render);
/// ```
///
/// `render` is a component or another function of its properties. `name` becomes a symbol of the module, so it must be
/// unique in the panel. Views that name the same module share one download.
macro_rules! lazy_view {
    ($(#[$doc:meta])* $module:ident: $visibility:vis fn $name:ident($Props:ty) = $render:path) => {
        $(#[$doc])*
        $visibility fn $name(props: $Props) -> ::leptos::prelude::AnyView {
            use ::leptos::wasm_split::{SplitLoaderError, wasm_split};

            #[wasm_split($module, wasm_split_path = leptos::wasm_split, fallible)]
            fn $name(props: $Props) -> Result<::leptos::prelude::AnyView, SplitLoaderError> {
                Ok(::leptos::prelude::IntoAny::into_any($render(props)))
            }
            $crate::ui::lazy_view::suspend_until_loaded($name(props))
        }
    };
}

pub(crate) use lazy_view;

/// Renders the view when it is loaded, or an error message.
pub fn suspend_until_loaded(view: impl Future<Output = Result<AnyView, SplitLoaderError>> + 'static) -> AnyView {
    let view = async { view.await.unwrap_or_else(|_| view! { <ChunkLoadError /> }.into_any()) };
    Suspend::new(SendWrapper::new(view)).into_any()
}

/// Renders the view once `is_opened` has returned true, and keeps it.
pub fn render_once_opened(
    is_opened: impl Fn() -> bool + Send + Sync + 'static,
    view: impl Fn() -> AnyView + Send + Sync + 'static,
) -> impl IntoView {
    let was_opened = Memo::new(move |previous| previous == Some(&true) || is_opened());
    move || was_opened.get().then(&view)
}

/// Builds its children in a task of their own, so that the content before them is drawn and responds without delay. The
/// parent must reserve their space.
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
