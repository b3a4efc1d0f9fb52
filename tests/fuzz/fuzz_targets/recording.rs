//! Uploaded file: probed as on upload, then split into pieces of speech as for a transcription.
//!
//! Includes the server's own source files without the rest of the server, which would take half an hour to compile with
//! instrumentation.

#![no_main]

use std::io::{Seek, Write};

use libfuzzer_sys::fuzz_target;
use recording::probe::{MAX_DURATION_SECONDS, probe};
use speech::audio::{Channel, detect_layout, outline, split_into_pieces};

#[path = "server/recording.rs"]
mod recording;
#[path = "server/speech.rs"]
mod speech;

/// Maximum length of a recording to process, in seconds. A small file may hold hours of silence.
const MAX_PROCESSED_SECONDS: f64 = 60.0;

fuzz_target!(|bytes: &[u8]| {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).and_then(|()| file.rewind()).expect("a file");
    let Ok(audio) = probe(file.reopen().expect("a file")) else { return };
    assert!(
        audio.seconds > 0.0 && audio.seconds <= MAX_DURATION_SECONDS && (1..=2).contains(&audio.channels),
        "{audio:?}"
    );
    if audio.seconds > MAX_PROCESSED_SECONDS {
        return;
    }
    let Ok(layout) = detect_layout(file.path()) else { return };
    assert_eq!(layout.channels, audio.channels);
    assert!(outline(file.path()).is_ok());
    let summary = split_into_pieces(file.path(), Channel::Mixed, &layout, |piece| {
        assert!(piece.samples.len() as f64 <= speech::MAX_PIECE_SECONDS * f64::from(speech::SAMPLE_RATE) + 1.0);
        true
    });
    assert!(summary.is_ok_and(|summary| summary.speech_seconds <= summary.seconds + 1.0));
});
