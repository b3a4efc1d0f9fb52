//! Synchronizes a transcript with its playback: current words, matches and scroll position.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, NodeList, ScrollIntoViewOptions, ScrollLogicalPosition};

use super::transcript_index::TranscriptIndex;
use crate::ui::recording::playback::Playback;

/// Time in milliseconds after a programmatic scroll in which scroll events are attributed to it, because smooth scrolling takes time.
const PROGRAMMATIC_SCROLL_MS: f64 = 1_000.0;

/// Part of the window's height in which a word counts as visible; the player covers the top.
const VISIBLE_RANGE: (f64, f64) = (0.3, 0.78);

/// State of a transcript on the page. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct TranscriptReader {
    pub index: StoredValue<TranscriptIndex>,
    pub playback: Playback,
    /// List of segments.
    pub node: NodeRef<html::Ol>,
    /// True if the page scrolls along with the playback.
    pub is_following: RwSignal<bool>,
    words: StoredValue<Option<NodeList>, LocalStorage>,
    scrolled_at: StoredValue<f64>,
}

impl TranscriptReader {
    pub fn new(index: TranscriptIndex, playback: Playback) -> Self {
        Self {
            index: StoredValue::new(index),
            playback,
            node: NodeRef::new(),
            is_following: RwSignal::new(true),
            words: StoredValue::new_local(None),
            scrolled_at: StoredValue::new(0.0),
        }
    }

    pub fn play_word(self, word: usize) {
        if let Some(start) = self.index.with_value(|index| index.word_start(word)) {
            self.is_following.set(true);
            self.playback.play_from(start);
        }
    }

    /// Moves to the next segment, or with `backwards` to the previous one.
    pub fn step_segment(self, backwards: bool) {
        let position = self.playback.position.get_untracked();
        if let Some(start) = self.index.with_value(|index| index.adjacent_segment_start(position, backwards)) {
            self.playback.seek(start);
            self.scroll_to_current();
        }
    }

    pub fn scroll_to_current(self) {
        let position = self.playback.position.get_untracked();
        if let Some(word) = self.index.with_value(|index| index.word_near(position)) {
            self.is_following.set(true);
            self.scroll_to_word(word);
        }
    }

    /// Scrolls to a word, unless it is visible.
    pub fn scroll_to_word(self, word: usize) {
        let Some(element) = self.word_element(word) else { return };
        let height = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or(0.0);
        let rect = element.get_bounding_client_rect();
        if rect.top() >= height * VISIBLE_RANGE.0 && rect.bottom() <= height * VISIBLE_RANGE.1 {
            return;
        }
        self.scrolled_at.set_value(js_sys::Date::now());
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Center);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }

    /// Handles scrolling. A scroll by the user stops following.
    pub fn on_scroll(self) {
        let elapsed = js_sys::Date::now() - self.scrolled_at.try_get_value().unwrap_or(0.0);
        if elapsed > PROGRAMMATIC_SCROLL_MS {
            self.stop_following();
        }
    }

    pub fn stop_following(self) {
        if self.playback.playing.get_untracked() {
            self.is_following.set(false);
        }
    }

    /// Adds or removes a class of a word. Other elements aren't touched: there may be thousands of words.
    pub fn toggle_class(self, word: usize, class: &str, is_on: bool) {
        if let Some(element) = self.word_element(word) {
            // Can't fail: the class contains no spaces.
            let _ = element.class_list().toggle_with_force(class, is_on);
        }
    }

    fn word_element(self, word: usize) -> Option<Element> {
        let cached = self.words.try_with_value(|words| words.clone()).flatten();
        let words = cached.or_else(|| {
            let words = self.node.get_untracked()?.query_selector_all(".word").ok()?;
            self.words.set_value(Some(words.clone()));
            Some(words)
        })?;
        words.get(u32::try_from(word).ok()?)?.dyn_into().ok()
    }
}
