//! Writes backups.

use std::collections::BTreeMap;
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read, Write};
use std::os::unix::fs::OpenOptionsExt;
use std::path::{Component, Path, PathBuf};

use anyhow::{Context, ensure};
use leadscribe_engine::api::Timestamp;
use rustix::fs::OFlags;
use sha2::{Digest as _, Sha256};

use super::manifest::{
    FORMAT_VERSION, FileContents, Header, Manifest, RecordingIssue, RecordingIssueKind, RecordingsLocation,
};
use super::{DATABASE_ENTRY, HEADER_ENTRY, MANIFEST_ENTRY, OPTIONS_ENTRY, Progress, RECORDINGS_FOLDER};
use crate::recording::files::{self, Digest};
use crate::storage::RecordingKey;
use crate::storage::snapshot::DatabaseContents;

/// zstd's default level: a database shrinks to a quarter or less, faster than a disk can read. Compressed recordings pass through nearly as
/// fast.
const COMPRESSION_LEVEL: i32 = 3;

/// Number of entries other than recordings: the database, the options, the manifest.
const OTHER_ENTRIES: u64 = 3;

/// Upper bound for the size of the manifest without its files, in bytes.
const MANIFEST_BASE_BYTES: u64 = 64 * 1024;
/// Upper bound for the size of a file in the manifest, in bytes. Most take about 250.
const MANIFEST_BYTES_PER_FILE: u64 = 1024;

/// Contents of a backup.
#[derive(Clone, Debug)]
pub struct BackupSource {
    /// A copy of the database without writers.
    pub database: PathBuf,
    pub contents: DatabaseContents,
    /// Time at which it was copied.
    pub copied_at: Timestamp,
    /// The options file in the data folder, if there is one.
    pub options: Option<PathBuf>,
    pub recordings_folder: PathBuf,
    pub recordings: RecordingsLocation,
}

/// Result of writing a backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct BackupSummary {
    pub manifest: Manifest,
    /// Number of bytes that were backed up.
    pub bytes: u64,
}

/// Writes a backup to `out`, and returns `out` with a summary. If recordings are missing, `list_recordings` is called at the end: it
/// returns the recordings that the database refers to at that time, sorted. Blocks.
///
/// # Errors
/// A file can't be read or written, or was truncated while it was read.
pub fn write<W: Write>(
    out: W,
    source: &BackupSource,
    list_recordings: impl FnOnce() -> anyhow::Result<Vec<RecordingKey>>,
    on_progress: impl Fn(Progress),
) -> anyhow::Result<(W, BackupSummary)> {
    let recordings = match source.recordings {
        RecordingsLocation::Included => recording_sizes(source),
        RecordingsLocation::Bucket(_) => Vec::new(),
    };
    let header = build_header(source, &recordings)?;
    let mut compressed = zstd::Encoder::new(out, COMPRESSION_LEVEL)?;
    compressed.include_checksum(true)?;
    let mut archive = ArchiveWriter {
        tar: tar::Builder::new(compressed),
        modified_seconds: u64::try_from(source.copied_at.timestamp()).unwrap_or(0),
        progress: Progress { done: 0, total: header.max_bytes },
        files: BTreeMap::new(),
        on_progress: &on_progress,
    };
    archive.append_text(HEADER_ENTRY, &serde_json::to_vec_pretty(&header)?)?;
    archive.append_file(DATABASE_ENTRY, File::open(&source.database)?)?;
    if let Some(options) = &source.options {
        let file = File::open(options).with_context(|| format!("can't read {}", options.display()))?;
        archive.append_file(OPTIONS_ENTRY, file)?;
    }
    let mut issues = Vec::new();
    for (key, _) in recordings {
        if let Some(kind) = archive.append_recording(&source.recordings_folder, &key)? {
            issues.push(RecordingIssue { recording: key.0, kind });
        }
    }
    if issues.iter().any(|issue| issue.kind == RecordingIssueKind::Missing) {
        let referenced = list_recordings()?;
        for issue in issues.iter_mut().filter(|issue| issue.kind == RecordingIssueKind::Missing) {
            let key = RecordingKey(issue.recording.clone());
            if referenced.binary_search_by(|other| other.0.cmp(&key.0)).is_err() {
                issue.kind = RecordingIssueKind::Purged;
            }
        }
    }
    let (bytes, files) = (archive.progress.done, std::mem::take(&mut archive.files));
    let manifest = Manifest { files, tables: source.contents.tables.clone(), recording_issues: issues };
    archive.append_text(MANIFEST_ENTRY, &serde_json::to_vec_pretty(&manifest)?)?;
    let out = archive.tar.into_inner()?.finish()?;
    Ok((out, BackupSummary { manifest, bytes }))
}

/// Returns the recordings to back up with their current sizes; 0 for missing ones.
fn recording_sizes(source: &BackupSource) -> Vec<(RecordingKey, u64)> {
    let size = |key: &RecordingKey| {
        fs::symlink_metadata(source.recordings_folder.join(&key.0)).map_or(0, |metadata| metadata.len())
    };
    source.contents.recordings.iter().map(|key| (key.clone(), size(key))).collect()
}

