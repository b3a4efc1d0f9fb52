//! Search within a transcript. Also synchronizes the transcript with the playback: seeking, highlighted words and the
//! scroll position.

use leptos::html;
use leptos::prelude::*;
use wasm_bindgen::JsCast;
use web_sys::{Element, NodeList, ScrollIntoViewOptions, ScrollLogicalPosition};

use crate::i18n::datetime;
use crate::i18n::texts::{call as texts, common};
use crate::ui::input::IconButton;
use crate::ui::recording::playback::Playback;
use crate::ui::transcript::conversation::transcript_index::TranscriptIndex;
use crate::ui::{Glyph, Icon};

/// State of the search within a transcript. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct SearchState {
    pub text: RwSignal<String>,
    /// Words of each match.
    pub matches: Memo<Vec<Vec<usize>>>,
    current: RwSignal<usize>,
    input: NodeRef<html::Input>,
    reader: TranscriptReader,
}

impl SearchState {
    /// Searches for `text` and selects the first match at or after `from` seconds.
    pub fn new(reader: TranscriptReader, text: String, from: f64) -> Self {
        let text = RwSignal::new(text);
        let matches = Memo::new(move |_| text.with(|text| reader.index.with_value(|index| index.find(text))));
        let start = |words: &Vec<usize>| reader.index.with_value(|index| index.word_start(*words.first()?));
        let is_at_or_after = |words: &Vec<usize>| start(words).is_some_and(|start| start >= from - 0.5);
        let current = matches.with_untracked(|matches| matches.iter().position(is_at_or_after)).unwrap_or(0);
        let state = Self { text, matches, current: RwSignal::new(current), input: NodeRef::new(), reader };
        state.highlight_matches();
        state
    }

    /// Start time of each match, in seconds.
    pub fn match_starts(self) -> Vec<f64> {
        self.reader.index.with_value(|index| {
            self.matches.with(|matches| matches.iter().filter_map(|words| index.word_start(*words.first()?)).collect())
        })
    }

    pub fn focus(self) {
        if let Some(input) = self.input.get_untracked() {
            // An element that can't be focused leaves the focus unchanged.
            let _ = input.focus();
            input.select();
        }
    }

    pub fn show(self) {
        if let Some(word) = self.current_word() {
            self.reader.scroll_to_word(word);
        }
    }

    /// Moves to the next match, or with `backwards` to the previous one, and seeks to its start.
    fn step(self, backwards: bool) {
        let count = self.matches.with_untracked(Vec::len);
        if count == 0 {
            return;
        }
        self.current.update(|current| *current = (*current + if backwards { count - 1 } else { 1 }) % count);
        let start = self.current_word().and_then(|word| self.reader.index.with_value(|index| index.word_start(word)));
        if let Some(start) = start {
            self.reader.playback.seek(start);
        }
        self.show();
    }

    fn set_text(self, text: String) {
        self.current.set(0);
        self.text.set(text);
        self.show();
    }

    fn current_word(self) -> Option<usize> {
        let current = self.current.get_untracked();
        self.matches.with_untracked(|matches| matches.get(current)?.first().copied())
    }

    /// Highlights all matches and the current one.
    fn highlight_matches(self) {
        let reader = self.reader;
        let all_words =
            Memo::new(move |_| self.matches.with(|matches| matches.iter().flatten().copied().collect::<Vec<_>>()));
        let current_words =
            move || self.matches.with(|matches| matches.get(self.current.get()).cloned().unwrap_or_default());
        let mark = move |class: &'static str, words: Signal<Vec<usize>>| {
            Effect::new(move |previous: Option<Option<Vec<usize>>>| {
                // Waits until the words are rendered.
                reader.node.get()?;
                let words_now = words.get();
                for word in previous.flatten().unwrap_or_default() {
                    reader.toggle_class(word, class, false);
                }
                for word in &words_now {
                    reader.toggle_class(*word, class, true);
                }
                Some(words_now)
            });
        };
        mark("is-match", all_words.into());
        mark("is-current-match", Signal::derive(current_words));
    }
}

/// Search input with buttons to move between matches.
#[component]
pub fn FindBar(state: SearchState) -> impl IntoView {
    let count = move || state.matches.with(Vec::len);
    let position_text = move || match (count(), state.text.with(|text| text.trim().is_empty())) {
        (_, true) => String::new(),
        (0, _) => texts::no_matches().to_owned(),
        (count, _) => common::progress_of_total(
            datetime::format_count(state.current.get() as u64 + 1),
            datetime::format_count(count as u64),
        ),
    };
    let on_key = move |event: web_sys::KeyboardEvent| match event.key().as_str() {
        "Enter" => {
            event.prevent_default();
            state.step(event.shift_key());
        }
        "Escape" => {
            state.set_text(String::new());
            if let Some(input) = state.input.get_untracked() {
                let _ = input.blur();
            }
        }
        _ => {}
    };
    let disabled = Signal::derive(move || count() == 0);
    let step_button = move |backwards: bool, glyph: Glyph, label: &'static str, test_id: &'static str| {
        view! { <IconButton glyph label title=label test_id disabled on_press=move |()| state.step(backwards) /> }
    };
    view! {
        <div class="line find-bar" role="search" aria-label=texts::this_transcript()>
            <label class="search">
                <Icon glyph=Glyph::Search />
                <input
                    node_ref=state.input
                    class="input"
                    type="text"
                    enterkeyhint="search"
                    autocomplete="off"
                    spellcheck="false"
                    aria-label=texts::search_transcript()
                    placeholder=texts::search_text()
                    data-test="find"
                    prop:value=state.text
                    on:input:target=move |event| state.set_text(event.target().value())
                    on:keydown=on_key
                />
                <span class="find-count" aria-live="polite" data-test="find-count">
                    {position_text}
                </span>
            </label>
            {step_button(true, Glyph::ArrowUp, texts::previous_match(), "find-previous")}
            {step_button(false, Glyph::ArrowDown, texts::next_match(), "find-next")}
        </div>
    }
}

/// Time in milliseconds after a programmatic scroll in which scroll events are attributed to it, because smooth
/// scrolling takes time.
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
