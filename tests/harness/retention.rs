//! What a worker does by the clock, at the moment a test wants it.

use leadscribe_server::service::retention;
use leadscribe_server::worker::jobs::purge_expired::{Purged, purge};

use super::Server;

impl Server {
    /// Takes away what has expired by now.
    pub async fn purge(&self) -> Purged {
        purge(self.app()).await.unwrap()
    }

    /// Removes bytes of recordings that nobody names; gives how many.
    pub async fn sweep(&self) -> u64 {
        retention::sweep_recordings(self.app()).await.unwrap()
    }

    /// Takes what was deleted out of the database's files.
    pub async fn forget_deleted(&self) {
        self.app().store.forget_deleted(true).await.unwrap();
    }

    /// Its data folder.
    pub fn data_dir(&self) -> &std::path::Path {
        &self.app().config.storage.data_dir
    }
}
