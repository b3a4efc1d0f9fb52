//! Row cache of a long list: rows are fetched in windows around the viewport and dropped far away from it. It decides which window to
//! request next, but sends no requests.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use leadscribe_engine::api::LeadId;

use crate::api::ApiError;

/// Number of rows per request; the server permits at least 1,000.
pub const WINDOW: u64 = 200;

/// Number of windows kept before and after those needed.
const KEPT: u64 = 10;

/// Maximum number of concurrent requests. More would delay the visible window.
const MOST_ASKED: usize = 2;

/// Cached rows, and the ids of all rows that were ever loaded.
#[derive(Clone, Debug)]
pub struct Shelf<T> {
    id: fn(&T) -> LeadId,
    total: Option<u64>,
    held: BTreeMap<u64, Held<T>>,
    ids: BTreeMap<u64, Vec<LeadId>>,
    /// Rows that are visible or will be soon.
    need: Range<u64>,
}

/// A window of rows, with the rows of the latest response if there is one.
#[derive(Clone, Debug)]
struct Held<T> {
    rows: Option<Arc<Vec<T>>>,
    state: State,
}

#[derive(Clone, Debug, PartialEq)]
enum State {
    Asked,
    Fresh,
    /// The rows may have changed.
    Stale,
    /// The rows may have moved, because another response had a different total; or the last request failed temporarily.
    Doubtful,
    Failed(ApiError),
}

/// Some rows of the list, if they are loaded.
#[derive(Clone, Debug)]
pub enum Chunk<T> {
    Awaited,
    /// Part of a window.
    Rows(Arc<Vec<T>>, Range<usize>),
    Failed(ApiError),
}

impl<T> Chunk<T> {
    pub const fn is_rows(&self) -> bool {
        matches!(self, Self::Rows(..))
    }
}

impl<T> PartialEq for Chunk<T> {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Self::Awaited, Self::Awaited) => true,
            (Self::Rows(rows, range), Self::Rows(others, other)) => Arc::ptr_eq(rows, others) && range == other,
            (Self::Failed(error), Self::Failed(other)) => error == other,
            _ => false,
        }
    }
}

impl<T> Shelf<T> {
    /// Creates an empty cache.
    pub fn new(id: fn(&T) -> LeadId) -> Self {
        Self { id, total: None, held: BTreeMap::new(), ids: BTreeMap::new(), need: 0..0 }
    }

    /// Number of rows of the list, after the first response.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// Error of the first request, if no request has succeeded.
    pub fn error(&self) -> Option<&ApiError> {
        self.held.values().filter(|_| self.total.is_none()).find_map(|held| match &held.state {
            State::Failed(error) => Some(error),
            _ => None,
        })
    }

    /// True while needed rows are being loaded.
    pub fn is_busy(&self) -> bool {
        let is_asked = |window| self.held.get(&window).is_none_or(|held| held.state == State::Asked);
        self.windows().any(is_asked)
    }

    /// At most `count` rows from `first`, all within one window.
    pub fn chunk(&self, first: u64, count: u64) -> Chunk<T> {
        let Some(held) = self.held.get(&(first / WINDOW)) else { return Chunk::Awaited };
        match (&held.rows, &held.state) {
            (Some(rows), _) => {
                let from = (first % WINDOW) as usize;
                Chunk::Rows(rows.clone(), from.min(rows.len())..(from + count as usize).min(rows.len()))
            }
            (None, State::Failed(error)) => Chunk::Failed(error.clone()),
            (None, _) => Chunk::Awaited,
        }
    }

    /// All cached rows.
    pub fn rows(&self) -> impl Iterator<Item = &T> {
        self.held.values().filter_map(|held| held.rows.as_deref()).flatten()
    }

    /// Ids of the contiguous loaded rows around `row`, in order.
    pub fn seen_around(&self, row: u64) -> Vec<LeadId> {
        let here = row / WINDOW;
        let is_seen = |window: &u64| self.ids.contains_key(window);
        let first = (0..=here).rev().take_while(is_seen).last().unwrap_or(here);
        (first..).map_while(|window| self.ids.get(&window)).flatten().copied().collect()
    }

    /// True if these are the rows currently needed.
    pub fn needs(&self, rows: &Range<u64>) -> bool {
        self.need == *rows
    }

