//! Unpacks backups. All metadata is verified against the contents, and nothing is written outside the given folder.

use std::collections::{BTreeMap, BTreeSet};
use std::fs::{self, DirBuilder, File, OpenOptions};
use std::io::{self, Read as _, Write};
use std::os::unix::fs::{DirBuilderExt, OpenOptionsExt};
use std::path::Path;

use anyhow::{Context, anyhow, bail, ensure};
use sha2::{Digest as _, Sha256};

use super::manifest::{FORMAT_VERSION, FileContents, Header, Manifest, RecordingIssueKind, RecordingsLocation};
use super::{DATABASE_ENTRY, HEADER_ENTRY, MANIFEST_ENTRY, OPTIONS_ENTRY, Progress, RECORDINGS_FOLDER};
use crate::recording::files::{self, Digest};
use crate::storage::RecordingKey;
use crate::storage::snapshot::DatabaseContents;

/// Maximum size of the header, in bytes.
const MAX_HEADER_BYTES: u64 = 64 * 1024;

/// Maximum size of the manifest, in bytes: enough for five million recordings. It is held in memory.
const MAX_MANIFEST_BYTES: u64 = 1024 * 1024 * 1024;

/// Size of the read buffer, in bytes.
const BUFFER_BYTES: usize = 256 * 1024;

/// Disk space left free for other programs, in bytes.
const RESERVED_DISK_BYTES: u64 = 16 * 1024 * 1024;

/// An unpacked backup that matches its manifest.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnpackedBackup {
    pub header: Header,
    pub manifest: Manifest,
}

/// Unpacks a backup into an empty folder: the database, and unless `database_only` is set, the options and recordings. All entries are
/// verified in any case. Blocks.
///
/// # Errors
/// The file isn't a backup, is damaged, or comes from a newer program (`known_schema` is the schema version of this one); or a file can't
/// be written.
pub fn unpack(
    backup: impl io::Read,
    folder: &Path,
    known_schema: i64,
    database_only: bool,
    on_progress: impl Fn(Progress),
) -> anyhow::Result<UnpackedBackup> {
    let not_a_backup = || anyhow!("this is not a backup created by `leadscribe backup`");
    let decoder = zstd::Decoder::new(backup)?;
    let mut archive = tar::Archive::new(decoder);
    let mut entries = archive.entries()?.raw(true);
    let mut header_entry = match entries.next() {
        Some(Ok(header_entry)) if header_entry.path_bytes() == HEADER_ENTRY.as_bytes() => header_entry,
        _ => return Err(not_a_backup()),
    };
    ensure!(header_entry.size() <= MAX_HEADER_BYTES, not_a_backup());
    let mut text = Vec::new();
    header_entry.read_to_end(&mut text).map_err(damage_error)?;
    drop(header_entry);
    let header = parse_header(&text, known_schema)?;
    if !database_only {
        ensure_free_space(folder, header.max_bytes, "the backup")?;
    }

    let progress = Progress { done: 0, total: header.max_bytes };
    let mut unpacker = Unpacker { folder, database_only, progress, files: BTreeMap::new(), on_progress: &on_progress };
    let mut manifest = None;
    for (entry_count, entry) in (1..).zip(entries) {
        let mut entry = entry.map_err(damage_error)?;
        ensure!(manifest.is_none(), "the backup is damaged: there is data after its manifest");
        ensure!(entry_count <= header.max_entries, "the backup is damaged: it contains more files than it declares");
        ensure!(
            entry.size() <= header.max_bytes - unpacker.progress.done,
            "the backup is damaged: it contains more bytes than it declares"
        );
        let path = String::from_utf8_lossy(&entry.path_bytes()).into_owned();
        ensure!(
            entry.header().entry_type() == tar::EntryType::Regular && is_valid_entry(&path),
            "the backup contains {path:?}, which doesn't belong in a data folder; it was not created by `leadscribe \
             backup`"
        );
        if path == MANIFEST_ENTRY {
            ensure!(entry.size() <= MAX_MANIFEST_BYTES, "the backup is damaged: its manifest is too long");
            let mut text = Vec::new();
            entry.read_to_end(&mut text).map_err(damage_error)?;
            unpacker.progress.done += text.len() as u64;
            manifest = Some(serde_json::from_slice::<Manifest>(&text).context("the backup's manifest is damaged")?);
        } else {
            if database_only && path == DATABASE_ENTRY {
                ensure_free_space(folder, entry.size(), "the backup")?;
            }
            unpacker.unpack_entry(&path, &mut entry)?;
        }
    }
    ensure_end(archive.into_inner())?;
    let manifest = manifest.ok_or_else(|| anyhow!("the backup is truncated: its end is missing"))?;
    verify_files(&unpacker.files, &manifest)?;
    Ok(UnpackedBackup { header, manifest })
}

