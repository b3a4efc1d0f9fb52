//! Synchronizes a transcript with its playback: current words, matches and scroll position.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, NodeList, ScrollIntoViewOptions, ScrollLogicalPosition};

use super::spoken::Spoken;
use crate::components::recording::playback::Playback;

/// Time in milliseconds after a programmatic scroll in which scroll events are attributed to it, because smooth scrolling takes time.
const OWN_SCROLL: f64 = 1_000.0;

/// Part of the window's height in which a word counts as visible; the player covers the top.
const IN_SIGHT: (f64, f64) = (0.3, 0.78);

/// State of a transcript on the page. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Reader {
    pub spoken: StoredValue<Spoken>,
    pub playback: Playback,
    /// List of segments.
    pub node: NodeRef<html::Ol>,
    /// True if the page scrolls along with the playback.
    pub following: RwSignal<bool>,
    words: StoredValue<Option<NodeList>, LocalStorage>,
    scrolled_at: StoredValue<f64>,
}

impl Reader {
    pub fn new(spoken: Spoken, playback: Playback) -> Self {
        Self {
            spoken: StoredValue::new(spoken),
            playback,
            node: NodeRef::new(),
            following: RwSignal::new(true),
            words: StoredValue::new_local(None),
            scrolled_at: StoredValue::new(0.0),
        }
    }

    /// Plays from a word.
    pub fn play_word(self, word: usize) {
        if let Some(start) = self.spoken.with_value(|spoken| spoken.start(word)) {
            self.following.set(true);
            self.playback.play_from(start);
        }
    }

    /// Moves to the next segment, or with `back` to the previous one.
    pub fn go(self, back: bool) {
        let position = self.playback.position_untracked();
        if let Some(start) = self.spoken.with_value(|spoken| spoken.neighbour(position, back)) {
            self.playback.seek(start);
            self.show_now();
        }
    }

    /// Scrolls to the current words.
    pub fn show_now(self) {
        let position = self.playback.position_untracked();
        if let Some(word) = self.spoken.with_value(|spoken| spoken.near(position)) {
            self.following.set(true);
            self.show(word);
        }
    }

    /// Scrolls to a word, unless it is visible.
    pub fn show(self, word: usize) {
        let Some(element) = self.element(word) else { return };
        let height = window().inner_height().ok().and_then(|height| height.as_f64()).unwrap_or(0.0);
        let area = element.get_bounding_client_rect();
        if area.top() >= height * IN_SIGHT.0 && area.bottom() <= height * IN_SIGHT.1 {
            return;
        }
        self.scrolled_at.set_value(js_sys::Date::now());
        let options = ScrollIntoViewOptions::new();
        options.set_block(ScrollLogicalPosition::Center);
        element.scroll_into_view_with_scroll_into_view_options(&options);
    }

    /// Handles scrolling. A scroll by the user stops following.
    pub fn scrolled(self) {
        let since = js_sys::Date::now() - self.scrolled_at.try_get_value().unwrap_or(0.0);
        if since > OWN_SCROLL {
            self.look_elsewhere();
        }
    }

    /// Stops following the playback.
    pub fn look_elsewhere(self) {
        if self.playback.is_playing_untracked() {
            self.following.set(false);
        }
    }

    /// Adds or removes a class of a word. Other elements aren't touched: there may be thousands of words.
    pub fn mark(self, word: usize, class: &str, on: bool) {
        if let Some(element) = self.element(word) {
            // Can't fail: the class contains no spaces.
            let _ = element.class_list().toggle_with_force(class, on);
        }
    }

    fn element(self, word: usize) -> Option<Element> {
        let known = self.words.try_with_value(|words| words.clone()).flatten();
        let words = known.or_else(|| {
            let words = self.node.get_untracked()?.query_selector_all(".word").ok()?;
            self.words.set_value(Some(words.clone()));
            Some(words)
        })?;
        words.get(u32::try_from(word).ok()?)?.dyn_into().ok()
    }
}
