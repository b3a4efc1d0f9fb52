//! Primary and asynchronous standby with alternating roles.

use leadscribe_test_postgres::{Cluster, Options, Shutdown, bin_dir, sql};
use tokio::task::block_in_place;

use crate::harness::eventually;

/// Primary and its standby.
pub struct ReplicationPair {
    pub primary: Cluster,
    pub standby: Cluster,
}

impl ReplicationPair {
    /// Starts both servers.
    pub fn start() -> Self {
        let programs = bin_dir().expect("PostgreSQL is missing; run `cargo xtask test system`");
        block_in_place(|| {
            let primary = Cluster::start(&programs, &Options::default()).unwrap();
            let standby = primary.start_replica().unwrap();
            Self { primary, standby }
        })
    }

    /// Returns the URL with both servers, which is valid whichever is the primary.
    pub fn url(&self) -> String {
        let [primary, standby] = [&self.primary, &self.standby].map(|server| format!("127.0.0.1:{}", server.port()));
        self.primary.url().replace(&primary, &format!("{primary},{standby}"))
    }

    /// Waits until the standby has all of the primary's data.
    pub async fn wait_until_in_sync(&self) {
        wait_until_in_sync(&self.primary, &self.standby).await;
    }

    /// Stops replication: later writes are lost with the primary.
    pub fn stop_replication(&self) {
        block_in_place(|| self.standby.stop_replication().unwrap());
    }

    /// Stops the primary as in a crash.
    pub fn crash(&self) {
        block_in_place(|| self.primary.stop(Shutdown::Immediate).unwrap());
    }

    /// Promotes the standby. The stopped former primary takes its place until [`ReplicationPair::recreate_standby`]
    /// replaces it.
    pub fn promote(&mut self) {
        block_in_place(|| self.standby.promote().unwrap());
        std::mem::swap(&mut self.primary, &mut self.standby);
    }

    /// Replaces the former primary with a new standby.
    pub fn recreate_standby(self) -> Self {
        let Self { primary, standby } = self;
        block_in_place(|| {
            let port = standby.port();
            drop(standby);
            let standby = primary.start_replica_on(port).unwrap();
            Self { primary, standby }
        })
    }
}

/// Waits until a standby has all of its primary's data.
pub async fn wait_until_in_sync(primary: &Cluster, standby: &Cluster) {
    let position = block_in_place(|| sql(&primary.url(), "SELECT pg_current_wal_flush_lsn()").unwrap());
    let replay_query = format!("SELECT pg_last_wal_replay_lsn() >= '{position}'");
    eventually("the standby is in sync", async || {
        block_in_place(|| sql(&standby.url(), &replay_query).unwrap()) == "t"
    })
    .await;
}