    /// Sets the needed rows and drops those far away.
    pub fn need(&mut self, rows: Range<u64>) {
        self.need = rows;
        let windows = self.windows();
        let kept = windows.start.saturating_sub(KEPT)..windows.end + KEPT;
        self.held.retain(|window, held| kept.contains(window) || held.state == State::Asked);
    }

    /// Returns the window to request next, visible ones first, and marks it as requested. Windows in the state `Doubtful` are included only
    /// with `doubtful`.
    pub fn next(&mut self, doubtful: bool) -> Option<u64> {
        if self.held.values().filter(|held| held.state == State::Asked).count() >= MOST_ASKED {
            return None;
        }
        let is_wanted = |window: &u64| match self.held.get(window).map(|held| &held.state) {
            None | Some(State::Stale) => true,
            Some(State::Doubtful) => doubtful,
            Some(State::Asked | State::Fresh | State::Failed(_)) => false,
        };
        let middle = self.need.start.midpoint(self.need.end) / WINDOW;
        let window = self.windows().filter(is_wanted).min_by_key(|window| window.abs_diff(middle))?;
        let rows = self.held.remove(&window).and_then(|held| held.rows);
        self.held.insert(window, Held { rows, state: State::Asked });
        Some(window)
    }

    /// True if a visible window is in the state `Doubtful`.
    pub fn has_doubts(&self) -> bool {
        self.windows().any(|window| self.held.get(&window).is_some_and(|held| held.state == State::Doubtful))
    }

    /// Stores a response.
    pub fn answer(&mut self, window: u64, rows: Vec<T>, total: u64) {
        if self.total.is_some_and(|before| before != total) {
            self.ids.clear();
            let needed = self.windows();
            self.held.retain(|window, held| needed.contains(window) || held.state == State::Asked);
            for held in self.held.values_mut().filter(|held| held.state == State::Fresh) {
                held.state = State::Doubtful;
            }
        }
        self.total = Some(total);
        self.ids.insert(window, rows.iter().map(self.id).collect());
        self.held.insert(window, Held { rows: Some(Arc::new(rows)), state: State::Fresh });
    }

    /// Records a failed request. Existing rows stay visible after a temporary error; after a permanent one they are dropped, because they
    /// would never be updated.
    pub fn fail(&mut self, window: u64, error: ApiError) {
        let Some(held) = self.held.get_mut(&window) else { return };
        if held.rows.is_some() && error.cured_in().is_some() {
            held.state = State::Doubtful;
        } else {
            *held = Held { rows: None, state: State::Failed(error) };
        }
    }

    /// Allows failed windows to be requested again.
    pub fn retry(&mut self) {
        self.held.retain(|_, held| !matches!(held.state, State::Failed(_)));
    }

    /// Marks all rows as possibly changed, including those in pending responses. Visible rows are requested again and stay visible until
    /// then.
    pub fn doubt(&mut self) {
        let needed = self.windows();
        self.held.retain(|window, held| needed.contains(window) && held.rows.is_some());
        for held in self.held.values_mut() {
            held.state = State::Stale;
        }
    }

