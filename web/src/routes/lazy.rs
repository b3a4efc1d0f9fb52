//! Lazy-loaded pages. A chunk is a WebAssembly module with some pages; it is loaded when the first of them is opened.
//! Code that only one chunk uses is in its module, so startup waits only for the shell and its dependencies.
//!
//! Leptos' own lazy routes make one chunk of each page, and end the program if it can't be loaded.

use std::pin::Pin;
use std::time::Duration;

use leptos::prelude::*;
use leptos::tachys::view::iterators::StaticVec;
use leptos::task::spawn_local;
use leptos::wasm_split::{SplitLoaderError, wasm_split};
use leptos_router::any_nested_route::{AnyNestedRoute, IntoAnyNestedRoute};
use leptos_router::{ChooseView, NestedRoute, path};

use crate::api::has_pending_requests;
use crate::browser::scheduler::{allows_prefetch, next_task, wait_until_idle};
use crate::features::shell::NavigationEntry;
use crate::i18n::texts::{common, shell};
use crate::routes::Pages;
use crate::ui::{ChunkLoadError, Glyph};

type LoadFuture<T> = Pin<Box<dyn Future<Output = Result<T, SplitLoaderError>>>>;

/// View of a page that is shown once its chunk is loaded.
#[derive(Clone, Copy)]
struct LazyPage {
    view: fn() -> LoadFuture<AnyView>,
    chunk: Chunk,
}

impl ChooseView for LazyPage {
    async fn choose(self) -> AnyView {
        // Lets the shell or the previous page render first.
        next_task().await;
        match (self.view)().await {
            Ok(view) => view,
            Err(_) => view! { <ChunkLoadError /> }.into_any(),
        }
    }

    async fn preload(&self) {
        // If this fails, opening the page tries again and shows the error.
        self.chunk.load().await.ok();
    }
}

/// A chunk. Each contains the router too, so that any of them can be the first.
#[derive(Clone, Copy)]
pub struct Chunk {
    load: fn() -> LoadFuture<()>,
    pages: fn() -> LoadFuture<AnyView>,
}

impl Chunk {
    /// Returns the chunk of the page at `location`.
    pub fn of(location: &str) -> Self {
        let path = location.split(['?', '#']).next().unwrap_or_default();
        let page = PAGES.iter().find(|(pattern, _)| matches(pattern, path)).unwrap_or(&PAGES[0]);
        page.1
    }

    pub fn load(self) -> LoadFuture<()> {
        (self.load)()
    }

    /// Returns the router with all pages.
    pub fn pages(self) -> LoadFuture<AnyView> {
        (self.pages)()
    }
}

/// True if a path of the table matches the path of an address.
fn matches(pattern: &str, path: &str) -> bool {
    let mut segments = path.split('/').filter(|segment| !segment.is_empty());
    pattern.split('/').filter(|segment| !segment.is_empty()).all(|expected| match segments.next() {
        Some(segment) => expected.starts_with(':') || expected == segment,
        None => expected.ends_with('?'),
    }) && segments.next().is_none()
}

/// Delay between two checks whether the current page has finished loading.
const PRELOAD_DELAY: Duration = Duration::from_secs(2);

/// Loads all chunks one by one once the page has its data and the browser is idle, unless the connection is slow or
/// metered. The first visit to another page then doesn't wait, and works without a connection.
pub fn preload_when_idle() {
    let load = || {
        if has_pending_requests() {
            return preload_when_idle();
        }
        spawn_local(async {
            let load_dialogs: fn() -> LoadFuture<()> = || Box::pin(load_dialogs());
            for load in std::iter::once(load_dialogs).chain(CHUNKS.iter().map(|chunk| chunk.load)) {
                wait_until_idle().await;
                if !allows_prefetch() {
                    return;
                }
                // If this fails, opening the page or dialog tries again and shows the error.
                load().await.ok();
            }
        });
    };
    set_timeout(load, PRELOAD_DELAY);
}

// Dialogs that are opened from a page, and other rarely used views, share one chunk that no page needs to start. This
// function only makes it known here; `lazy_view!` puts the views into it.
#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn load_dialogs() -> Result<(), SplitLoaderError> {
    Ok(())
}

