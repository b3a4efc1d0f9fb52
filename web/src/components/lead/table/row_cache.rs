//! Row cache of a long list: rows are fetched in windows around the viewport and dropped far away from it. It decides which window to
//! request next, but sends no requests.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use leadscribe_engine::api::LeadId;

use crate::api::ApiError;

/// Number of rows per request; the server permits at least 1,000.
pub const WINDOW_ROWS: u64 = 200;

/// Number of windows kept before and after those needed.
const CACHED_WINDOWS_PER_SIDE: u64 = 10;

/// Maximum number of concurrent requests. More would delay the visible window.
const MAX_CONCURRENT_REQUESTS: usize = 2;

/// Cached rows, and the ids of all rows that were ever loaded.
#[derive(Clone, Debug)]
pub struct RowCache<T> {
    id: fn(&T) -> LeadId,
    total: Option<u64>,
    cached: BTreeMap<u64, CachedWindow<T>>,
    ids: BTreeMap<u64, Vec<LeadId>>,
    /// Rows that are visible or will be soon.
    need: Range<u64>,
}

/// A window of rows, with the rows of the latest response if there is one.
#[derive(Clone, Debug)]
struct CachedWindow<T> {
    rows: Option<Arc<Vec<T>>>,
    state: State,
}

#[derive(Clone, Debug, PartialEq)]
enum State {
    Requested,
    Fresh,
    /// The rows may have changed.
    Stale,
    /// The rows may have moved, because another response had a different total; or the last request failed temporarily.
    Unverified,
    Failed(ApiError),
}

/// Some rows of the list, if they are loaded.
#[derive(Clone, Debug)]
pub enum Chunk<T> {
    Loading,
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
            (Self::Loading, Self::Loading) => true,
            (Self::Rows(rows, range), Self::Rows(others, other)) => Arc::ptr_eq(rows, others) && range == other,
            (Self::Failed(error), Self::Failed(other)) => error == other,
            _ => false,
        }
    }
}

impl<T> RowCache<T> {
    /// Creates an empty cache.
    pub fn new(id: fn(&T) -> LeadId) -> Self {
        Self { id, total: None, cached: BTreeMap::new(), ids: BTreeMap::new(), need: 0..0 }
    }

    /// Number of rows of the list, after the first response.
    pub fn total(&self) -> Option<u64> {
        self.total
    }

    /// Error of the first request, if no request has succeeded.
    pub fn error(&self) -> Option<&ApiError> {
        self.cached.values().filter(|_| self.total.is_none()).find_map(|window_entry| match &window_entry.state {
            State::Failed(error) => Some(error),
            _ => None,
        })
    }

    /// True while needed rows are being loaded.
    pub fn is_busy(&self) -> bool {
        let is_requested =
            |window| self.cached.get(&window).is_none_or(|window_entry| window_entry.state == State::Requested);
        self.windows().any(is_requested)
    }

    /// At most `count` rows from `first`, all within one window.
    pub fn chunk(&self, first: u64, count: u64) -> Chunk<T> {
        let Some(window_entry) = self.cached.get(&(first / WINDOW_ROWS)) else { return Chunk::Loading };
        match (&window_entry.rows, &window_entry.state) {
            (Some(rows), _) => {
                let from = (first % WINDOW_ROWS) as usize;
                Chunk::Rows(rows.clone(), from.min(rows.len())..(from + count as usize).min(rows.len()))
            }
            (None, State::Failed(error)) => Chunk::Failed(error.clone()),
            (None, _) => Chunk::Loading,
        }
    }

    /// All cached rows.
    pub fn rows(&self) -> impl Iterator<Item = &T> {
        self.cached.values().filter_map(|window_entry| window_entry.rows.as_deref()).flatten()
    }

    /// Ids of the contiguous loaded rows around `row`, in order.
    pub fn ids_around(&self, row: u64) -> Vec<LeadId> {
        let current = row / WINDOW_ROWS;
        let is_loaded = |window: &u64| self.ids.contains_key(window);
        let first = (0..=current).rev().take_while(is_loaded).last().unwrap_or(current);
        (first..).map_while(|window| self.ids.get(&window)).flatten().copied().collect()
    }

    /// True if these are the rows currently needed.
    pub fn is_needed(&self, rows: &Range<u64>) -> bool {
        self.need == *rows
    }

    /// Sets the needed rows and drops those far away.
    pub fn need(&mut self, rows: Range<u64>) {
        self.need = rows;
        let windows = self.windows();
        let cached_windows =
            windows.start.saturating_sub(CACHED_WINDOWS_PER_SIDE)..windows.end + CACHED_WINDOWS_PER_SIDE;
        self.cached
            .retain(|window, window_entry| cached_windows.contains(window) || window_entry.state == State::Requested);
    }

