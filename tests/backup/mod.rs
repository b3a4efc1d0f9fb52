//! `leadscribe backup` and `leadscribe restore`: a backup contains everything accepted before it, and only complete
//! backups are restored.

use std::fs::{self, File};
use std::io::Read;
use std::path::Path;

use serde_json::Value;
use tempfile::TempDir;

use crate::harness::{run, stderr_of, wav};

mod interruption;
mod load;
mod rejection;

/// Number of calls in [`create_installation`], each with a recording.
const CALL_COUNT: u64 = 60;

/// Creates a data folder `data_dir` with calls and recordings, large enough that backup and restore take a while.
fn create_installation() -> TempDir {
    let temp_dir = tempfile::tempdir().unwrap();
    fs::write(temp_dir.path().join("call.wav"), wav(2, 8.0)).unwrap();
    let rows: String = (1..=CALL_COUNT).map(|id| format!("{id},outbound,answered,call.wav\n")).collect();
    let calls = temp_dir.path().join("calls.csv");
    fs::write(&calls, format!("id,direction,status,recording\n{rows}")).unwrap();
    let data_dir = temp_dir.path().join("data");
    let folder = temp_dir.path().to_str().unwrap();
    run(&data_dir, &["import", "calls", calls.to_str().unwrap(), "--recordings", folder]);
    temp_dir
}

/// Backs up a data folder, and returns the command's messages.
fn run_backup(data_dir: &Path, file: &Path) -> String {
    stderr_of(data_dir, &["backup".to_owned(), file.to_str().unwrap().to_owned()])
}

/// Returns the manifest at the end of a backup.
fn read_manifest(file: &Path) -> Value {
    let mut archive = tar::Archive::new(zstd::Decoder::new(File::open(file).unwrap()).unwrap());
    let mut last_entry = (String::new(), String::new());
    for entry in archive.entries().unwrap() {
        let mut entry = entry.unwrap();
        last_entry = (entry.path().unwrap().to_str().unwrap().to_owned(), String::new());
        if last_entry.0 == "manifest.json" {
            entry.read_to_string(&mut last_entry.1).unwrap();
        }
    }
    assert_eq!(last_entry.0, "manifest.json");
    serde_json::from_str(&last_entry.1).unwrap()
}

/// Returns all files except the database, whose compressed form differs each time.
fn files_without_database(manifest: &Value) -> serde_json::Map<String, Value> {
    let mut files = manifest["files"].as_object().unwrap().clone();
    assert!(files.remove("leadscribe.db").is_some());
    files
}

/// Returns all tables except `change_log`. A restored database starts a new history of changes.
fn tables_without_change_log(manifest: &Value) -> serde_json::Map<String, Value> {
    let mut tables = manifest["tables"].as_object().unwrap().clone();
    assert!(tables.remove("change_log").is_some());
    tables
}

/// Returns the sorted names in a folder.
fn file_names(folder: &Path) -> Vec<String> {
    let entries = fs::read_dir(folder).unwrap();
    let mut names: Vec<_> = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
    names.sort();
    names
}
