//! All leads of a filter in one list, asked for window by window while somebody scrolls through them. It is loaded apart from
//! the page, when somebody first does.

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

/// How long rows stay that have probably not moved, when the total of the list changes again and again.
const DOUBT: Duration = Duration::from_secs(1);

/// What the page knows of the list.
#[derive(Clone, Copy)]
pub struct Told {
    pub total: RwSignal<Option<u64>>,
    /// Why nothing is there.
    pub error: RwSignal<Option<ApiError>>,
    /// The names of the custom fields that its leads have, as far as they are at hand.
    pub custom: RwSignal<Vec<String>>,
}

impl Told {
    /// Nothing yet.
    pub fn new() -> Self {
        Self { total: RwSignal::new(None), error: RwSignal::new(None), custom: RwSignal::new(Vec::new()) }
    }
}

/// What the list is made from.
pub struct Scrolling {
    pub filter: Memo<String>,
    /// Changes when the same leads are asked for again.
    pub again: RwSignal<u64>,
    pub told: Told,
    /// The row to begin with, counted from 1.
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

/// The rows at hand, and the way to others.
#[derive(Clone, Copy)]
struct Windows {
    api: Api,
    shelf: RwSignal<Shelf<ExtendedLead>>,
    /// The list whose rows these are; another filter makes another one.
    list: RwSignal<u64>,
    filter: StoredValue<String>,
    /// What was asked before this number changed is of no interest any more.
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

    /// Begins the list of a filter, JSON text; that of the same filter stays where it is, and gets its rows again.
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

    /// Takes in which rows are needed.
    fn need(self, rows: Range<u64>) {
        self.shelf.update(|shelf| shelf.need(rows));
        self.ask(false);
    }

    /// Asks again for what failed.
    fn retry(self) {
        self.shelf.update(Shelf::retry);
        self.ask(false);
    }

    fn ask(self, doubtful: bool) {
        // Only what is asked for is news.
        while let Some(window) = self.shelf.try_update_untracked(|shelf| shelf.next(doubtful)).flatten() {
            self.shelf.notify();
            let number = self.number.get_value();
            let question = self.api.leads(self.filter.with_value(|filter| part(filter, window)));
            spawn_local(async move {
                let answer = question.await;
                // The page may be gone, or show another list.
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

    /// Asks after a while for what is probably right too.
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

/// What is sent for a window of a filter's leads.
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
    fn a_window_takes_the_place_of_the_page() {
        assert_eq!(part(r#"{"city":"Rome","limit":"50;100"}"#, 3), r#"{"city":"Rome","limit":"200;600"}"#);
        assert_eq!(part(r#"{"city":"Rome","_fields":["id"]}"#, 0), r#"{"city":"Rome","limit":"200;0"}"#);
        assert_eq!(part(r#"{"city":"#, 1), r#"{"city":"#, "the server says what is wrong");
    }
}
