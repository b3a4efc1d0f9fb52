//! `leadscribe backup` and `leadscribe restore`: a backup contains everything accepted before it, and only complete
//! backups are restored.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::harness::{run, told, wav};

mod killed;
mod load;
mod refused;

/// Number of calls in [`installation`], each with a recording.
const CALLS: u64 = 60;

/// Creates a data folder `data` with calls and recordings, large enough that backup and restore take a moment.
fn installation() -> TempDir {
    let home = tempfile::tempdir().unwrap();
    fs::write(home.path().join("call.wav"), wav(2, 8.0)).unwrap();
    let rows: String = (1..=CALLS).map(|id| format!("{id},outbound,answered,call.wav\n")).collect();
    let calls = home.path().join("calls.csv");
    fs::write(&calls, format!("id,direction,status,recording\n{rows}")).unwrap();
    let data = home.path().join("data");
    let folder = home.path().to_str().unwrap();
    run(&data, &["import", "calls", calls.to_str().unwrap(), "--recordings", folder]);
    home
}

/// Backs up a data folder, and returns the command's messages.
fn back_up(data: &Path, file: &Path) -> String {
    told(data, &["backup".to_owned(), file.to_str().unwrap().to_owned()])
}

/// Returns the manifest at the end of a backup.
fn manifest(file: &Path) -> Value {
    let mut archive = tar::Archive::new(zstd::Decoder::new(File::open(file).unwrap()).unwrap());
    let mut last = (String::new(), String::new());
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        last = (entry.path().unwrap().to_str().unwrap().to_owned(), String::new());
        if last.0 == "manifest.json" {
            entry.read_to_string(&mut last.1).unwrap();
        }
    }
    assert_eq!(last.0, "manifest.json");
    serde_json::from_str(&last.1).unwrap()
}

/// Returns all files but the database, whose compressed form differs each time.
fn files(manifest: &Value) -> serde_json::Map<String, Value> {
    let mut files = manifest["files"].as_object().unwrap().clone();
    assert!(files.remove("leadscribe.db").is_some());
    files
}

/// Returns the sorted names in a folder.
fn names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
