use std::path::PathBuf;
use std::task::{Context, Waker};

use leadscribe_engine::api::RecordingSide;

use super::*;
use crate::speech::SAMPLE_RATE;
use crate::speech::transcribe::{TranscribeOptions, transcribe};

#[test]
fn reports_missing_or_invalid_model_file() {
    let error = Whisper::load(Path::new("/nowhere/ggml-base.bin"), "base", 1, 1).unwrap_err();
    assert_eq!(error.to_string(), "the model `base` can't be used: /nowhere/ggml-base.bin: there is no such file");
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"RIFF, and more").unwrap();
    let error = Whisper::load(file.path(), "mine", 1, 1).unwrap_err();
    let path = file.path().display();
    assert_eq!(
        error.to_string(),
        format!("the model `mine` can't be used: {path}: expected a ggml file, found another format")
    );
}

#[test]
fn chooses_among_permitted_languages() {
    let permitted = ["en-GB", "de", "en-US"].map(str::to_owned);
    let codes = ["en", "de", "en"];
    let candidates: Vec<_> = permitted.iter().zip(codes.map(str::to_owned)).collect();
    let chosen = most_probable(&candidates, &[0.3, 0.1, 0.3]);
    assert_eq!(chosen.language, "en-GB");
    assert!((chosen.confidence - 0.75).abs() < 1e-6);
    assert_eq!(most_probable(&candidates, &[0.0, 0.0, 0.0]).confidence, 0.0);
}

/// Loads the model tiny from the folder LEADSCRIBE_MODELS_DIR. `cargo xtask test server` fetches it.
fn load_tiny_model() -> Whisper {
    let folder = std::env::var_os("LEADSCRIBE_MODELS_DIR").map(PathBuf::from);
    let path =
        folder.expect("LEADSCRIBE_MODELS_DIR; run the tests with `cargo xtask test server`").join("ggml-tiny.bin");
    Whisper::load(&path, "tiny", 1, 1).expect("the model tiny")
}

/// Returns eleven seconds of an inaugural address.
fn speech() -> Samples {
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/demo/recordings/jfk.wav");
    let mut reader = hound::WavReader::open(path).unwrap();
    assert_eq!(reader.spec().sample_rate, SAMPLE_RATE);
    reader.samples::<i16>().map(|sample| f32::from(sample.unwrap()) / 32_768.0).collect()
}

#[tokio::test]
async fn recognizes_speech_with_word_times() {
    let whisper = load_tiny_model();
    let recognized = whisper.recognize(speech(), "en-US").await.unwrap();
    let text =
        recognized.iter().map(|recognized| recognized.text.as_str()).collect::<Vec<_>>().join(" ").to_lowercase();
    assert!(text.contains("ask not what your country can do for you"), "{text}");
    let words: Vec<_> = recognized.iter().flat_map(|recognized| &recognized.words).collect();
    assert!(words.windows(2).all(|pair| pair[0].end <= pair[1].start), "{words:?}");
    // In the recording, speech continues at 3.3 s after a pause of one second, and at 5.4 s after another pause.
    for (word, start) in [("ask", 3.3), ("what", 5.4)] {
        let recognized = words.iter().find(|recognized| recognized.word.to_lowercase().starts_with(word)).unwrap();
        assert!((recognized.start - start).abs() < 0.3, "{word} at {}", recognized.start);
    }
    let silence: Samples = vec![0.0; 5 * SAMPLE_RATE as usize].into();
    assert_eq!(whisper.recognize(silence, "en").await.unwrap(), []);
    // Shorter than Whisper accepts by itself.
    assert_eq!(whisper.recognize(vec![0.0; 100].into(), "en").await.unwrap(), []);
}

#[tokio::test]
async fn recognition_is_deterministic() {
    // All results are poor in a language that isn't spoken.
    let whisper = load_tiny_model();
    let first = whisper.recognize(speech(), "el").await.unwrap();
    assert_eq!(whisper.recognize(speech(), "el").await.unwrap(), first);
}

#[tokio::test]
async fn recognizes_dense_speech_completely() {
    // 28 s of synthesized Greek (espeak-ng) without a long pause: more tokens than a piece may have.
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("src/speech/whisper/greek.wav");
    let options =
        TranscribeOptions { side: RecordingSide::Both, languages: vec!["el".to_owned()], redact_cards: false };
    let transcript = transcribe(&file, &options, &load_tiny_model()).await.unwrap();
    let letters: usize = transcript.segments.iter().map(|segment| segment.text.chars().count()).sum();
    assert!(letters > 380, "{letters}: {:?}", transcript.segments);
    assert_eq!(transcript.dropped, []);
}

#[tokio::test]
async fn cancelled_recognitions_make_room_for_the_next() {
    let whisper = load_tiny_model();
    for _ in 0..50 {
        let mut cancelled = whisper.recognize(speech(), "en");
        assert!(cancelled.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
    }
    let permitted = ["de", "en"].map(str::to_owned);
    let chosen = whisper.detect_language(speech(), &permitted).await.unwrap();
    assert_eq!(chosen.language, "en");
    assert!(chosen.confidence > 0.9, "{}", chosen.confidence);
    let error = whisper.recognize(speech(), "tlh").await.unwrap_err();
    assert_eq!(
        error.to_string(),
        "the recognizer rejected the request: the model `tiny` doesn't support the language `tlh`"
    );
}
