//! Virtual list of all leads that match a filter, loaded in windows while the user scrolls. The module is loaded on demand.

use std::collections::BTreeSet;
use std::ops::Range;
use std::time::Duration;

use leadscribe_engine::api::ExtendedLead;
use leadscribe_engine::filter;
use leadscribe_engine::filter::fields::FieldId;
use leptos::prelude::*;
use leptos::task::spawn_local;

use crate::api::{Api, ApiError, use_api};
use crate::components::filter_editor::Names;
use crate::components::lazy_view::lazy_view;
use crate::components::lead::columns::Column;
use crate::components::lead::selection::LeadSelection;
use crate::components::lead::table::{ColumnWidths, RowCache, VirtualLeadList, WINDOW_ROWS};
use crate::components::list::pager::PageWindow;
use crate::filter_text::request_filter;

/// Time before rows that have probably not moved are reloaded, when the total changes repeatedly.
const RECHECK_DELAY: Duration = Duration::from_secs(1);

/// State of the list for the page.
#[derive(Clone, Copy)]
pub struct VirtualListState {
    pub total: RwSignal<Option<u64>>,
    /// Error, if nothing could be loaded.
    pub error: RwSignal<Option<ApiError>>,
    /// Names of the custom fields of the loaded leads.
    pub custom: RwSignal<Vec<String>>,
}

impl VirtualListState {
    /// Creates the state before the first response.
    pub fn new() -> Self {
        Self { total: RwSignal::new(None), error: RwSignal::new(None), custom: RwSignal::new(Vec::new()) }
    }
}

/// Properties of the list.
pub struct VirtualListProps {
    pub filter: Memo<String>,
    /// Incremented to reload the same leads.
    pub reload_count: RwSignal<u64>,
    pub list_state: VirtualListState,
    /// First row to show, counted from 1.
    pub row: Memo<Option<u64>>,
    pub on_idle: Callback<u64>,
    pub on_paginate: Callback<PageWindow>,
    pub on_select_all: Callback<()>,
    pub names: Signal<Names>,
    pub columns: Memo<Vec<Column>>,
    pub order: Signal<Option<(FieldId, bool)>>,
    pub on_sort: Callback<FieldId>,
    pub selection: Option<LeadSelection>,
    pub widths: ColumnWidths,
}

lazy_view!(
    /// The list, loaded when the user opens it.
    dialogs: pub fn virtual_lead_list(VirtualListProps) = virtual_list
);

/// The list.
fn virtual_list(props: VirtualListProps) -> AnyView {
    let VirtualListProps {
        filter,
        reload_count: again,
        list_state: told,
        row,
        on_idle,
        on_paginate: on_pages,
        on_select_all: on_all,
        ..
    } = props;
    let VirtualListProps { names, columns, order, on_sort, selection, widths, .. } = props;
    let row_windows = RowWindows::new(use_api());
    let cache = row_windows.cache;
    row_windows.load(filter.get_untracked());
    Effect::new(move |before: Option<()>| {
        again.track();
        let filter = filter.get();
        if before.is_some() {
            row_windows.load(filter);
        }
    });
    Effect::new(move |_| {
        let (total, error, custom) = cache.with(|cache| {
            let names: BTreeSet<_> = cache.rows().flat_map(|lead| lead.lead.custom_fields.keys()).collect();
            (cache.total(), cache.error().cloned(), names.into_iter().cloned().collect())
        });
        told.total.set(total);
        told.error.set(error);
        told.custom.set(custom);
    });
    let on_rows_needed = Callback::new(move |rows| row_windows.show_rows(rows));
    let on_retry = Callback::new(move |()| row_windows.retry());
    let list = move || {
        row_windows.list_number.track();
        let start = row.get_untracked().unwrap_or(1) - 1;
        view! {
            <VirtualLeadList
                cache
                on_rows_needed
                on_retry
                start
                on_idle
                on_paginate=on_pages
                on_select_all=on_all
                names
                columns=columns.into()
                order
                on_sort
                selection
                widths
            />
        }
    };
    list.into_any()
}