    /// Returns the window to request next, visible ones first, and marks it as requested. Windows in the state `Unverified` are included only
    /// with `include_unverified`.
    pub fn next_request(&mut self, include_unverified: bool) -> Option<u64> {
        if self.cached.values().filter(|window_entry| window_entry.state == State::Requested).count()
            >= MAX_CONCURRENT_REQUESTS
        {
            return None;
        }
        let is_requestable = |window: &u64| match self.cached.get(window).map(|window_entry| &window_entry.state) {
            None | Some(State::Stale) => true,
            Some(State::Unverified) => include_unverified,
            Some(State::Requested | State::Fresh | State::Failed(_)) => false,
        };
        let middle = self.need.start.midpoint(self.need.end) / WINDOW_ROWS;
        let window = self.windows().filter(is_requestable).min_by_key(|window| window.abs_diff(middle))?;
        let rows = self.cached.remove(&window).and_then(|window_entry| window_entry.rows);
        self.cached.insert(window, CachedWindow { rows, state: State::Requested });
        Some(window)
    }

    /// True if a visible window is in the state `Unverified`.
    pub fn has_unverified(&self) -> bool {
        self.windows()
            .any(|window| self.cached.get(&window).is_some_and(|window_entry| window_entry.state == State::Unverified))
    }

    /// Stores a response.
    pub fn insert(&mut self, window: u64, rows: Vec<T>, total: u64) {
        if self.total.is_some_and(|previous| previous != total) {
            self.ids.clear();
            let needed = self.windows();
            self.cached
                .retain(|window, window_entry| needed.contains(window) || window_entry.state == State::Requested);
            for window_entry in self.cached.values_mut().filter(|window_entry| window_entry.state == State::Fresh) {
                window_entry.state = State::Unverified;
            }
        }
        self.total = Some(total);
        self.ids.insert(window, rows.iter().map(self.id).collect());
        self.cached.insert(window, CachedWindow { rows: Some(Arc::new(rows)), state: State::Fresh });
    }

    /// Records a failed request. Existing rows stay visible after a temporary error; after a permanent one they are dropped, because they
    /// would never be updated.
    pub fn fail(&mut self, window: u64, error: ApiError) {
        let Some(window_entry) = self.cached.get_mut(&window) else { return };
        if window_entry.rows.is_some() && error.retry_delay().is_some() {
            window_entry.state = State::Unverified;
        } else {
            *window_entry = CachedWindow { rows: None, state: State::Failed(error) };
        }
    }

    /// Allows failed windows to be requested again.
    pub fn retry(&mut self) {
        self.cached.retain(|_, window_entry| !matches!(window_entry.state, State::Failed(_)));
    }

    /// Marks all rows as possibly changed, including those in pending responses. Visible rows are requested again and stay visible until
    /// then.
    pub fn invalidate(&mut self) {
        let needed = self.windows();
        self.cached.retain(|window, window_entry| needed.contains(window) && window_entry.rows.is_some());
        for window_entry in self.cached.values_mut() {
            window_entry.state = State::Stale;
        }
    }

