//! How high the parts of a long list are, those measured and those only guessed at: where in the list a chunk stands, and
//! which chunks are to be drawn for a place in it. It knows nothing of the browser.

use std::ops::Range;

/// Rows that are drawn and taken away together.
pub const CHUNK: u64 = 25;

/// Rows that one stretch of scrolling holds: browsers draw nothing beyond some 17 million pixels (Firefox; Chromium about
/// 33 million), and a row with many campaigns, or a card of a phone, is seldom higher than 350. A multiple of [`CHUNK`].
pub const SECTION: u64 = 50_000;

/// Screens before and after the one in sight whose rows are drawn too.
const MARGIN: f64 = 2.0;

/// The heights of the chunks of a section, in pixels of CSS; chunks are counted from 0 in it.
#[derive(Clone, Debug, PartialEq)]
pub struct Heights {
    rows: u64,
    /// What a row is taken for until it is measured.
    row: f64,
    /// Whether that comes from rows of this list. It stays then, so that a list doesn't move under those who scroll.
    is_known: bool,
    /// Of each chunk, as far as it was drawn.
    measured: Vec<Option<f64>>,
}

impl Heights {
    /// Those of a section of so many rows.
    pub fn new(rows: u64, row: f64) -> Self {
        Self { rows, row, is_known: false, measured: vec![None; rows.div_ceil(CHUNK) as usize] }
    }

    pub fn chunks(&self) -> u64 {
        self.rows.div_ceil(CHUNK)
    }

    pub fn row(&self) -> f64 {
        self.row
    }

    /// Takes in that there are more rows or fewer.
    pub fn set_rows(&mut self, rows: u64) {
        if rows != self.rows {
            // The last chunk has other rows now.
            self.measured.truncate((rows.min(self.rows) / CHUNK) as usize);
            self.measured.resize(rows.div_ceil(CHUNK) as usize, None);
            self.rows = rows;
        }
    }

    /// Takes in how high a drawn chunk is.
    pub fn measure(&mut self, chunk: u64, height: f64) {
        let rows = self.rows_of(chunk);
        let Some(measured) = self.measured.get_mut(chunk as usize) else { return };
        *measured = Some(height);
        if !self.is_known {
            (self.row, self.is_known) = (height / rows as f64, true);
        }
    }

    /// Forgets what was measured: rows are as wide as the screen, and as high as that makes them.
    pub fn forget(&mut self) {
        self.measured.fill(None);
        self.is_known = false;
    }

    /// Where a chunk begins, from the beginning of the section.
    pub fn top(&self, chunk: u64) -> f64 {
        (0..chunk.min(self.chunks())).map(|chunk| self.height(chunk)).sum()
    }

    /// How high all that follows a chunk is, without that chunk.
    pub fn after(&self, chunk: u64) -> f64 {
        (chunk + 1..self.chunks()).map(|chunk| self.height(chunk)).sum()
    }

    /// The chunks to draw when the view begins at `top` and is `view` high.
    pub fn drawn(&self, top: f64, view: f64) -> Range<u64> {
        if self.rows == 0 {
            return 0..0;
        }
        self.chunk_at(top - MARGIN * view)..self.chunk_at(top + (1.0 + MARGIN) * view) + 1
    }

    fn chunk_at(&self, place: f64) -> u64 {
        let mut end = 0.0;
        let chunk = (0..self.chunks()).find(|chunk| {
            end += self.height(*chunk);
            place < end
        });
        chunk.unwrap_or_else(|| self.chunks().saturating_sub(1))
    }

    fn height(&self, chunk: u64) -> f64 {
        self.measured.get(chunk as usize).copied().flatten().unwrap_or_else(|| self.rows_of(chunk) as f64 * self.row)
    }

    fn rows_of(&self, chunk: u64) -> u64 {
        self.rows.saturating_sub(chunk * CHUNK).min(CHUNK)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 110 rows of 40 pixels as far as is known: four chunks of 1,000 and one of 400.
    fn heights() -> Heights {
        Heights::new(110, 40.0)
    }

    #[test]
    fn what_is_not_measured_is_guessed() {
        let mut heights = heights();
        assert_eq!((heights.chunks(), heights.top(2), heights.after(3)), (5, 2_000.0, 400.0));
        heights.measure(1, 1_500.0);
        // The first chunk measured says how high a row is.
        assert_eq!(heights.row(), 60.0);
        assert_eq!((heights.top(1), heights.top(2), heights.top(4)), (1_500.0, 3_000.0, 6_000.0));
        heights.measure(2, 1_100.0);
        assert_eq!((heights.row(), heights.top(3), heights.after(3)), (60.0, 4_100.0, 600.0));
        assert_eq!(heights.after(4), 0.0);
    }

    #[test]
    fn every_place_is_in_the_chunk_that_stands_there() {
        let mut heights = heights();
        for (chunk, height) in [(0, 1_000.0), (3, 2_500.0), (2, 700.0)] {
            heights.measure(chunk, height);
        }
        for chunk in 0..heights.chunks() {
            let (top, height) = (heights.top(chunk), heights.height(chunk));
            assert_eq!(heights.chunk_at(top), chunk);
            assert_eq!(heights.chunk_at(top + height - 1.0), chunk);
        }
        assert_eq!((heights.chunk_at(-50.0), heights.chunk_at(1e9)), (0, 4));
    }

    #[test]
    fn what_is_drawn_reaches_two_screens_beyond_the_eye() {
        let heights = Heights::new(10_000, 40.0);
        assert_eq!(heights.drawn(0.0, 800.0), 0..3);
        assert_eq!(heights.drawn(200_000.0, 800.0), 198..203);
        assert_eq!(heights.drawn(399_200.0, 800.0), 397..400);
        assert_eq!(Heights::new(0, 40.0).drawn(0.0, 800.0), 0..0);
    }

    #[test]
    fn a_list_that_grows_keeps_what_was_measured() {
        let mut heights = heights();
        for chunk in 0..5 {
            heights.measure(chunk, 900.0);
        }
        heights.set_rows(300);
        assert_eq!((heights.chunks(), heights.top(4)), (12, 3_600.0));
        assert_eq!(heights.top(5), 4_500.0, "the chunk that was the last is full now");
        heights.set_rows(60);
        assert_eq!((heights.top(2), heights.after(2)), (1_800.0, 0.0));
        heights.forget();
        heights.measure(0, 500.0);
        assert_eq!(heights.row(), 20.0);
    }

    #[test]
    fn a_section_ends_with_a_chunk() {
        assert_eq!(SECTION % CHUNK, 0);
    }
}
