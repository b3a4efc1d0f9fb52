//! Tests valid, damaged, foreign and malicious backups.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::Path;

use chrono::DateTime;
use tempfile::TempDir;

use super::manifest::{FORMAT_VERSION, Header, Manifest, RecordingIssue};
use super::*;
use crate::recording::files::{Digest, new_key};
use crate::storage::RecordingKey;
use crate::storage::snapshot::{DatabaseContents, TableContents};
use leadscribe_engine::api::CallId;
use sha2::{Digest as _, Sha256};

/// The schema version known to these tests.
const KNOWN_SCHEMA: i64 = 11;

/// A data folder, and its contents to back up. The database is an arbitrary file, because this module never opens it.
fn installation() -> (TempDir, BackupSource) {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("recordings");
    fs::create_dir(&folder).unwrap();
    fs::write(home.path().join("copy.db"), b"rows and rows and rows".repeat(20)).unwrap();
    fs::write(home.path().join("leadscribe.toml"), "[http]\nlisten = \"127.0.0.1:1\"\n").unwrap();
    let rows = TableContents { rows: 3, sha256: "00".repeat(32) };
    let contents = DatabaseContents {
        schema_version: KNOWN_SCHEMA,
        tables: BTreeMap::from([("leads".to_owned(), rows)]),
        recordings: vec![store_recording(&folder, 1, b"first sound"), store_recording(&folder, 2, b"second sound")],
    };
    let source = BackupSource {
        database: home.path().join("copy.db"),
        contents,
        copied_at: DateTime::from_timestamp(1_777_627_800, 0).unwrap(),
        options: Some(home.path().join("leadscribe.toml")),
        recordings_folder: folder,
        recordings: RecordingsLocation::Included,
    };
    (home, source)
}

fn store_recording(folder: &Path, call: i64, sound: &[u8]) -> RecordingKey {
    let key = new_key(CallId(call), &Digest::new(Sha256::digest(sound).into()), "wav");
    fs::create_dir(folder.join(call.to_string())).unwrap();
    fs::write(folder.join(&key.0), sound).unwrap();
    key
}

fn write_backup(source: &BackupSource) -> (Vec<u8>, BackupSummary) {
    write(Vec::new(), source, || Ok(source.contents.recordings.clone()), |_| ()).unwrap()
}

/// Unpacks a backup and returns the error, or `good`. Asserts that nothing is written outside the folder.
fn check(backup: &[u8]) -> String {
    let home = tempfile::tempdir().unwrap();
    let folder = home.path().join("inner/folder");
    fs::create_dir_all(&folder).unwrap();
    let result = unpack(backup, &folder, KNOWN_SCHEMA, false, |_| ())
        .map_or_else(|error| format!("{error:#}"), |_| "good".into());
    assert_eq!(fs::read_dir(home.path()).unwrap().count(), 1, "nothing is written outside");
    assert_eq!(fs::read_dir(home.path().join("inner")).unwrap().count(), 1, "nothing is written outside");
    result
}

#[test]
fn reads_the_member_names_of_format_1() {
    let header =
        br#"{"format":1,"program":"0.1.0","schema":11,"made_at":"2026-05-01T09:30:00Z","entries":4,"bytes":4096,
        "recordings":"included"}"#;
    let header: Header = serde_json::from_slice(header).unwrap();
    assert_eq!((header.schema_version, header.max_entries, header.max_bytes), (11, 4, 4_096));
    assert_eq!(header.created_at, DateTime::from_timestamp(1_777_627_800, 0).unwrap());
    let manifest = br#"{"files":{},"tables":{},"remarks":[{"recording":"7/a.wav","left":"missing"}]}"#;
    let manifest: Manifest = serde_json::from_slice(manifest).unwrap();
    let issue = RecordingIssue { recording: "7/a.wav".to_owned(), kind: RecordingIssueKind::Missing };
    assert_eq!(manifest.recording_issues, [issue]);
}

