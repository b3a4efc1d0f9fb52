//! Speech benchmark: accuracy, speed and memory of every available recogniser on human speech.

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
const MODEL: &str = "base";

/// Seconds of noise and of silence, in which no word may be recognised.
const NOTHING_SECONDS: u32 = 60;

/// Recordings to transcribe.
struct Corpus {
    /// Text of each of the following recordings.
    texts: Vec<String>,
    /// As recorded: one voice, 16 kHz.
    wide: Vec<PathBuf>,
    /// The same recordings by telephone, 8 kHz.
    narrow: Vec<PathBuf>,
    /// Call with two channels.
    call: PathBuf,
    /// The call's separate channels, resampled to the recognisers' rate.
    channels: [PathBuf; 2],
    /// Texts of the channels.
    said: [String; 2],
    /// Noise and silence.
    nothing: [PathBuf; 2],
}

/// Measures the models in `names`, or all installed ones, and the HTTP recogniser if the environment configures one.
pub fn run(project: &Project, names: &[String]) -> Result<()> {
    let program = serve::build(project)?;
    let folder = models::folder()?;
    let brought = if names.is_empty() { &[MODEL.to_owned()] } else { names };
    models::ensure(&program, brought, &folder)?;
    let mut recognizers = program::embedded(&program, &folder)?;
    recognizers.retain(|recognizer| names.is_empty() || names.contains(&recognizer.name));
    if env::var_os("LEADSCRIBE_SPEECH_URL").is_some() {
        recognizers.push(Recognizer::http(&program));
    }

    let dir = tempfile::tempdir_in(&project.target)?;
    let corpus = Corpus::make(&project.root.join("server/demo/recordings"), dir.path())?;
    println!(
        "word error rate in % of {} words; time per second of sound; most memory; words in {NOTHING_SECONDS} s of noise \
         and of silence;\na call with two channels by the whole path, and its channels given to the recogniser directly\n",
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
    let wide = recognizer.run(&corpus.wide, false)?;
    let narrow = recognizer.run(&corpus.narrow, false)?;
    let nothing = recognizer.run(&corpus.nothing, false)?;
    let call = recognizer.run(std::slice::from_ref(&corpus.call), false)?;
    let direct = recognizer.run(&corpus.channels, true)?;

    let score = |run: &Run| {
        let each = corpus.texts.iter().zip(&run.transcripts).map(|(text, found)| Score::of(text, &found.text(None)));
        each.fold(Score::default(), Score::and)
    };
    let [left, right] = &corpus.said;
    let in_call = Score::of(left, &call.transcripts[0].text(Some("caller")))
        .and(Score::of(right, &call.transcripts[0].text(Some("callee"))));
    let in_channels =
        Score::of(left, &direct.transcripts[0].text(None)).and(Score::of(right, &direct.transcripts[1].text(None)));
    let [noise, silence] = [0, 1].map(|at| score::words(&nothing.transcripts[at].text(None)).len());
    println!(
        "{:10} {:>7.1} {:>7.1} {:>7.2} {:>7} {noise:>7} {silence:>8} {:>7.1} {:>7.1}",
        recognizer.name,
        score(&wide).percent(),
        score(&narrow).percent(),
        narrow.seconds() / sound_seconds(&corpus.narrow)?,
        [&wide, &narrow, &nothing, &call].map(|run| run.peak_bytes).into_iter().max().unwrap_or(0) / 1_000_000,
        in_call.percent(),
        in_channels.percent(),
    );
    Ok(())
}

fn sound_seconds(files: &[PathBuf]) -> Result<f64> {
    let seconds = files.iter().map(|file| {
        let (rate, channels) = sound::read(file)?;
        Ok(channels[0].len() as f64 / f64::from(rate))
    });
    seconds.sum()
}

impl Corpus {
    fn make(recordings: &Path, dir: &Path) -> Result<Self> {
        let mut wide: Vec<PathBuf> = fs::read_dir(recordings)?
            .map(|entry| Ok(entry?.path()))
            .filter(|path: &Result<PathBuf>| path.as_ref().is_ok_and(|path| is_human(path)))
            .collect::<Result<_>>()?;
        wide.sort();
        let texts =
            wide.iter().map(|path| Ok(fs::read_to_string(path.with_extension("txt"))?)).collect::<Result<_>>()?;
        let mut narrow = Vec::new();
        for path in &wide {
            let (_, channels) = sound::read(path)?;
            let file = dir.join(path.file_name().context("a recording without a name")?);
            sound::write(&file, sound::NARROW, &sound::telephone(&channels[0]))?;
            narrow.push(file);
        }
        let call = recordings.join("call_pd_8k.wav");
        let (_, sides) = sound::read(&call)?;
        let channels = ["left.wav", "right.wav"].map(|name| dir.join(name));
        for (side, file) in sides.iter().zip(&channels) {
            sound::write(file, sound::WIDE, &sound::widened(side))?;
        }
        let nothing = ["noise.wav", "silence.wav"].map(|name| dir.join(name));
        sound::write(&nothing[0], sound::NARROW, &sound::noise(NOTHING_SECONDS, sound::NARROW))?;
        sound::write(&nothing[1], sound::NARROW, &vec![0.0; (NOTHING_SECONDS * sound::NARROW) as usize])?;
        let script = fs::read_to_string(call.with_extension("txt"))?;
        let said = ["0", "1"].map(|channel| said_on(&script, channel));
        Ok(Self { texts, wide, narrow, call, channels, said, nothing })
    }
}

/// True if the recording is a single human voice; the others are synthetic, or derived from these.
fn is_human(path: &Path) -> bool {
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    name.ends_with(".wav") && ["librivox_", "jfk", "goforward"].iter().any(|begin| name.starts_with(begin))
}

/// Returns the words of one channel from lines with channel, start, end and text.
fn said_on(script: &str, channel: &str) -> String {
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
        assert_eq!(said_on(script, "0"), "good morning bye");
        assert_eq!(said_on(script, "1"), "hello");
    }
}
