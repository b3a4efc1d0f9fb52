use std::path::PathBuf;
use std::sync::Mutex;
use std::task::{Context, Waker};

use async_trait::async_trait;
use leadscribe_engine::api::{SpeechEngine, Word};
use tempfile::NamedTempFile;

use super::*;
use crate::speech::RecognizedSegment;

/// Scripted recognizer that records its calls.
#[derive(Debug, Default)]
struct FakeRecognizer {
    /// Text recognized in each piece, in order; afterwards always "Hello.".
    texts: Mutex<Vec<&'static str>>,
    /// Length of the recognized segment at the end of each piece, in seconds; `None` if it spans the whole piece.
    tail_seconds: Option<f64>,
    /// Languages of the calls to `recognize`.
    languages: Mutex<Vec<String>>,
    /// Lengths in seconds of the speech passed to `detect_language`.
    detection_seconds: Mutex<Vec<f64>>,
}

impl FakeRecognizer {
    fn with_texts(texts: &[&'static str]) -> Self {
        Self { texts: Mutex::new(texts.iter().rev().copied().collect()), ..Self::default() }
    }
}

#[async_trait]
impl Recognizer for FakeRecognizer {
    fn engine(&self) -> SpeechEngine {
        SpeechEngine { name: "fake".to_owned(), model: "none".to_owned() }
    }

    async fn detect_language(&self, speech: Samples, permitted: &[String]) -> Result<DetectedLanguage, RecognizeError> {
        self.detection_seconds.lock().unwrap().push(speech.len() as f64 / f64::from(SAMPLE_RATE));
        Ok(DetectedLanguage { language: permitted[1].clone(), confidence: 0.75 })
    }

    async fn recognize(&self, speech: Samples, language: &str) -> Result<Vec<RecognizedSegment>, RecognizeError> {
        self.languages.lock().unwrap().push(language.to_owned());
        let text = self.texts.lock().unwrap().pop().unwrap_or("Hello.");
        let end = speech.len() as f64 / f64::from(SAMPLE_RATE);
        let words: Vec<Word> = Vec::new();
        let start = self.tail_seconds.map_or(0.0, |seconds| end - seconds);
        let segment = RecognizedSegment { start, end, text: text.to_owned(), confidence: 0.5, words };
        Ok(if text.is_empty() { Vec::new() } else { vec![segment] })
    }
}

fn recording(name: &str) -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("demo/recordings").join(name)
}

/// Creates a recording of these channels.
fn write_recording(channels: &[&[i16]]) -> NamedTempFile {
    let file = NamedTempFile::with_suffix(".wav").unwrap();
    let spec = hound::WavSpec {
        channels: channels.len() as u16,
        sample_rate: SAMPLE_RATE,
        bits_per_sample: 16,
        sample_format: hound::SampleFormat::Int,
    };
    let mut writer = hound::WavWriter::create(file.path(), spec).unwrap();
    for index in 0..channels[0].len() {
        for channel in channels {
            writer.write_sample(channel[index]).unwrap();
        }
    }
    writer.finalize().unwrap();
    file
}

/// Returns eleven seconds of speech.
fn speech() -> Vec<i16> {
    hound::WavReader::open(recording("jfk.wav")).unwrap().samples().map(Result::unwrap).collect()
}

fn options(side: RecordingSide, languages: &[&str]) -> TranscribeOptions {
    TranscribeOptions {
        side,
        languages: languages.iter().map(|language| (*language).to_owned()).collect(),
        redact_cards: true,
    }
}

fn sides(transcript: &NewTranscript) -> Vec<RecordingSide> {
    transcript.sides.iter().map(|side| side.side).collect()
}

