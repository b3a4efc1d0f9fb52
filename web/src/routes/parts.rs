//! Lazy-loaded parts of the panel. A part is a WebAssembly module with some pages; it is loaded when the first of them is
//! opened. Code that only one part uses is in its module, so startup waits only for the shell and its dependencies.

use std::pin::Pin;
use std::time::Duration;

use leptos::prelude::*;
use leptos::task::spawn_local;
use leptos::wasm_split::{SplitLoaderError, wasm_split};
use leptos_router::ChooseView;

use crate::api::has_pending_requests;
use crate::browser::scheduler::{allows_prefetch, next_task, wait_until_idle};
use crate::features::{api_docs, calls, campaigns, deliveries, imports, leads, settings, today, transcripts};
use crate::routes::Pages;
use crate::ui::chunk_load_error::ChunkLoadError;

type LoadFuture<T> = Pin<Box<dyn Future<Output = Result<T, SplitLoaderError>>>>;

/// A page of a part, as a lazy route: shown once its part is loaded.
#[derive(Clone, Copy)]
pub struct LazyRoute {
    view: fn() -> LoadFuture<AnyView>,
    part: Part,
}

impl ChooseView for LazyRoute {
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
        self.part.load().await.ok();
    }
}

/// A lazy-loaded part. Each contains the router too, so that any of them can be the first.
#[derive(Clone, Copy)]
pub struct Part {
    load: fn() -> LoadFuture<()>,
    pages: fn() -> LoadFuture<AnyView>,
}

impl Part {
    /// Loads the part.
    pub fn load(self) -> LoadFuture<()> {
        (self.load)()
    }

    /// Returns the router with all pages.
    pub fn pages(self) -> LoadFuture<AnyView> {
        (self.pages)()
    }
}

/// Returns the part of the page at `location`. Must match web/preload.js, which requests the files.
pub fn first_part(location: &str) -> Part {
    let path = location.split(['?', '#']).next().unwrap_or_default();
    let mut segments = path.split('/').skip(1).filter(|segment| !segment.is_empty());
    match (segments.next(), segments.next()) {
        (Some("leads"), None) => LEADS,
        (Some("leads"), Some("new")) | (Some("settings" | "api-reference"), _) => SETTINGS,
        (Some("calls" | "deliveries"), _) => CALLS,
        (Some("transcripts" | "imports"), _) => IMPORTS,
        _ => TODAY,
    }
}

/// Delay between two checks whether the current page has finished loading.
const PRELOAD_DELAY: Duration = Duration::from_secs(2);

/// Loads all parts one by one once the page has its data and the browser is idle, unless the connection is slow or metered. The first
/// visit to another page then doesn't wait, and works without a connection.
pub fn preload_when_idle() {
    let load = || {
        if has_pending_requests() {
            return preload_when_idle();
        }
        spawn_local(async {
            let load_dialogs: fn() -> LoadFuture<()> = || Box::pin(load_dialogs());
            for load in std::iter::once(load_dialogs).chain(PARTS.iter().map(|part| part.load)) {
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

// Dialogs that are opened from a page, and other rarely used views, share one part that no page needs to start. This function
// only makes it known here; `lazy_view!` puts the views into it.
#[wasm_split(dialogs, wasm_split_path = leptos::wasm_split, fallible)]
fn load_dialogs() -> Result<(), SplitLoaderError> {
    Ok(())
}

macro_rules! parts {
    ($($const:ident = $part:ident, $pages:ident { $($name:ident: $page:path,)+ })+) => {
        $(
            const $const: Part = {
                // The names become symbols of the module, so they must be unique.
                #[wasm_split($part, wasm_split_path = leptos::wasm_split, preload(load), fallible)]
                fn $pages() -> Result<AnyView, SplitLoaderError> {
                    Ok(Pages().into_any())
                }
                Part { load: || Box::pin(load()), pages: || Box::pin($pages()) }
            };

            $(
                pub fn $name() -> LazyRoute {
                    #[wasm_split($part, wasm_split_path = leptos::wasm_split, fallible)]
                    fn $name() -> Result<AnyView, SplitLoaderError> {
                        Ok($page().into_any())
                    }
                    LazyRoute { view: || Box::pin($name()), part: $const }
                }
            )+
        )+

        const PARTS: &[Part] = &[$($const),+];
    };
}

// More parts split the shared code into more pieces, which are fetched one by one and compress worse. Light pages therefore
// share a part, as long as no part is larger than that of the heaviest page.
parts! {
    TODAY = today, pages_with_today {
        today: today::TodayPage,
        lead: leads::lead::LeadPage,
        campaigns: campaigns::list::CampaignsPage,
        new_campaign: campaigns::campaign::NewCampaignPage,
        campaign: campaigns::campaign::CampaignPage,
    }
    LEADS = leads, pages_with_leads {
        leads: leads::list::LeadsPage,
    }
    CALLS = calls, pages_with_calls {
        calls: calls::list::CallsPage,
        call: calls::call::CallPage,
        deliveries: deliveries::list::DeliveriesPage,
        delivery: deliveries::delivery::DeliveryPage,
    }
    SETTINGS = settings, pages_with_settings {
        settings: settings::SettingsPage,
        api_reference: api_docs::ApiReferencePage,
        new_lead: leads::lead::NewLeadPage,
    }
    IMPORTS = imports, pages_with_imports {
        imports: imports::page::ImportsPage,
        transcripts: transcripts::page::TranscriptsPage,
    }
}

#[cfg(test)]
mod tests {
    use leadscribe_engine::api::{
        AuditOrder, CallOrder, CampaignOrder, DeliveryOrder, ImportOrder, ListOrder, Order, TranscriptOrder,
    };

    use crate::features::settings::audit;
    use crate::features::{campaigns, deliveries, imports, transcripts};
    use crate::ui::call;
    use crate::ui::list::column_headers::ColumnHeader;

    /// Sort keys that the server doesn't know, and the default order.
    fn unknown_sort_keys<T: ListOrder>(headers: &[ColumnHeader]) -> (Vec<&'static str>, String) {
        let sort_key = headers.iter().filter_map(|header| header.sort_key);
        (
            sort_key.filter(|sort_key| Order::<T>::from_name(sort_key).is_none()).collect(),
            Order::<T>::default().to_string(),
        )
    }

    #[test]
    fn headers_use_known_sort_keys() {
        let expected = |default_order: &str| (Vec::new(), default_order.to_owned());
        assert_eq!(unknown_sort_keys::<CallOrder>(&call::table::COLUMNS), expected(call::table::DEFAULT_ORDER));
        assert_eq!(
            unknown_sort_keys::<CampaignOrder>(&campaigns::table::COLUMNS),
            expected(campaigns::table::DEFAULT_ORDER)
        );
        assert_eq!(
            unknown_sort_keys::<DeliveryOrder>(&deliveries::table::COLUMNS),
            expected(deliveries::table::DEFAULT_ORDER)
        );
        assert_eq!(unknown_sort_keys::<ImportOrder>(&imports::table::COLUMNS), expected(imports::table::DEFAULT_ORDER));
        assert_eq!(unknown_sort_keys::<AuditOrder>(&audit::table::COLUMNS), expected(audit::table::DEFAULT_ORDER));
        assert_eq!(
            unknown_sort_keys::<TranscriptOrder>(&transcripts::hits::COLUMNS),
            expected(transcripts::hits::DEFAULT_ORDER)
        );
    }
}
