//! Transcript of a call as a conversation, synchronized with playback and searchable.

mod find_bar;
mod segment_line;
mod transcript_index;

pub use find_bar::{FindBar, SearchState, TranscriptReader};
pub use segment_line::{UNCERTAIN_CONFIDENCE, side_label};
pub use transcript_index::TranscriptIndex;

use leadscribe_engine::api::{RecordingSide, TranscribedSide};
use leptos::ev;
use leptos::prelude::*;

use self::segment_line::{GapLine, SegmentLine, find_gaps};
use self::transcript_index::CurrentWords;
use crate::browser::dom::{closest, listen_on_window, target};
use crate::i18n::texts::call as texts;
use crate::ui::Glyph;
use crate::ui::input::Button;

#[component]
pub fn Conversation(
    reader: TranscriptReader,
    /// True to mark words with low confidence.
    #[prop(into)]
    marks_uncertain: Signal<bool>,
) -> impl IntoView {
    let lines = reader.index.with_value(conversation_lines);
    highlight_spoken_words(reader);
    let is_playing = move || reader.playback.playing.get();
    Effect::new(move |_| {
        if is_playing() {
            reader.is_following.set(true);
        }
    });
    listen_on_window(ev::wheel, move |_| reader.stop_following());
    listen_on_window(ev::touchmove, move |_| reader.stop_following());
    listen_on_window(ev::scroll, move |_| reader.on_scroll());
    let on_click = move |event: ev::MouseEvent| {
        let word = target(&event).and_then(|target| closest(&target, "[data-word]"));
        if let Some(word) = word.and_then(|word| word.get_attribute("data-word")?.parse().ok()) {
            reader.play_word(word);
        }
    };
    view! {
        <ol
            node_ref=reader.node
            class="conversation"
            class:marks-uncertain=marks_uncertain
            data-test="conversation"
            on:click=on_click
        >
            {lines}
        </ol>
        <Show when=move || is_playing() && !reader.is_following.get()>
            <Button
                class="button-primary follow"
                glyph=Glyph::ArrowDown
                label=texts::follow()
                test_id="follow"
                on_press=move |()| reader.scroll_to_current()
            />
        </Show>
    }
}

/// Highlights the spoken words and scrolls along.
fn highlight_spoken_words(reader: TranscriptReader) {
    Effect::new(move |previous: Option<CurrentWords>| {
        let position = reader.playback.position.get();
        let current = reader.index.with_value(|index| index.words_at(position));
        let previous = previous.unwrap_or_default();
        for (old_word, new_word) in
            previous.into_iter().zip(current).filter(|(old_word, new_word)| old_word != new_word)
        {
            if let Some(word) = old_word {
                reader.toggle_class(word, "is-spoken", false);
            }
            if let Some(word) = new_word {
                reader.toggle_class(word, "is-spoken", true);
                if reader.is_following.get_untracked() && reader.playback.playing.get_untracked() {
                    reader.scroll_to_word(word);
                }
            }
        }
        current
    });
}

/// Segments and gaps in order of time. The speaker is named after a gap and whenever the side changes.
fn conversation_lines(transcript_index: &TranscriptIndex) -> Vec<AnyView> {
    let transcript = &transcript_index.transcript;
    let language = |side: RecordingSide| {
        let transcribed_side = transcript.sides.iter().find(|candidate: &&TranscribedSide| candidate.side == side);
        transcribed_side.and_then(|side| side.language.clone())
    };
    let mut gaps = find_gaps(transcript).into_iter().peekable();
    let mut lines = Vec::with_capacity(transcript.segments.len());
    let mut speaker = None;
    for (index, segment) in transcript.segments.iter().enumerate() {
        while let Some(gap) = gaps.next_if(|gap| gap.start <= segment.start) {
            lines.push(view! { <GapLine gap /> }.into_any());
            speaker = None;
        }
        let shows_speaker = speaker.replace(segment.side) != Some(segment.side);
        let first_word = transcript_index.first_word(index);
        let language = language(segment.side);
        lines.push(view! { <SegmentLine segment=segment.clone() first_word shows_speaker language /> }.into_any());
    }
    lines.extend(gaps.map(|gap| view! { <GapLine gap /> }.into_any()));
    lines
}
