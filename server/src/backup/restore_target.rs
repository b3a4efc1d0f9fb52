//! Destination of a restore: the data folder is prepared next to it and then renamed in one step.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use tempfile::TempDir;

use super::{RECORDINGS_FOLDER, reader};

/// Maximum number of existing files named in an error.
const MAX_LISTED_FILES: usize = 3;

/// The destination of a restored data folder. [`RestoreTarget::commit`] creates it; without a commit, the prepared folder is deleted.
#[derive(Debug)]
pub struct RestoreTarget {
    target: PathBuf,
    /// Parent folder of the destination.
    parent: PathBuf,
    folder: TempDir,
}

impl RestoreTarget {
    /// Checks that `target` doesn't exist or is an empty folder, and creates a folder next to it.
    ///
    /// # Errors
    /// The target contains files, or a folder can't be moved there in one step.
    pub fn prepare(target: &Path) -> anyhow::Result<Self> {
        let target = std::path::absolute(target)?;
        let (Some(parent), Some(name)) = (target.parent(), target.file_name()) else {
            bail!("{} can't be a data folder", target.display());
        };
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(parent)
            .with_context(|| format!("can't create the folder {}", parent.display()))?;
        ensure_empty(&target, parent)?;
        let folder = tempfile::Builder::new()
            .prefix(&Self::folder_prefix(&name.to_string_lossy()))
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(parent)
            .with_context(|| format!("can't create a folder in {}", parent.display()))?;
        Ok(Self { parent: parent.to_owned(), folder, target })
    }

    /// Returns the prefix of the prepared folder's name, for a destination with this name.
    pub fn folder_prefix(name: &str) -> String {
        format!(".{name}.restoring-")
    }

    /// Returns the folder to restore into.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Moves the folder to its destination. It is durable on disk when this returns.
    ///
    /// # Errors
    /// The destination was created by another process, or a disk operation failed.
    pub fn commit(self) -> anyhow::Result<()> {
        let Self { target, parent, folder } = self;
        DirBuilder::new().recursive(true).mode(0o700).create(folder.path().join(RECORDINGS_FOLDER))?;
        reader::sync_folders(folder.path())?;
        match fs::rename(folder.path(), &target) {
            Err(error) if matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory) => {
                bail!("{} is no longer empty; nothing was restored", target.display())
            }
            renamed => renamed.with_context(|| format!("can't create the data folder {}", target.display()))?,
        }
        // The folder was moved, so there is nothing to delete.
        let _ = folder.keep();
        File::open(parent)?.sync_all()?;
        Ok(())
    }
}

fn ensure_empty(target: &Path, parent: &Path) -> anyhow::Result<()> {
    let metadata = match fs::symlink_metadata(target) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        metadata => metadata.with_context(|| format!("can't read {}", target.display()))?,
    };
    ensure!(metadata.is_dir(), "{} exists and is not a folder; choose another --data-dir", target.display());
    let mut names = fs::read_dir(target)
        .with_context(|| format!("can't read {}", target.display()))?
        .map(|entry| entry.map(|entry| entry.file_name().display().to_string()))
        .collect::<Result<Vec<_>, _>>()?;
    names.sort();
    if !names.is_empty() {
        let more_count = names.len().saturating_sub(MAX_LISTED_FILES);
        names.truncate(MAX_LISTED_FILES);
        let more = if more_count > 0 { format!(" and {more_count} more") } else { String::new() };
        bail!("{} is not empty: it contains {}{more}; choose another --data-dir", target.display(), names.join(", "));
    }
    let parent_metadata = fs::metadata(parent).with_context(|| format!("can't read {}", parent.display()))?;
    ensure!(
        parent_metadata.dev() == metadata.dev(),
        "{} is a mount point, which can't be replaced in one step; restore into a folder in it, such as --data-dir {}",
        target.display(),
        target.join("data").display()
    );
    Ok(())
}
