//! Measured and estimated heights of the chunks of a long list. Computes the position of a chunk, and the chunks to render for a position.
//! Independent of the browser.

use std::ops::Range;

/// Number of rows that are rendered and removed together.
pub const CHUNK_ROWS: u64 = 25;

/// Maximum number of rows in one scrollable section. Browsers render nothing beyond about 17 million pixels (Firefox; Chromium about 33
/// million), and rows with many campaigns or cards on a phone are rarely higher than 350. A multiple of [`CHUNK_ROWS`].
pub const SECTION_ROWS: u64 = 50_000;

/// Number of screens rendered before and after the visible one.
const OVERSCAN_SCREENS: f64 = 2.0;

/// Heights of the chunks of a section, in CSS pixels. Chunks are counted from 0 within the section.
#[derive(Clone, Debug, PartialEq)]
pub struct ChunkHeights {
    rows: u64,
    /// Estimated row height, until measured.
    row_height: f64,
    /// True if the estimate comes from rows of this list. It is then kept, so that the list doesn't move while scrolling.
    is_row_measured: bool,
    /// Height of each chunk that was rendered.
    measured: Vec<Option<f64>>,
}

impl ChunkHeights {
    /// Creates a section with this number of rows.
    pub fn new(rows: u64, row_height: f64) -> Self {
        Self { rows, row_height, is_row_measured: false, measured: vec![None; rows.div_ceil(CHUNK_ROWS) as usize] }
    }

    pub fn chunks(&self) -> u64 {
        self.rows.div_ceil(CHUNK_ROWS)
    }

    pub fn row(&self) -> f64 {
        self.row_height
    }

    /// Sets the number of rows.
    pub fn set_rows(&mut self, rows: u64) {
        if rows != self.rows {
            // The last chunk has a different number of rows.
            self.measured.truncate((rows.min(self.rows) / CHUNK_ROWS) as usize);
            self.measured.resize(rows.div_ceil(CHUNK_ROWS) as usize, None);
            self.rows = rows;
        }
    }

    /// Records the height of a rendered chunk.
    pub fn measure(&mut self, chunk: u64, height: f64) {
        let rows = self.rows_in(chunk);
        let Some(measured) = self.measured.get_mut(chunk as usize) else { return };
        *measured = Some(height);
        if !self.is_row_measured {
            (self.row_height, self.is_row_measured) = (height / rows as f64, true);
        }
    }

    /// Discards all measurements, after the width of the screen has changed.
    pub fn reset(&mut self) {
        self.measured.fill(None);
        self.is_row_measured = false;
    }

    /// Position of a chunk from the beginning of the section.
    pub fn top(&self, chunk: u64) -> f64 {
        (0..chunk.min(self.chunks())).map(|chunk| self.height(chunk)).sum()
    }

    /// Total height of the chunks after this one.
    pub fn height_after(&self, chunk: u64) -> f64 {
        (chunk + 1..self.chunks()).map(|chunk| self.height(chunk)).sum()
    }

    /// Chunks to render if the viewport starts at `top` and has the height `viewport_height`.
    pub fn chunks_to_render(&self, top: f64, viewport_height: f64) -> Range<u64> {
        if self.rows == 0 {
            return 0..0;
        }
        self.chunk_at(top - OVERSCAN_SCREENS * viewport_height)
            ..self.chunk_at(top + (1.0 + OVERSCAN_SCREENS) * viewport_height) + 1
    }

    fn chunk_at(&self, position: f64) -> u64 {
        let mut end = 0.0;
        let chunk = (0..self.chunks()).find(|chunk| {
            end += self.height(*chunk);
            position < end
        });
        chunk.unwrap_or_else(|| self.chunks().saturating_sub(1))
    }

    fn height(&self, chunk: u64) -> f64 {
        self.measured
            .get(chunk as usize)
            .copied()
            .flatten()
            .unwrap_or_else(|| self.rows_in(chunk) as f64 * self.row_height)
    }

    fn rows_in(&self, chunk: u64) -> u64 {
        self.rows.saturating_sub(chunk * CHUNK_ROWS).min(CHUNK_ROWS)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// 110 rows with an estimated height of 40 pixels: four chunks of 1,000 and one of 400.
    fn heights() -> ChunkHeights {
        ChunkHeights::new(110, 40.0)
    }

    #[test]
    fn estimates_unmeasured_heights() {
        let mut heights = heights();
        assert_eq!((heights.chunks(), heights.top(2), heights.height_after(3)), (5, 2_000.0, 400.0));
        heights.measure(1, 1_500.0);
        // The first measured chunk defines the row height.
        assert_eq!(heights.row(), 60.0);
        assert_eq!((heights.top(1), heights.top(2), heights.top(4)), (1_500.0, 3_000.0, 6_000.0));
        heights.measure(2, 1_100.0);
        assert_eq!((heights.row(), heights.top(3), heights.height_after(3)), (60.0, 4_100.0, 600.0));
        assert_eq!(heights.height_after(4), 0.0);
    }

    #[test]
    fn maps_positions_to_chunks() {
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
    fn renders_two_screens_around_the_viewport() {
        let heights = ChunkHeights::new(10_000, 40.0);
        assert_eq!(heights.chunks_to_render(0.0, 800.0), 0..3);
        assert_eq!(heights.chunks_to_render(200_000.0, 800.0), 198..203);
        assert_eq!(heights.chunks_to_render(399_200.0, 800.0), 397..400);
        assert_eq!(ChunkHeights::new(0, 40.0).chunks_to_render(0.0, 800.0), 0..0);
    }

    #[test]
    fn growing_list_keeps_measurements() {
        let mut heights = heights();
        for chunk in 0..5 {
            heights.measure(chunk, 900.0);
        }
        heights.set_rows(300);
        assert_eq!((heights.chunks(), heights.top(4)), (12, 3_600.0));
        assert_eq!(heights.top(5), 4_500.0, "the former last chunk is now full");
        heights.set_rows(60);
        assert_eq!((heights.top(2), heights.height_after(2)), (1_800.0, 0.0));
        heights.reset();
        heights.measure(0, 500.0);
        assert_eq!(heights.row(), 20.0);
    }

    #[test]
    fn section_is_a_multiple_of_chunk() {
        assert_eq!(SECTION_ROWS % CHUNK_ROWS, 0);
    }
}
