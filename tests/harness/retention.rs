//! Runs the worker's scheduled maintenance on demand.

use leadscribe_server::service::operations::retention;
use leadscribe_server::worker::jobs::purge_expired::{PurgeCounts, purge};

use super::Server;

impl Server {
    /// Purges expired data.
    pub async fn purge(&self) -> PurgeCounts {
        purge(self.app()).await.unwrap()
    }

    /// Removes recordings that nothing refers to; returns how many.
    pub async fn sweep_recordings(&self) -> u64 {
        retention::sweep_recordings(self.app()).await.unwrap()
    }

    /// Erases deleted data from the database's files.
    pub async fn erase_deleted_data(&self) {
        self.app().store.erase_deleted_data(true).await.unwrap();
    }

    /// Returns the data folder.
    pub fn data_dir(&self) -> &std::path::Path {
        &self.app().config.storage.data_dir
    }
}