impl UnpackedBackup {
    /// Compares the contents of the database with those at the time of the backup.
    ///
    /// # Errors
    /// They differ.
    pub fn verify_contents(&self, contents: &DatabaseContents) -> anyhow::Result<()> {
        let Self { header, manifest } = self;
        ensure!(
            contents.schema_version == header.schema_version,
            "the backup is damaged: it declares schema version {}, but its database has {}",
            header.schema_version,
            contents.schema_version
        );
        let names: BTreeSet<_> = contents.tables.keys().chain(manifest.tables.keys()).collect();
        if let Some(table) = names.into_iter().find(|table| contents.tables.get(*table) != manifest.tables.get(*table))
        {
            bail!("the backup is damaged: the contents of the table {table} have changed");
        }
        if header.recordings == RecordingsLocation::Included {
            let is_reported_missing = |key: &RecordingKey| {
                manifest
                    .recording_issues
                    .iter()
                    .any(|issue| issue.recording == key.0 && issue.kind != RecordingIssueKind::Damaged)
            };
            let is_included =
                |key: &RecordingKey| manifest.files.contains_key(&format!("{RECORDINGS_FOLDER}/{}", key.0));
            if let Some(key) = contents.recordings.iter().find(|key| !is_included(key) && !is_reported_missing(key)) {
                bail!("the backup is damaged: the recording {} is not in it", key.0);
            }
        }
        Ok(())
    }
}

/// Reads the header, if its format is supported.
fn parse_header(text: &[u8], known_schema: i64) -> anyhow::Result<Header> {
    let value: serde_json::Value = serde_json::from_slice(text).context("the backup's header is damaged")?;
    let program = value["program"].as_str().unwrap_or("unknown");
    let format = value["format"].as_u64().unwrap_or(0);
    ensure!(
        format <= FORMAT_VERSION,
        "the backup has format {format}, but this program supports formats up to {FORMAT_VERSION}; restore it with Leadscribe \
         {program} or newer"
    );
    let header: Header = serde_json::from_value(value.clone()).context("the backup's header is damaged")?;
    ensure!(
        header.schema_version <= known_schema,
        "the backup has schema version {}, but this program supports versions up to {known_schema}; restore it with \
         Leadscribe {program} or newer",
        header.schema_version
    );
    Ok(header)
}

/// Checks that the disk has space for this many bytes of `purpose`.
///
/// # Errors
/// The space is insufficient, or can't be determined.
pub fn ensure_free_space(folder: &Path, bytes: u64, purpose: &str) -> anyhow::Result<()> {
    let disk = rustix::fs::statvfs(folder)
        .with_context(|| format!("can't determine the free space at {}", folder.display()))?;
    let free = disk.f_bavail.saturating_mul(disk.f_frsize).saturating_sub(RESERVED_DISK_BYTES);
    ensure!(bytes <= free, "{purpose} needs up to {bytes} bytes, but only {free} are free at {}", folder.display());
    Ok(())
}

