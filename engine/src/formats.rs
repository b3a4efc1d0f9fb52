//! Transcripts as files: WebVTT, SubRip (SRT) and plain text, with the sides as speakers.
//!
//! Each segment is one cue or line. Line breaks and other control characters inside a text become spaces, direction marks are balanced, and
//! empty segments are omitted, so that no spoken text can break the format.

use std::fmt::Write as _;

mod direction;

use crate::api::{RecordingSide, Segment, Transcript};

/// Formats as WebVTT, each side in a voice tag.
pub fn vtt(transcript: &Transcript) -> String {
    let mut file = "WEBVTT\n".to_owned();
    for (segment, text) in spoken_lines(transcript) {
        let (start, end) = cue_times(segment);
        let escaped = text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;");
        let voice_tag = speaker_label(segment.side).map(|speaker| format!("<v {speaker}>")).unwrap_or_default();
        append(
            &mut file,
            format_args!("\n{} --> {}\n{voice_tag}{escaped}\n", format_cue_time(start, "."), format_cue_time(end, ".")),
        );
    }
    file
}

/// Formats as SubRip. The format has no escapes, so an arrow in the text, which could be read as a time line, becomes `->`.
pub fn srt(transcript: &Transcript) -> String {
    let mut file = String::new();
    for (index, (segment, text)) in spoken_lines(transcript).enumerate() {
        let (start, end) = cue_times(segment);
        let text = replace_arrows(&text);
        let (separator, number) = (if index > 0 { "\n" } else { "" }, index + 1);
        let line = with_speaker(segment.side, &text);
        append(
            &mut file,
            format_args!(
                "{separator}{number}\n{} --> {}\n{line}\n",
                format_cue_time(start, ","),
                format_cue_time(end, ",")
            ),
        );
    }
    file
}

/// Formats as plain text, one line per segment: `[00:00:12] Caller: Good morning.`
pub fn text(transcript: &Transcript) -> String {
    let mut file = String::new();
    for (segment, text) in spoken_lines(transcript) {
        let (hours, minutes, seconds, _) = split_time(cue_times(segment).0);
        let line = with_speaker(segment.side, &text);
        append(&mut file, format_args!("[{hours:02}:{minutes:02}:{seconds:02}] {line}\n"));
    }
    file
}

/// Replaces `-->`, which separates two times, with `->`. Repeats until none is left, because a replacement can create
/// another.
fn replace_arrows(text: &str) -> String {
    let mut text = text.to_owned();
    while text.contains("-->") {
        text = text.replace("-->", "->");
    }
    text
}

/// Returns the non-empty segments, each with its text on one line.
fn spoken_lines(transcript: &Transcript) -> impl Iterator<Item = (&Segment, String)> {
    let line = |segment: &Segment| {
        let is_no_break = |c: char| matches!(c, '\u{a0}' | '\u{2007}' | '\u{202f}');
        let words = segment.text.split(|c: char| c.is_whitespace() && !is_no_break(c) || c.is_control());
        direction::balance(&words.filter(|word| !word.is_empty()).collect::<Vec<_>>().join(" "))
    };
    transcript.segments.iter().map(move |segment| (segment, line(segment))).filter(|(_, text)| !text.is_empty())
}

fn with_speaker(side: RecordingSide, text: &str) -> String {
    speaker_label(side).map_or_else(|| text.to_owned(), |speaker| format!("{speaker}: {text}"))
}

/// Returns the speaker; `None` if the sides can't be told apart.
fn speaker_label(side: RecordingSide) -> Option<&'static str> {
    match side {
        RecordingSide::Caller => Some("Caller"),
        RecordingSide::Callee => Some("Callee"),
        RecordingSide::Both => None,
    }
}

/// Returns the start and end of a cue in milliseconds. Players ignore cues without duration.
fn cue_times(segment: &Segment) -> (u64, u64) {
    #[expect(clippy::cast_possible_truncation, clippy::cast_sign_loss, reason = "a cast saturates, and NaN becomes 0")]
    let milliseconds = |seconds: f64| (seconds * 1000.0).round() as u64;
    let start = milliseconds(segment.start);
    (start, milliseconds(segment.end).max(start.saturating_add(1)))
}

/// Splits into hours, minutes, seconds and milliseconds.
fn split_time(milliseconds: u64) -> (u64, u64, u64, u64) {
    let seconds = milliseconds / 1000;
    (seconds / 3600, seconds / 60 % 60, seconds % 60, milliseconds % 1000)
}

/// Formats a cue time: `00:00:12.340`, with at least two digits for the hours.
fn format_cue_time(milliseconds: u64, point: &str) -> String {
    let (hours, minutes, seconds, milliseconds) = split_time(milliseconds);
    format!("{hours:02}:{minutes:02}:{seconds:02}{point}{milliseconds:03}")
}