#[tokio::test]
async fn transcribes_call_as_conversation() {
    let fake = FakeRecognizer::default();
    let both = options(RecordingSide::Both, &["en"]);
    let transcript = transcribe(&recording("call_pd_8k.wav"), &both, &fake).await.unwrap();
    // The caller speaks from 0.5 s and 14 s, the other side from 8.5 s and 20.5 s.
    let spoken: Vec<_> = transcript.segments.iter().map(|segment| (segment.side, segment.start.round())).collect();
    assert_eq!(
        spoken,
        [
            (RecordingSide::Caller, 0.0),
            (RecordingSide::Callee, 8.0),
            (RecordingSide::Caller, 14.0),
            (RecordingSide::Callee, 20.0)
        ]
    );
    assert_eq!(sides(&transcript), [RecordingSide::Caller, RecordingSide::Callee]);
    assert_eq!(transcript.language.as_deref(), Some("en"));
    assert_eq!(transcript.sides[0].language_confidence, Some(1.0));
    assert!((transcript.sides[0].speech_seconds - 12.4).abs() < 1.5, "{:?}", transcript.sides[0]);
    assert!(transcript.dropped.iter().all(|dropped| dropped.reason == DropReason::NoSpeech));
    assert!(transcript.dropped.windows(2).all(|pair| pair[0].start <= pair[1].start));
    assert_eq!(*fake.languages.lock().unwrap(), ["en"; 4]);
}

#[tokio::test]
async fn transcribes_one_side_alone() {
    for (side, start) in [(RecordingSide::Caller, 0.0), (RecordingSide::Callee, 8.0)] {
        let transcript = transcribe(&recording("call_pd_8k.wav"), &options(side, &["en"]), &FakeRecognizer::default())
            .await
            .unwrap();
        assert_eq!(sides(&transcript), [side]);
        assert_eq!(transcript.segments.len(), 2);
        assert_eq!(transcript.segments[0].start.round(), start);
    }
}

#[tokio::test]
async fn equal_channels_are_transcribed_once() {
    let speech = speech();
    let (equal, single) = (write_recording(&[&speech, &speech]), write_recording(&[&speech]));
    for (file, side, expected) in [
        (&equal, RecordingSide::Both, RecordingSide::Both),
        (&equal, RecordingSide::Callee, RecordingSide::Callee),
        (&single, RecordingSide::Both, RecordingSide::Both),
        (&single, RecordingSide::Caller, RecordingSide::Both),
    ] {
        let fake = FakeRecognizer::default();
        let transcript = transcribe(file.path(), &options(side, &["en"]), &fake).await.unwrap();
        assert_eq!(sides(&transcript), [expected]);
        assert_eq!(fake.languages.lock().unwrap().len(), 1);
        assert!((transcript.duration - 11.0).abs() < 0.01);
    }
}

#[tokio::test]
async fn chooses_language_of_each_side_from_enough_speech() {
    let fake = FakeRecognizer::default();
    let both = options(RecordingSide::Both, &["en-GB", "pt-BR"]);
    let transcript = transcribe(&recording("call_pd_8k.wav"), &both, &fake).await.unwrap();
    assert_eq!(*fake.languages.lock().unwrap(), ["pt-BR"; 4]);
    let detection_seconds = fake.detection_seconds.lock().unwrap();
    assert_eq!(detection_seconds.len(), 2);
    assert!(
        detection_seconds.iter().all(|seconds| *seconds >= MIN_LANGUAGE_DETECTION_SECONDS),
        "{detection_seconds:?}"
    );
    assert_eq!(transcript.language.as_deref(), Some("pt-BR"));
    assert_eq!(transcript.sides[1].language_confidence, Some(0.75));
}

#[test]
fn main_language_is_that_of_most_speech() {
    let side = |side, language: &str, speech_seconds| TranscribedSide {
        side,
        language: Some(language.to_owned()),
        language_confidence: None,
        speech_seconds,
    };
    let main = |caller: f64, callee: f64| {
        main_language(&[side(RecordingSide::Caller, "de", caller), side(RecordingSide::Callee, "en", callee)])
    };
    assert_eq!(main(3.0, 2.0).as_deref(), Some("de"));
    assert_eq!(main(2.0, 3.0).as_deref(), Some("en"));
    assert_eq!(main(2.0, 2.0).as_deref(), Some("de"));
}

