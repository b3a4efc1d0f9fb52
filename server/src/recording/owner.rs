//! Ownership of a recordings store: a file next to the recordings names the installation.
//!
//! Recordings that the database doesn't reference are deleted. With the wrong database, which one mistyped option can cause, that would
//! delete all of them. So only the installation named in the file deletes recordings.

use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};

use super::s3;
use crate::storage::InstallationId;

/// Name of the file. Operators read and edit it too.
pub const OWNER_FILE_NAME: &str = "INSTALLATION.txt";

/// Returns the installation in the file, or `None` if there is no file.
///
/// # Errors
/// The store can't be read.
pub async fn read(store: &dyn ObjectStore) -> Result<Option<InstallationId>, object_store::Error> {
    let bytes = match store.get(&Path::from(OWNER_FILE_NAME)).await {
        Err(object_store::Error::NotFound { .. }) => return Ok(None),
        found => found.map_err(s3::shorten_error)?.bytes().await.map_err(s3::shorten_error)?,
    };
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(InstallationId(text.lines().next().unwrap_or_default().trim().to_owned())))
}

/// Writes the file for this installation.
///
/// # Errors
/// The store fails.
pub async fn write(store: &dyn ObjectStore, installation: &InstallationId) -> Result<(), object_store::Error> {
    let text = format!(
        "{}\n\n\
         The recordings next to this file belong to the Leadscribe installation with this id. No other installation \
              deletes them.\n",
        installation.0
    );
    store.put(&Path::from(OWNER_FILE_NAME), text.into_bytes().into()).await.map(drop).map_err(s3::shorten_error)
}

/// True if recordings without an owner file may be claimed: the database references all of them, or more than it doesn't reference. A
/// crash can leave a few without a reference.
pub fn can_claim(referenced: usize, unreferenced: usize) -> bool {
    unreferenced == 0 || referenced > unreferenced
}
