//! Rejected backups: invalid or damaged files, and unsuitable targets.

use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;

use serde_json::json;

use super::{CALL_COUNT, create_installation, file_names, run_backup};
use crate::harness::{run, run_failing, run_piped, run_to_end, stderr_of};

#[test]
fn restore_requires_complete_backup_and_empty_target() {
    let temp_dir = create_installation();
    let (data_dir, file) = (temp_dir.path().join("data"), temp_dir.path().join("good"));
    let output = run_backup(&data_dir, &file);
    assert!(output.contains(&format!("and {CALL_COUNT} recordings, ")), "{output}");
    let good_backup = fs::read(&file).unwrap();
    let names_before = file_names(temp_dir.path());
    let restored = temp_dir.path().join("restored");
    let path_text = |path: &Path| path.to_str().unwrap().to_owned();

    let verify_output = stderr_of(&restored, &["restore".to_owned(), path_text(&file), "--verify".to_owned()]);
    assert!(verify_output.contains("the backup is complete and undamaged"), "{verify_output}");
    assert!(verify_output.contains(&format!("{CALL_COUNT:>12} calls")), "{verify_output}");

    let bad_file = temp_dir.path().join("bad");
    let decompressed = zstd::decode_all(&good_backup[..]).unwrap();
    for offset in (0..good_backup.len()).step_by(good_backup.len() / 40) {
        let mut damaged = good_backup.clone();
        damaged[offset] ^= 0xff;
        // Some bit flips in compressed data don't change the decompressed data.
        if zstd::decode_all(&damaged[..]).is_ok_and(|unpacked| unpacked == decompressed) {
            continue;
        }
        fs::write(&bad_file, damaged).unwrap();
        let extra_args: &[&str] = if offset % 2 == 0 { &[] } else { &["--verify"] };
        let output = run_failing(&restored, &[], &[&["restore", &path_text(&bad_file)], extra_args].concat());
        assert!(output.contains("the backup") || output.contains("not a backup"), "byte {offset}: {output}");
    }
    for length in (0..good_backup.len()).step_by(good_backup.len() / 20) {
        fs::write(&bad_file, &good_backup[..length]).unwrap();
        let output = run_failing(&restored, &[], &["restore", &path_text(&bad_file)]);
        assert!(output.contains("truncated") || output.contains("not a backup"), "{length} bytes: {output}");
    }
    // Compressed again, so that only the checksums reveal the changed byte of a recording.
    let mut changed = decompressed.clone();
    let recording_offset = decompressed.windows(4).position(|bytes| bytes == b"RIFF").unwrap();
    changed[recording_offset + 1_000] ^= 0xff;
    fs::write(&bad_file, zstd::encode_all(&changed[..], 1).unwrap()).unwrap();
    let output = run_failing(&restored, &[], &["restore", &path_text(&bad_file)]);
    assert!(output.contains("doesn't match its manifest"), "{output}");
    fs::write(&bad_file, "id,name\n1,Ann\n").unwrap();
    let output = run_failing(&restored, &[], &["restore", &path_text(&bad_file)]);
    assert!(output.contains("this is not a backup created by `leadscribe backup`"), "{output}");
    fs::write(&bad_file, newer_backup()).unwrap();
    let output = run_failing(&restored, &[], &["restore", &path_text(&bad_file)]);
    assert!(output.contains("the backup has schema version 99, but this program supports versions up to"), "{output}");
    assert!(output.contains("restore it with Leadscribe 9.9.9 or newer"), "{output}");
    fs::remove_file(&bad_file).unwrap();
    assert_eq!(file_names(temp_dir.path()), names_before, "files were left behind");

    let output = run_failing(&data_dir, &[], &["restore", &path_text(&file)]);
    assert!(output.contains("is not empty: it contains leadscribe.db"), "{output}");
    assert_eq!(file_names(temp_dir.path()), names_before, "files were left behind");
    let output = run_failing(&data_dir, &[], &["backup", &path_text(&file)]);
    assert!(output.contains("already exists; choose another file name"), "{output}");
    assert!(fs::read(&file).unwrap() == good_backup, "the existing backup is kept");
    let output = run_failing(&temp_dir.path().join("nowhere"), &[], &["backup", &path_text(&bad_file)]);
    assert!(output.contains("can't copy the database: there is no database at"), "{output}");
    assert_eq!(file_names(temp_dir.path()), names_before, "files were left behind");

    fs::create_dir(&restored).unwrap();
    run(&restored, &["restore", &path_text(&file)]);
    assert_eq!(file_names(&restored.join("recordings")).len() as u64, CALL_COUNT);
}