#[test]
fn restores_a_backup() {
    let (_home, source) = installation();
    let (file, summary) = write_backup(&source);
    assert_eq!(summary.manifest.files.len(), 4);
    assert_eq!(summary.manifest.recording_issues, []);
    let folder = tempfile::tempdir().unwrap();
    let unpacked = unpack(&file[..], folder.path(), KNOWN_SCHEMA, false, |_| ()).unwrap();
    assert_eq!((&unpacked.manifest, unpacked.header.schema_version), (&summary.manifest, KNOWN_SCHEMA));
    assert!(unpacked.header.max_bytes >= summary.bytes);
    unpacked.verify_contents(&source.contents).unwrap();
    let mut expected = vec![(source.database.clone(), "leadscribe.db".to_owned())];
    expected.push((source.options.clone().unwrap(), "leadscribe.toml".to_owned()));
    let recording_paths = |key: &RecordingKey| (source.recordings_folder.join(&key.0), format!("recordings/{}", key.0));
    expected.extend(source.contents.recordings.iter().map(recording_paths));
    for (from, to) in expected {
        let to = folder.path().join(to);
        assert_eq!(fs::read(from).unwrap(), fs::read(&to).unwrap(), "{}", to.display());
        assert_eq!(fs::metadata(&to).unwrap().permissions().mode() & 0o777, 0o600);
    }
    // A check only needs the database.
    let folder = tempfile::tempdir().unwrap();
    assert_eq!(unpack(&file[..], folder.path(), KNOWN_SCHEMA, true, |_| ()).unwrap(), unpacked);
    let names: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(names, ["leadscribe.db"]);
}

#[test]
fn reports_why_recordings_are_missing() {
    let (home, mut source) = installation();
    let [purged, damaged] = [0, 1].map(|index| source.contents.recordings[index].clone());
    fs::remove_file(source.recordings_folder.join(&purged.0)).unwrap();
    fs::write(source.recordings_folder.join(&damaged.0), "another sound").unwrap();
    let missing = RecordingKey("7/never-there.wav".to_owned());
    // Links to files outside the folder.
    fs::write(home.path().join("secret"), "another user's file").unwrap();
    fs::create_dir(source.recordings_folder.join("8")).unwrap();
    std::os::unix::fs::symlink(home.path().join("secret"), source.recordings_folder.join("8/link.wav")).unwrap();
    std::os::unix::fs::symlink(home.path(), source.recordings_folder.join("9")).unwrap();
    let links = ["8/link.wav", "9/secret", "../secret"].map(|key| RecordingKey(key.to_owned()));
    source.contents.recordings.push(missing.clone());
    source.contents.recordings.extend(links.clone());
    let mut referenced = source.contents.recordings.clone();
    referenced.retain(|key| *key != purged);
    referenced.sort_by(|first, second| first.0.cmp(&second.0));
    let (file, summary) = write(Vec::new(), &source, || Ok(referenced), |_| ()).unwrap();
    let issue = |key: &RecordingKey, kind| RecordingIssue { recording: key.0.clone(), kind };
    let mut expected = vec![
        issue(&purged, RecordingIssueKind::Purged),
        issue(&damaged, RecordingIssueKind::Damaged),
        issue(&missing, RecordingIssueKind::Missing),
    ];
    expected.extend(links.iter().map(|key| issue(key, RecordingIssueKind::Missing)));
    assert_eq!(summary.manifest.recording_issues, expected);
    let folder = tempfile::tempdir().unwrap();
    unpack(&file[..], folder.path(), KNOWN_SCHEMA, false, |_| ()).unwrap().verify_contents(&source.contents).unwrap();
}

#[test]
fn omits_recordings_in_a_bucket() {
    let (_home, mut source) = installation();
    source.recordings = RecordingsLocation::Bucket("s3://calls/one".to_owned());
    let (file, summary) = write_backup(&source);
    assert_eq!(summary.manifest.files.keys().collect::<Vec<_>>(), ["leadscribe.db", "leadscribe.toml"]);
    let folder = tempfile::tempdir().unwrap();
    let unpacked = unpack(&file[..], folder.path(), KNOWN_SCHEMA, false, |_| ()).unwrap();
    assert_eq!(unpacked.header.recordings, source.recordings);
    unpacked.verify_contents(&source.contents).unwrap();
}

#[test]
fn rejects_damage_at_any_position() {
    let (_home, source) = installation();
    let (file, _) = write_backup(&source);
    assert_eq!(check(&file), "good");
    let unpacked = |file: &[u8]| zstd::decode_all(file).ok();
    let original = unpacked(&file);
    for offset in 0..file.len() {
        let mut damaged = file.clone();
        damaged[offset] ^= 0xff;
        let result = check(&damaged);
        let is_refused = result.contains("the backup") || result.contains("not a backup");
        // Some bits of compressed data don't affect the result.
        assert!(is_refused || unpacked(&damaged) == original, "byte {offset}: {result}");
    }
    for length in 0..file.len() {
        let result = check(&file[..length]);
        assert!(result.contains("truncated") || result.contains("not a backup"), "{length} bytes: {result}");
    }
    let mut longer = file.clone();
    longer.extend(b"and more");
    assert!(check(&longer).contains("the backup is damaged"), "{}", check(&longer));
    // A second archive after the first one is rejected too.
    assert_eq!(check(&[&file[..], &file].concat()), "the backup is damaged: there is data after its end");
}

