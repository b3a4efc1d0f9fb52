//! Rejected backups: invalid or damaged files, and unsuitable targets.

use std::fs::{self, File};
use std::path::Path;
use std::process::Stdio;

use serde_json::json;

use super::{CALLS, back_up, installation, names};
use crate::harness::{outcome, piped, refusal, run, told};

#[test]
fn restore_requires_complete_backup_and_empty_target() {
    let home = installation();
    let (data, file) = (home.path().join("data"), home.path().join("good"));
    let said = back_up(&data, &file);
    assert!(said.contains(&format!("and {CALLS} recordings, ")), "{said}");
    let good = fs::read(&file).unwrap();
    let before = names(home.path());
    let restored = home.path().join("restored");
    let text = |path: &Path| path.to_str().unwrap().to_owned();

    let verified = told(&restored, &["restore".to_owned(), text(&file), "--verify".to_owned()]);
    assert!(verified.contains("the backup is complete and undamaged"), "{verified}");
    assert!(verified.contains(&format!("{CALLS:>12} calls")), "{verified}");

    let bad = home.path().join("bad");
    let whole = zstd::decode_all(&good[..]).unwrap();
    for offset in (0..good.len()).step_by(good.len() / 40) {
        let mut damaged = good.clone();
        damaged[offset] ^= 0xff;
        // Some bit flips in compressed data don't change the decompressed data.
        if zstd::decode_all(&damaged[..]).is_ok_and(|unpacked| unpacked == whole) {
            continue;
        }
        fs::write(&bad, damaged).unwrap();
        let more: &[&str] = if offset % 2 == 0 { &[] } else { &["--verify"] };
        let said = refusal(&restored, &[], &[&["restore", &text(&bad)], more].concat());
        assert!(said.contains("the backup") || said.contains("not a backup"), "byte {offset}: {said}");
    }
    for length in (0..good.len()).step_by(good.len() / 20) {
        fs::write(&bad, &good[..length]).unwrap();
        let said = refusal(&restored, &[], &["restore", &text(&bad)]);
        assert!(said.contains("truncated") || said.contains("not a backup"), "{length} bytes: {said}");
    }
    // Compressed again, so that only the checksums reveal the changed byte of a recording.
    let mut changed = whole.clone();
    let sound = whole.windows(4).position(|bytes| bytes == b"RIFF").unwrap();
    changed[sound + 1_000] ^= 0xff;
    fs::write(&bad, zstd::encode_all(&changed[..], 1).unwrap()).unwrap();
    let said = refusal(&restored, &[], &["restore", &text(&bad)]);
    assert!(said.contains("doesn't match its manifest"), "{said}");
    fs::write(&bad, "id,name\n1,Ann\n").unwrap();
    let said = refusal(&restored, &[], &["restore", &text(&bad)]);
    assert!(said.contains("this is not a backup created by `leadscribe backup`"), "{said}");
    fs::write(&bad, newer()).unwrap();
    let said = refusal(&restored, &[], &["restore", &text(&bad)]);
    assert!(said.contains("the backup has schema version 99, but this program supports versions up to"), "{said}");
    assert!(said.contains("restore it with Leadscribe 9.9.9 or newer"), "{said}");
    fs::remove_file(&bad).unwrap();
    assert_eq!(names(home.path()), before, "something was left behind");

    let said = refusal(&data, &[], &["restore", &text(&file)]);
    assert!(said.contains("is not empty: it contains leadscribe.db"), "{said}");
    assert_eq!(names(home.path()), before, "something was left behind");
    let said = refusal(&data, &[], &["backup", &text(&file)]);
    assert!(said.contains("already exists; choose another file name"), "{said}");
    assert!(fs::read(&file).unwrap() == good, "the backup that is there stays");
    let said = refusal(&home.path().join("nowhere"), &[], &["backup", &text(&bad)]);
    assert!(said.contains("can't copy the database: there is no database at"), "{said}");
    assert_eq!(names(home.path()), before, "something was left behind");

    fs::create_dir(&restored).unwrap();
    run(&restored, &["restore", &text(&file)]);
    assert_eq!(names(&restored.join("recordings")).len() as u64, CALLS);
}

#[test]
fn backup_works_through_a_pipe() {
    let home = installation();
    let (data, file, restored) = (home.path().join("data"), home.path().join("piped"), home.path().join("restored"));
    piped(&data, &["backup", "-"], Stdio::null(), File::create(&file).unwrap().into());
    assert_eq!(names(&data.join("spool")), [""; 0], "the copy of the database is gone");
    piped(&restored, &["restore", "-"], File::open(&file).unwrap().into(), Stdio::null());
    assert_eq!(names(&restored.join("recordings")).len() as u64, CALLS);
}

#[test]
fn backup_reports_data_stored_elsewhere() {
    let home = installation();
    let (data, file) = (home.path().join("data"), home.path().join("file"));
    let file = file.to_str().unwrap();
    let postgres = ("LEADSCRIBE_DATABASE_URL", "postgres://ann:hidden@192.0.2.1/calls");
    let said = refusal(&data, &[postgres], &["backup", file]);
    assert!(
        said.contains("can't back up PostgreSQL; use pg_dump, and back up the recordings at the same time"),
        "{said}"
    );
    let said = refusal(&home.path().join("new"), &[postgres], &["restore", file]);
    assert!(said.contains("`leadscribe restore` creates a data folder with its own database"), "{said}");
    assert!(!said.contains("hidden"), "{said}");

    let bucket = ("LEADSCRIBE_RECORDINGS_URL", "s3://calls/one");
    let (succeeded, said) = outcome(&data, &[bucket], &["backup", file]);
    assert!(succeeded && said.contains("the recordings are in s3://calls/one and not in this backup"), "{said}");
    let said = told(&home.path().join("new"), &["restore".to_owned(), file.to_owned()]);
    assert!(said.contains("the recordings are in s3://calls/one and not in this backup"), "{said}");
    assert_eq!(names(&home.path().join("new/recordings")), [""; 0]);
}

#[test]
fn backup_warns_about_missing_recordings_and_succeeds() {
    let home = installation();
    let (data, file) = (home.path().join("data"), home.path().join("file"));
    fs::remove_dir_all(data.join("recordings/7")).unwrap();
    let said = back_up(&data, &file);
    assert!(said.contains("recordings that were already missing from their folder: 1, such as 7/"), "{said}");
    let said = told(&home.path().join("new"), &["restore".to_owned(), file.to_str().unwrap().to_owned()]);
    assert!(said.contains("recordings that were purged, missing or damaged when the backup was created: 1"), "{said}");
}

/// Returns the beginning of a backup made by a later version.
fn newer() -> Vec<u8> {
    let text = json!({
        "format": 1, "program": "9.9.9", "schema": 99, "made_at": "2030-01-01T00:00:00Z", "entries": 3, "bytes": 9,
        "recordings": "included",
    })
    .to_string();
    let mut tar = tar::Builder::new(zstd::Encoder::new(Vec::new(), 1).unwrap());
    let mut header = tar::Header::new_ustar();
    header.set_size(text.len() as u64);
    header.set_mode(0o600);
    tar.append_data(&mut header, "leadscribe-backup.json", text.as_bytes()).unwrap();
    tar.into_inner().unwrap().finish().unwrap()
}
