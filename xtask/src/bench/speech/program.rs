//! Runs `leadscribe transcribe` with each recognizer.

use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};

use anyhow::{Context, Result, ensure};
use serde_json::Value;

use super::super::process::memory_bytes;
use crate::models;

/// Recognizer, with the program's options for it.
pub struct Recognizer {
    /// Name of the model, or `http`.
    pub name: String,
    program: PathBuf,
    args: Vec<String>,
}

/// Result of a run over several files.
pub struct Run {
    /// One transcript per file.
    pub transcripts: Vec<Transcript>,
    /// Peak memory of the process.
    pub peak_bytes: u64,
}

/// Transcript of a file.
pub struct Transcript(Value);

/// Returns the models in `folder`.
pub fn embedded_recognizers(program: &Path, folder: &Path) -> Result<Vec<Recognizer>> {
    let list = duct::cmd!(program, "model", "list", "--json").env(models::FOLDER_VARIABLE, folder).read()?;
    let list: Vec<Value> = serde_json::from_str(&list)?;
    let present = list.iter().filter(|model| model["is_present"] == true);
    let recognizers = present.map(|model| {
        let name = model["name"].as_str().context("a model has no name")?.to_owned();
        let folder = folder.to_string_lossy().into_owned();
        let args = ["--recognizer", "embedded", "--model", &name, "--models-dir", &folder].map(str::to_owned).into();
        Ok(Recognizer { name, program: program.to_path_buf(), args })
    });
    recognizers.collect()
}

impl Recognizer {
    /// Returns the HTTP recognizer that the environment configures.
    pub fn http(program: &Path) -> Self {
        let args = ["--recognizer", "http"].map(str::to_owned).into();
        Self { name: "http".to_owned(), program: program.to_path_buf(), args }
    }

    /// Transcribes `files` in a single process.
    pub fn run(&self, files: &[PathBuf], skip_segmentation: bool) -> Result<Run> {
        let mut child = Command::new(&self.program)
            .arg("transcribe")
            .args(skip_segmentation.then_some("--skip-segmentation"))
            .args(&self.args)
            .args(files)
            .stdout(Stdio::piped())
            .spawn()?;
        let stdout = child.stdout.take().context("the output is not piped")?;
        let mut run = Run { transcripts: Vec::new(), peak_bytes: 0 };
        for line in BufReader::new(stdout).lines() {
            run.transcripts.push(Transcript(serde_json::from_str(&line?)?));
            // The high-water mark only rises. After the last line the process may have ended.
            run.peak_bytes = memory_bytes(child.id(), "VmHWM:").unwrap_or(run.peak_bytes);
        }
        let status = child.wait()?;
        ensure!(status.success(), "leadscribe transcribe ended with {status}");
        ensure!(
            run.transcripts.len() == files.len(),
            "expected {} transcripts, found {}",
            files.len(),
            run.transcripts.len()
        );
        Ok(run)
    }
}

impl Run {
    /// Returns the duration of the recognition, without the loading of the model.
    pub fn seconds(&self) -> f64 {
        self.transcripts.iter().filter_map(|transcript| transcript.0["seconds"].as_f64()).sum()
    }
}

impl Transcript {
    /// Returns the text of `side`, or of all sides.
    pub fn text(&self, side: Option<&str>) -> String {
        let segments = self.0["segments"].as_array().into_iter().flatten();
        let segments = segments.filter(|segment| side.is_none_or(|side| segment["side"] == side));
        segments.filter_map(|segment| segment["text"].as_str()).collect::<Vec<_>>().join(" ")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn text_of_a_side_joins_its_segments() {
        let transcript = Transcript(serde_json::json!({ "segments": [
            { "side": "caller", "text": "Hello." },
            { "side": "callee", "text": "Good morning." },
            { "side": "caller", "text": "Bye." },
        ] }));
        assert_eq!(transcript.text(Some("caller")), "Hello. Bye.");
        assert_eq!(transcript.text(None), "Hello. Good morning. Bye.");
    }
}