#[test]
fn rejects_different_database_contents() {
    let (_home, source) = installation();
    let (file, _) = write_backup(&source);
    let folder = tempfile::tempdir().unwrap();
    let unpacked = unpack(&file[..], folder.path(), KNOWN_SCHEMA, false, |_| ()).unwrap();
    let error_after = |change: &dyn Fn(&mut DatabaseContents)| {
        let mut contents = source.contents.clone();
        change(&mut contents);
        unpacked.verify_contents(&contents).unwrap_err().to_string()
    };
    assert_eq!(
        error_after(&|contents| contents.tables.get_mut("leads").unwrap().rows = 2),
        "the backup is damaged: the contents of the table leads have changed"
    );
    assert_eq!(
        error_after(&|contents| drop(contents.tables.remove("leads"))),
        "the backup is damaged: the contents of the table leads have changed"
    );
    assert_eq!(
        error_after(&|contents| contents.schema_version = 10),
        "the backup is damaged: it declares schema version 11, but its database has 10"
    );
    assert_eq!(
        error_after(&|contents| contents.recordings.push(RecordingKey("5/other.wav".to_owned()))),
        "the backup is damaged: the recording 5/other.wav is not in it"
    );
}

/// An archive of arbitrary entries.
fn archive(entries: &[(&str, tar::EntryType, &[u8])]) -> Vec<u8> {
    let mut tar = tar::Builder::new(zstd::Encoder::new(Vec::new(), 1).unwrap());
    for (path, kind, content) in entries {
        let mut header = tar::Header::new_ustar();
        // `set_path` would reject the path under test.
        header.as_mut_bytes()[..path.len()].copy_from_slice(path.as_bytes());
        header.set_size(content.len() as u64);
        header.set_entry_type(*kind);
        header.set_mode(0o600);
        if kind.is_symlink() {
            header.set_link_name("/etc/passwd").unwrap();
        }
        header.set_cksum();
        tar.append(&header, *content).unwrap();
    }
    tar.into_inner().unwrap().finish().unwrap()
}

fn header(change: impl FnOnce(&mut Header)) -> Vec<u8> {
    let mut header = Header {
        format: FORMAT_VERSION,
        program: "9.9.9".to_owned(),
        schema_version: KNOWN_SCHEMA,
        created_at: DateTime::from_timestamp(1_777_627_800, 0).unwrap(),
        max_entries: 4,
        max_bytes: 4_096,
        recordings: RecordingsLocation::Included,
    };
    change(&mut header);
    serde_json::to_vec(&header).unwrap()
}

#[test]
fn rejects_foreign_and_newer_files_with_a_reason() {
    const FILE: tar::EntryType = tar::EntryType::Regular;
    let foreign = "this is not a backup created by `leadscribe backup`";
    assert_eq!(check(b""), foreign);
    assert_eq!(check(b"PK\x03\x04 and so on"), foreign);
    assert_eq!(check(&zstd::encode_all(&b"no archive"[..], 1).unwrap()), foreign);
    assert_eq!(check(&archive(&[("notes.txt", FILE, b"mine")])), foreign);

    let newer = header(|header| header.format = 3);
    assert_eq!(
        check(&archive(&[("leadscribe-backup.json", FILE, &newer)])),
        "the backup has format 3, but this program supports formats up to 2; restore it with Leadscribe 9.9.9 or newer"
    );
    let newer = header(|header| header.schema_version = 12);
    assert_eq!(
        check(&archive(&[("leadscribe-backup.json", FILE, &newer)])),
        "the backup has schema version 12, but this program supports versions up to 11; restore it with Leadscribe \
         9.9.9 or newer"
    );
    let huge = header(|header| header.max_bytes = 1 << 60);
    let huge = check(&archive(&[("leadscribe-backup.json", FILE, &huge)]));
    assert!(huge.starts_with("the backup needs up to 1152921504606846976 bytes, but only "), "{huge}");
}

