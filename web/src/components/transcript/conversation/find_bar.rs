//! Search within a transcript, with the same rules as the search over all transcripts.

use leptos::html;
use leptos::prelude::*;

use super::reader::Reader;
use crate::components::icon::{Glyph, Icon};
use crate::texts::call as texts;
use crate::when;

/// State of the search within a transcript. A `Copy` handle.
#[derive(Clone, Copy)]
pub struct Finding {
    pub text: RwSignal<String>,
    /// Words of each match.
    pub places: Memo<Vec<Vec<usize>>>,
    /// Index of the current match.
    here: RwSignal<usize>,
    input: NodeRef<html::Input>,
    reader: Reader,
}

impl Finding {
    /// Searches for `text` and selects the first match at or after `from` seconds.
    pub fn new(reader: Reader, text: String, from: f64) -> Self {
        let text = RwSignal::new(text);
        let places = Memo::new(move |_| text.with(|text| reader.spoken.with_value(|spoken| spoken.find(text))));
        let start = |place: &Vec<usize>| reader.spoken.with_value(|spoken| spoken.start(*place.first()?));
        let is_later = |place: &Vec<usize>| start(place).is_some_and(|start| start >= from - 0.5);
        let here = places.with_untracked(|places| places.iter().position(is_later)).unwrap_or(0);
        let finding = Self { text, places, here: RwSignal::new(here), input: NodeRef::new(), reader };
        finding.mark();
        finding
    }

    /// Start time of each match, in seconds.
    pub fn starts(self) -> Vec<f64> {
        self.reader.spoken.with_value(|spoken| {
            self.places.with(|places| places.iter().filter_map(|place| spoken.start(*place.first()?)).collect())
        })
    }

    /// Focuses the search input.
    pub fn focus(self) {
        if let Some(input) = self.input.get_untracked() {
            // An element that can't be focused leaves the focus unchanged.
            let _ = input.focus();
            input.select();
        }
    }

    /// Scrolls to the current match.
    pub fn show(self) {
        if let Some(word) = self.here_untracked() {
            self.reader.show(word);
        }
    }

    /// Moves to the next match, or with `back` to the previous one, and plays from there.
    fn go(self, back: bool) {
        let count = self.places.with_untracked(Vec::len);
        if count == 0 {
            return;
        }
        self.here.update(|here| *here = (*here + if back { count - 1 } else { 1 }) % count);
        let start = self.here_untracked().and_then(|word| self.reader.spoken.with_value(|spoken| spoken.start(word)));
        if let Some(start) = start {
            self.reader.playback.seek(start);
        }
        self.show();
    }

    fn write(self, text: String) {
        self.here.set(0);
        self.text.set(text);
        self.show();
    }

    fn here_untracked(self) -> Option<usize> {
        let here = self.here.get_untracked();
        self.places.with_untracked(|places| places.get(here)?.first().copied())
    }

    /// Highlights all matches and the current one.
    fn mark(self) {
        let reader = self.reader;
        let all = Memo::new(move |_| self.places.with(|places| places.iter().flatten().copied().collect::<Vec<_>>()));
        let here = move || self.places.with(|places| places.get(self.here.get()).cloned().unwrap_or_default());
        let mark = move |class: &'static str, words: Signal<Vec<usize>>| {
            Effect::new(move |before: Option<Option<Vec<usize>>>| {
                // Waits until the words are rendered.
                reader.node.get()?;
                let now = words.get();
                for word in before.flatten().unwrap_or_default() {
                    reader.mark(word, class, false);
                }
                for word in &now {
                    reader.mark(*word, class, true);
                }
                Some(now)
            });
        };
        mark("is-found", all.into());
        mark("is-found-here", Signal::derive(here));
    }
}

/// Search input with buttons to move between matches.
#[component]
pub fn FindBar(finding: Finding) -> impl IntoView {
    let count = move || finding.places.with(Vec::len);
    let standing = move || match (count(), finding.text.with(|text| text.trim().is_empty())) {
        (_, true) => String::new(),
        (0, _) => texts::not_found().to_owned(),
        (count, _) => texts::place_of(when::count(finding.here.get() as u64 + 1), when::count(count as u64)),
    };
    let on_key = move |event: web_sys::KeyboardEvent| match event.key().as_str() {
        "Enter" => {
            event.prevent_default();
            finding.go(event.shift_key());
        }
        "Escape" => {
            finding.write(String::new());
            if let Some(input) = finding.input.get_untracked() {
                let _ = input.blur();
            }
        }
        _ => {}
    };
    let step = move |back: bool, glyph: Glyph, label: &'static str, test: &'static str| {
        view! {
            <button
                type="button"
                class="button button-plain button-icon button-small"
                aria-label=label
                title=label
                data-test=test
                disabled=move || count() == 0
                on:click=move |_| finding.go(back)
            >
                <Icon glyph />
            </button>
        }
    };
    view! {
        <div class="find-bar" role="search" aria-label=texts::this_transcript()>
            <label class="search">
                <Icon glyph=Glyph::Search />
                <input
                    node_ref=finding.input
                    class="input"
                    type="text"
                    enterkeyhint="search"
                    autocomplete="off"
                    spellcheck="false"
                    aria-label=texts::search_transcript()
                    placeholder=texts::search_text()
                    data-test="find"
                    prop:value=finding.text
                    on:input:target=move |event| finding.write(event.target().value())
                    on:keydown=on_key
                />
                <span class="find-count" aria-live="polite" data-test="find-count">
                    {standing}
                </span>
            </label>
            {step(true, Glyph::ArrowUp, texts::previous_place(), "find-previous")}
            {step(false, Glyph::ArrowDown, texts::next_place(), "find-next")}
        </div>
    }
}
