//! File that claims to be a recording: measured as at its upload, then surveyed and split into speech as for a
//! transcription.
//!
//! Includes the server's own source files without the rest of the server, which would take half an hour to compile with
//! instrumentation.

#![no_main]

use std::io::{Seek, Write};

use libfuzzer_sys::fuzz_target;
use recording::probe::{MAX_SECONDS, probe};
use speech::audio::{Channel, outline, pieces, survey};

#[path = "server/recording.rs"]
mod recording;
#[path = "server/speech.rs"]
mod speech;

/// Longest recording to process, in seconds: a small file may hold hours of silence.
const LISTENED: f64 = 60.0;

fuzz_target!(|bytes: &[u8]| {
    let mut file = tempfile::NamedTempFile::new().expect("a file");
    file.write_all(bytes).and_then(|()| file.rewind()).expect("a file");
    let Ok(audio) = probe(file.reopen().expect("a file")) else { return };
    assert!(audio.seconds > 0.0 && audio.seconds <= MAX_SECONDS && (1..=2).contains(&audio.channels), "{audio:?}");
    if audio.seconds > LISTENED {
        return;
    }
    let Ok(layout) = survey(file.path()) else { return };
    assert_eq!(layout.channels, audio.channels);
    assert!(outline(file.path()).is_ok());
    let heard = pieces(file.path(), Channel::Mixed, |piece| {
        assert!(piece.samples.len() as f64 <= speech::MAX_PIECE_SECONDS * f64::from(speech::SAMPLE_RATE) + 1.0);
        true
    });
    assert!(heard.is_ok_and(|heard| heard.speech_seconds <= heard.seconds + 1.0));
});