#[test]
fn rejects_path_traversal_and_endless_data() {
    const FILE: tar::EntryType = tar::EntryType::Regular;
    let header = header(|_| ());
    let read_entries = |entries: &[(&str, tar::EntryType, &[u8])]| {
        check(&archive(&[&[("leadscribe-backup.json", FILE, &header[..])], entries].concat()))
    };
    let digest = "ab".repeat(32);
    let inside = format!("recordings/1/{digest}-00000000.wav");
    let traversal_path = format!("recordings/1/{digest}-/../../../climbed");
    for (path, kind) in [
        ("../climbed", FILE),
        ("recordings/../../climbed", FILE),
        ("/tmp/climbed", FILE),
        ("spool/file", FILE),
        ("recordings/1", FILE),
        ("recordings/1/notes.txt", FILE),
        (traversal_path.as_str(), FILE),
        ("leadscribe.db-wal", FILE),
        ("leadscribe.db", tar::EntryType::Symlink),
        ("leadscribe.db", tar::EntryType::Directory),
        ("leadscribe.db", tar::EntryType::Fifo),
        ("././@LongLink", tar::EntryType::GNULongName),
        ("pax", tar::EntryType::XGlobalHeader),
    ] {
        assert_eq!(
            read_entries(&[(path, kind, b"")]),
            format!(
                "the backup contains {path:?}, which doesn't belong in a data folder; it was not created by \
                 `leadscribe backup`"
            )
        );
    }
    let twice = (inside.as_str(), FILE, &b"sound"[..]);
    assert_eq!(read_entries(&[twice, twice]), format!("the backup is damaged: it contains {inside} twice"));
    assert_eq!(
        read_entries(&[("leadscribe.db", FILE, &[0; 4_097])]),
        "the backup is damaged: it contains more bytes than it declares"
    );
    assert_eq!(
        read_entries(&[("leadscribe.db", FILE, &[0; 2_048]), ("leadscribe.toml", FILE, &[0; 2_049])]),
        "the backup is damaged: it contains more bytes than it declares"
    );
    let names: Vec<_> = (0..5).map(|call| format!("recordings/{call}/{digest}-00000000.wav")).collect();
    let many: Vec<_> = names.iter().map(|name| (name.as_str(), FILE, &b""[..])).collect();
    assert_eq!(read_entries(&many), "the backup is damaged: it contains more files than it declares");
    assert_eq!(read_entries(&[("leadscribe.db", FILE, b"")]), "the backup is truncated: its end is missing");
    let manifest = serde_json::to_vec(&Manifest::default()).unwrap();
    let end = ("manifest.json", FILE, &manifest[..]);
    assert_eq!(read_entries(&[end]), "the backup is damaged: it contains no database");
    assert_eq!(
        read_entries(&[("leadscribe.db", FILE, b"x"), end]),
        "the backup is damaged: leadscribe.db doesn't match its manifest"
    );
    assert_eq!(read_entries(&[end, twice]), "the backup is damaged: there is data after its manifest");
}

#[test]
fn destination_is_created_atomically() {
    let home = tempfile::tempdir().unwrap();
    let names = || {
        let mut names: Vec<_> =
            fs::read_dir(home.path()).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap()).collect();
        names.sort();
        names
    };
    let target = home.path().join("data");
    for exists in [false, true] {
        if exists {
            fs::create_dir(&target).unwrap();
        }
        let abandoned = RestoreTarget::prepare(&target).unwrap();
        fs::write(abandoned.folder().join("leadscribe.db"), "half").unwrap();
        drop(abandoned);
        assert_eq!(names().len(), usize::from(exists), "{:?}", names());
    }
    let restore_target = RestoreTarget::prepare(&target).unwrap();
    fs::write(restore_target.folder().join("leadscribe.db"), "whole").unwrap();
    restore_target.commit().unwrap();
    assert_eq!(names(), ["data"]);
    assert_eq!(fs::read_to_string(target.join("leadscribe.db")).unwrap(), "whole");
    assert!(target.join("recordings").is_dir());
    assert_eq!(fs::metadata(&target).unwrap().permissions().mode() & 0o777, 0o700);

    for name in ["a", "b", "c"] {
        fs::write(target.join(name), "").unwrap();
    }
    let prepare_error = |target: &Path| RestoreTarget::prepare(target).unwrap_err().to_string();
    assert_eq!(
        prepare_error(&target),
        format!("{} is not empty: it contains a, b, c and 2 more; choose another --data-dir", target.display())
    );
    let file = target.join("a");
    assert_eq!(
        prepare_error(&file),
        format!("{} exists and is not a folder; choose another --data-dir", file.display())
    );

    let other = home.path().join("other");
    let restore_target = RestoreTarget::prepare(&other).unwrap();
    fs::create_dir(&other).unwrap();
    fs::write(other.join("file"), "another program's file").unwrap();
    assert_eq!(
        restore_target.commit().unwrap_err().to_string(),
        format!("{} is no longer empty; nothing was restored", other.display())
    );
    assert_eq!(names(), ["data", "other"]);
    assert_eq!(fs::read_dir(&other).unwrap().count(), 1);
}
