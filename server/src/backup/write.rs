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

use super::manifest::{FORMAT, FileContents, Header, Left, Manifest, Recordings, Remark};
use super::{DATABASE, HEADER, MANIFEST, OPTIONS, Progress, RECORDINGS};
use crate::recording::files::{self, Digest};
use crate::storage::RecordingKey;
use crate::storage::snapshot::Contents;

/// zstd's default level: a database shrinks to a quarter or less, faster than a disk can read. Compressed recordings pass through nearly as
/// fast.
const LEVEL: i32 = 3;

/// Number of entries other than recordings: the database, the options, the manifest.
const OTHER_ENTRIES: u64 = 3;

/// Bytes for entries of unknown size: the manifest has about 250 bytes per file.
const MANIFEST_BYTES: u64 = 64 * 1024;
const MANIFEST_BYTES_EACH: u64 = 1024;

/// Contents of a backup.
#[derive(Clone, Debug)]
pub struct Source {
    /// A copy of the database without writers.
    pub database: PathBuf,
    /// Contents of the database.
    pub contents: Contents,
    /// Time at which it was copied.
    pub made_at: Timestamp,
    /// The options file in the data folder, if there is one.
    pub options: Option<PathBuf>,
    /// Folder of the recordings.
    pub folder: PathBuf,
    /// Location of the recordings.
    pub recordings: Recordings,
}

/// Result of writing a backup.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Written {
    /// The manifest.
    pub manifest: Manifest,
    /// Number of bytes that were backed up.
    pub bytes: u64,
}

/// Writes a backup to `out` and returns it. `still_named` is called at the end, only if recordings are missing, and returns the recordings
/// in the database at that time. Blocks.
///
/// # Errors
/// A file can't be read or written, or changes although it must not.
pub fn write<W: Write>(
    out: W,
    source: &Source,
    still_named: impl FnOnce() -> anyhow::Result<Vec<RecordingKey>>,
    tell: impl Fn(Progress),
) -> anyhow::Result<(W, Written)> {
    let recordings = match source.recordings {
        Recordings::Included => sizes(source),
        Recordings::Bucket(_) => Vec::new(),
    };
    let announced = announce(source, &recordings)?;
    let mut compressed = zstd::Encoder::new(out, LEVEL)?;
    compressed.include_checksum(true)?;
    let mut archive = Archive {
        tar: tar::Builder::new(compressed),
        made_at: u64::try_from(source.made_at.timestamp()).unwrap_or(0),
        progress: Progress { done: 0, total: announced.bytes },
        files: BTreeMap::new(),
        tell: &tell,
    };
    archive.text(HEADER, &serde_json::to_vec_pretty(&announced)?)?;
    archive.file(DATABASE, File::open(&source.database)?)?;
    if let Some(options) = &source.options {
        let file = File::open(options).with_context(|| format!("can't read {}", options.display()))?;
        archive.file(OPTIONS, file)?;
    }
    let mut remarks = Vec::new();
    for (key, _) in recordings {
        match archive.recording(&source.folder, &key)? {
            None => {}
            Some(left) => remarks.push(Remark { recording: key.0.clone(), left }),
        }
    }
    if remarks.iter().any(|remark| remark.left == Left::Missing) {
        let named = still_named()?;
        for remark in remarks.iter_mut().filter(|remark| remark.left == Left::Missing) {
            let key = RecordingKey(remark.recording.clone());
            if named.binary_search_by(|one| one.0.cmp(&key.0)).is_err() {
                remark.left = Left::Purged;
            }
        }
    }
    let (bytes, files) = (archive.progress.done, std::mem::take(&mut archive.files));
    let manifest = Manifest { files, tables: source.contents.tables.clone(), remarks };
    archive.text(MANIFEST, &serde_json::to_vec_pretty(&manifest)?)?;
    let out = archive.tar.into_inner()?.finish()?;
    Ok((out, Written { manifest, bytes }))
}

/// Returns the recordings to back up with their current sizes; 0 for missing ones.
fn sizes(source: &Source) -> Vec<(RecordingKey, u64)> {
    let size = |key: &RecordingKey| fs::symlink_metadata(source.folder.join(&key.0)).map_or(0, |found| found.len());
    source.contents.recordings.iter().map(|key| (key.clone(), size(key))).collect()
}