fn build_header(source: &BackupSource, recordings: &[(RecordingKey, u64)]) -> anyhow::Result<Header> {
    let size = |path: &Path| {
        let metadata = fs::metadata(path).with_context(|| format!("can't read {}", path.display()));
        metadata.map(|metadata| metadata.len())
    };
    let other_bytes = size(&source.database)? + source.options.as_deref().map_or(Ok(0), size)?;
    let count = recordings.len() as u64;
    let recording_bytes: u64 = recordings.iter().map(|(_, bytes)| bytes).sum();
    Ok(Header {
        format: FORMAT_VERSION,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        schema_version: source.contents.schema_version,
        created_at: source.copied_at,
        max_entries: OTHER_ENTRIES + count,
        max_bytes: other_bytes + recording_bytes + MANIFEST_BASE_BYTES + MANIFEST_BYTES_PER_FILE * count,
        recordings: source.recordings.clone(),
    })
}

/// The archive being written.
struct ArchiveWriter<'t, W: Write> {
    tar: tar::Builder<W>,
    /// Timestamp of every entry, in seconds since 1970.
    modified_seconds: u64,
    progress: Progress,
    files: BTreeMap<String, FileContents>,
    on_progress: &'t dyn Fn(Progress),
}

impl<W: Write> ArchiveWriter<'_, W> {
    /// Adds an entry about the backup itself, which the manifest doesn't list.
    fn append_text(&mut self, name: &str, text: &[u8]) -> anyhow::Result<()> {
        self.tar.append(&entry_header(name, text.len() as u64, self.modified_seconds)?, text)?;
        Ok(())
    }

    /// Adds a file. Returns the digest of its bytes.
    fn append_file(&mut self, name: &str, file: File) -> anyhow::Result<String> {
        let bytes = file.metadata()?.len();
        let mut reader = HashingReader {
            inner: file.take(bytes),
            hash: Sha256::new(),
            progress: self.progress,
            on_progress: self.on_progress,
        };
        self.tar.append(&entry_header(name, bytes, self.modified_seconds)?, &mut reader)?;
        let bytes_read = reader.progress.done - self.progress.done;
        ensure!(bytes_read == bytes, "{name} was truncated while it was read");
        self.progress = reader.progress;
        let sha256 = Digest::new(reader.hash.finalize().into()).to_string();
        self.files.insert(name.to_owned(), FileContents { bytes, sha256: sha256.clone() });
        Ok(sha256)
    }

    /// Adds a recording. Returns a problem with it, if there is one.
    fn append_recording(&mut self, folder: &Path, key: &RecordingKey) -> anyhow::Result<Option<RecordingIssueKind>> {
        let Some(file) =
            open_regular_file(folder, &key.0).with_context(|| format!("can't read the recording {}", key.0))?
        else {
            return Ok(Some(RecordingIssueKind::Missing));
        };
        let digest = self.append_file(&format!("{RECORDINGS_FOLDER}/{}", key.0), file)?;
        // The key contains the digest of the stored bytes.
        let stored = files::call_of(key).and_then(|_| files::content_id(key));
        Ok(stored.is_some_and(|stored| stored != digest).then_some(RecordingIssueKind::Damaged))
    }
}

/// Creates the header of a regular file that only its owner can read.
fn entry_header(name: &str, bytes: u64, modified_seconds: u64) -> io::Result<tar::Header> {
    // Ustar has no extensions for long names, which a reader would have to hold in memory. Keys are far shorter than its limit.
    let mut header = tar::Header::new_ustar();
    header.set_path(name)?;
    header.set_size(bytes);
    header.set_mode(0o600);
    header.set_mtime(modified_seconds);
    header.set_entry_type(tar::EntryType::Regular);
    header.set_cksum();
    Ok(header)
}

/// Opens a regular file in a folder; `None` if it is missing or isn't a regular file. Links are never followed, so that files outside the
/// folder can't be read.
fn open_regular_file(folder: &Path, key: &str) -> io::Result<Option<File>> {
    let mut path = folder.to_path_buf();
    let mut parts = Path::new(key).components().peekable();
    while let Some(part) = parts.next() {
        let Component::Normal(name) = part else { return Ok(None) };
        path.push(name);
        let metadata = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            metadata => metadata?,
        };
        let is_last = parts.peek().is_none();
        if is_last && !metadata.is_file() || !is_last && !metadata.is_dir() {
            return Ok(None);
        }
    }
    match OpenOptions::new().read(true).custom_flags(OFlags::NOFOLLOW.bits().cast_signed()).open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        opened => opened.map(Some),
    }
}

/// A file that is hashed and reported as progress while it is read.
struct HashingReader<'t> {
    inner: io::Take<File>,
    hash: Sha256,
    progress: Progress,
    on_progress: &'t dyn Fn(Progress),
}

impl Read for HashingReader<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read_bytes = self.inner.read(buffer)?;
        self.hash.update(&buffer[..read_bytes]);
        self.progress.done += read_bytes as u64;
        (self.on_progress)(self.progress);
        Ok(read_bytes)
    }
}