macro_rules! pages {
    (chunks: $($chunk:ident),+; $($name:ident: $path:tt, $($page:ident)::+, in chunk $in_chunk:ident $(, entry $entry:tt)?;)+) => {
        mod chunks {
            use super::*;

            $(
                #[expect(non_upper_case_globals, reason = "chunks have the names of the table")]
                pub const $chunk: Chunk = {
                    #[wasm_split($chunk, wasm_split_path = leptos::wasm_split, preload(load), fallible)]
                    fn $chunk() -> Result<AnyView, SplitLoaderError> {
                        Ok(Pages().into_any())
                    }
                    Chunk { load: || Box::pin(load()), pages: || Box::pin($chunk()) }
                };
            )+
        }

        const CHUNKS: &[Chunk] = &[$(chunks::$chunk),+];

        /// Path and chunk of each page.
        const PAGES: &[(&str, Chunk)] = &[$(($path, chunks::$in_chunk)),+];

        #[component(transparent)]
        pub fn PageRoutes() -> StaticVec<AnyNestedRoute> {
            vec![$({
                #[wasm_split($in_chunk, wasm_split_path = leptos::wasm_split, fallible)]
                fn $name() -> Result<AnyView, SplitLoaderError> {
                    Ok(crate::features::$($page)::+().into_any())
                }
                let page = LazyPage { view: || Box::pin($name()), chunk: chunks::$in_chunk };
                NestedRoute::new(path!($path), page).into_any_nested_route()
            }),+]
            .into()
        }

        /// The main pages.
        pub fn navigation_entries() -> Vec<NavigationEntry> {
            [$($(pages!(entry $path, $entry),)?)+].into()
        }
    };
    (entry $path:tt, { $($member:tt)+ }) => {
        NavigationEntry { path: without_parameters($path), $($member)+ }
    };
}

include!("table.rs");

/// Returns the part of a path before its first parameter.
fn without_parameters(path: &'static str) -> &'static str {
    path.split("/:").next().unwrap_or(path)
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{
        AuditOrder, CallOrder, CampaignOrder, DeliveryOrder, ImportOrder, ListOrder, Order, TranscriptOrder,
    };

    use crate::features::settings::audit_log;
    use crate::features::{campaigns, deliveries, imports, transcripts};
    use crate::routes::lazy::matches;
    use crate::ui::call_table;
    use crate::ui::list::column_headers::ColumnHeader;

    #[track_caller]
    fn assert_known_sort_keys<T: ListOrder>(headers: &[ColumnHeader], default_order: &str) {
        let sort_keys = headers.iter().filter_map(|header| header.sort_key);
        let unknown: Vec<_> = sort_keys.filter(|sort_key| Order::<T>::from_name(sort_key).is_none()).collect();
        assert_eq!((unknown, Order::<T>::default().to_string()), (Vec::new(), default_order.to_owned()));
    }

    #[test]
    fn matches_paths_with_parameters() {
        for (pattern, path, expected) in [
            ("/", "/", true),
            ("/", "/leads", false),
            ("/leads/:id", "/leads/17", true),
            ("/leads/:id", "/leads", false),
            ("/imports/:id?", "/imports/", true),
            ("/imports/:id?", "/imports/3", true),
            ("/imports/:id?", "/imports/3/rows", false),
        ] {
            assert_eq!(matches(pattern, path), expected, "{pattern} {path}");
        }
    }

    #[test]
    fn headers_use_known_sort_keys() {
        assert_known_sort_keys::<CallOrder>(&call_table::COLUMNS, call_table::DEFAULT_ORDER);
        assert_known_sort_keys::<CampaignOrder>(&campaigns::list::COLUMNS, campaigns::list::DEFAULT_ORDER);
        assert_known_sort_keys::<DeliveryOrder>(&deliveries::list::COLUMNS, deliveries::list::DEFAULT_ORDER);
        assert_known_sort_keys::<ImportOrder>(&imports::page::COLUMNS, imports::page::DEFAULT_ORDER);
        assert_known_sort_keys::<AuditOrder>(&audit_log::COLUMNS, audit_log::DEFAULT_ORDER);
        assert_known_sort_keys::<TranscriptOrder>(&transcripts::hits::COLUMNS, transcripts::hits::DEFAULT_ORDER);
    }
}
