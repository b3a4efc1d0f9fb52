//! `leadscribe transcribe`: runs the configured recognizer on files, for measurements. Nothing is stored.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Instant;

use anyhow::{Context, anyhow, ensure};
use hound::{SampleFormat, WavReader};
use leadscribe_engine::api::{RecordingSide, Segment};
use serde_json::{Value, json};

use super::{bootstrap, name_parser};
use crate::config::{Config, Flags, ServerFlags, SpeechFlags};
use crate::speech::transcribe::{TranscribeOptions, transcribe};
use crate::speech::{MAX_PIECE_SECONDS, Recognizer, SAMPLE_RATE, Samples};

/// Command-line arguments.
#[derive(Debug, clap::Args)]
pub struct Transcribe {
    /// Recordings; the result for each is a line of JSON
    #[arg(required = true, value_name = "FILE")]
    files: Vec<PathBuf>,
    /// Languages to recognize: comma-separated BCP 47 codes
    #[arg(long, value_delimiter = ',', value_name = "LANGUAGES", default_value = "en")]
    spoken_languages: Vec<String>,
    /// Side to transcribe
    #[arg(long, value_parser = name_parser(RecordingSide::names(), RecordingSide::from_name), default_value = "both")]
    side: RecordingSide,
    /// Pass the samples of WAV files (mono, 16 kHz) to the recognizer unchanged
    #[arg(long)]
    skip_segmentation: bool,
    #[command(flatten)]
    flags: Flags,
    #[command(flatten)]
    speech: SpeechFlags,
}

impl Transcribe {
    /// Transcribes the files in sequence.
    pub async fn run(self) -> anyhow::Result<()> {
        let flags = Flags { server: ServerFlags { speech: self.speech, ..self.flags.server }, ..self.flags };
        let config = Arc::new(Config::load(&flags)?);
        let provider = bootstrap::recognizer_provider(&config);
        let recognizer = provider.get().await.ok_or_else(|| match provider.status() {
            (_, _, Some(missing)) => anyhow!(missing),
            (state, ..) => anyhow!("this process has no recognizer: {state}"),
        })?;
        for file in &self.files {
            let started = Instant::now();
            let result = if self.skip_segmentation {
                transcribe_directly(file, &self.spoken_languages, &*recognizer).await
            } else {
                let options = TranscribeOptions {
                    side: self.side,
                    languages: self.spoken_languages.clone(),
                    redact_cards: config.speech.redact_cards,
                };
                transcribe_like_server(file, &options, &*recognizer).await
            };
            let mut result = result.with_context(|| format!("can't transcribe {}", file.display()))?;
            result["file"] = json!(file);
            result["seconds"] = json!(started.elapsed().as_secs_f64());
            println!("{result}");
        }
        Ok(())
    }
}

/// Transcribes a file in the same way as the server.
async fn transcribe_like_server(
    file: &Path,
    options: &TranscribeOptions,
    recognizer: &dyn Recognizer,
) -> anyhow::Result<Value> {
    let transcript = transcribe(file, options, recognizer).await?;
    let segment = |segment: &Segment| {
        let Segment { start, end, side, text, .. } = segment;
        json!({ "start": start, "end": end, "side": side, "text": text })
    };
    let segments: Vec<_> = transcript.segments.iter().map(segment).collect();
    Ok(json!({ "segments": segments, "dropped": transcript.dropped }))
}

/// Transcribes without voice activity detection, in pieces of [`MAX_PIECE_SECONDS`] regardless of pauses.
async fn transcribe_directly(file: &Path, languages: &[String], recognizer: &dyn Recognizer) -> anyhow::Result<Value> {
    let [language] = languages else { return Err(anyhow!("expected one language, found {}", languages.len())) };
    let mut wav = WavReader::open(file)?;
    let spec = wav.spec();
    ensure!(
        (spec.channels, spec.sample_rate, spec.bits_per_sample, spec.sample_format)
            == (1, SAMPLE_RATE, 16, SampleFormat::Int),
        "expected one channel of 16 bit and {SAMPLE_RATE} Hz, found {spec:?}"
    );
    let samples = wav.samples::<i16>().map(|sample| Ok(f32::from(sample?) / 32_768.0));
    let samples = samples.collect::<anyhow::Result<Vec<_>>>()?;
    let mut segments = Vec::new();
    for chunk in samples.chunks((MAX_PIECE_SECONDS * f64::from(SAMPLE_RATE)) as usize) {
        let recognized = recognizer.recognize(Samples::from(chunk), language).await?;
        segments.extend(recognized.iter().map(|segment| json!({ "side": RecordingSide::Both, "text": segment.text })));
    }
    Ok(json!({ "segments": segments }))
}
