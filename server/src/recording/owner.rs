//! Whose recordings a store holds: a note beside them names an installation.
//!
//! What no call names is taken away, and another database names none of them: by one mistyped option all would go. So
//! nobody takes any away but the installation that the note names.

use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt};

use super::s3;
use crate::storage::InstallationId;

/// The name of the note, which people read and write too.
pub const NOTE: &str = "INSTALLATION.txt";

/// The installation that the note names; none where there is no note.
///
/// # Errors
/// When the store can't be read.
pub async fn read(store: &dyn ObjectStore) -> Result<Option<InstallationId>, object_store::Error> {
    let bytes = match store.get(&Path::from(NOTE)).await {
        Err(object_store::Error::NotFound { .. }) => return Ok(None),
        found => found.map_err(s3::brief)?.bytes().await.map_err(s3::brief)?,
    };
    let text = String::from_utf8_lossy(&bytes);
    Ok(Some(InstallationId(text.lines().next().unwrap_or_default().trim().to_owned())))
}

/// Leaves a note that the recordings are those of this installation.
///
/// # Errors
/// When the store can't keep it.
pub async fn write(store: &dyn ObjectStore, installation: &InstallationId) -> Result<(), object_store::Error> {
    let text = format!(
        "{}\n\n\
         The recordings beside this file are those of the Leadscribe installation with this id. No other takes any of them away.\n",
        installation.0
    );
    store.put(&Path::from(NOTE), text.into_bytes().into()).await.map(drop).map_err(s3::brief)
}

/// Whether recordings without a note are taken for those of a database that names so many of them, and so many not. A
/// crash leaves some that nobody names.
pub fn is_plain(named: usize, unnamed: usize) -> bool {
    unnamed == 0 || named > unnamed
}