fn append(file: &mut String, text: std::fmt::Arguments<'_>) {
    // Writing to a string can't fail.
    let _ = file.write_fmt(text);
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::api::{CallId, SpeechEngine, TranscriptionId};

    fn transcript(segments: &[(f64, f64, RecordingSide, &str)]) -> Transcript {
        let segment = |(start, end, side, text): &(f64, f64, RecordingSide, &str)| Segment {
            start: *start,
            end: *end,
            side: *side,
            text: (*text).to_owned(),
            confidence: 0.9,
            words: Vec::new(),
        };
        Transcript {
            call_id: CallId(1),
            transcription_id: TranscriptionId(1),
            language: None,
            duration: 10.0,
            segments: segments.iter().map(segment).collect(),
            sides: Vec::new(),
            dropped: Vec::new(),
            redactions: 0,
            engine: SpeechEngine { name: "test".to_owned(), model: "none".to_owned() },
            created_at: chrono::DateTime::UNIX_EPOCH,
        }
    }

    fn call() -> Transcript {
        transcript(&[
            (0.5, 12.34, RecordingSide::Caller, " Good morning,\r\n\nAnn. "),
            (12.34, 12.34, RecordingSide::Callee, "a --> b & <v Caller> c"),
            (13.0, 14.0, RecordingSide::Callee, " \n"),
            (3_725.001, 3_726.0, RecordingSide::Both, "Bye."),
        ])
    }

    #[test]
    fn writes_webvtt() {
        let expected = "WEBVTT\n\
            \n00:00:00.500 --> 00:00:12.340\n<v Caller>Good morning, Ann.\n\
            \n00:00:12.340 --> 00:00:12.341\n<v Callee>a --&gt; b &amp; &lt;v Caller&gt; c\n\
            \n01:02:05.001 --> 01:02:06.000\nBye.\n";
        assert_eq!(vtt(&call()), expected);
    }

    #[test]
    fn writes_srt() {
        let expected = "1\n00:00:00,500 --> 00:00:12,340\nCaller: Good morning, Ann.\n\
            \n2\n00:00:12,340 --> 00:00:12,341\nCallee: a -> b & <v Caller> c\n\
            \n3\n01:02:05,001 --> 01:02:06,000\nBye.\n";
        assert_eq!(srt(&call()), expected);
        let arrows = srt(&transcript(&[(0.0, 1.0, RecordingSide::Both, "----->> -->-->")]));
        assert_eq!(arrows.matches("-->").count(), 1, "{arrows}");
    }

    #[test]
    fn writes_text() {
        let expected = "[00:00:00] Caller: Good morning, Ann.\n\
            [00:00:12] Callee: a --> b & <v Caller> c\n\
            [01:02:05] Bye.\n";
        assert_eq!(text(&call()), expected);
    }

    #[test]
    fn closes_direction_marks_within_a_line() {
        // A Hebrew sentence that was divided within an embedding and an isolate.
        let divided_sentence = transcript(&[
            (0.0, 1.0, RecordingSide::Caller, "\u{202b}שלום \u{2067}עולם"),
            (1.0, 2.0, RecordingSide::Caller, "טוב\u{2069} מאוד\u{202c}"),
            (2.0, 3.0, RecordingSide::Caller, "\u{202b}\u{202c}"),
        ]);
        let first = "\u{202b}שלום \u{2067}עולם\u{2069}\u{202c}";
        let expected = format!("[00:00:00] Caller: {first}\n[00:00:01] Caller: טוב מאוד\n");
        assert_eq!(text(&divided_sentence), expected);
        assert!(vtt(&divided_sentence).contains(&format!("<v Caller>{first}\n")));
        assert!(srt(&divided_sentence).contains(&format!("Caller: {first}\n")));
    }

    #[test]
    fn preserves_non_breaking_spaces() {
        let french = transcript(&[(0.0, 1.0, RecordingSide::Both, "50\u{a0}% \u{202f}?")]);
        assert_eq!(text(&french), "[00:00:00] 50\u{a0}% \u{202f}?\n");
    }

    #[test]
    fn empty_transcript_makes_an_empty_file() {
        let empty = transcript(&[]);
        assert_eq!((vtt(&empty).as_str(), srt(&empty).as_str(), text(&empty).as_str()), ("WEBVTT\n", "", ""));
    }

    #[test]
    fn accepts_any_segment_time() {
        let odd = transcript(&[
            (f64::NAN, -1.0, RecordingSide::Caller, "a"),
            (359_999.999_6, 360_000.0, RecordingSide::Caller, "b"),
            (3_600_000.0, f64::INFINITY, RecordingSide::Caller, "c"),
        ]);
        let file = vtt(&odd);
        let times: Vec<&str> = file.lines().filter(|line| line.contains("-->")).collect();
        assert_eq!(
            times,
            [
                "00:00:00.000 --> 00:00:00.001",
                "100:00:00.000 --> 100:00:00.001",
                "1000:00:00.000 --> 5124095576030:25:51.615"
            ]
        );
    }
}