    fn windows(&self) -> Range<u64> {
        let end = self.total.map_or(self.need.end, |total| self.need.end.min(total));
        self.need.start / WINDOW..end.div_ceil(WINDOW)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn shelf() -> Shelf<i64> {
        Shelf::new(|id| LeadId(*id))
    }

    /// Responds with the row numbers.
    fn fill(shelf: &mut Shelf<i64>, window: u64, total: u64) {
        let end = (window * WINDOW + WINDOW).min(total);
        shelf.answer(window, (window * WINDOW..end).map(|row| row as i64).collect(), total);
    }

    fn asked(shelf: &mut Shelf<i64>, doubtful: bool) -> Vec<u64> {
        std::iter::from_fn(|| shelf.next(doubtful)).collect()
    }

    fn rows(shelf: &Shelf<i64>, first: u64, count: u64) -> Vec<i64> {
        match shelf.chunk(first, count) {
            Chunk::Rows(rows, range) => rows[range].to_vec(),
            other => panic!("expected rows, found {other:?}"),
        }
    }

    #[test]
    fn requests_needed_windows() {
        let mut shelf = shelf();
        shelf.need(150..650);
        assert_eq!(asked(&mut shelf, false), [2, 1], "those in the middle first, and no more than two at a time");
        assert!(shelf.is_busy() && shelf.total().is_none());
        fill(&mut shelf, 2, 500);
        fill(&mut shelf, 1, 500);
        assert_eq!(asked(&mut shelf, false), [0], "there is nothing behind the last row");
        assert_eq!(shelf.chunk(0, 25), Chunk::Awaited);
        fill(&mut shelf, 0, 500);
        assert!(!shelf.is_busy() && asked(&mut shelf, true).is_empty());
        assert_eq!(rows(&shelf, 175, 3), [175, 176, 177]);
        assert_eq!(rows(&shelf, 498, 25), [498, 499]);
    }

    #[test]
    fn drops_distant_rows_but_keeps_ids() {
        let mut shelf = shelf();
        for window in 0..30 {
            fill(&mut shelf, window, 10_000);
        }
        shelf.need(5_800..6_000);
        assert_eq!(shelf.chunk(18 * WINDOW, 25), Chunk::Awaited);
        assert!(shelf.chunk(19 * WINDOW, 25).is_rows());
        assert_eq!(shelf.rows().count() as u64, 11 * WINDOW);
        assert_eq!(shelf.seen_around(5_900).len(), 6_000);
        fill(&mut shelf, 40, 10_000);
        assert_eq!(shelf.seen_around(8_050), (8_000..8_200).map(LeadId).collect::<Vec<_>>());
        assert!(shelf.seen_around(7_000).is_empty());
    }

    #[test]
    fn changed_total_marks_other_windows_doubtful() {
        let mut shelf = shelf();
        shelf.need(0..600);
        for window in 0..3 {
            fill(&mut shelf, window, 10_000);
        }
        shelf.need(0..800);
        assert_eq!(asked(&mut shelf, false), [3]);
        fill(&mut shelf, 3, 9_999);
        assert_eq!((shelf.total(), shelf.has_doubts()), (Some(9_999), true));
        assert_eq!(asked(&mut shelf, false), [0_u64; 0], "they may wait");
        assert_eq!(rows(&shelf, 0, 2), [0, 1], "and are shown meanwhile");
        assert_eq!(asked(&mut shelf, true), [2, 1]);
        fill(&mut shelf, 2, 9_999);
        fill(&mut shelf, 1, 9_999);
        assert_eq!(asked(&mut shelf, true), [0]);
    }

    #[test]
    fn shows_stale_rows_until_reloaded() {
        let mut shelf = shelf();
        for window in 0..5 {
            fill(&mut shelf, window, 1_000);
        }
        shelf.need(200..400);
        shelf.doubt();
        assert_eq!(rows(&shelf, 200, 1), [200]);
        assert_eq!(shelf.chunk(0, 1), Chunk::Awaited, "out of sight nothing is kept");
        assert_eq!(asked(&mut shelf, false), [1]);
    }

    #[test]
    fn retries_failed_windows_on_request() {
        let mut shelf = shelf();
        shelf.need(0..100);
        assert_eq!(asked(&mut shelf, false), [0]);
        shelf.fail(0, ApiError::Offline);
        assert_eq!(shelf.chunk(0, 25), Chunk::Failed(ApiError::Offline));
        assert_eq!((shelf.error(), shelf.is_busy()), (Some(&ApiError::Offline), false));
        assert_eq!(asked(&mut shelf, true), [0_u64; 0]);
        shelf.retry();
        assert_eq!(asked(&mut shelf, false), [0]);
        fill(&mut shelf, 0, 40);
        assert_eq!((rows(&shelf, 25, 25).len(), shelf.error()), (15, None));
    }

    #[test]
    fn shows_old_rows_after_temporary_errors() {
        let mut shelf = shelf();
        shelf.need(0..100);
        fill(&mut shelf, 0, 40);
        for _ in 0..2 {
            shelf.doubt();
            assert_eq!(asked(&mut shelf, false), [0]);
            shelf.fail(0, ApiError::Offline);
            assert_eq!((rows(&shelf, 0, 2), shelf.is_busy(), shelf.has_doubts()), (vec![0, 1], false, true));
            assert_eq!(asked(&mut shelf, false), [0_u64; 0], "they may wait");
            assert_eq!(asked(&mut shelf, true), [0]);
            fill(&mut shelf, 0, 40);
            assert!(!shelf.has_doubts());
        }
        // A permanent error replaces the rows.
        shelf.doubt();
        assert_eq!(asked(&mut shelf, false), [0]);
        let refused = ApiError::Unexpected { status: 500 };
        shelf.fail(0, refused.clone());
        assert_eq!((shelf.chunk(0, 25), shelf.has_doubts()), (Chunk::Failed(refused), false));
    }
}
