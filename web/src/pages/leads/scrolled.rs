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
use crate::components::lead::columns::Column;
use crate::components::lead::selection::LeadSelection;
use crate::components::lead::table::{LeadScroll, Shelf, WINDOW, Widths};
use crate::components::list::pager::Window;
use crate::filter_text::request;

/// Time before rows that have probably not moved are reloaded, when the total changes repeatedly.
const DOUBT: Duration = Duration::from_secs(1);

/// State of the list for the page.
#[derive(Clone, Copy)]
pub struct Told {
    pub total: RwSignal<Option<u64>>,
    /// Error, if nothing could be loaded.
    pub error: RwSignal<Option<ApiError>>,
    /// Names of the custom fields of the loaded leads.
    pub custom: RwSignal<Vec<String>>,
}

impl Told {
    /// Creates the state before the first answer.
    pub fn new() -> Self {
        Self { total: RwSignal::new(None), error: RwSignal::new(None), custom: RwSignal::new(Vec::new()) }
    }
}

/// Properties of the list.
pub struct Scrolling {
    pub filter: Memo<String>,
    /// Incremented to reload the same leads.
    pub again: RwSignal<u64>,
    pub told: Told,
    /// First row to show, counted from 1.
    pub row: Memo<Option<u64>>,
    pub on_rest: Callback<u64>,
    pub on_pages: Callback<Window>,
    pub on_all: Callback<()>,
    pub names: Signal<Names>,
    pub columns: Memo<Vec<Column>>,
    pub order: Signal<Option<(FieldId, bool)>>,
    pub on_sort: Callback<FieldId>,
    pub selection: Option<LeadSelection>,
    pub widths: Widths,
}

/// The list.
pub fn all_leads(given: Scrolling) -> AnyView {
    let Scrolling { filter, again, told, row, on_rest, on_pages, on_all, .. } = given;
    let Scrolling { names, columns, order, on_sort, selection, widths, .. } = given;
    let windows = Windows::new(use_api());
    let shelf = windows.shelf;
    windows.load(filter.get_untracked());
    Effect::new(move |before: Option<()>| {
        again.track();
        let filter = filter.get();
        if before.is_some() {
            windows.load(filter);
        }
    });
    Effect::new(move |_| {
        let (total, error, custom) = shelf.with(|shelf| {
            let names: BTreeSet<_> = shelf.rows().flat_map(|lead| lead.lead.custom_fields.keys()).collect();
            (shelf.total(), shelf.error().cloned(), names.into_iter().cloned().collect())
        });
        told.total.set(total);
        told.error.set(error);
        told.custom.set(custom);
    });
    let on_need = Callback::new(move |rows| windows.need(rows));
    let on_retry = Callback::new(move |()| windows.retry());
    let list = move || {
        windows.list.track();
        let start = row.get_untracked().unwrap_or(1) - 1;
        view! {
            <LeadScroll
                shelf
                on_need
                on_retry
                start
                on_rest
                on_pages
                on_all
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
struct Windows {
    api: Api,
    shelf: RwSignal<Shelf<ExtendedLead>>,
    /// Number of the list; another filter creates another one.
    list: RwSignal<u64>,
    filter: StoredValue<String>,
    /// Incremented to discard the answers to earlier requests.
    number: StoredValue<u64>,
    is_waiting: StoredValue<bool>,
}

impl Windows {
    fn new(api: Api) -> Self {
        Self {
            api,
            shelf: RwSignal::new(empty()),
            list: RwSignal::new(0),
            filter: StoredValue::new(String::new()),
            number: StoredValue::new(0),
            is_waiting: StoredValue::new(false),
        }
    }

    /// Loads the list of a filter, JSON text. With the same filter, the list keeps its position and its rows are reloaded.
    fn load(self, filter: String) {
        self.number.update_value(|number| *number += 1);
        if self.filter.with_value(|before| *before == filter) {
            self.shelf.update(Shelf::doubt);
            self.ask(true);
        } else {
            self.filter.set_value(filter);
            self.shelf.set(empty());
            self.list.update(|list| *list += 1);
        }
    }

    /// Reports the rows that are visible.
    fn need(self, rows: Range<u64>) {
        self.shelf.update(|shelf| shelf.need(rows));
        self.ask(false);
    }

    /// Retries failed requests.
    fn retry(self) {
        self.shelf.update(Shelf::retry);
        self.ask(false);
    }

    fn ask(self, doubtful: bool) {
        // Subscribers are notified only if a request is sent.
        while let Some(window) = self.shelf.try_update_untracked(|shelf| shelf.next(doubtful)).flatten() {
            self.shelf.notify();
            let number = self.number.get_value();
            let question = self.api.leads(self.filter.with_value(|filter| part(filter, window)));
            spawn_local(async move {
                let answer = question.await;
                // The page may have been closed or show another list.
                if self.number.try_get_value() != Some(number) {
                    return;
                }
                let rest = answer.as_ref().err().and_then(ApiError::cured_in);
                self.shelf.update(|shelf| match answer {
                    Ok(found) => shelf.answer(window, found.leads, found.total_leads),
                    Err(error) => shelf.fail(window, error),
                });
                if let Some(rest) = rest {
                    self.ask_in(rest);
                }
                self.ask(false);
            });
        }
        let has_doubts = self.shelf.try_with_untracked(Shelf::has_doubts) == Some(true);
        if has_doubts && !doubtful {
            self.ask_in(DOUBT);
        }
    }

    /// Reloads rows that are probably still correct, after a pause.
    fn ask_in(self, pause: Duration) {
        if self.is_waiting.get_value() {
            return;
        }
        self.is_waiting.set_value(true);
        let due = move || {
            if self.is_waiting.try_update_value(|waiting| *waiting = false).is_some() {
                self.ask(true);
            }
        };
        set_timeout(due, pause);
    }
}

fn empty() -> Shelf<ExtendedLead> {
    Shelf::new(|lead| lead.lead.id)
}

/// Filter to send for a window of a filter's leads.
fn part(filter: &str, window: u64) -> String {
    let text = request(filter);
    let mut parsed = filter::parse(&text);
    if !parsed.faults.is_empty() {
        return text;
    }
    parsed.tree.controls.limit = Some(Window { size: WINDOW, offset: window * WINDOW }.limit().into());
    filter::print(&parsed.tree)
}

#[cfg(test)]
mod tests {
    use super::part;

    #[test]
    fn window_replaces_the_page_of_the_filter() {
        assert_eq!(part(r#"{"city":"Rome","limit":"50;100"}"#, 3), r#"{"city":"Rome","limit":"200;600"}"#);
        assert_eq!(part(r#"{"city":"Rome","_fields":["id"]}"#, 0), r#"{"city":"Rome","limit":"200;0"}"#);
        assert_eq!(part(r#"{"city":"#, 1), r#"{"city":"#, "the server says what is wrong");
    }
}