/// Loaded rows and requests for others.
#[derive(Clone, Copy)]
struct RowWindows {
    api: Api,
    cache: RwSignal<RowCache<ExtendedLead>>,
    /// Number of the list; another filter creates another one.
    list_number: RwSignal<u64>,
    filter: StoredValue<String>,
    /// Incremented to discard the responses to earlier requests.
    request_number: StoredValue<u64>,
    is_recheck_scheduled: StoredValue<bool>,
}

impl RowWindows {
    fn new(api: Api) -> Self {
        Self {
            api,
            cache: RwSignal::new(new_cache()),
            list_number: RwSignal::new(0),
            filter: StoredValue::new(String::new()),
            request_number: StoredValue::new(0),
            is_recheck_scheduled: StoredValue::new(false),
        }
    }

    /// Loads the list of a filter, JSON text. With the same filter, the list keeps its position and its rows are reloaded.
    fn load(self, filter: String) {
        self.request_number.update_value(|number| *number += 1);
        if self.filter.with_value(|before| *before == filter) {
            self.cache.update(RowCache::invalidate);
            self.request_windows(true);
        } else {
            self.filter.set_value(filter);
            self.cache.set(new_cache());
            self.list_number.update(|list| *list += 1);
        }
    }

    /// Reports the rows that are visible.
    fn show_rows(self, rows: Range<u64>) {
        self.cache.update(|cache| cache.need(rows));
        self.request_windows(false);
    }

    /// Retries failed requests.
    fn retry(self) {
        self.cache.update(RowCache::retry);
        self.request_windows(false);
    }

    fn request_windows(self, includes_stale: bool) {
        // Subscribers are notified only if a request is sent.
        while let Some(window) = self.cache.try_update_untracked(|cache| cache.next_request(includes_stale)).flatten() {
            self.cache.notify();
            let number = self.request_number.get_value();
            let request = self.api.leads(self.filter.with_value(|filter| window_filter(filter, window)));
            spawn_local(async move {
                let response = request.await;
                // The page may have been closed or show another list.
                if self.request_number.try_get_value() != Some(number) {
                    return;
                }
                let retry_delay = response.as_ref().err().and_then(ApiError::retry_delay);
                self.cache.update(|cache| match response {
                    Ok(leads_page) => cache.insert(window, leads_page.leads, leads_page.total_leads),
                    Err(error) => cache.fail(window, error),
                });
                if let Some(retry_delay) = retry_delay {
                    self.schedule_recheck(retry_delay);
                }
                self.request_windows(false);
            });
        }
        let has_stale_rows = self.cache.try_with_untracked(RowCache::has_unverified) == Some(true);
        if has_stale_rows && !includes_stale {
            self.schedule_recheck(RECHECK_DELAY);
        }
    }

    /// Reloads rows that are probably still correct, after a pause.
    fn schedule_recheck(self, delay: Duration) {
        if self.is_recheck_scheduled.get_value() {
            return;
        }
        self.is_recheck_scheduled.set_value(true);
        let run_recheck = move || {
            if self.is_recheck_scheduled.try_update_value(|is_scheduled| *is_scheduled = false).is_some() {
                self.request_windows(true);
            }
        };
        set_timeout(run_recheck, delay);
    }
}

fn new_cache() -> RowCache<ExtendedLead> {
    RowCache::new(|lead| lead.lead.id)
}

/// Filter to send for a window of a filter's leads.
fn window_filter(filter: &str, window: u64) -> String {
    let text = request_filter(filter);
    let mut parsed = filter::parse(&text);
    if !parsed.diagnostics.is_empty() {
        return text;
    }
    parsed.tree.controls.limit = Some(PageWindow { size: WINDOW_ROWS, offset: window * WINDOW_ROWS }.limit().into());
    filter::print(&parsed.tree)
}

#[cfg(test)]
mod tests {
    use super::window_filter;

    #[test]
    fn window_replaces_the_page_of_the_filter() {
        assert_eq!(window_filter(r#"{"city":"Rome","limit":"50;100"}"#, 3), r#"{"city":"Rome","limit":"200;600"}"#);
        assert_eq!(window_filter(r#"{"city":"Rome","_fields":["id"]}"#, 0), r#"{"city":"Rome","limit":"200;0"}"#);
        assert_eq!(window_filter(r#"{"city":"#, 1), r#"{"city":"#, "the server says what is wrong");
    }
}
