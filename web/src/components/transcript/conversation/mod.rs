//! Transcript of a call as a conversation, synchronized with playback and searchable.

mod find_bar;
mod gaps;
mod reader;
mod spoken;
mod turn;

pub use find_bar::{FindBar, Finding};
pub use reader::Reader;
pub use spoken::Spoken;
pub use turn::{UNSURE, speaker};

use leadscribe_engine::api::{RecordingSide, TranscribedSide};
use leptos::ev;
use leptos::prelude::*;
use wasm_bindgen::JsCast;

use self::gaps::gaps;
use self::spoken::SpokenNow;
use self::turn::{GapLine, Turn};
use crate::components::icon::{Glyph, Icon};
use crate::texts::call as texts;

/// The conversation.
#[component]
pub fn Conversation(
    reader: Reader,
    /// True to mark words with low confidence.
    #[prop(into)]
    marks_unsure: Signal<bool>,
) -> impl IntoView {
    let lines = reader.spoken.with_value(lines);
    highlight(reader);
    let playing = move || reader.playback.is_playing();
    Effect::new(move |_| {
        if playing() {
            reader.following.set(true);
        }
    });
    let events = [
        window_event_listener(ev::wheel, move |_| reader.look_elsewhere()),
        window_event_listener(ev::touchmove, move |_| reader.look_elsewhere()),
        window_event_listener(ev::scroll, move |_| reader.scrolled()),
    ];
    on_cleanup(move || events.into_iter().for_each(WindowListenerHandle::remove));
    let press = move |event: ev::MouseEvent| {
        let target = event.target().and_then(|target| target.dyn_into::<web_sys::Element>().ok());
        let word = target.and_then(|target| target.closest("[data-word]").ok().flatten());
        if let Some(word) = word.and_then(|word| word.get_attribute("data-word")?.parse().ok()) {
            reader.play_word(word);
        }
    };
    view! {
        <ol
            node_ref=reader.node
            class="conversation"
            class:marks-unsure=marks_unsure
            data-test="conversation"
            on:click=press
        >
            {lines}
        </ol>
        <Show when=move || playing() && !reader.following.get()>
            <button
                type="button"
                class="button button-primary follow"
                data-test="follow"
                on:click=move |_| reader.show_now()
            >
                <Icon glyph=Glyph::ArrowDown />
                {texts::follow()}
            </button>
        </Show>
    }
}

/// Highlights the spoken words and scrolls along.
fn highlight(reader: Reader) {
    Effect::new(move |before: Option<SpokenNow>| {
        let position = reader.playback.position();
        let now = reader.spoken.with_value(|spoken| spoken.at(position));
        let before = before.unwrap_or_default();
        for (was, is) in before.into_iter().zip(now).filter(|(was, is)| was != is) {
            if let Some(word) = was {
                reader.mark(word, "is-spoken", false);
            }
            if let Some(word) = is {
                reader.mark(word, "is-spoken", true);
                if reader.following.get_untracked() && reader.playback.is_playing_untracked() {
                    reader.show(word);
                }
            }
        }
        now
    });
}

/// Segments and gaps in order of time. The speaker is named whenever the side changes.
fn lines(spoken: &Spoken) -> Vec<AnyView> {
    let transcript = &spoken.transcript;
    let language = |side: RecordingSide| {
        let of_side = transcript.sides.iter().find(|one: &&TranscribedSide| one.side == side);
        of_side.and_then(|side| side.language.clone())
    };
    let mut gaps = gaps(transcript).into_iter().peekable();
    let mut lines = Vec::with_capacity(transcript.segments.len());
    let mut speaker = None;
    for (index, segment) in transcript.segments.iter().enumerate() {
        while let Some(gap) = gaps.next_if(|gap| gap.start <= segment.start) {
            lines.push(view! { <GapLine gap /> }.into_any());
            speaker = None;
        }
        let named = speaker.replace(segment.side) != Some(segment.side);
        let first = spoken.first_word(index);
        let language = language(segment.side);
        lines.push(view! { <Turn segment=segment.clone() first named language /> }.into_any());
    }
    lines.extend(gaps.map(|gap| view! { <GapLine gap /> }.into_any()));
    lines
}