#[tokio::test]
async fn silence_has_no_language_and_no_text() {
    let silence = vec![0; 5 * SAMPLE_RATE as usize];
    let fake = FakeRecognizer::default();
    let file = write_recording(&[&silence]);
    let transcript = transcribe(file.path(), &options(RecordingSide::Both, &["en", "de"]), &fake).await.unwrap();
    let dropped = DroppedSpan { start: 0.0, end: 5.0, side: RecordingSide::Both, reason: DropReason::NoSpeech };
    assert_eq!(
        transcript,
        NewTranscript {
            language: None,
            duration: 5.0,
            segments: Vec::new(),
            sides: vec![TranscribedSide {
                side: RecordingSide::Both,
                language: None,
                language_confidence: None,
                speech_seconds: 0.0,
            }],
            dropped: vec![dropped],
            redactions: 0,
            engine: fake.engine(),
        }
    );
}

#[tokio::test]
async fn reports_pieces_without_words() {
    let fake = FakeRecognizer::with_texts(&[""]);
    let caller = options(RecordingSide::Caller, &["en"]);
    let transcript = transcribe(&recording("call_pd_8k.wav"), &caller, &fake).await.unwrap();
    let no_words: Vec<_> = transcript.dropped.iter().filter(|dropped| dropped.reason == DropReason::NoWords).collect();
    assert_eq!(no_words.len(), 1);
    assert!(no_words[0].start < 1.0 && no_words[0].end > 7.0, "{no_words:?}");
    assert_eq!(transcript.segments.len(), 1);
}

#[tokio::test]
async fn reports_speech_without_words_within_a_piece() {
    let fake = FakeRecognizer { tail_seconds: Some(3.0), ..FakeRecognizer::default() };
    let transcript = transcribe(&recording("jfk.wav"), &options(RecordingSide::Both, &["en"]), &fake).await.unwrap();
    let [segment] = &transcript.segments[..] else { panic!("expected one segment, found {:?}", transcript.segments) };
    let no_words: Vec<_> = transcript.dropped.iter().filter(|dropped| dropped.reason == DropReason::NoWords).collect();
    assert!(no_words[0].start < 0.6, "{no_words:?}");
    assert!(no_words.iter().all(|dropped| dropped.end < segment.start && dropped.end - dropped.start >= 1.0));
    let dropped_seconds: f64 = no_words.iter().map(|dropped| dropped.end - dropped.start).sum();
    assert!(dropped_seconds > 4.0, "{no_words:?}");
}

#[tokio::test]
async fn echo_is_transcribed_once() {
    let [left, right] = [0, 1].map(|channel| -> Vec<f64> {
        let mut call = hound::WavReader::open(recording("call_pd_8k.wav")).unwrap();
        call.samples::<i16>().skip(channel).step_by(2).map(|sample| f64::from(sample.unwrap())).collect()
    });
    let with_echo = |near: &[f64], far: &[f64]| -> Vec<i16> {
        // Echo with a delay of 25 ms at 8 kHz, 30 dB quieter.
        let echo = std::iter::repeat_n(&0.0, 200).chain(far).map(|sample| sample * 0.032);
        // The file has 16 kHz, so each sample is written twice.
        near.iter().zip(echo).flat_map(|(near, echo)| [(near + echo) as i16; 2]).collect()
    };
    let file = write_recording(&[&with_echo(&left, &right), &with_echo(&right, &left)]);
    let fake = FakeRecognizer::default();
    let transcript = transcribe(file.path(), &options(RecordingSide::Both, &["en"]), &fake).await.unwrap();
    let spoken: Vec<_> = transcript.segments.iter().map(|segment| (segment.side, segment.start.round())).collect();
    assert_eq!(spoken.len(), 4, "{spoken:?}");
    assert_eq!(spoken.iter().filter(|(side, _)| *side == RecordingSide::Caller).count(), 2, "{spoken:?}");
    assert_eq!(fake.languages.lock().unwrap().len(), 4);
}