#[test]
fn backup_works_through_a_pipe() {
    let temp_dir = create_installation();
    let (data_dir, file, restored) =
        (temp_dir.path().join("data"), temp_dir.path().join("piped"), temp_dir.path().join("restored"));
    run_piped(&data_dir, &["backup", "-"], Stdio::null(), File::create(&file).unwrap().into());
    assert_eq!(file_names(&data_dir.join("spool")), [""; 0], "the database copy was removed");
    run_piped(&restored, &["restore", "-"], File::open(&file).unwrap().into(), Stdio::null());
    assert_eq!(file_names(&restored.join("recordings")).len() as u64, CALL_COUNT);
}

#[test]
fn backup_reports_data_stored_elsewhere() {
    let temp_dir = create_installation();
    let (data_dir, file) = (temp_dir.path().join("data"), temp_dir.path().join("file"));
    let file = file.to_str().unwrap();
    let postgres = ("LEADSCRIBE_DATABASE_URL", "postgres://ann:hidden@192.0.2.1/calls");
    let output = run_failing(&data_dir, &[postgres], &["backup", file]);
    assert!(
        output.contains("can't back up PostgreSQL; use pg_dump, and back up the recordings at the same time"),
        "{output}"
    );
    let output = run_failing(&temp_dir.path().join("new"), &[postgres], &["restore", file]);
    assert!(output.contains("`leadscribe restore` creates a data folder with its own database"), "{output}");
    assert!(!output.contains("hidden"), "{output}");

    let bucket = ("LEADSCRIBE_RECORDINGS_URL", "s3://calls/one");
    let (succeeded, output) = run_to_end(&data_dir, &[bucket], &["backup", file]);
    assert!(succeeded && output.contains("the recordings are in s3://calls/one and not in this backup"), "{output}");
    let output = stderr_of(&temp_dir.path().join("new"), &["restore".to_owned(), file.to_owned()]);
    assert!(output.contains("the recordings are in s3://calls/one and not in this backup"), "{output}");
    assert_eq!(file_names(&temp_dir.path().join("new/recordings")), [""; 0]);
}

#[test]
fn backup_warns_about_missing_recordings_and_succeeds() {
    let temp_dir = create_installation();
    let (data_dir, file) = (temp_dir.path().join("data"), temp_dir.path().join("file"));
    fs::remove_dir_all(data_dir.join("recordings/7")).unwrap();
    let output = run_backup(&data_dir, &file);
    assert!(output.contains("recordings that were already missing from their folder: 1, such as 7/"), "{output}");
    let output = stderr_of(&temp_dir.path().join("new"), &["restore".to_owned(), file.to_str().unwrap().to_owned()]);
    assert!(
        output.contains("recordings that were purged, missing or damaged when the backup was created: 1"),
        "{output}"
    );
}

/// Returns the beginning of a backup made by a later version.
fn newer_backup() -> Vec<u8> {
    let text = json!({
        "format": 2, "program": "9.9.9", "schema_version": 99, "created_at": "2030-01-01T00:00:00Z", "max_entries": 3,
        "max_bytes": 9, "recordings": "included",
    })
    .to_string();
    let mut tar = tar::Builder::new(zstd::Encoder::new(Vec::new(), 1).unwrap());
    let mut header = tar::Header::new_ustar();
    header.set_size(text.len() as u64);
    header.set_mode(0o600);
    tar.append_data(&mut header, "leadscribe-backup.json", text.as_bytes()).unwrap();
    tar.into_inner().unwrap().finish().unwrap()
}
