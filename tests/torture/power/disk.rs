//! State of a data folder after a power failure. See disk.c, which is loaded into the program.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rand::RngExt;
use rand::rngs::StdRng;
use tempfile::TempDir;

use crate::torture::shim;

/// Bytes that a disk writes atomically.
const SECTOR: usize = 512;

/// Simulated disk that keeps only synced data.
pub struct Disk {
    home: TempDir,
    data: PathBuf,
    library: String,
    durable: PathBuf,
}

/// Fate of data that were not synced.
pub enum Unsynced<'r> {
    /// All lost.
    Gone,
    /// Some sectors, names and sizes are written, in any order.
    Partly(&'r mut StdRng),
}

impl Disk {
    /// Places the disk below an installation's data folder.
    pub fn below(data: &Path) -> Self {
        let home = tempfile::tempdir_in(data.parent().unwrap()).unwrap();
        let library = shim::compile("power/disk.c", home.path());
        let durable = home.path().join("durable");
        Self { home, data: data.canonicalize().unwrap(), library, durable }
    }

    /// Returns the options of a program on the disk, and discards the record of the previous program.
    pub fn options(&self) -> [(&str, &str); 3] {
        let _ = fs::remove_dir_all(&self.durable);
        fs::create_dir(&self.durable).unwrap();
        let (data, durable) = (self.data.to_str().unwrap(), self.durable.to_str().unwrap());
        [("LD_PRELOAD", &self.library), ("POWER_DATA", data), ("POWER_DURABLE", durable)]
    }

    /// Replaces the data folder by its state after a power failure. The program must have been killed.
    pub fn power_is_back(&self, unsynced: &mut Unsynced<'_>) {
        let numbers = fs::read_dir(self.durable.join("inodes")).unwrap().map(|file| {
            let file = file.unwrap();
            (file.metadata().unwrap().ino(), file.file_name().to_str().unwrap().parse().unwrap())
        });
        let mut files = BTreeMap::new();
        list(&self.data, &mut files);
        let found = Found { durable: &self.durable, numbers: numbers.collect(), files };
        let after = self.home.path().join("after");
        found.write(fs::metadata(&self.data).unwrap().ino(), &after, Some(&self.data), unsynced);
        fs::remove_dir_all(&self.data).unwrap();
        fs::rename(after, &self.data).unwrap();
    }
}

/// Lists the files below a folder by inode number.
fn list(folder: &Path, files: &mut BTreeMap<u64, PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => list(&entry.path(), files),
            _ => drop(files.insert(entry.metadata().unwrap().ino(), entry.path())),
        }
    }
}

/// Synced data, and data that the system would have written later.
struct Found<'d> {
    durable: &'d Path,
    /// Inode numbers of the synced files, by those of their durable copies.
    numbers: BTreeMap<u64, u64>,
    files: BTreeMap<u64, PathBuf>,
}

impl Found<'_> {
    /// Writes the folder with this inode number to `after`. `now` is its state at the power failure, if it existed.
    fn write(&self, number: u64, after: &Path, now: Option<&Path>, unsynced: &mut Unsynced<'_>) {
        fs::create_dir(after).unwrap();
        let names = |folder: &Path| {
            let entries = fs::read_dir(folder).into_iter().flatten();
            entries.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>()
        };
        let kept = self.durable.join("dirs").join(number.to_string());
        for name in names(&kept) {
            let (kept, now) = (kept.join(&name), now.map(|now| now.join(&name)).filter(|now| now.exists()));
            if now.is_none() && unsynced.is_written() {
                continue;
            }
            match fs::read_link(&kept) {
                Ok(number) => {
                    self.write(number.to_str().unwrap().parse().unwrap(), &after.join(&name), now.as_deref(), unsynced)
                }
                Err(_) => {
                    let number = self.numbers.get(&fs::metadata(&kept).unwrap().ino());
                    let now = number.and_then(|number| self.files.get(number));
                    fs::write(after.join(&name), unsynced.merge(fs::read(&kept).unwrap(), now)).unwrap();
                }
            }
        }
        for name in now.map(names).unwrap_or_default() {
            let now = now.unwrap().join(&name);
            if kept.join(&name).symlink_metadata().is_ok() || !unsynced.is_written() {
                continue;
            }
            let number = fs::metadata(&now).unwrap().ino();
            if now.is_dir() {
                self.write(number, &after.join(&name), Some(&now), unsynced);
            } else {
                let kept = fs::read(self.durable.join("inodes").join(number.to_string())).unwrap_or_default();
                fs::write(after.join(&name), unsynced.merge(kept, Some(&now))).unwrap();
            }
        }
    }
}

impl Unsynced<'_> {
    /// True if the next unsynced change reaches the disk.
    fn is_written(&mut self) -> bool {
        match self {
            Self::Gone => false,
            Self::Partly(random) => random.random(),
        }
    }

    /// Returns a file's content after the failure. `kept` was synced; `now` was in memory, if the file existed.
    fn merge(&mut self, mut kept: Vec<u8>, now: Option<&PathBuf>) -> Vec<u8> {
        let (Some(now), Self::Partly(_)) = (now, &self) else { return kept };
        let now = fs::read(now).unwrap();
        if kept == now {
            return kept;
        }
        if kept.len() != now.len() && self.is_written() {
            kept.resize(now.len(), 0);
        }
        for (kept, now) in kept.chunks_mut(SECTOR).zip(now.chunks(SECTOR)) {
            if kept.len() == now.len() && kept != now && self.is_written() {
                kept.copy_from_slice(now);
            }
        }
        kept
    }
}
