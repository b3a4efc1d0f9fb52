//! State of a data folder after a power failure. See disk.c, which is loaded into the program.

use std::collections::BTreeMap;
use std::fs;
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};

use rand::RngExt;
use rand::rngs::StdRng;
use tempfile::TempDir;

use crate::torture::preload_library;

/// Bytes that a disk writes atomically.
const SECTOR_BYTES: usize = 512;

/// Simulated disk that keeps only synced data.
pub struct SimulatedDisk {
    temp_dir: TempDir,
    data_dir: PathBuf,
    library: String,
    durable_dir: PathBuf,
}

/// Fate of unsynced data.
pub enum UnsyncedData<'r> {
    Lost,
    /// Some sectors, names and sizes are written, in any order.
    PartlyWritten(&'r mut StdRng),
}

impl SimulatedDisk {
    /// Creates a simulated disk for an installation's data folder.
    pub fn for_data_dir(data_dir: &Path) -> Self {
        let temp_dir = tempfile::tempdir_in(data_dir.parent().unwrap()).unwrap();
        let library = preload_library::compile("power/disk.c", temp_dir.path());
        let durable_dir = temp_dir.path().join("durable");
        Self { temp_dir, data_dir: data_dir.canonicalize().unwrap(), library, durable_dir }
    }

    /// Returns the options of a program on the disk, and discards the record of the previous program.
    pub fn options(&self) -> [(&str, &str); 3] {
        let _ = fs::remove_dir_all(&self.durable_dir);
        fs::create_dir(&self.durable_dir).unwrap();
        let (data_dir, durable_dir) = (self.data_dir.to_str().unwrap(), self.durable_dir.to_str().unwrap());
        [("LD_PRELOAD", &self.library), ("POWER_DATA", data_dir), ("POWER_DURABLE", durable_dir)]
    }

    /// Replaces the data folder with its state after a power failure. The program must have been killed.
    pub fn restore_after_power_failure(&self, unsynced: &mut UnsyncedData<'_>) {
        let numbers = fs::read_dir(self.durable_dir.join("inodes")).unwrap().map(|file| {
            let file = file.unwrap();
            (file.metadata().unwrap().ino(), file.file_name().to_str().unwrap().parse().unwrap())
        });
        let mut files = BTreeMap::new();
        collect_files_by_inode(&self.data_dir, &mut files);
        let state =
            DiskState { durable_dir: &self.durable_dir, inode_by_copy: numbers.collect(), path_by_inode: files };
        let restored_dir = self.temp_dir.path().join("after");
        state.write_folder(fs::metadata(&self.data_dir).unwrap().ino(), &restored_dir, Some(&self.data_dir), unsynced);
        fs::remove_dir_all(&self.data_dir).unwrap();
        fs::rename(restored_dir, &self.data_dir).unwrap();
    }
}

/// Lists the files below a folder by inode number.
fn collect_files_by_inode(folder: &Path, files: &mut BTreeMap<u64, PathBuf>) {
    for entry in fs::read_dir(folder).unwrap().map(Result::unwrap) {
        match entry.file_type().unwrap() {
            kind if kind.is_dir() => collect_files_by_inode(&entry.path(), files),
            _ => drop(files.insert(entry.metadata().unwrap().ino(), entry.path())),
        }
    }
}

/// Synced data, and data that the system would have written later.
struct DiskState<'d> {
    durable_dir: &'d Path,
    /// Inode numbers of the synced files, by those of their durable copies.
    inode_by_copy: BTreeMap<u64, u64>,
    path_by_inode: BTreeMap<u64, PathBuf>,
}

impl DiskState<'_> {
    /// Writes the folder with this inode number to `target`. `current` is its state at the power failure, if it
    /// existed.
    fn write_folder(&self, inode: u64, target: &Path, current: Option<&Path>, unsynced: &mut UnsyncedData<'_>) {
        fs::create_dir(target).unwrap();
        let entry_names = |folder: &Path| {
            let entries = fs::read_dir(folder).into_iter().flatten();
            entries.map(|entry| entry.unwrap().file_name()).collect::<Vec<_>>()
        };
        let durable_copy = self.durable_dir.join("dirs").join(inode.to_string());
        for name in entry_names(&durable_copy) {
            let (durable_copy, current) = (
                durable_copy.join(&name),
                current.map(|current| current.join(&name)).filter(|current| current.exists()),
            );
            if current.is_none() && unsynced.reaches_disk() {
                continue;
            }
            match fs::read_link(&durable_copy) {
                Ok(inode) => self.write_folder(
                    inode.to_str().unwrap().parse().unwrap(),
                    &target.join(&name),
                    current.as_deref(),
                    unsynced,
                ),
                Err(_) => {
                    let inode = self.inode_by_copy.get(&fs::metadata(&durable_copy).unwrap().ino());
                    let current = inode.and_then(|inode| self.path_by_inode.get(inode));
                    fs::write(target.join(&name), unsynced.merge(fs::read(&durable_copy).unwrap(), current)).unwrap();
                }
            }
        }
        for name in current.map(entry_names).unwrap_or_default() {
            let current = current.unwrap().join(&name);
            if durable_copy.join(&name).symlink_metadata().is_ok() || !unsynced.reaches_disk() {
                continue;
            }
            let inode = fs::metadata(&current).unwrap().ino();
            if current.is_dir() {
                self.write_folder(inode, &target.join(&name), Some(&current), unsynced);
            } else {
                let durable_copy =
                    fs::read(self.durable_dir.join("inodes").join(inode.to_string())).unwrap_or_default();
                fs::write(target.join(&name), unsynced.merge(durable_copy, Some(&current))).unwrap();
            }
        }
    }
}

impl UnsyncedData<'_> {
    /// True if the next unsynced change reaches the disk.
    fn reaches_disk(&mut self) -> bool {
        match self {
            Self::Lost => false,
            Self::PartlyWritten(random) => random.random(),
        }
    }

    /// Returns a file's content after the failure. `synced` was synced; `current` was in memory, if the file existed.
    fn merge(&mut self, mut synced: Vec<u8>, current: Option<&PathBuf>) -> Vec<u8> {
        let (Some(current), Self::PartlyWritten(_)) = (current, &self) else { return synced };
        let current = fs::read(current).unwrap();
        if synced == current {
            return synced;
        }
        if synced.len() != current.len() && self.reaches_disk() {
            synced.resize(current.len(), 0);
        }
        for (synced, current) in synced.chunks_mut(SECTOR_BYTES).zip(current.chunks(SECTOR_BYTES)) {
            if synced.len() == current.len() && synced != current && self.reaches_disk() {
                synced.copy_from_slice(current);
            }
        }
        synced
    }
}