    fn windows(&self) -> Range<u64> {
        let end = self.total.map_or(self.need.end, |total| self.need.end.min(total));
        self.need.start / WINDOW_ROWS..end.div_ceil(WINDOW_ROWS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cache() -> RowCache<i64> {
        RowCache::new(|id| LeadId(*id))
    }

    /// Responds with the row numbers.
    fn fill(cache: &mut RowCache<i64>, window: u64, total: u64) {
        let end = (window * WINDOW_ROWS + WINDOW_ROWS).min(total);
        cache.insert(window, (window * WINDOW_ROWS..end).map(|row| row as i64).collect(), total);
    }

    fn drain_requests(cache: &mut RowCache<i64>, include_unverified: bool) -> Vec<u64> {
        std::iter::from_fn(|| cache.next_request(include_unverified)).collect()
    }

    fn rows(cache: &RowCache<i64>, first: u64, count: u64) -> Vec<i64> {
        match cache.chunk(first, count) {
            Chunk::Rows(rows, range) => rows[range].to_vec(),
            other => panic!("expected rows, found {other:?}"),
        }
    }

    #[test]
    fn requests_needed_windows() {
        let mut cache = cache();
        cache.need(150..650);
        assert_eq!(
            drain_requests(&mut cache, false),
            [2, 1],
            "windows in the middle load first, at most two at a time"
        );
        assert!(cache.is_busy() && cache.total().is_none());
        fill(&mut cache, 2, 500);
        fill(&mut cache, 1, 500);
        assert_eq!(drain_requests(&mut cache, false), [0], "no window is requested past the last row");
        assert_eq!(cache.chunk(0, 25), Chunk::Loading);
        fill(&mut cache, 0, 500);
        assert!(!cache.is_busy() && drain_requests(&mut cache, true).is_empty());
        assert_eq!(rows(&cache, 175, 3), [175, 176, 177]);
        assert_eq!(rows(&cache, 498, 25), [498, 499]);
    }

    #[test]
    fn drops_distant_rows_but_keeps_ids() {
        let mut cache = cache();
        for window in 0..30 {
            fill(&mut cache, window, 10_000);
        }
        cache.need(5_800..6_000);
        assert_eq!(cache.chunk(18 * WINDOW_ROWS, 25), Chunk::Loading);
        assert!(cache.chunk(19 * WINDOW_ROWS, 25).is_rows());
        assert_eq!(cache.rows().count() as u64, 11 * WINDOW_ROWS);
        assert_eq!(cache.ids_around(5_900).len(), 6_000);
        fill(&mut cache, 40, 10_000);
        assert_eq!(cache.ids_around(8_050), (8_000..8_200).map(LeadId).collect::<Vec<_>>());
        assert!(cache.ids_around(7_000).is_empty());
    }

    #[test]
    fn changed_total_marks_other_windows_doubtful() {
        let mut cache = cache();
        cache.need(0..600);
        for window in 0..3 {
            fill(&mut cache, window, 10_000);
        }
        cache.need(0..800);
        assert_eq!(drain_requests(&mut cache, false), [3]);
        fill(&mut cache, 3, 9_999);
        assert_eq!((cache.total(), cache.has_unverified()), (Some(9_999), true));
        assert_eq!(drain_requests(&mut cache, false), [0_u64; 0], "outdated rows are refreshed later");
        assert_eq!(rows(&cache, 0, 2), [0, 1], "outdated rows stay visible");
        assert_eq!(drain_requests(&mut cache, true), [2, 1]);
        fill(&mut cache, 2, 9_999);
        fill(&mut cache, 1, 9_999);
        assert_eq!(drain_requests(&mut cache, true), [0]);
    }

    #[test]
    fn shows_stale_rows_until_reloaded() {
        let mut cache = cache();
        for window in 0..5 {
            fill(&mut cache, window, 1_000);
        }
        cache.need(200..400);
        cache.invalidate();
        assert_eq!(rows(&cache, 200, 1), [200]);
        assert_eq!(cache.chunk(0, 1), Chunk::Loading, "windows outside of the viewport are dropped");
        assert_eq!(drain_requests(&mut cache, false), [1]);
    }

    #[test]
    fn retries_failed_windows_on_request() {
        let mut cache = cache();
        cache.need(0..100);
        assert_eq!(drain_requests(&mut cache, false), [0]);
        cache.fail(0, ApiError::Offline);
        assert_eq!(cache.chunk(0, 25), Chunk::Failed(ApiError::Offline));
        assert_eq!((cache.error(), cache.is_busy()), (Some(&ApiError::Offline), false));
        assert_eq!(drain_requests(&mut cache, true), [0_u64; 0]);
        cache.retry();
        assert_eq!(drain_requests(&mut cache, false), [0]);
        fill(&mut cache, 0, 40);
        assert_eq!((rows(&cache, 25, 25).len(), cache.error()), (15, None));
    }

    #[test]
    fn shows_old_rows_after_temporary_errors() {
        let mut cache = cache();
        cache.need(0..100);
        fill(&mut cache, 0, 40);
        for _ in 0..2 {
            cache.invalidate();
            assert_eq!(drain_requests(&mut cache, false), [0]);
            cache.fail(0, ApiError::Offline);
            assert_eq!((rows(&cache, 0, 2), cache.is_busy(), cache.has_unverified()), (vec![0, 1], false, true));
            assert_eq!(drain_requests(&mut cache, false), [0_u64; 0], "outdated rows are refreshed later");
            assert_eq!(drain_requests(&mut cache, true), [0]);
            fill(&mut cache, 0, 40);
            assert!(!cache.has_unverified());
        }
        // A permanent error replaces the rows.
        cache.invalidate();
        assert_eq!(drain_requests(&mut cache, false), [0]);
        let server_error = ApiError::Unexpected { status: 500 };
        cache.fail(0, server_error.clone());
        assert_eq!((cache.chunk(0, 25), cache.has_unverified()), (Chunk::Failed(server_error), false));
    }
}
