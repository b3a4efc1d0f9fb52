//! Where a data folder is restored to: beside its place first, and there in one step once all is right.

use std::fs::{self, DirBuilder, File, Permissions};
use std::io::ErrorKind;
use std::os::unix::fs::{DirBuilderExt, MetadataExt, PermissionsExt};
use std::path::{Path, PathBuf};

use anyhow::{Context, bail, ensure};
use tempfile::TempDir;

use super::{RECORDINGS, read};

/// Names that are told of what stands in the way.
const NAMED: usize = 3;

/// A place for a data folder, and what is to come there. Until it is settled nothing is there, and if it isn't, nothing stays.
#[derive(Debug)]
pub struct Place {
    target: PathBuf,
    /// The folder that holds the place.
    parent: PathBuf,
    folder: TempDir,
}

impl Place {
    /// Makes sure that nothing stands at `target`, and makes a folder beside it.
    ///
    /// # Errors
    /// Something stands there, or it can't be put there in one step.
    pub fn find(target: &Path) -> anyhow::Result<Self> {
        let target = std::path::absolute(target)?;
        let (Some(parent), Some(name)) = (target.parent(), target.file_name()) else {
            bail!("{} can't be a data folder", target.display());
        };
        DirBuilder::new()
            .recursive(true)
            .mode(0o700)
            .create(parent)
            .with_context(|| format!("can't make the folder {}", parent.display()))?;
        expect_nothing(&target, parent)?;
        let folder = tempfile::Builder::new()
            .prefix(&Self::unfinished(&name.to_string_lossy()))
            .permissions(Permissions::from_mode(0o700))
            .tempdir_in(parent)
            .with_context(|| format!("can't make a folder in {}", parent.display()))?;
        Ok(Self { parent: parent.to_owned(), folder, target })
    }

    /// How the folder is called until all is right, for a place of this name.
    pub fn unfinished(name: &str) -> String {
        format!(".{name}.restoring-")
    }

    /// The folder that all comes into.
    pub fn folder(&self) -> &Path {
        self.folder.path()
    }

    /// Puts the folder in its place, where it outlives the machine when this returns.
    ///
    /// # Errors
    /// Something came to stand there meanwhile, or the disk says no.
    pub fn settle(self) -> anyhow::Result<()> {
        let Self { target, parent, folder } = self;
        DirBuilder::new().recursive(true).mode(0o700).create(folder.path().join(RECORDINGS))?;
        read::sync_folders(folder.path())?;
        match fs::rename(folder.path(), &target) {
            Err(error) if matches!(error.kind(), ErrorKind::DirectoryNotEmpty | ErrorKind::NotADirectory) => {
                bail!("{} was empty before, and isn't any more; nothing was restored", target.display())
            }
            renamed => renamed.with_context(|| format!("can't put the data folder at {}", target.display()))?,
        }
        // It isn't where it was made any more.
        let _ = folder.keep();
        File::open(parent)?.sync_all()?;
        Ok(())
    }
}

fn expect_nothing(target: &Path, parent: &Path) -> anyhow::Result<()> {
    let found = match fs::symlink_metadata(target) {
        Err(error) if error.kind() == ErrorKind::NotFound => return Ok(()),
        found => found.with_context(|| format!("can't look at {}", target.display()))?,
    };
    ensure!(found.is_dir(), "expected an empty folder or none at {}, found something else", target.display());
    let mut names = fs::read_dir(target)
        .with_context(|| format!("can't read {}", target.display()))?
        .map(|entry| entry.map(|entry| entry.file_name().display().to_string()))
        .collect::<Result<Vec<_>, _>>()?;
    names.sort();
    if !names.is_empty() {
        let more = names.len().saturating_sub(NAMED);
        names.truncate(NAMED);
        let more = if more > 0 { format!(" and {more} more") } else { String::new() };
        bail!("expected an empty folder or none at {}, found {}{more} in it", target.display(), names.join(", "));
    }
    let outer = fs::metadata(parent).with_context(|| format!("can't look at {}", parent.display()))?;
    ensure!(
        outer.dev() == found.dev(),
        "{} is a disk of its own, which can't be replaced in one step: restore into a folder in it, such as --data-dir {}",
        target.display(),
        target.join("data").display()
    );
    Ok(())
}