fn announce(source: &Source, recordings: &[(RecordingKey, u64)]) -> anyhow::Result<Header> {
    let size = |path: &Path| {
        let found = fs::metadata(path).with_context(|| format!("can't read {}", path.display()));
        found.map(|found| found.len())
    };
    let others = size(&source.database)? + source.options.as_deref().map_or(Ok(0), size)?;
    let count = recordings.len() as u64;
    let sounds: u64 = recordings.iter().map(|(_, bytes)| bytes).sum();
    Ok(Header {
        format: FORMAT,
        program: env!("CARGO_PKG_VERSION").to_owned(),
        schema: source.contents.schema,
        made_at: source.made_at,
        entries: OTHER_ENTRIES + count,
        bytes: others + sounds + MANIFEST_BYTES + MANIFEST_BYTES_EACH * count,
        recordings: source.recordings.clone(),
    })
}

/// The archive being written.
struct Archive<'t, W: Write> {
    tar: tar::Builder<W>,
    /// Timestamp of every entry, in seconds since 1970.
    made_at: u64,
    progress: Progress,
    files: BTreeMap<String, FileContents>,
    tell: &'t dyn Fn(Progress),
}

impl<W: Write> Archive<'_, W> {
    /// Adds an entry about the backup itself, which the manifest doesn't list.
    fn text(&mut self, name: &str, text: &[u8]) -> anyhow::Result<()> {
        self.tar.append(&header(name, text.len() as u64, self.made_at)?, text)?;
        Ok(())
    }

    /// Adds a file. Returns the digest of its bytes.
    fn file(&mut self, name: &str, file: File) -> anyhow::Result<String> {
        let bytes = file.metadata()?.len();
        let mut told = Told { from: file.take(bytes), hash: Sha256::new(), progress: self.progress, tell: self.tell };
        self.tar.append(&header(name, bytes, self.made_at)?, &mut told)?;
        let read = told.progress.done - self.progress.done;
        ensure!(read == bytes, "{name} was truncated while it was read");
        self.progress = told.progress;
        let sha256 = Digest::new(told.hash.finalize().into()).to_string();
        self.files.insert(name.to_owned(), FileContents { bytes, sha256: sha256.clone() });
        Ok(sha256)
    }

    /// Adds a recording. Returns a difference from its stored state, if any.
    fn recording(&mut self, folder: &Path, key: &RecordingKey) -> anyhow::Result<Option<Left>> {
        let Some(file) = open(folder, &key.0).with_context(|| format!("can't read the recording {}", key.0))? else {
            return Ok(Some(Left::Missing));
        };
        let digest = self.file(&format!("{RECORDINGS}/{}", key.0), file)?;
        // The key contains the digest of the stored bytes.
        let stored = files::call_of(key).and_then(|_| files::content_id(key));
        Ok(stored.is_some_and(|stored| stored != digest).then_some(Left::Damaged))
    }
}

/// Creates the header of a regular file that only its owner can read.
fn header(name: &str, bytes: u64, made_at: u64) -> io::Result<tar::Header> {
    // Without extensions for long names, which a reader would have to hold in memory. Keys are far shorter.
    let mut header = tar::Header::new_ustar();
    header.set_path(name)?;
    header.set_size(bytes);
    header.set_mode(0o600);
    header.set_mtime(made_at);
    header.set_entry_type(tar::EntryType::Regular);
    header.set_cksum();
    Ok(header)
}

/// Opens a regular file in a folder; `None` if it is missing or isn't a regular file. Links are never followed, so that files outside the
/// folder can't be read.
fn open(folder: &Path, key: &str) -> io::Result<Option<File>> {
    let mut path = folder.to_path_buf();
    let mut parts = Path::new(key).components().peekable();
    while let Some(part) = parts.next() {
        let Component::Normal(name) = part else { return Ok(None) };
        path.push(name);
        let found = match fs::symlink_metadata(&path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
            found => found?,
        };
        let is_last = parts.peek().is_none();
        if is_last && !found.is_file() || !is_last && !found.is_dir() {
            return Ok(None);
        }
    }
    match OpenOptions::new().read(true).custom_flags(OFlags::NOFOLLOW.bits().cast_signed()).open(&path) {
        Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(None),
        opened => opened.map(Some),
    }
}

/// A file that is hashed and reported as progress while it is read.
struct Told<'t> {
    from: io::Take<File>,
    hash: Sha256,
    progress: Progress,
    tell: &'t dyn Fn(Progress),
}

impl Read for Told<'_> {
    fn read(&mut self, buffer: &mut [u8]) -> io::Result<usize> {
        let read = self.from.read(buffer)?;
        self.hash.update(&buffer[..read]);
        self.progress.done += read as u64;
        (self.tell)(self.progress);
        Ok(read)
    }
}
