//! Speech benchmark: accuracy, speed and memory of every available recognizer on human speech.

mod program;
mod score;
mod sound;

use std::env;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result};

use crate::models;
use crate::project::Project;
use crate::serve;
use program::{Recognizer, Run};
use score::Score;

/// Model that is fetched if none is named.
const DEFAULT_MODEL: &str = "base";

/// Seconds of noise and of silence, in which no word may be recognized.
const WITHOUT_SPEECH_SECONDS: u32 = 60;

/// Recordings to transcribe.
struct Corpus {
    /// Text of each of the following recordings.
    texts: Vec<String>,
    /// Recordings of one voice, 16 kHz.
    wideband: Vec<PathBuf>,
    /// The same recordings by telephone, 8 kHz.
    telephone: Vec<PathBuf>,
    /// Call with two channels.
    call: PathBuf,
    /// The call's separate channels, resampled to the recognizers' rate.
    channels: [PathBuf; 2],
    channel_texts: [String; 2],
    /// Noise and silence.
    without_speech: [PathBuf; 2],
}

/// Measures the models in `names`, or all installed ones, and the HTTP recognizer if the environment configures one.
pub fn run(project: &Project, names: &[String]) -> Result<()> {
    let program = serve::build(project)?;
    let folder = models::folder()?;
    let models = if names.is_empty() { &[DEFAULT_MODEL.to_owned()] } else { names };
    models::ensure(&program, models, &folder)?;
    let mut recognizers = program::embedded_recognizers(&program, &folder)?;
    recognizers.retain(|recognizer| names.is_empty() || names.contains(&recognizer.name));
    if env::var_os("LEADSCRIBE_SPEECH_URL").is_some() {
        recognizers.push(Recognizer::http(&program));
    }

    let temp_dir = tempfile::tempdir_in(&project.target_dir)?;
    let corpus = Corpus::create(&project.root.join("server/demo/recordings"), temp_dir.path())?;
    println!(
        "word error rate in % of {} words; time per second of sound; peak memory; words in {WITHOUT_SPEECH_SECONDS} s of noise \
         and of silence;\na call with two channels through the whole pipeline, and its channels given to the recognizer directly\n",
        corpus.texts.iter().map(|text| score::words(text).len()).sum::<usize>()
    );
    println!(
        "{:10} {:>7} {:>7} {:>7} {:>7} {:>7} {:>8} {:>7} {:>7}",
        "", "16 kHz", "8 kHz", "time", "MB", "noise", "silence", "call", "direct"
    );
    for recognizer in &recognizers {
        measure(recognizer, &corpus).with_context(|| format!("with {}", recognizer.name))?;
    }
    Ok(())
}

fn measure(recognizer: &Recognizer, corpus: &Corpus) -> Result<()> {
    let wideband = recognizer.run(&corpus.wideband, false)?;
    let telephone = recognizer.run(&corpus.telephone, false)?;
    let without_speech = recognizer.run(&corpus.without_speech, false)?;
    let call = recognizer.run(std::slice::from_ref(&corpus.call), false)?;
    let direct = recognizer.run(&corpus.channels, true)?;

    let combined_score = |run: &Run| {
        let scores = corpus
            .texts
            .iter()
            .zip(&run.transcripts)
            .map(|(text, transcript)| Score::compare(text, &transcript.text(None)));
        scores.fold(Score::default(), Score::add)
    };
    let [left, right] = &corpus.channel_texts;
    let call_score = Score::compare(left, &call.transcripts[0].text(Some("caller")))
        .add(Score::compare(right, &call.transcripts[0].text(Some("callee"))));
    let direct_score = Score::compare(left, &direct.transcripts[0].text(None))
        .add(Score::compare(right, &direct.transcripts[1].text(None)));
    let [noise, silence] = [0, 1].map(|index| score::words(&without_speech.transcripts[index].text(None)).len());
    println!(
        "{:10} {:>7.1} {:>7.1} {:>7.2} {:>7} {noise:>7} {silence:>8} {:>7.1} {:>7.1}",
        recognizer.name,
        combined_score(&wideband).percent(),
        combined_score(&telephone).percent(),
        telephone.seconds() / audio_seconds(&corpus.telephone)?,
        [&wideband, &telephone, &without_speech, &call].map(|run| run.peak_bytes).into_iter().max().unwrap_or(0)
            / 1_000_000,
        call_score.percent(),
        direct_score.percent(),
    );
    Ok(())
}

fn audio_seconds(files: &[PathBuf]) -> Result<f64> {
    let seconds = files.iter().map(|file| {
        let (rate, channels) = sound::read(file)?;
        Ok(channels[0].len() as f64 / f64::from(rate))
    });
    seconds.sum()
}

impl Corpus {
    fn create(recordings: &Path, dir: &Path) -> Result<Self> {
        let mut wideband: Vec<PathBuf> = fs::read_dir(recordings)?
            .map(|entry| Ok(entry?.path()))
            .filter(|path: &Result<PathBuf>| path.as_ref().is_ok_and(|path| is_human(path)))
            .collect::<Result<_>>()?;
        wideband.sort();
        let texts =
            wideband.iter().map(|path| Ok(fs::read_to_string(path.with_extension("txt"))?)).collect::<Result<_>>()?;
        let mut telephone = Vec::new();
        for path in &wideband {
            let (_, channels) = sound::read(path)?;
            let file = dir.join(path.file_name().context("a recording without a name")?);
            sound::write(&file, sound::TELEPHONE_RATE, &sound::simulate_telephone(&channels[0]))?;
            telephone.push(file);
        }
        let call = recordings.join("call_pd_8k.wav");
        let (_, sides) = sound::read(&call)?;
        let channels = ["left.wav", "right.wav"].map(|name| dir.join(name));
        for (side, file) in sides.iter().zip(&channels) {
            sound::write(file, sound::WIDEBAND_RATE, &sound::upsample(side))?;
        }
        let without_speech = ["noise.wav", "silence.wav"].map(|name| dir.join(name));
        sound::write(
            &without_speech[0],
            sound::TELEPHONE_RATE,
            &sound::noise(WITHOUT_SPEECH_SECONDS, sound::TELEPHONE_RATE),
        )?;
        sound::write(
            &without_speech[1],
            sound::TELEPHONE_RATE,
            &vec![0.0; (WITHOUT_SPEECH_SECONDS * sound::TELEPHONE_RATE) as usize],
        )?;
        let script = fs::read_to_string(call.with_extension("txt"))?;
        let channel_texts = ["0", "1"].map(|channel| channel_text(&script, channel));
        Ok(Self { texts, wideband, telephone, call, channels, channel_texts, without_speech })
    }
}

/// True if the recording is a single human voice; the others are synthetic, or derived from these.
fn is_human(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".wav") && ["librivox_", "jfk", "goforward"].iter().any(|prefix| name.starts_with(prefix))
}

/// Returns the words of one channel from lines with channel, start, end and text.
fn channel_text(script: &str, channel: &str) -> String {
    let lines = script.lines().map(|line| line.splitn(4, '\t').collect::<Vec<_>>());
    let lines = lines.filter(|fields| fields.first() == Some(&channel));
    lines.filter_map(|fields| fields.get(3).copied()).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_of_a_channel_are_joined() {
        let script = "# channel\tstart_s\n0\t0.50\t7.60\tgood morning\n1\t8.50\t9.00\thello\n0\t9.1\t9.5\tbye\n";
        assert_eq!(channel_text(script, "0"), "good morning bye");
        assert_eq!(channel_text(script, "1"), "hello");
    }
}