#[tokio::test]
async fn redacts_card_number_across_pieces() {
    let file = recording("call_pd_8k.wav");
    let texts = ["My card: 4111 1111", "1111 then four triple one. Thanks."];
    let mut caller = options(RecordingSide::Caller, &["en"]);
    let transcript = transcribe(&file, &caller, &FakeRecognizer::with_texts(&texts)).await.unwrap();
    assert_eq!(transcript.redactions, 1);
    let text: Vec<_> = transcript.segments.iter().map(|segment| segment.text.as_str()).collect();
    assert_eq!(text.join(" "), "My card: [card number] Thanks.");

    caller.redact_cards = false;
    let transcript = transcribe(&file, &caller, &FakeRecognizer::with_texts(&texts)).await.unwrap();
    assert_eq!(transcript.redactions, 0);
    assert_eq!(transcript.segments[0].text, "My card: 4111 1111");
}

#[tokio::test]
async fn unusable_recording_is_a_permanent_error() {
    let file = NamedTempFile::new().unwrap();
    std::fs::write(file.path(), b"no audio at all").unwrap();
    let error =
        transcribe(file.path(), &options(RecordingSide::Both, &["en"]), &FakeRecognizer::default()).await.unwrap_err();
    assert!(matches!(error, TranscribeError::Recording(_)), "{error:?}");
    let error =
        transcribe(&recording("nothing.wav"), &options(RecordingSide::Both, &["en"]), &FakeRecognizer::default()).await;
    assert!(matches!(error, Err(TranscribeError::Io(_))), "{error:?}");
}

/// A recognizer that never responds.
#[derive(Debug)]
struct StuckRecognizer {
    started: Mutex<Option<oneshot::Sender<()>>>,
    dropped: Mutex<Option<oneshot::Sender<()>>>,
}

#[async_trait]
impl Recognizer for StuckRecognizer {
    fn engine(&self) -> SpeechEngine {
        SpeechEngine { name: "stuck".to_owned(), model: "none".to_owned() }
    }

    async fn detect_language(&self, _: Samples, _: &[String]) -> Result<DetectedLanguage, RecognizeError> {
        std::future::pending().await
    }

    async fn recognize(&self, _: Samples, _: &str) -> Result<Vec<RecognizedSegment>, RecognizeError> {
        // Held until the future is dropped.
        let _dropped = self.dropped.lock().unwrap().take();
        if let Some(started) = self.started.lock().unwrap().take() {
            started.send(()).unwrap();
        }
        std::future::pending().await
    }
}

#[tokio::test]
async fn dropped_transcription_cancels_recognition() {
    let ((start_sender, mut started), (drop_sender, mut dropped)) = (oneshot::channel(), oneshot::channel());
    let stuck = StuckRecognizer { started: Mutex::new(Some(start_sender)), dropped: Mutex::new(Some(drop_sender)) };
    let (file, options) = (recording("jfk.wav"), options(RecordingSide::Both, &["en"]));
    {
        let mut transcription = Box::pin(transcribe(&file, &options, &stuck));
        tokio::select! {
            _ = &mut transcription => panic!("the transcription should be stuck"),
            result = &mut started => result.unwrap(),
        }
        assert!(transcription.as_mut().poll(&mut Context::from_waker(Waker::noop())).is_pending());
        assert!(dropped.try_recv().is_err_and(|error| error == oneshot::error::TryRecvError::Empty));
    }
    assert_eq!(dropped.try_recv(), Err(oneshot::error::TryRecvError::Closed));
}