/// Returns true if a backup can have an entry with this name.
fn is_valid_entry(path: &str) -> bool {
    if [DATABASE_ENTRY, OPTIONS_ENTRY, MANIFEST_ENTRY].contains(&path) {
        return true;
    }
    let Some(key) = path.strip_prefix(RECORDINGS_FOLDER).and_then(|rest| rest.strip_prefix('/')) else { return false };
    // `<call id>/<file name>`. The name has only letters, digits, `-`, `_` and `.`, and doesn't start with a dot.
    let is_plain = |name: &str| {
        !name.starts_with('.') && name.bytes().all(|byte| byte.is_ascii_alphanumeric() || b"-_.".contains(&byte))
    };
    files::call_of(&RecordingKey(key.to_owned())).is_some()
        && key.split_once('/').is_some_and(|(_, name)| !name.is_empty() && is_plain(name))
}

/// State of unpacking.
struct Unpacker<'t> {
    folder: &'t Path,
    database_only: bool,
    progress: Progress,
    files: BTreeMap<String, FileContents>,
    on_progress: &'t dyn Fn(Progress),
}

impl Unpacker<'_> {
    fn unpack_entry(&mut self, path: &str, entry: &mut impl io::Read) -> anyhow::Result<()> {
        ensure!(!self.files.contains_key(path), "the backup is damaged: it contains {path} twice");
        let should_write = !self.database_only || path == DATABASE_ENTRY;
        let created = should_write.then(|| self.create(path)).transpose();
        let mut file = created.with_context(|| format!("can't write {path}"))?;
        let (mut hash, mut bytes) = (Sha256::new(), 0);
        let mut buffer = vec![0; BUFFER_BYTES];
        loop {
            let read_bytes = entry.read(&mut buffer).map_err(damage_error)?;
            if read_bytes == 0 {
                break;
            }
            hash.update(&buffer[..read_bytes]);
            if let Some(file) = &mut file {
                file.write_all(&buffer[..read_bytes]).with_context(|| format!("can't write {path}"))?;
            }
            bytes += read_bytes as u64;
            self.progress.done += read_bytes as u64;
            (self.on_progress)(self.progress);
        }
        if let Some(file) = file {
            file.sync_all().with_context(|| format!("can't write {path}"))?;
        }
        let sha256 = Digest::new(hash.finalize().into()).to_string();
        self.files.insert(path.to_owned(), FileContents { bytes, sha256 });
        Ok(())
    }

    /// Creates a file that only the current user can access, like all files in a data folder.
    fn create(&self, path: &str) -> io::Result<File> {
        let path = self.folder.join(path);
        if let Some(folder) = path.parent() {
            DirBuilder::new().recursive(true).mode(0o700).create(folder)?;
        }
        OpenOptions::new().write(true).create_new(true).mode(0o600).open(path)
    }
}

/// Checks that only the padding of the last block follows the archive.
fn ensure_end(mut rest: impl io::Read) -> anyhow::Result<()> {
    let mut buffer = vec![0; BUFFER_BYTES];
    loop {
        match rest.read(&mut buffer).map_err(damage_error)? {
            0 => return Ok(()),
            read => {
                ensure!(
                    buffer[..read].iter().all(|byte| *byte == 0),
                    "the backup is damaged: there is data after its end"
                )
            }
        }
    }
}

fn verify_files(files: &BTreeMap<String, FileContents>, manifest: &Manifest) -> anyhow::Result<()> {
    ensure!(files.contains_key(DATABASE_ENTRY), "the backup is damaged: it contains no database");
    let names: BTreeSet<_> = files.keys().chain(manifest.files.keys()).collect();
    match names.into_iter().find(|name| files.get(*name) != manifest.files.get(*name)) {
        None => Ok(()),
        Some(name) => bail!("the backup is damaged: {name} doesn't match its manifest"),
    }
}

/// Error for data that can't be unpacked.
fn damage_error(error: io::Error) -> anyhow::Error {
    let problem = if error.kind() == io::ErrorKind::UnexpectedEof { "truncated" } else { "damaged" };
    anyhow!("the backup is {problem}: {error}")
}

/// Makes the names of all files in a folder and its subfolders durable on disk.
///
/// # Errors
/// A disk operation failed.
pub(super) fn sync_folders(folder: &Path) -> io::Result<()> {
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if entry.file_type()?.is_dir() {
            sync_folders(&entry.path())?;
        }
    }
    File::open(folder)?.sync_all()
}
